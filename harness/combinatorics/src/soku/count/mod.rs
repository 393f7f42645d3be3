//! How many solutions a game has, exactly.
//!
//! A solution is a map from faces to weights near their corners that uses each sort of tiles as often as there are copies: equal tiles
//! (also those that are equal after a rotation) are interchangeable, and rotations of a tile with three equal weights are one.
//! [`Figures`] says how many there are where these are told apart.
//!
//! The faces are divided in two sides (`plan`). Each side is laid face by face (`sides`): for every multiset of tiles, and every
//! sum at the vertices of which some faces have tiles and others have none, in how many ways it comes about. Then each multiset of one
//! side meets the rest of the tiles on the other. Games with too many different sums for that are laid face
//! by face from end to end (`frontier`), or, where few fillings have equal sums, by two sides whose fillings are listed one by one
//! (`lists`). What takes more memory than it may is counted in cases (`effort`).

mod effort;
mod figures;
mod frontier;
mod job;
mod lists;
mod plan;
mod sides;

use std::sync::Mutex;

use puzzle::soku::Soku;

pub use effort::Progress;
use effort::{Effort, MOST_STATES, Stop, by_cases};
pub use figures::Figures;
use job::{Job, Share, Solved, Stock, Sums, numbers};
use lists::{BYTES_OF_FILLING, Lists, MOST_LEFT};
use plan::{Plan, Region, Widths};
use sides::{Layer, Side, join, meeting};

/// More cells than this are not numbered.
const MOST_CELLS: usize = 1 << 22;

/// More keys than this do not fit a table.
const MOST_KEYS: usize = 1 << 16;

/// More multisets of tiles than this are too many where the sums have no numbers.
const MOST_MULTISETS: f64 = 2e7;

/// Upper bounds on the states are too high by up to about this factor.
const SLACK: f64 = 30.0;

/// What tables take for a state, in bytes.
const BYTES_OF_STATE: f64 = 8.0;

/// More beginnings of fillings than this are not listed.
const MOST_LISTED: f64 = 3e10;

/// Dividing the faces and the like takes about as long as so many beginnings.
const STEPS_OF_A_TRY: f64 = 1e6;

/// How to count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Counting {
    /// Threads; what is counted does not depend on them.
    pub threads: usize,
    /// Bytes that tables and lists may take; what takes more is counted in cases. What is counted does not depend on them.
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
    /// It would take too much, or did, whatever the memory: an estimate in words.
    #[error("too large to count: {0}")]
    TooLarge(String),
    /// More memory is needed than may be taken: an estimate in words.
    #[error("too large to count in this memory: {0}")]
    Memory(String),
    /// The count does not fit in 128 bits, or that of the ways to a state in 64 where there are too many states for wider numbers.
    #[error("too many solutions for the numbers that count them")]
    Overflow,
}

/// Counts the solutions of a game.
///
/// `progress` is called often, by any thread, and returns whether to go on; most of the time of a case is over before its first
/// solutions are found. If the system refuses some of the threads, the others do the work.
/// Errors: a game that would take more memory, also in cases, or more states than may be, with an estimate; more solutions than a `u128`
/// can count.
pub fn count(
    game: &Soku,
    counting: Counting,
    progress: &(dyn Fn(Progress) -> bool + Sync),
) -> Result<Count, CountError> {
    count_by(game, counting, &Way::Best, progress)
}

/// Finds a solution of a game, or that there is none, where the faces without a tile are [`ending`] or fewer: by two sides, each of
/// which meets its sums in every way (meet in the middle). One thread does it.
///
/// `go_on` is asked often whether to go on. The count is complete where there is no solution; else its example is one.
/// Errors: a game that would take more memory or states than may be; sums too large for a bit each.
pub fn first(game: &Soku, memory: u64, go_on: &(dyn Fn() -> bool + Sync)) -> Result<Count, CountError> {
    count_by(game, Counting { threads: 1, memory, example: true }, &Way::First, &|_| go_on())
}

