//! Many tiles: as many places are filled part by part, then mended in small steps until the numbers of tiles are right and one
//! loop is left.
//!
//! Where there are more places than tiles, a [`region`] of them is chosen first, at each new beginning another.
//!
//! Touching edges match from the first full board on ([`fill`]). The steps are exchanges along chains ([`chains`]); each
//! is accepted or refused by what it does to the numbers of tiles ([`Numbers`]) and of loops ([`loops`]) (Metropolis et al.
//! 1953), first by the numbers of tiles alone. Where loops stay apart, a patch around one of them is filled anew.
//!
//! Time and memory of a step do not depend on the board, but for loops that change, which are followed anew. It proves nothing but
//! that the colours close no loop and, on fixed boards, that touching edges cannot match.

mod chains;
mod fill;
mod loops;

use std::collections::BTreeSet;

use puzzle::hex::Axial;
use puzzle::tantrix::Board;
use puzzle::{Placement, Puzzle};

use self::chains::{Chains, Link};
use self::fill::Fill;
use self::loops::Loops;
use crate::backend::Deadline;

use super::control::{Control, End, Explored, Filling, Random};
use super::places::{NOWHERE, Places, hexagon, tantrix};
use super::table::{MOST_WORDS, Table, fit_one_word};

/// Boards of up to so many tiles are left to exhaustive search, which is as fast there and can prove that there is no solution.
pub(super) const MOST_LEFT: usize = 30;

/// Loops are looked at as soon as not more copies are too many or missing.
const FEW_WRONG: i32 = 8;

/// A copy too many or missing costs 1, a loop more this at least, and on large boards the logarithm of the places over
/// [`PLACES_OF_LOOP`]: about one loop too many is to be expected then. At higher costs a single loop remains early and hardly changes.
const COST_OF_LOOP: f64 = 2.0;
const PLACES_OF_LOOP: f64 = 40.0;

/// Chains that are tried before it is looked whether there was a single loop meanwhile.
const PATIENCE: u64 = 1 << 19;

/// Looks after which a patch is filled anew in any case.
const LOOKS: u64 = 16;

/// Chains that are tried before all begins anew, and as many more for each place; a quarter more each time.
const FIRST_ATTEMPTS: u64 = 1 << 20;
const ATTEMPTS_OF_PLACE: u64 = 1 << 15;

/// Farthest place of a patch, in steps from its middle.
const RADIUS: u32 = 3;

/// Finds solutions until `found` returns false or the time is over.
pub(super) fn parts(
    puzzle: &Puzzle,
    seed: u64,
    mut control: Control<'_>,
    found: &mut dyn FnMut(Vec<Placement>) -> bool,
) -> Explored {
    control.filling = Some(Filling::default());
    if control.is_late() {
        return control.ended(End::OutOfTime);
    }
    let (tiles, colour, board) = tantrix(puzzle);
    if tiles.obstacle(colour).is_some() {
        return control.ended(End::Exhausted);
    }
    let table = Table::new(tiles, colour);
    let count = table.supply.iter().sum::<u32>() as usize;
    let room = room(board, count);
    let is_fixed = room.at.len() == count;
    let mut attempts = FIRST_ATTEMPTS + ATTEMPTS_OF_PLACE * count as u64;
    for round in 0.. {
        // Rounds of one seed differ, and so do the first ones of two.
        let mut random = Random(Random(seed).bits().wrapping_add(round));
        control.worked(room.at.len() as u64);
        let region = if is_fixed { None } else { Some(Places::new(region(&room, count, 0.0, &mut random), board)) };
        let places = region.as_ref().unwrap_or(&room);
        let filled = if places.at.len() < count {
            Err(End::Exhausted)
        } else {
            Fill::new(&table, places).board(&mut random, &mut control)
        };
        match filled {
            Ok(values) => {
                if let Some(end) = Mending::new(&table, places, values, random, &mut control).mend(attempts, found) {
                    return control.ended(end);
                }
                attempts = attempts.saturating_add(attempts / 4);
            }
            // There are other regions.
            Err(End::Exhausted) if !is_fixed => {
                if control.is_late() {
                    return control.ended(End::OutOfTime);
                }
            }
            Err(end) => return control.ended(end),
        }
        control.filling().restarts += 1;
    }
    control.ended(End::OutOfTime)
}

