//! Counting by two sides whose fillings are listed one by one: for weights so large that hardly two fillings have the same sums, and that the
//! sums are too many to be numbered.
//!
//! A side is filled face by face. Whatever lies leaves every vertex a sum that its open faces can complete; on the last face around a
//! vertex come only the tiles that show what it lacks, and on the last two only the pairs that do, both looked up by that sum. A
//! filling of the first side becomes a number made of its tiles and of the sums at the vertices between the sides. Those of the
//! second side are then looked for among these numbers.

use super::effort::{Effort, Stop};
use super::job::{Job, Share, Solved, Stock, Sums};
use super::plan::{Halves, Region, Step, steps};

/// More faces than this are not listed: they have far more fillings than can be, and finding that out takes the fourth power of their number.
pub(super) const MOST_LEFT: usize = 40;

/// More sums at all vertices together than this have no bit each.
const MOST_BITS: u64 = 1 << 26;

/// What a listed filling takes: its number, and up to 16 bits of the filter.
pub(super) const BYTES_OF_FILLING: u64 = 18;

/// Fillings between two looks at what may be taken.
const AT_ONCE: u64 = 1 << 12;

/// Steps between two looks at the clock.
const STEPS_AT_ONCE: u64 = 1 << 18;

/// Pairs of choices by a sum of weights.
#[derive(Debug)]
struct Index {
    /// Ascending, and where the pairs of each begin; a last beginning is their end.
    sums: Vec<u32>,
    starts: Vec<usize>,
    pairs: Vec<[u16; 2]>,
}

impl Index {
    fn new(mut pairs: Vec<(u32, [u16; 2])>) -> Self {
        pairs.sort_unstable();
        let starts = (0..pairs.len()).filter(|&index| index == 0 || pairs[index - 1].0 != pairs[index].0);
        let mut starts: Vec<usize> = starts.collect();
        let sums = starts.iter().map(|&start| pairs[start].0).collect();
        starts.push(pairs.len());
        Self { sums, starts, pairs: pairs.into_iter().map(|(_, pair)| pair).collect() }
    }

    fn of(&self, sum: u32) -> &[[u16; 2]] {
        match self.sums.binary_search(&sum) {
            Ok(index) => &self.pairs[self.starts[index]..self.starts[index + 1]],
            Err(_) => &[],
        }
    }
}

/// A face of a side, in the order in which they are filled.
#[derive(Debug)]
struct Place {
    corners: [usize; 3],
    /// Of each corner: the sums that there may be once the face has a tile, a bit for each.
    permitted: [Vec<u64>; 3],
}

impl Place {
    fn permits(&self, corner: usize, sum: u32) -> bool {
        let word = self.permitted[corner].get(sum as usize / 64);
        word.is_some_and(|word| word >> (sum % 64) & 1 == 1)
    }
}

/// The faces of a side.
#[derive(Debug)]
struct Side {
    order: Vec<usize>,
    places: Vec<Place>,
    steps: Vec<(usize, Step)>,
}

/// A filling that is being made.
struct Filling {
    left: Vec<u64>,
    /// Sorts of which all that is left has to be used, and how many tiles these are.
    fixed: usize,
    owed: u64,
    sums: Vec<u32>,
    multiset: u64,
    /// What lies, in the order of the side.
    laid: Vec<u16>,
    /// Steps since the last look at the clock.
    steps: u64,
}

/// A job, divided.
pub(super) struct Lists<'a> {
    job: &'a Job,
    stock: &'a Stock,
    /// Sorts with what a tile of theirs shows.
    choices: Vec<(usize, [u32; 3])>,
    /// By corner: choices (twice) by their weight.
    one: [Index; 3],
    /// By corners of two faces.
    two: [[Index; 3]; 3],
    sides: [Side; 2],
    /// Vertices with faces on both sides.
    between: Vec<usize>,
    /// About how many fillings of the first side there are, and beginnings of fillings of both.
    pub listed: f64,
    pub made: f64,
}

