//! Partition, decided (is there a part of some numbers that has half of their sum?) and reduced to 3SoKu (Rizzo, problem 3 and
//! lemma 1).

use std::fmt;

use puzzle::soku::{GREATEST_WEIGHT, MOST_FACES, Soku, named};
use puzzle::{FieldError, Known, Placement};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::games::Generated;

/// The numbers that are to be parted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Numbers {
    /// These.
    Listed(Vec<u32>),
    /// Random ones.
    Random {
        /// How many.
        size: usize,
        /// The greatest that may be drawn; those from 1 to it are equally likely.
        greatest: u32,
        /// Seed.
        seed: u64,
    },
}

impl Numbers {
    /// All of them.
    /// Errors: random numbers of which the greatest would be 0, or too great to be a weight.
    pub fn list(&self) -> Result<Vec<u32>, FieldError> {
        match self {
            Self::Listed(list) => Ok(list.clone()),
            &Self::Random { size, greatest, seed } => {
                if !(1..=GREATEST_WEIGHT).contains(&greatest) {
                    let reason = format!("{greatest}; a whole number from 1 to {GREATEST_WEIGHT}");
                    return Err(FieldError::new("greatest", reason));
                }
                // More than the greatest field has would take memory for nothing.
                if size > MOST_NUMBERS {
                    return Err(FieldError::new(
                        "size",
                        format!("{size}; at most {MOST_NUMBERS} numbers make a field"),
                    ));
                }
                let mut rng = ChaCha8Rng::seed_from_u64(seed);
                Ok((0..size).map(|_| rng.random_range(1..=greatest)).collect())
            }
        }
    }
}

/// The options that make these numbers.
impl fmt::Display for Numbers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Listed(list) => {
                let list: Vec<String> = list.iter().map(ToString::to_string).collect();
                write!(f, "--numbers {}", list.join(","))
            }
            Self::Random { size, greatest, seed } => {
                write!(f, "--size {size} --greatest {greatest} --seed {seed}")
            }
        }
    }
}

/// Most numbers of a Partition game: each has two faces.
pub const MOST_NUMBERS: usize = MOST_FACES / 2;

/// The game on a bipyramid that has a solution if and only if the numbers can be parted into two sets of the same sum: a tile
/// (s, 0, 0) for each number s and as many empty ones, half of the sum as capacity of both apices, 0 for all other vertices.
///
/// Fewer than three numbers are filled up with zeros, as there is no bipyramid over fewer corners. Where the sum is odd, which
/// the lemma leaves out, all numbers are doubled and the capacities are the sum: the totals agree, and as the capacities are
/// odd and all weights are even, there is no solution, as there is no such part. Whether there is a solution is known where
/// [`is_searched`] says so.
/// Errors: no numbers or too many, a number of 0, numbers whose sum is too great for a capacity.
pub fn partition(numbers: &[u32]) -> Result<Generated, FieldError> {
    let wrong = |reason: String| Err(FieldError::new("numbers", reason));
    if numbers.is_empty() || numbers.len() > MOST_NUMBERS {
        return wrong(format!("{} of them; there is at least 1, and at most {MOST_NUMBERS}", numbers.len()));
    }
    if let Some(index) = numbers.iter().position(|&number| number == 0) {
        return wrong(format!("number {} is 0; they are positive", index + 1));
    }
    let total: u64 = numbers.iter().map(|&number| u64::from(number)).sum();
    let is_odd = total % 2 == 1;
    let factor = if is_odd { 2 } else { 1 };
    let apex = if is_odd { total } else { total / 2 };
    let greatest = u64::from(GREATEST_WEIGHT);
    if apex > greatest || numbers.iter().any(|&number| u64::from(number) * factor > greatest) {
        return wrong(format!("their sum is {total}; weights and capacities are at most {GREATEST_WEIGHT}"));
    }
    let n = numbers.len().max(3);
    let name = format!("bipyramid-{n}");
    let field = named(&name)?;
    let weight = |number: u32| u32::try_from(u64::from(number) * factor).unwrap_or(GREATEST_WEIGHT);
    let mut tiles: Vec<[u32; 3]> = numbers.iter().map(|&number| [weight(number), 0, 0]).collect();
    tiles.resize(2 * n, [0, 0, 0]);
    let mut capacity = vec![0; field.vertices().len()];
    for apex_name in ["P", "Q"] {
        if let Some(vertex) = field.vertex(apex_name) {
            capacity[vertex] = u32::try_from(apex).unwrap_or(GREATEST_WEIGHT);
        }
    }
    let game = Soku { field, capacity, tiles, placed: Vec::new() };
    let (known, solution) = match is_searched(numbers).then(|| half(numbers)) {
        _ if is_odd => (Known::Unsolvable, None),
        None => (Known::Unknown, None),
        Some(None) => (Known::Unsolvable, None),
        Some(Some(part)) => (Known::Solvable, Some(arranged(n, &part))),
    };
    Ok(Generated { game, field: name, known, solution })
}