/// The faces, from 0, that are best left to [`first`] while other means fill the rest: all that have no tile yet where it decides
/// the game in reasonable time, else as many together as have a solution for about every filling of the rest, or fewer. None where
/// totals or single vertices show that there is no solution.
pub fn ending(game: &Soku) -> Vec<usize> {
    let Some((job, left)) = Job::of(game) else { return Vec::new() };
    let region = job.region();
    if left.len() <= MOST_LEFT && region.halves().made <= MOST_LISTED {
        return left;
    }
    let order = region.grown(MOST_LEFT);
    let sizes = (1..=order.len()).filter(|size| size % 2 == 0 || *size == order.len());
    let work = |size: usize| {
        let faces: Vec<[usize; 3]> = order[..size].iter().map(|&face| job.faces[face]).collect();
        let degrees = job.around(&order[..size]);
        let part = Region { faces: &faces, degrees, turns: region.turns, deviation: region.deviation };
        let made = part.halves().made;
        let tries = part.solutions().min(1.0).recip();
        if made > MOST_LISTED { f64::INFINITY } else { (made + STEPS_OF_A_TRY) * tries }
    };
    let best = sizes.map(|size| (work(size), size)).min_by(|a, b| a.0.total_cmp(&b.0));
    best.map(|(_, size)| order[..size].iter().map(|&face| left[face]).collect()).unwrap_or_default()
}

fn count_by(
    game: &Soku,
    counting: Counting,
    way: &Way,
    progress: &(dyn Fn(Progress) -> bool + Sync),
) -> Result<Count, CountError> {
    let none = Count { solutions: 0, complete: true, states: 0, example: None };
    let Some((job, left)) = Job::of(game) else { return Ok(none) };
    let mut count = count_job(&job, counting, way, progress)?;
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

const MIB: u64 = 1 << 20;
const GIB: u64 = 1 << 30;

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
    /// By lists, all solutions.
    #[cfg(test)]
    Lists,
    /// By lists, until there is a solution.
    First,
}

/// Counts the solutions of a job; the example is by its faces.
fn count_job(
    job: &Job,
    counting: Counting,
    way: &Way,
    progress: &(dyn Fn(Progress) -> bool + Sync),
) -> Result<Count, CountError> {
    let tiles = job.faces.len() / 2;
    let multisets = numbers(&job.stock)[tiles];
    let estimate = |states: Option<f64>, more: String| {
        let bound = states
            .filter(|states| states.is_finite())
            .map(|states| format!(", with the sums at the vertices up to {states:.1e} states"));
        format!("{multisets:.1e} multisets of {tiles} of the tiles{}{more}", bound.unwrap_or_default())
    };
    let size = |bytes: u64| match bytes {
        0..MIB => format!("{} KiB", bytes.div_ceil(1 << 10)),
        MIB..GIB => format!("{:.1} MiB", (bytes as f64 / MIB as f64 * 10.0).ceil() / 10.0),
        _ => format!("{:.2} GiB", (bytes as f64 / GIB as f64 * 100.0).ceil() / 100.0),
    };
    let Some(stock) = Stock::new(&job.stock) else {
        return Err(CountError::TooLarge(estimate(None, String::new())));
    };
    let sums = Sums::new(job);
    if let Some(sums) = &sums
        && (0..job.capacity.len()).any(|vertex| sums.at(vertex, 0).is_empty())
    {
        return Ok(Count { solutions: 0, complete: true, states: 0, example: None });
    }
    let found = Mutex::new(Progress::default());
    let so_far = || found.lock().map_or_else(|_| Progress::default(), |found| *found);
    let go_on = || progress(so_far());
    let effort = Effort::new(counting.threads, counting.memory, &go_on);
    let counter = Counter { job, stock: &stock, sums: sums.as_ref(), counting, effort: &effort, found: &found };
    let (bound, done) = counter.count(way, multisets);
    let states = effort.states();
    match done {
        Ok((solutions, example)) => {
            let complete = solutions == 0 || !matches!(way, Way::First);
            Ok(Count { solutions, complete, states, example })
        }
        Err(Stop::Overflow) => Err(CountError::Overflow),
        Err(Stop::Asked) => Ok(Count { solutions: so_far().solutions, complete: false, states, example: None }),
        Err(Stop::TooLarge) => {
            let made = if states > 0 { format!("; given up after {states} states") } else { String::new() };
            Err(CountError::TooLarge(estimate(bound, made)))
        }
        Err(Stop::Full) => {
            let (most, made) = (size(counting.memory), format!("; given up after {states} states"));
            let made = if states > 0 { made } else { String::new() };
            Err(CountError::Memory(estimate(bound, format!("; tables may take {most}{made}"))))
        }
        Err(Stop::Needs(bytes)) => {
            let needed = format!("; even in cases its tables take {} at least", size(bytes));
            Err(CountError::Memory(estimate(bound, needed)))
        }
    }
}