impl<'a> Lists<'a> {
    /// `None` where there are too many faces, sums or fillings.
    pub fn new(job: &'a Job, stock: &'a Stock, sums: &Sums) -> Option<Self> {
        let bits: u64 = job.capacity.iter().map(|&capacity| u64::from(capacity)).sum();
        let there = job.shown.iter().enumerate().filter(|(sort, _)| job.stock[*sort] > 0);
        let choices: Vec<(usize, [u32; 3])> =
            there.flat_map(|(sort, shown)| shown.iter().map(move |&weights| (sort, weights))).collect();
        if job.faces.len() > MOST_LEFT || bits > MOST_BITS {
            return None;
        }
        let one = |corner: usize| {
            let of = |(index, (_, weights)): (usize, &(usize, [u32; 3]))| (weights[corner], [index as u16; 2]);
            Index::new(choices.iter().enumerate().map(of).collect())
        };
        let two = |first: usize, second: usize| {
            let mut pairs = Vec::new();
            for (a, (sort, weights)) in choices.iter().enumerate() {
                for (b, (other, others)) in choices.iter().enumerate() {
                    if sort != other || job.stock[*sort] > 1 {
                        pairs.push((weights[first].saturating_add(others[second]), [a as u16, b as u16]));
                    }
                }
            }
            Index::new(pairs)
        };
        let Halves { sides, listed, made } = job.region().halves();
        let between: Vec<usize> = {
            let around = sides.each_ref().map(|side| job.around(side));
            (0..job.capacity.len()).filter(|&vertex| around.iter().all(|around| around[vertex] > 0)).collect()
        };
        // Every filling has a number of its own.
        let numbers = between.iter().try_fold(u128::from(stock.all()) + 1, |numbers, &vertex| {
            numbers.checked_mul(u128::from(job.capacity[vertex]) + 1)
        });
        numbers?;
        Some(Self {
            job,
            stock,
            one: std::array::from_fn(one),
            two: std::array::from_fn(|first| std::array::from_fn(|second| two(first, second))),
            choices,
            sides: sides.map(|order| Side::new(job, sums, order)),
            between,
            listed,
            made,
        })
    }

    /// How many faces the sides have.
    pub fn laid(&self) -> [usize; 2] {
        self.sides.each_ref().map(|side| side.order.len())
    }

    /// Counts the fillings of both sides that belong together, and shows the first pair if wanted; with `first` it ends there.
    pub fn count(&self, shares: [&Share; 2], effort: &Effort<'_>, example: bool, first: bool) -> Result<Solved, Stop> {
        let listed = self.list(shares[0], effort)?;
        let (mut solutions, mut met, mut seen) = (0_u128, None, 0);
        let stopped = self.fill(1, shares[1], effort, &mut |filling| {
            seen += 1;
            if seen % AT_ONCE == 0 {
                effort.add(AT_ONCE, 0);
            }
            let number = self
                .number(self.stock.all() - filling.multiset, |vertex| self.job.capacity[vertex] - filling.sums[vertex]);
            let more = listed.count(number);
            solutions += more as u128;
            if more > 0 && met.is_none() {
                met = Some((number, filling.multiset, filling.laid.clone()));
            }
            !(first && more > 0)
        });
        stopped?;
        effort.add(seen % AT_ONCE, 0);
        let shown = match met.filter(|_| example) {
            Some((number, multiset, laid)) => Some(self.show(number, multiset, &laid, effort)?),
            None => None,
        };
        Ok((solutions, shown))
    }

    /// A solution: what lies on the second side, and a filling of the first that has the number.
    fn show(&self, number: u128, multiset: u64, second: &[u16], effort: &Effort<'_>) -> Result<Vec<[u32; 3]>, Stop> {
        let mut laid = [Vec::new(), second.to_vec()];
        let share = self.stock.exactly(self.stock.all() - multiset);
        self.fill(0, &share, effort, &mut |filling| {
            let is_it = self.number(filling.multiset, |vertex| filling.sums[vertex]) == number;
            if is_it {
                laid[0].clone_from(&filling.laid);
            }
            !is_it
        })?;
        let mut shown = vec![[0; 3]; self.job.faces.len()];
        for (side, laid) in self.sides.iter().zip(laid) {
            side.order.iter().zip(laid).for_each(|(&face, choice)| shown[face] = self.choices[usize::from(choice)].1);
        }
        Ok(shown)
    }