/// The part's tiles around P, the other numbers' tiles around Q, empty ones between: all rotations are 0, since each face has its
/// apex as corner 0.
fn arranged(n: usize, part: &[bool]) -> Vec<Placement> {
    let mut on = vec![None; 2 * n];
    let mut next = [0, n];
    for (tile, &above) in part.iter().enumerate() {
        let face = &mut next[usize::from(!above)];
        on[*face] = Some(tile);
        *face += 1;
    }
    let mut empty = part.len()..2 * n;
    let placement = |(face, tile): (usize, Option<usize>)| {
        Some(Placement { place: face + 1, tile: tile.or_else(|| empty.next())? + 1, orientation: 0 })
    };
    on.into_iter().enumerate().filter_map(placement).collect()
}

/// Most steps of the table over all sums, for more numbers than are listed.
const MOST_STEPS: u64 = 1_000_000_000;

/// So many steps of the table are less work than lists.
const FEW_STEPS: u64 = 10_000_000;

/// Most numbers of which all sums of one half and of the other are listed.
const MOST_LISTED: usize = 40;

/// Whether [`half`] and [`part`] take seconds at most and a hundred megabytes: up to 40 numbers whatever they are, more of them where the
/// numbers are small.
pub fn is_searched(numbers: &[u32]) -> bool {
    numbers.len() <= MOST_LISTED || steps(numbers) <= MOST_STEPS
}

/// A part of the numbers that has half of their sum: whether each number is in it. `None` where there is none. For more than 40 numbers
/// ask [`is_searched`] first.
pub fn half(numbers: &[u32]) -> Option<Vec<bool>> {
    let total = total(numbers);
    if total.is_multiple_of(2) { part(numbers, total / 2) } else { None }
}

/// A part of the numbers that has this sum, which is half of their sum at most.
///
/// By a table over all sums (pseudo-polynomial), or for up to 40 numbers by all sums of the first half of the numbers, sorted,
/// against those of the second (Horowitz and Sahni 1974). For more numbers ask [`is_searched`] first.
pub fn part(numbers: &[u32], wanted: u64) -> Option<Vec<bool>> {
    if numbers.len() <= MOST_LISTED && steps(numbers) > FEW_STEPS {
        by_halves(numbers, wanted)
    } else {
        by_table(numbers, wanted)
    }
}

fn total(numbers: &[u32]) -> u64 {
    numbers.iter().map(|&number| u64::from(number)).sum()
}

/// Steps of the table: one for each number and sum.
fn steps(numbers: &[u32]) -> u64 {
    (total(numbers) / 2).saturating_mul(numbers.len() as u64)
}

/// For each sum the number that reached it first, the part before it being a sum of numbers before it.
fn by_table(numbers: &[u32], wanted: u64) -> Option<Vec<bool>> {
    const UNREACHED: u32 = u32::MAX;
    let wanted = usize::try_from(wanted).ok()?;
    let mut last = vec![UNREACHED; wanted + 1];
    last[0] = 0;
    for (index, &number) in (0_u32..).zip(numbers) {
        let number = number as usize;
        for sum in (number..=wanted).rev() {
            if last[sum] == UNREACHED && last[sum - number] != UNREACHED {
                last[sum] = index;
            }
        }
    }
    let mut part = vec![false; numbers.len()];
    let mut sum = wanted;
    while sum > 0 {
        let index = Some(last[sum]).filter(|&index| index != UNREACHED)? as usize;
        part[index] = true;
        sum -= numbers[index] as usize;
    }
    Some(part)
}

/// A sum of the first numbers, and one of the others, that are as much as is wanted.
fn by_halves(numbers: &[u32], wanted: u64) -> Option<Vec<bool>> {
    let (first, second) = numbers.split_at(numbers.len() / 2);
    let (low, high) = (sums(first), sums(second));
    let mut above = high.len();
    for &(sum, in_first) in &low {
        while above > 0 && sum + high[above - 1].0 > wanted {
            above -= 1;
        }
        match above.checked_sub(1).map(|index| high[index]) {
            Some((rest, in_second)) if sum + rest == wanted => {
                let chosen = |part: u64, size: usize| (0..size).map(move |bit| part >> bit & 1 == 1);
                return Some(chosen(in_first, first.len()).chain(chosen(in_second, second.len())).collect());
            }
            _ => {}
        }
    }
    None
}

/// The sums of all parts, least first, each with its part as bits.
fn sums(numbers: &[u32]) -> Vec<(u64, u64)> {
    let mut sums = vec![(0, 0)];
    for (bit, &number) in numbers.iter().enumerate() {
        let more: Vec<(u64, u64)> =
            sums.iter().map(|&(sum, part)| (sum + u64::from(number), part | 1 << bit)).collect();
        sums.extend(more);
    }
    sums.sort_unstable();
    sums
}
