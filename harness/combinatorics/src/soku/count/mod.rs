//! How many solutions a game has, exactly.
//!
//! A solution is a map from faces to weights near their corners that uses each sort of tiles as often as there are copies: equal tiles
//! (also those that are equal after a rotation) are interchangeable, and rotations of a tile with three equal weights are one.
//! [`Figures`] says how many there are where these are told apart.
//!
//! The faces are divided in two sides (`plan`). Each side is laid face by face (`sides`): for every multiset of tiles, and every
//! sum at the vertices of which some faces have tiles and others have none, in how many ways it comes about. Then each multiset of one
//! side meets the rest of the tiles on the other. Games with too many different sums for that are laid face
//! by face from end to end (`frontier`).

mod effort;
mod figures;
mod frontier;
mod job;
mod plan;
mod sides;
#[cfg(test)]
mod tests;

use std::sync::Mutex;

use puzzle::soku::Soku;

use effort::{Effort, MOST_STATES, Stop};
pub use figures::Figures;
use frontier::Solved;
use job::{Job, Stock, Sums, numbers};
use plan::{Plan, Widths};
use sides::{Layer, Side, join, meeting};

/// More cells than this are not numbered.
const MOST_CELLS: usize = 1 << 22;

/// More keys than this do not fit a table.
const MOST_KEYS: usize = 1 << 16;

/// More multisets of tiles than this are too many for lists of them.
const MOST_MULTISETS: f64 = 2e7;

/// Upper bounds on the states are too high by up to about this factor.
const SLACK: f64 = 30.0;

/// How to count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Counting {
    /// Threads; what is counted does not depend on them.
    pub threads: usize,
    /// Bytes that the tables may take.
    pub memory: u64,
    /// Whether to show a solution too.
    pub example: bool,
}

impl Default for Counting {
    /// One thread, 4 GiB, no example.
    fn default() -> Self {
        Self { threads: 1, memory: 4 << 30, example: false }
    }
}

/// What was counted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Count {
    /// Solutions: maps from faces to weights near their corners.
    pub solutions: u128,
    /// Whether these are all.
    pub complete: bool,
    /// States that were made.
    pub states: u64,
    /// One solution: weights on face 1, 2, ..., if there is one and it was wanted; the same at every call.
    pub example: Option<Vec<[u32; 3]>>,
}

/// Why a game was not counted.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum CountError {
    /// It would take too much.
    #[error("too large to count: {multisets:.1e} multisets of {tiles} of the tiles{}", of_states(*states, *given_up))]
    TooLarge {
        /// Tiles on half of the faces.
        tiles: usize,
        /// Multisets of that many tiles.
        multisets: f64,
        /// Upper bound on the states, if it got so far.
        states: Option<f64>,
        /// States that were made, and the bytes that they took, when it was given up.
        given_up: Option<(u64, u64)>,
    },
    /// The count does not fit in 128 bits.
    #[error("more than {} solutions, which is as far as counts go here", u128::MAX)]
    Overflow,
}

fn of_states(bound: Option<f64>, given_up: Option<(u64, u64)>) -> String {
    let bound = bound.map(|bound| format!(", with the sums at the vertices up to {bound:.1e} states"));
    let given_up =
        given_up.map(|(states, bytes)| format!("; given up after {states} states with {:.2} GB", bytes as f64 / 1e9));
    bound.unwrap_or_default() + &given_up.unwrap_or_default()
}

/// Counts the solutions of a game.
///
/// `progress` is called with the solutions so far, by any thread and often, and returns whether to go on; most of the time is over
/// before the first are found. If the system refuses some of the threads, the others do the work.
/// Errors: a game that would take more memory or states than may be, with an estimate; more solutions than a `u128` can
/// count.
pub fn count(game: &Soku, counting: Counting, progress: &(dyn Fn(u128) -> bool + Sync)) -> Result<Count, CountError> {
    let none = Count { solutions: 0, complete: true, states: 0, example: None };
    let Some((job, left)) = Job::of(game) else { return Ok(none) };
    let mut count = count_job(&job, counting, &Way::Best, progress)?;
    if let Some(laid) = count.example.take() {
        let mut shown = vec![[0; 3]; game.tiles.len()];
        for placed in &game.placed {
            shown[placed.place - 1] = game.shown(placed);
        }
        left.iter().zip(laid).for_each(|(&face, weights)| shown[face] = weights);
        count.example = Some(shown);
    }
    Ok(count)
}

/// Which way to count.
#[derive(Debug, Clone)]
enum Way {
    /// Whichever is best.
    Best,
    /// By sides, these faces on the first.
    #[cfg(test)]
    Sides(Vec<usize>),
    /// Face by face.
    Line,
}