/// What is counted, and what that may take.
struct Counter<'a> {
    job: &'a Job,
    stock: &'a Stock,
    /// Where they are not too many.
    sums: Option<&'a Sums>,
    counting: Counting,
    effort: &'a Effort<'a>,
    found: &'a Mutex<Progress>,
}

/// About how many states there can be, if that is known, and what was counted.
type Counted = (Option<f64>, Result<Solved, Stop>);

impl Counter<'_> {
    fn count(&self, way: &Way, multisets: f64) -> Counted {
        let widths = || Widths::new(self.job, self.stock, self.sums);
        match way {
            Way::Best => {
                let widths = widths();
                let room = |plan: &Plan| self.sums.filter(|sums| has_room(self.job, sums, plan));
                let plan = widths.plan(|plan| room(plan).is_some());
                let is_listed = multisets <= MOST_MULTISETS;
                match room(&plan).map(|sums| self.by_tables(sums, &plan)) {
                    // Face by face the numbers are wider.
                    Some((_, Err(Stop::Overflow))) if is_listed => self.by_line(&widths),
                    Some(counted) => counted,
                    None if !is_listed => (Some(plan.states), Err(Stop::TooLarge)),
                    None => match self.by_line(&widths) {
                        (bound, Err(Stop::Full)) => match self.by_lists(false).1 {
                            // More memory would do, face by face.
                            Err(Stop::TooLarge) => (bound, Err(Stop::Full)),
                            counted => (bound, counted),
                        },
                        counted => counted,
                    },
                }
            }
            #[cfg(test)]
            Way::Sides(first) => {
                let plan = widths().of_sides(first);
                self.sums.map_or((None, Err(Stop::TooLarge)), |sums| self.by_tables(sums, &plan))
            }
            Way::Line => self.by_line(&widths()),
            #[cfg(test)]
            Way::Lists => self.by_lists(false),
            Way::First => self.by_lists(true),
        }
    }

    /// By two sides, in cases.
    fn by_tables(&self, sums: &Sums, plan: &Plan) -> Counted {
        if plan.states > SLACK * MOST_STATES as f64 {
            return (Some(plan.states), Err(Stop::TooLarge));
        }
        let bytes = plan.states / SLACK * BYTES_OF_STATE;
        let laid = plan.sides.each_ref().map(Vec::len);
        let count = |shares: [&Share; 2], before: Progress| self.by_two_sides(sums, plan, shares, before);
        (Some(plan.states), by_cases(self.stock, laid, bytes, false, self.effort, count))
    }

    /// The solutions in which the sides have these shares, after those of other cases.
    fn by_two_sides(&self, sums: &Sums, plan: &Plan, shares: [&Share; 2], before: Progress) -> Result<Solved, Stop> {
        self.record(before);
        let (stock, [first, second]) = (self.stock, &plan.sides);
        let a = Side::new(self.job, stock, sums, first, shares[0], self.effort)?;
        let b = Side::new(self.job, stock, sums, second, shares[1], self.effort)?;
        let multisets = stock.of_size(first.len(), shares[0], 0);
        let record = |more: u128| self.record(Progress { solutions: before.solutions.saturating_add(more), ..before });
        let joined = join([&a, &b], stock, &multisets, self.effort, &record)?;
        let solutions = joined.solutions.ok_or(Stop::Overflow)?;
        let meeting = joined.first.filter(|_| self.counting.example && before.solutions == 0).and_then(|multiset| {
            let cell = meeting([&a, &b], stock, multiset)?;
            Some((multiset, a.cells.sums(cell).collect::<Vec<_>>()))
        });
        drop((a, b));
        let example = match meeting {
            Some((multiset, between)) => Some(self.example_of(plan, multiset, &between)?),
            None => None,
        };
        Ok((solutions, example))
    }

    /// A solution of which is known what tiles the first side has, and the sums between the sides: each side is a job of its own.
    fn example_of(&self, plan: &Plan, multiset: u64, between: &[(usize, u32)]) -> Result<Vec<[u32; 3]>, Stop> {
        let (job, stock) = (self.job, self.stock);
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
            let counting = Counting { threads: 1, example: true, ..self.counting };
            // Where all faces are on one side, nothing was divided.
            let way = if part.faces.len() < job.faces.len() { Way::Best } else { Way::Line };
            let counted = count_job(&part, counting, &way, &|_| self.effort.stopped() != Some(Stop::Asked));
            let Count { complete, example, .. } = counted.map_err(|error| match error {
                CountError::TooLarge(_) => Stop::TooLarge,
                CountError::Memory(_) => Stop::Full,
                CountError::Overflow => Stop::Overflow,
            })?;
            if !complete {
                return Err(Stop::Asked);
            }
            faces.iter().zip(example.into_iter().flatten()).for_each(|(&face, weights)| shown[face] = weights);
        }
        Ok(shown)
    }

    /// Face by face.
    fn by_line(&self, widths: &Widths<'_>) -> Counted {
        let (order, states) = widths.line();
        self.effort.begin();
        self.record(Progress::default());
        let counted = frontier::count(self.job, self.stock, &order, self.effort, self.counting.example);
        (Some(states.iter().sum()), counted)
    }

    /// By lists, in cases; until there is a solution, or all.
    fn by_lists(&self, first: bool) -> Counted {
        let lists = self.sums.and_then(|sums| Lists::new(self.job, self.stock, sums));
        let Some(lists) = lists else { return (None, Err(Stop::TooLarge)) };
        if lists.made > MOST_LISTED {
            return (Some(lists.made), Err(Stop::TooLarge));
        }
        // Twice as much, since some cases are larger than others.
        let bytes = 2.0 * lists.listed * BYTES_OF_FILLING as f64;
        let count = |shares: [&Share; 2], before: Progress| {
            self.record(before);
            lists.count(shares, self.effort, self.counting.example && before.solutions == 0, first)
        };
        (Some(lists.made), by_cases(self.stock, lists.laid(), bytes, first, self.effort, count))
    }

    fn record(&self, progress: Progress) {
        if let Ok(mut found) = self.found.lock() {
            *found = progress;
        }
    }
}

/// Whether tables have room for the cells of a plan.
fn has_room(job: &Job, sums: &Sums, plan: &Plan) -> bool {
    plan.sides.iter().all(|order| {
        let fits = |laid: usize| {
            let layer = Layer::new(job, sums, order, laid);
            layer.cells() <= MOST_CELLS && (layer.keys <= MOST_KEYS || laid == order.len())
        };
        (0..=order.len()).all(fits)
    })
}

#[cfg(test)]
mod tests;