/// Full boards on which touching edges match, whatever tiles lie and whatever loops; none more when the time is over. A seed always
/// leads to the same.
pub(crate) fn matching_boards<'a>(
    puzzle: &'a Puzzle,
    seed: u64,
    deadline: &Deadline,
) -> Box<dyn Iterator<Item = Vec<Placement>> + 'a> {
    match fit_one_word(tantrix(puzzle).0) {
        true => Box::new(boards::<1>(puzzle, seed, deadline)),
        false => Box::new(boards::<MOST_WORDS>(puzzle, seed, deadline)),
    }
}

fn boards<'a, const W: usize>(
    puzzle: &'a Puzzle,
    seed: u64,
    deadline: &Deadline,
) -> impl Iterator<Item = Vec<Placement>> + use<'a, W> {
    let (tiles, colour, board) = tantrix(puzzle);
    let table = Table::<W>::new(tiles, colour);
    let places = Places::new(board.map_or_else(Vec::new, |board| board.places().to_vec()), board);
    let (mut random, mut control) = (Random(seed), Control::new(deadline.clone(), None));
    std::iter::from_fn(move || {
        let values = Fill::new(&table, &places).board(&mut random, &mut control).ok()?;
        Some(placements(&table, &places, &values))
    })
}

/// Choices of as many places as there are tiles, where these lie in one part and without holes; without end, and fewer places where the
/// board is too narrow. The first one is round, and each further one less so. Each place comes with the number by which users know it.
pub(crate) fn choices(puzzle: &Puzzle, seed: u64) -> impl Iterator<Item = Vec<(Axial, usize)>> + use<> {
    let (tiles, _, board) = tantrix(puzzle);
    let count = tiles.sorts.iter().map(|sort| sort.count).sum();
    let (room, mut random) = (room(board, count), Random(seed));
    (0_u32..).map(move |number| {
        let is_full = room.at.len() == count;
        let noise = NOISE_OF_CHOICE * f64::from(number);
        let at = if is_full { room.at.clone() } else { region(&room, count, noise, &mut random) };
        at.into_iter().map(|at| (at, room.labels[room.number(at) as usize])).collect()
    })
}

/// The places on which tiles may lie.
fn room(board: Option<&Board>, count: usize) -> Places {
    Places::new(board.map_or_else(|| plane(count), |board| board.places().to_vec()), board)
}

/// A full board on which all touching edges match.
struct Mending<'a, 'c, 'w> {
    table: &'a Table<1>,
    places: &'a Places,
    values: Vec<u16>,
    chains: Chains<'a>,
    numbers: Numbers,
    /// Not until the numbers of tiles were almost right.
    loops: Option<Loops<'a>>,
    /// With not more loops the next stage is reached.
    next_stage: usize,
    random: Random,
    control: &'c mut Control<'w>,
}

impl<'a, 'c, 'w> Mending<'a, 'c, 'w> {
    fn new(
        table: &'a Table<1>,
        places: &'a Places,
        values: Vec<u16>,
        random: Random,
        control: &'c mut Control<'w>,
    ) -> Self {
        let (chains, numbers) = (Chains::new(table, places), Numbers::new(table, &values));
        Self { table, places, values, chains, numbers, loops: None, next_stage: usize::MAX, random, control }
    }

