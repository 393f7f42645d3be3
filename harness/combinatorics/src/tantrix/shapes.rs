//! Boards from seeds: shapes of so many places, and boards that lack some places of another. A seed gives the same on every machine.

use std::collections::{BTreeSet, HashSet};
use std::iter;

use puzzle::hex::{Axial, components, holes};
use puzzle::tantrix::{Board, BoardTantrix};
use puzzle::words;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// A way to lay out n places.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// The n places nearest to a random point: a disc with a ragged rim.
    Round,
    /// A round core with single places on its rim that have just two neighbours, so that C6 applies. Of more than a hundred places few or
    /// none keep just two: the rim has no room for so many.
    Spur,
    /// Grown place by place at random, each new place next to two adjacent ones: less compact, with bays and
    /// places that have just two neighbours.
    Blob,
    /// A straight row: unsolvable, as a loop needs places with two neighbours at least.
    Row,
}

words!(Shape, a "shape": Round "round", Spur "spur", Blob "blob", Row "row");

impl Shape {
    /// Lays out n places, numbered row by row from the top, each row from left to right.
    ///
    /// The same shape, n and seed give the same places on every machine.
    pub fn places(self, n: usize, seed: u64) -> Vec<Axial> {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut places = match self {
            Self::Round => round(n, &mut rng),
            Self::Spur => spur(n, &mut rng),
            Self::Blob => blob(n, &mut rng),
            Self::Row => (0..n).map(|q| Axial { q: i32::try_from(q).unwrap_or(i32::MAX), r: 0 }).collect(),
        };
        normalise(&mut places);
        places
    }
}

/// The n places nearest to a random point of the middle place.
fn round(n: usize, rng: &mut ChaCha8Rng) -> Vec<Axial> {
    let (x0, y0) = (rng.random_range(-0.5..0.5), rng.random_range(-0.5..0.5));
    // A disc of n places has radius sqrt(n * sqrt(3) / (2 * pi)); one and a half times that is ample.
    let reach = (n as f64).sqrt().ceil() as i32 + 2;
    let mut places: Vec<Axial> = (-reach..=reach).flat_map(|q| (-reach..=reach).map(move |r| Axial { q, r })).collect();
    places.shuffle(rng);
    let distance = |at: &Axial| {
        let (x, y) = at.centre();
        // Plain arithmetic, which every machine rounds alike.
        (x - x0) * (x - x0) + (y - y0) * (y - y0)
    };
    places.sort_by(|a, b| distance(a).total_cmp(&distance(b)));
    places.truncate(n);
    places
}

/// Places that become more, and the empty places beside them.
#[derive(Default)]
struct Growing {
    filled: HashSet<Axial>,
    rim: BTreeSet<Axial>,
}

impl Growing {
    fn of(places: &[Axial]) -> Self {
        let mut growing = Self::default();
        places.iter().for_each(|&at| growing.add(at));
        growing
    }

    fn add(&mut self, at: Axial) {
        self.filled.insert(at);
        self.rim.remove(&at);
        self.rim.extend(at.neighbours().filter(|beside| !self.filled.contains(beside)));
    }

    /// Empty places beside filled ones, shuffled.
    fn rim(&self, rng: &mut ChaCha8Rng) -> Vec<Axial> {
        let mut rim: Vec<Axial> = self.rim.iter().copied().collect();
        rim.shuffle(rng);
        rim
    }
}

/// A round core and about one place in eight on its rim, each with just two neighbours, adjacent to each other.
fn spur(n: usize, rng: &mut ChaCha8Rng) -> Vec<Axial> {
    let wanted = if n < 10 { 1 } else { (n / 8).max(2) };
    let mut core = round(n.saturating_sub(wanted), rng);
    let mut spurs: Vec<Axial> = Vec::new();
    let mut growing = Growing::of(&core);
    while core.len() + spurs.len() < n {
        let rim = growing.rim(rng);
        // A place beside two adjacent ones closes no hole.
        let is_solid = holes(&growing.filled).is_empty();
        let fits = |at: &Axial| {
            let around: Vec<Axial> = at.neighbours().filter(|b| growing.filled.contains(b)).collect();
            let adjacent = around.len() == 2 && around[0].neighbours().any(|c| c == around[1]);
            is_solid && adjacent && around.iter().all(|b| !spurs.contains(b))
        };
        let next = match rim.iter().copied().find(fits) {
            Some(at) => {
                spurs.push(at);
                at
            }
            // The rim is full: let the core take one of the places instead.
            None => {
                let around = |at: &Axial| at.neighbours().filter(|b| growing.filled.contains(b)).count();
                // Less than a core to stand on.
                let Some(best) = rim.into_iter().max_by_key(around) else { break };
                core.push(best);
                best
            }
        };
        growing.add(next);
    }
    core.extend(spurs);
    core
}

