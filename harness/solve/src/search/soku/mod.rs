//! 3SoKu: our own search ([`propagate`]), the one of De Biasi's solver in JavaScript ([`least`]), and those over sums ([`sums`]).
//!
//! For every vertex it is known what it lacks and how many faces around it are open, and from that which weights may still
//! lie around it: those that leave a sum which the other faces can reach ([`states`]). The options of a face are the
//! triples that sorts of tiles with copies left can show and that its three vertices permit; they are bits of a few words
//! ([`states`]). The open face with the fewest options comes next ([`engine`]); of its options first the one that is nearest
//! to what the vertices lack on average, where extreme weights are preferred: they fit ever fewer vertices later. After so
//! many nodes the search begins anew, with more patience, other preferences and more noise ([`Restarts`]), so that it ends
//! even where there is nothing to find.

mod all;
mod engine;
mod least;
mod states;
mod sums;

use combinatorics::soku::{CountError, Counting};
use model::Strategy;
use puzzle::soku::Soku;
use puzzle::{Placement, Solution};

use self::engine::{Engine, Go, Restarts, engine};
use super::control::{Control, End, Explored, NAME, Settings};
use crate::backend::*;

pub use self::all::{AllSolved, solve_all};

/// Bytes of a process that counts, beside its tables.
const BESIDE_TABLES: u64 = 32 << 20;

/// A count may take so many bytes for tables, however low its limit is.
const LEAST_MEMORY: u64 = 1 << 20;

/// Finds solutions until there are no more, or `found` returns false. Without restarts each comes once (tiles of one sort are
/// interchangeable, and so are the rotations of a uniform tile).
pub(super) fn search(
    game: &Soku,
    strategy: Strategy,
    settings: Settings,
    control: Control<'_>,
    found: &mut dyn FnMut(Vec<Placement>) -> bool,
) -> Result<Explored, SolveError> {
    if control.is_late() {
        return Ok(control.ended(End::OutOfTime));
    }
    if settings.sum_check && game.obstacle().is_some() {
        return Ok(control.ended(End::Exhausted));
    }
    let most = game.capacity.iter().copied().max().unwrap_or(0);
    match strategy {
        Strategy::LeastCapacity => Ok(least::search(game, control, found)),
        Strategy::Sums => sums::search(game, most, settings.seed, control, found),
        _ => Ok(propagate(engine(game, most)?.as_mut(), game, settings, control, found)),
    }
}

/// The search in all its beginnings.
fn propagate(
    engine: &mut dyn Engine,
    game: &Soku,
    settings: Settings,
    mut control: Control<'_>,
    found: &mut dyn FnMut(Vec<Placement>) -> bool,
) -> Explored {
    engine.seed(settings.seed);
    control.look_at_clock();
    for (patience, taste) in Restarts::new(game.tiles.len(), settings.restarts) {
        if !engine.begin(&game.capacity) {
            return control.ended(End::Exhausted);
        }
        loop {
            match engine.go(&mut control, patience, taste) {
                Go::Solved if !found(engine.lying()) => return control.ended(End::Stopped),
                Go::Solved if engine.take_back(&mut control) => {}
                Go::Solved | Go::Exhausted => return control.ended(End::Exhausted),
                Go::Given if control.is_late() => return control.ended(End::OutOfTime),
                Go::Given => break,
            }
        }
    }
    control.ended(End::Exhausted)
}

/// The strategy `count`: all solutions of a game are counted, and one is shown. The objective is the number of solutions, as near as a
/// float comes to it; the native status has all of its digits. Nodes are the states that were made. Tables take seven eighths of what the
/// memory limit of the process leaves beside the rest of it; without a limit as much as those of sums.
pub(super) fn count(
    name: &str,
    game: &Soku,
    deadline: &Deadline,
    memory_limit: Option<u64>,
) -> Result<(Solve, Option<Solution>), SolveError> {
    let go_on = |_| !deadline.is_over();
    let memory =
        memory_limit.map_or(sums::MEMORY, |limit| (limit.saturating_sub(BESIDE_TABLES) / 8 * 7).max(LEAST_MEMORY));
    let counting = Counting { memory, example: true, ..Counting::default() };
    let counted = combinatorics::soku::count(game, counting, &go_on);
    let counted = match counted {
        Ok(counted) => counted,
        Err(error @ CountError::Memory(_)) => return Ok((Solve::of(SolveStatus::Memout, error.to_string()), None)),
        Err(error) => return Err(unsupported(NAME, error.to_string())),
    };
    let mut outcome = match (counted.complete, counted.solutions) {
        (false, solutions) => Solve::of(SolveStatus::Timeout, record::counted_until_limit(solutions)),
        (true, 0) => Solve::of(SolveStatus::Infeasible, record::counted(0)),
        (true, solutions) => Solve {
            objective_value: Some(solutions as f64),
            ..Solve::of(SolveStatus::Optimal, record::counted(solutions))
        },
    };
    outcome.nodes = Some(counted.states);
    let placements = counted.example.and_then(|shown| puzzle::soku::placements(game, &shown));
    Ok((outcome, placements.map(|placements| Solution::on_faces(name, placements))))
}

/// Solves boards that differ in nothing but their capacities by the strategy `propagate`, without asking for memory for each.
pub struct SokuSolver {
    engine: Box<dyn Engine>,
    /// Capacities of a board, and their sum.
    vertices: usize,
    total: u64,
    seed: u64,
    shown: Vec<u16>,
    nodes: u64,
}

impl SokuSolver {
    /// For the field and the tiles of a game, and those of its tiles that lie already; its capacities do not matter. Equal
    /// seeds give equal solutions of a board, whatever was solved before.
    /// Errors: more different options (weights that tiles can show) than the search has room for.
    pub fn new(game: &Soku, seed: u64) -> Result<Self, SolveError> {
        let largest = game.tiles.iter().flatten().copied().max().unwrap_or(0);
        let vertices = game.field.vertices().len();
        let degree = (0..vertices).map(|vertex| game.field.around(vertex).len()).max();
        let engine = engine(game, largest.saturating_mul(degree.unwrap_or(0) as u32))?;
        Ok(Self { engine, vertices, total: game.total_weight(), seed, shown: vec![0; game.tiles.len()], nodes: 0 })
    }

    /// A solution for the capacities of the vertices: for each face the index of what it shows among
    /// [`puzzle::soku::Sorts::options`]. `None` if there is none, which may take long to find out.
    /// Panics: another number of capacities than vertices.
    pub fn solve(&mut self, capacity: &[u32]) -> Option<&[u16]> {
        assert_eq!(capacity.len(), self.vertices, "a capacity for each vertex");
        if capacity.iter().map(|&capacity| u64::from(capacity)).sum::<u64>() != self.total {
            return None;
        }
        let mut control = Control::new(Deadline::default(), None);
        self.engine.seed(self.seed);
        for (patience, taste) in Restarts::new(self.shown.len(), true) {
            let go = match self.engine.begin(capacity) {
                true => self.engine.go(&mut control, patience, taste),
                false => Go::Exhausted,
            };
            if go != Go::Given {
                self.nodes += control.nodes;
                self.engine.write(&mut self.shown);
                return (go == Go::Solved).then_some(self.shown.as_slice());
            }
        }
        None
    }

    /// Options tried since the solver was made.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }
}

impl Clone for SokuSolver {
    /// The same, which has tried nothing yet.
    fn clone(&self) -> Self {
        Self { engine: self.engine.copy(), shown: self.shown.clone(), nodes: 0, ..*self }
    }
}