/// Counts the solutions of a job; the example is by its faces.
fn count_job(
    job: &Job,
    counting: Counting,
    way: &Way,
    progress: &(dyn Fn(u128) -> bool + Sync),
) -> Result<Count, CountError> {
    let found = Mutex::new(0_u128);
    let go_on = || progress(found.lock().map_or(0, |found| *found));
    let effort = Effort::new(counting.threads, counting.memory, &go_on);
    let tiles = job.faces.len() / 2;
    let multisets = numbers(&job.stock)[tiles];
    let too_large = |states, given_up| Err(CountError::TooLarge { tiles, multisets, states, given_up });
    let Some(stock) = Stock::new(&job.stock).filter(|_| multisets <= MOST_MULTISETS) else {
        return too_large(None, None);
    };
    let sums = Sums::new(job);
    if let Some(sums) = &sums
        && (0..job.capacity.len()).any(|vertex| sums.at(vertex, 0).is_empty())
    {
        return Ok(Count { solutions: 0, complete: true, states: 0, example: None });
    }
    let widths = Widths::new(job, &stock, sums.as_ref());
    let plan = match way {
        Way::Best => Some(widths.plan(|plan| sums.as_ref().is_some_and(|sums| has_room(job, &stock, sums, plan)))),
        #[cfg(test)]
        Way::Sides(first) => Some(widths.of_sides(first)),
        Way::Line => None,
    };
    let by_sides = sums.as_ref().zip(plan).filter(|(sums, plan)| has_room(job, &stock, sums, plan));
    let (bound, done) = match by_sides {
        Some((sums, plan)) => {
            if plan.states > SLACK * MOST_STATES as f64 {
                return too_large(Some(plan.states), None);
            }
            let record = |solutions| {
                if let Ok(mut found) = found.lock() {
                    *found = solutions;
                }
            };
            (plan.states, by_two_sides(job, &stock, sums, &plan, &effort, counting.example, &record))
        }
        None => {
            let (order, states) = widths.line();
            let bound = states.iter().sum();
            (bound, frontier::count(job, &stock, &order, &effort, counting.example))
        }
    };
    let states = effort.states();
    match done {
        Ok((solutions, example)) => Ok(Count { solutions, complete: true, states, example }),
        Err(Stop::Overflow) => Err(CountError::Overflow),
        Err(Stop::Asked) => {
            let solutions = found.lock().map_or(0, |found| *found);
            Ok(Count { solutions, complete: false, states, example: None })
        }
        Err(Stop::TooLarge) => too_large(Some(bound), Some((states, effort.bytes()))),
    }
}

/// Whether tables have room for the cells of a plan, and numbers for the ways of its sides.
fn has_room(job: &Job, stock: &Stock, sums: &Sums, plan: &Plan) -> bool {
    let shown: Vec<usize> = job.shown.iter().map(Vec::len).collect();
    plan.sides.iter().all(|order| {
        let fits = |laid: usize| {
            let layer = Layer::new(job, sums, order, laid);
            layer.cells() <= MOST_CELLS && (layer.keys <= MOST_KEYS || laid == order.len())
        };
        (0..=order.len()).all(fits) && stock.greatest_ways(order.len(), &shown) < 62.0
    })
}

fn by_two_sides(
    job: &Job,
    stock: &Stock,
    sums: &Sums,
    plan: &Plan,
    effort: &Effort<'_>,
    example: bool,
    record: &(dyn Fn(u128) + Sync),
) -> Result<Solved, Stop> {
    let [first, second] = &plan.sides;
    let a = Side::new(job, stock, sums, first, effort)?;
    let b = Side::new(job, stock, sums, second, effort)?;
    let joined = join([&a, &b], stock, first.len(), effort, record);
    if let Some(stop) = effort.stopped() {
        return Err(stop);
    }
    let solutions = joined.solutions.ok_or(Stop::Overflow)?;
    let meeting = joined.first.filter(|_| example).and_then(|multiset| {
        let cell = meeting([&a, &b], stock, multiset)?;
        Some((multiset, a.cells.sums(cell).collect::<Vec<_>>()))
    });
    drop((a, b));
    let example = match meeting {
        Some((multiset, between)) => Some(example_of(job, stock, plan, multiset, &between)?),
        None => None,
    };
    Ok((solutions, example))
}

/// A solution of which is known what tiles the first side has, and the sums between the sides: each side is a job of its own.
fn example_of(
    job: &Job,
    stock: &Stock,
    plan: &Plan,
    multiset: u64,
    between: &[(usize, u32)],
) -> Result<Vec<[u32; 3]>, Stop> {
    let mut shown = vec![[0; 3]; job.faces.len()];
    for (side, faces) in plan.sides.iter().enumerate().filter(|(_, faces)| !faces.is_empty()) {
        let inside: Vec<usize> = faces.iter().flat_map(|&face| job.faces[face]).collect();
        let of_vertex = |vertex: usize| match between.iter().find(|(other, _)| *other == vertex) {
            Some((_, sum)) if side == 0 => *sum,
            Some((_, sum)) => job.capacity[vertex] - sum,
            None if inside.contains(&vertex) => job.capacity[vertex],
            None => 0,
        };
        let capacity = (0..job.capacity.len()).map(of_vertex).collect();
        let tiles = stock.uses(if side == 0 { multiset } else { stock.all() - multiset });
        let part = job.part(faces, tiles, capacity);
        let counting = Counting { threads: 1, memory: u64::MAX, example: true };
        // Where all faces are on one side, nothing was divided.
        let way = if part.faces.len() < job.faces.len() { Way::Best } else { Way::Line };
        let laid = count_job(&part, counting, &way, &|_| true).map_err(|_| Stop::TooLarge)?.example;
        faces.iter().zip(laid.into_iter().flatten()).for_each(|(&face, weights)| shown[face] = weights);
    }
    Ok(shown)
}