/// Starts with two places and adds, one at a time, a random place that touches two adjacent ones and closes
/// no hole. Such places always exist: the corner of the convex side.
fn blob(n: usize, rng: &mut ChaCha8Rng) -> Vec<Axial> {
    let mut places = vec![Axial { q: 0, r: 0 }, Axial { q: 1, r: 0 }];
    places.truncate(n);
    let mut growing = Growing::of(&places);
    while places.len() < n {
        let fits = |at: &Axial| {
            let around: HashSet<Axial> = at.neighbours().filter(|b| growing.filled.contains(b)).collect();
            around.len() >= 2 && components(&around).len() == 1
        };
        // Joined neighbours all lie on one side, so that no hole can close.
        let Some(at) = growing.rim(rng).into_iter().find(fits) else { break };
        places.push(at);
        growing.add(at);
    }
    places
}

/// Moves the shape next to the origin and numbers it row by row from the top.
fn normalise(places: &mut [Axial]) {
    places.sort_by_key(|at| (std::cmp::Reverse(at.r), at.q));
    let r0 = places.iter().map(|at| at.r).min().unwrap_or(0);
    let q0 = places.iter().map(|at| at.q).min().unwrap_or(0);
    for at in places {
        *at = Axial { q: at.q - q0, r: at.r - r0 };
    }
}

/// A board that lacks some places and tiles of another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Smaller {
    /// The smaller puzzle, of the same colour; sorts of which no tile is left have the count 0.
    pub puzzle: BoardTantrix,
    /// The number on the larger board of each of its places, ascending.
    pub places: Vec<usize>,
    /// Numbers of the places that it lacks.
    pub lacks: Vec<usize>,
}

/// Draws boards that lack so many places of a fixed board, and as many of its tiles, without end; a draw may fail.
///
/// The places lie together: one is drawn, and those nearest to it go first. What is left is a board whose places have two neighbours at least,
/// as a loop needs. A draw fails where there is no such board, or where the turns of the tiles that are left close no loop.
pub fn smaller(puzzle: &BoardTantrix, fewer: usize, seed: u64) -> impl Iterator<Item = Option<Smaller>> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    iter::repeat_with(move || draw(puzzle, fewer, &mut rng))
}

fn draw(puzzle: &BoardTantrix, fewer: usize, rng: &mut ChaCha8Rng) -> Option<Smaller> {
    let board = &puzzle.board;
    let mut tiles = puzzle.tiles.clone();
    let copies = tiles.sorts.iter().enumerate().flat_map(|(index, sort)| iter::repeat_n(index, sort.count));
    let mut copies: Vec<usize> = copies.collect();
    copies.shuffle(rng);
    copies.iter().take(fewer).for_each(|&index| tiles.sorts[index].count -= 1);
    let first = board.at(rng.random_range(board.numbers()));
    let mut nearest: Vec<usize> = board.numbers().collect();
    nearest.shuffle(rng);
    nearest.sort_by_key(|&place| board.at(place).distance(first));
    let mut lacks = Vec::with_capacity(fewer);
    for _ in 0..fewer {
        let next = nearest.iter().position(|&place| {
            let left = board.numbers().filter(|other| *other != place && !lacks.contains(other));
            may_have_loop(&left.map(|other| board.at(other)).collect::<Vec<_>>())
        })?;
        lacks.push(nearest.remove(next));
    }
    let places: Vec<usize> = board.numbers().filter(|place| !lacks.contains(place)).collect();
    let at: Vec<Axial> = places.iter().map(|&place| board.at(place)).collect();
    let board = Board::new(&at).ok()?;
    let puzzle = BoardTantrix { challenge: places.len(), tiles, colour: puzzle.colour, board };
    puzzle.tiles.obstacle(puzzle.colour).is_none().then_some(Smaller { puzzle, places, lacks })
}

/// Whether these are a board of which each place has two neighbours at least.
fn may_have_loop(places: &[Axial]) -> bool {
    places.len() >= 3
        && Board::new(places).is_ok_and(|board| board.numbers().all(|place| board.inner_edges(place).count() >= 2))
}