    /// `None`: there were so many attempts.
    fn mend(&mut self, attempts: u64, found: &mut dyn FnMut(Vec<Placement>) -> bool) -> Option<End> {
        let (mut is_new, mut was_single) = (true, false);
        if self.numbers.wrong > FEW_WRONG {
            self.stage();
        }
        for attempt in 1..=attempts {
            if self.loops.is_none() && self.numbers.wrong <= FEW_WRONG {
                self.control.worked(self.values.len() as u64);
                self.loops = Some(Loops::new(self.table, self.places, &self.values));
                is_new = true;
            }
            let is_single = self.loops.as_ref().is_some_and(|loops| loops.count == 1);
            if is_new
                && is_single
                && self.numbers.wrong == 0
                && !found(placements(self.table, self.places, &self.values))
            {
                return Some(End::Stopped);
            }
            if let Some(loops) = &self.loops
                && loops.count <= self.next_stage
            {
                self.next_stage = loops.count / 2;
                self.stage();
            }
            is_new = self.step();
            was_single |= is_single;
            if attempt.is_multiple_of(PATIENCE) {
                if !was_single || attempt.is_multiple_of(LOOKS * PATIENCE) {
                    is_new |= self.patch();
                }
                was_single = false;
            }
            if self.control.is_late() {
                return Some(End::OutOfTime);
            }
        }
        None
    }

    /// Tries a chain; whether it was exchanged.
    fn step(&mut self) -> bool {
        let start = self.start();
        let is_chain = self.chains.find(&self.values, start, &mut self.random);
        self.control.worked(self.chains.links.len() as u64 + 1);
        if !is_chain {
            return false;
        }
        self.control.count();
        let links = &self.chains.links;
        let before = self.numbers.wrong;
        self.numbers.exchange(&self.values, links, 1);
        let mut loops = self.loops.as_mut().filter(|_| self.chains.is_designated);
        let more = loops.as_mut().map_or(0, |loops| loops.change(&self.values, links));
        let cost_of_loop = (self.values.len() as f64 / PLACES_OF_LOOP).ln().max(COST_OF_LOOP);
        let cost = f64::from(self.numbers.wrong - before) + cost_of_loop * more as f64;
        if cost > 0.0 && self.random.next() >= (-cost).exp() {
            self.numbers.exchange(&self.values, links, -1);
            self.control.backtracks += 1;
            return false;
        }
        links.iter().for_each(|link| self.values[link.place] = link.value);
        self.control.filling().loops_merged += more.min(0).unsigned_abs() as u64;
        if let Some(loops) = loops {
            self.control.worked(loops.renew(&self.values) as u64);
        }
        self.control.step(|| placements(self.table, self.places, &self.values));
        true
    }

    /// Any place, or every other time one of a loop that is not the longest.
    fn start(&mut self) -> usize {
        let minor = self.loops.as_ref().map(|loops| &loops.minor).filter(|minor| !minor.is_empty());
        match minor {
            Some(minor) if self.random.bits() & 1 == 1 => minor[self.random.below(minor.len())] as usize,
            _ => self.random.below(self.values.len()),
        }
    }

    /// Fills the places around one anew; whether that came to an end.
    fn patch(&mut self) -> bool {
        let middle = self.start();
        let at = |place: usize| self.places.at[place];
        let mut patch = vec![middle];
        let mut next = 0;
        while let Some(&place) = patch.get(next) {
            next += 1;
            for &beyond in self.places.beyond[place].iter().filter(|&&beyond| beyond != NOWHERE) {
                let beyond = beyond as usize;
                if at(beyond).distance(at(middle)) <= RADIUS && !patch.contains(&beyond) {
                    patch.push(beyond);
                }
            }
        }
        let fill = Fill::new(self.table, self.places);
        let Some(values) = fill.patch(&self.values, &patch, &mut self.random, self.control) else { return false };
        self.values = values;
        self.control.filling().patches += 1;
        self.control.worked(self.values.len() as u64);
        self.numbers = Numbers::new(self.table, &self.values);
        self.loops = self.loops.is_some().then(|| Loops::new(self.table, self.places, &self.values));
        self.control.step(|| placements(self.table, self.places, &self.values));
        true
    }

    /// Tells of the board as it is: full for the first time, when loops are looked at, and with half as many loops as the last time.
    fn stage(&mut self) {
        let surplus = self.numbers.wrong.unsigned_abs() / 2;
        self.control.stage(surplus, || placements(self.table, self.places, &self.values));
    }
}