    /// The fillings of the first side.
    fn list(&self, share: &Share, effort: &Effort<'_>) -> Result<Numbers, Stop> {
        let (mut numbers, mut full) = (Vec::new(), None);
        self.fill(0, share, effort, &mut |filling| {
            numbers.push(self.number(filling.multiset, |vertex| filling.sums[vertex]));
            if numbers.len() as u64 % AT_ONCE == 1 {
                effort.add(AT_ONCE, AT_ONCE * BYTES_OF_FILLING);
                full = effort.stopped();
            }
            full.is_none()
        })?;
        full.map_or_else(|| Ok(Numbers::new(numbers)), Err)
    }

    fn number(&self, multiset: u64, sum: impl Fn(usize) -> u32) -> u128 {
        self.between.iter().fold(u128::from(multiset), |number, &vertex| {
            number * (u128::from(self.job.capacity[vertex]) + 1) + u128::from(sum(vertex))
        })
    }

    /// Calls `each` with every filling of a side by the tiles of a share, until it returns false.
    fn fill(
        &self,
        side: usize,
        share: &Share,
        effort: &Effort<'_>,
        each: &mut dyn FnMut(&Filling) -> bool,
    ) -> Result<(), Stop> {
        let mut filling = Filling {
            left: share.most.clone(),
            fixed: share.fixed,
            owed: share.owed(),
            sums: vec![0; self.job.capacity.len()],
            multiset: 0,
            laid: Vec::new(),
            steps: 0,
        };
        let mut stopped = None;
        if filling.owed <= self.sides[side].places.len() as u64 {
            self.go(&self.sides[side], 0, &mut filling, effort, &mut stopped, each);
        }
        stopped.map_or(Ok(()), Err)
    }

    /// Whether to go on after all that follows on a step.
    fn go(
        &self,
        side: &Side,
        step: usize,
        filling: &mut Filling,
        effort: &Effort<'_>,
        stopped: &mut Option<Stop>,
        each: &mut dyn FnMut(&Filling) -> bool,
    ) -> bool {
        let Some(&(position, kind)) = side.steps.get(step) else { return each(filling) };
        filling.steps += 1;
        if filling.steps == STEPS_AT_ONCE {
            filling.steps = 0;
            *stopped = effort.stopped();
            if stopped.is_some() {
                return false;
            }
        }
        let corners = side.places[position].corners;
        let lacking = |sums: &[u32], corner: usize| self.job.capacity[corners[corner]] - sums[corners[corner]];
        let mut next = |filling: &mut Filling| self.go(side, step + 1, filling, effort, stopped, each);
        match kind {
            Step::Any => {
                (0..self.choices.len() as u16).all(|choice| self.with(side, position, choice, filling, &mut next))
            }
            Step::Last(corner) => self.one[corner]
                .of(lacking(&filling.sums, corner))
                .iter()
                .all(|&[choice, _]| self.with(side, position, choice, filling, &mut next)),
            Step::LastTwo([a, b]) => self.two[a][b].of(lacking(&filling.sums, a)).iter().all(|&[here, there]| {
                self.with(side, position, here, filling, |filling| {
                    self.with(side, position + 1, there, filling, &mut next)
                })
            }),
        }
    }