/// As much of the open plane as is looked at: a hexagon with half as many places more than tiles.
fn plane(count: usize) -> Vec<Axial> {
    hexagon((count / 2).isqrt() + 1)
}

fn placements<const W: usize>(table: &Table<W>, places: &Places, values: &[u16]) -> Vec<Placement> {
    values.iter().enumerate().filter_map(|(place, &value)| table.placement(places, place, value.into())).collect()
}

/// How often each sort lies on the board, against how often it should.
struct Numbers {
    /// By value.
    sorts: Vec<usize>,
    /// By sort: copies that lie beyond the supply, or are missing (negative).
    surplus: Vec<i32>,
    /// Copies too many and copies missing, over all sorts.
    wrong: i32,
}

impl Numbers {
    fn new(table: &Table<1>, values: &[u16]) -> Self {
        let sorts: Vec<usize> = table.values.iter().map(|value| value.sort).collect();
        let mut surplus: Vec<i32> = table.supply.iter().map(|&count| -(count as i32)).collect();
        values.iter().for_each(|&value| surplus[sorts[usize::from(value)]] += 1);
        let wrong = surplus.iter().map(|surplus| surplus.abs()).sum();
        Self { sorts, surplus, wrong }
    }

    /// The chain is exchanged (`copies` 1), or is not after all (-1).
    fn exchange(&mut self, values: &[u16], links: &[Link], copies: i32) {
        for link in links {
            self.add(values[link.place], -copies);
            self.add(link.value, copies);
        }
    }

    fn add(&mut self, value: u16, copies: i32) {
        let surplus = &mut self.surplus[self.sorts[usize::from(value)]];
        self.wrong += (*surplus + copies).abs() - surplus.abs();
        *surplus += copies;
    }
}

/// By how many steps each further choice of places may be less round.
const NOISE_OF_CHOICE: f64 = 0.1;

/// A unit of distances that are compared, in places.
const UNIT: f64 = 1.0 / 1024.0;

/// So many of the places as lie nearest to a random point, in one part and without holes; fewer where the board is too narrow.
///
/// It grows place by place: the next one has two neighbours at least in it, and these lie side by side, so that no hole
/// closes. No loop passes all places of a region with a place whose neighbours do not. Each place is held for up to `noise` steps farther
/// than it is.
fn region(room: &Places, count: usize, noise: f64, random: &mut Random) -> Vec<Axial> {
    let middle = random.below(room.at.len());
    let (x, y) = room.at[middle].centre();
    let (x, y) = (x + random.next() - 0.5, y + random.next() - 0.5);
    let mut farther = vec![0.0; room.at.len()];
    if noise > 0.0 {
        farther.iter_mut().for_each(|farther| *farther = noise * random.next());
    }
    let far = |place: usize| {
        let centre = room.at[place].centre();
        (((centre.0 - x).hypot(centre.1 - y) + farther[place]) / UNIT) as u64
    };
    let mut is_in = vec![false; room.at.len()];
    let mut region = Vec::with_capacity(count);
    let mut next = BTreeSet::from([(0, middle)]);
    while region.len() < count
        && let Some((_, place)) = next.pop_first()
    {
        let beyond = room.beyond[place];
        let beside = beyond.map(|beyond| beyond != NOWHERE && is_in[beyond as usize]);
        let neighbours = beside.iter().filter(|&&is_in| is_in).count();
        let sides = (0..6).filter(|&edge| beside[edge] && !beside[(edge + 1) % 6]).count();
        if neighbours < region.len().min(2) || sides > 1 {
            continue;
        }
        is_in[place] = true;
        region.push(room.at[place]);
        let open = beyond.iter().filter(|&&beyond| beyond != NOWHERE).map(|&beyond| beyond as usize);
        next.extend(open.filter(|&beyond| !is_in[beyond]).map(|beyond| (far(beyond), beyond)));
    }
    region
}