    /// Does something while a choice lies on a face, if it may; whether to go on.
    #[inline(always)]
    fn with(
        &self,
        side: &Side,
        position: usize,
        choice: u16,
        filling: &mut Filling,
        work: impl FnOnce(&mut Filling) -> bool,
    ) -> bool {
        let (sort, weights) = self.choices[usize::from(choice)];
        let place = &side.places[position];
        if filling.left[sort] == 0 {
            return true;
        }
        let is_owed = u64::from(sort < filling.fixed);
        if filling.owed - is_owed > (side.places.len() - position - 1) as u64 {
            return true;
        }
        for (corner, (&vertex, weight)) in place.corners.iter().zip(weights).enumerate() {
            if !place.permits(corner, filling.sums[vertex].saturating_add(weight)) {
                return true;
            }
        }
        place.corners.iter().zip(weights).for_each(|(&vertex, weight)| filling.sums[vertex] += weight);
        filling.left[sort] -= 1;
        filling.owed -= is_owed;
        filling.multiset += self.stock.strides[sort];
        filling.laid.push(choice);
        let goes_on = work(filling);
        filling.laid.pop();
        filling.multiset -= self.stock.strides[sort];
        filling.owed += is_owed;
        filling.left[sort] += 1;
        place.corners.iter().zip(weights).for_each(|(&vertex, weight)| filling.sums[vertex] -= weight);
        goes_on
    }
}

impl Side {
    fn new(job: &Job, sums: &Sums, order: Vec<usize>) -> Self {
        let degrees = job.degrees();
        let mut around = vec![0; degrees.len()];
        let place = |&face: &usize| {
            let corners = job.faces[face];
            let permitted = corners.map(|vertex| {
                around[vertex] += 1;
                let mut bits = vec![0_u64; job.capacity[vertex] as usize / 64 + 1];
                sums.at(vertex, around[vertex]).iter().for_each(|&sum| bits[sum as usize / 64] |= 1 << (sum % 64));
                bits
            });
            Place { corners, permitted }
        };
        let places = order.iter().map(place).collect();
        Self { steps: steps(&job.faces, &degrees, &order), places, order }
    }
}

impl Job {
    /// What is known without looking at single tiles.
    pub fn region(&self) -> Region<'_> {
        let tiles: usize = self.stock.iter().sum();
        let by_sort = || self.shown.iter().zip(&self.stock).map(|(shown, &copies)| (shown, copies as f64));
        let weights = || by_sort().flat_map(|(shown, copies)| shown[0].map(|weight| (f64::from(weight), copies)));
        let number = tiles.max(1) as f64;
        let mean = weights().map(|(weight, copies)| weight * copies).sum::<f64>() / (3.0 * number);
        let square = weights().map(|(weight, copies)| (weight - mean).powi(2) * copies).sum::<f64>() / (3.0 * number);
        Region {
            faces: &self.faces,
            degrees: self.degrees(),
            turns: by_sort().map(|(shown, copies)| shown.len() as f64 * copies).sum::<f64>() / number,
            deviation: square.sqrt(),
        }
    }
}

/// Numbers to be looked for.
struct Numbers {
    /// Ascending.
    numbers: Vec<u128>,
    /// A bit for each number, at a place that depends on it: where there is none, the number is not there.
    filter: Vec<u64>,
    shift: u32,
}

impl Numbers {
    fn new(mut numbers: Vec<u128>) -> Self {
        numbers.sort_unstable();
        // Eight places for each number at least, and at most 2^63.
        let log = (numbers.len().max(8) * 8).next_power_of_two().ilog2();
        let mut this = Self { numbers: Vec::new(), filter: vec![0; 1 << (log - 6)], shift: 64 - log };
        for &number in &numbers {
            let place = this.place(number);
            this.filter[place / 64] |= 1 << (place % 64);
        }
        Self { numbers, ..this }
    }

    fn place(&self, number: u128) -> usize {
        let folded = number as u64 ^ (number >> 64) as u64;
        (folded.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> self.shift) as usize
    }

    /// How often a number is there.
    fn count(&self, number: u128) -> usize {
        let place = self.place(number);
        if self.filter[place / 64] >> (place % 64) & 1 == 0 {
            return 0;
        }
        let from = self.numbers.partition_point(|&other| other < number);
        self.numbers[from..].partition_point(|&other| other == number)
    }
}
