//! 3SoKu: our own search ([`propagate`]), the one of De Biasi's solver in JavaScript ([`least`]), and those over sums ([`sums`], [`ends`]).
//!
//! For every vertex it is known what it lacks and how many faces around it are open, and from that which weights may still
//! lie around it: those that leave a sum which the other faces can reach ([`states`]). The options of a face are the
//! triples that sorts of tiles with copies left can show and that its three vertices permit; they are bits of a few words
//! ([`states`]). The open face with the fewest options comes next ([`engine`]); of its options first the one that is nearest
//! to what the vertices lack on average, where extreme weights are preferred: they fit ever fewer vertices later. After so
//! many nodes the search begins anew, with more patience, other preferences and more noise ([`Restarts`]), so that it ends
//! even where there is nothing to find.

mod all;
mod ends;
mod engine;
mod least;
mod states;
mod sums;

use combinatorics::soku::{CountError, Counting, ending};
use model::{Formulation, Strategy};
use puzzle::soku::Soku;
use puzzle::{Instance, Placement, Puzzle, Solution};

use self::engine::{Engine, Go, Restarts};
use self::states::{Bounds, Rows, States, Table};
use super::control::{Control, End, Explored, NAME, Settings};
use crate::backend::*;

pub use self::all::{AllSolved, solve_all};

/// Words of the largest sets of options.
const MOST_WORDS: usize = 160;

/// How many words the sets of a game's options need.
fn words(game: &Soku) -> Result<usize, SolveError> {
    let options = game.sorts().options().count();
    let reason = || format!("{options} triples of weights that tiles can show; there is room for {}", 64 * MOST_WORDS);
    Some(options.div_ceil(64)).filter(|words| *words <= MOST_WORDS).ok_or_else(|| unsupported(NAME, reason()))
}

/// What becomes of an engine for a game whose vertices lack at most so much: one for sets of as many words as it needs, with
/// all states of vertices in a table where that is small enough.
macro_rules! with_engine {
    ($game:expr, $most:expr, $engine:ident => $made:expr) => {
        match words($game)? {
            0 | 1 => with_engine!(1, $game, $most, $engine => $made),
            2..=4 => with_engine!(4, $game, $most, $engine => $made),
            5..=12 => with_engine!(12, $game, $most, $engine => $made),
            13..=36 => with_engine!(36, $game, $most, $engine => $made),
            _ => with_engine!(MOST_WORDS, $game, $most, $engine => $made),
        }
    };
    ($words:expr, $game:expr, $most:expr, $engine:ident => $made:expr) => {{
        let table = Table::<{ $words }>::new($game);
        match Rows::new(&table, $most) {
            Some(rows) => {
                let $engine = Engine::new($game, table, rows);
                $made
            }
            None => {
                let bounds = Bounds::new(&table);
                let $engine = Engine::new($game, table, bounds);
                $made
            }
        }
    }};
}

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
        Strategy::Sums => {
            if let Some(vertices) = game.parted() {
                return sums::search(game, vertices, &control, found);
            }
            let last = ending(game);
            if last.len() + game.placed.len() == game.tiles.len() {
                return ends::whole(game, &control, found);
            }
            if last.is_empty() {
                return Ok(control.ended(End::Exhausted));
            }
            with_engine!(game, most, engine => ends::search(engine, game, &last, settings.seed, control, found))
        }
        _ => Ok(with_engine!(game, most, engine => run(engine, game, settings, control, found))),
    }
}

/// The search in all its beginnings.
fn run<const W: usize, S: States<W>>(
    mut engine: Engine<W, S>,
    game: &Soku,
    settings: Settings,
    mut control: Control<'_>,
    found: &mut dyn FnMut(Vec<Placement>) -> bool,
) -> Explored {
    engine.seed(settings.seed);
    let show = |engine: &Engine<W, S>| engine.lying(game);
    control.look_at_clock();
    for (patience, taste) in Restarts::new(game.tiles.len(), settings.restarts) {
        if !engine.begin(&game.capacity) {
            return control.ended(End::Exhausted);
        }
        loop {
            match engine.go(&mut control, patience, taste, &show) {
                Go::Solved if !found(show(&engine)) => return control.ended(End::Stopped),
                Go::Solved if engine.take_back(&mut control, &show) => {}
                Go::Solved | Go::Exhausted => return control.ended(End::Exhausted),
                Go::Given if control.is_late() => return control.ended(End::OutOfTime),
                Go::Given => break,
            }
        }
    }
    control.ended(End::Exhausted)
}

/// The strategy `count`: all solutions of a game are counted, and one is shown. The objective is the number of solutions, as near as a float comes to it; the native status has all of its digits.
/// Nodes are the states that were made.
pub(super) fn count(
    instance: &Instance,
    formulation: &Formulation,
    time_limit: Option<Duration>,
) -> Result<(Solve, Option<Solution>), SolveError> {
    formulation.strategy()?;
    formulation.check(instance)?;
    let unsupported = |reason: String| unsupported(NAME, reason);
    let Puzzle::Soku(game) = &instance.puzzle else {
        return Err(unsupported(format!("strategy count for {}", instance.puzzle.kind())));
    };
    let deadline = Deadline::of(time_limit);
    let go_on = |_| !deadline.is_over();
    let counting = Counting { memory: ends::MEMORY, example: true, ..Counting::default() };
    let counted = combinatorics::soku::count(game, counting, &go_on);
    let counted = counted.map_err(|error: CountError| unsupported(error.to_string()))?;
    let mut outcome = match (counted.complete, counted.solutions) {
        (false, _) => Solve::of(SolveStatus::Timeout, "time limit"),
        (true, 0) => Solve::of(SolveStatus::Infeasible, "0 solutions, all counted"),
        (true, solutions) => Solve {
            objective_value: Some(solutions as f64),
            ..Solve::of(SolveStatus::Optimal, format!("{solutions} solutions, all counted"))
        },
    };
    outcome.nodes = Some(counted.states);
    let placements = counted.example.and_then(|shown| puzzle::soku::placements(game, &shown));
    Ok((outcome, placements.map(|placements| Solution::on_faces(&instance.name, placements))))
}

/// Solves boards that differ in nothing but their capacities by the strategy `propagate`, without asking for memory for each.
pub struct SokuSolver(Box<dyn Boards>);

impl SokuSolver {
    /// For the field and the tiles of a game, and those of its tiles that lie already; its capacities do not matter. Equal
    /// seeds give equal solutions of a board, whatever was solved before.
    /// Errors: more different options (weights that tiles can show) than the search has room for.
    pub fn new(game: &Soku, seed: u64) -> Result<Self, SolveError> {
        let largest = game.tiles.iter().flatten().copied().max().unwrap_or(0);
        let degree = (0..game.field.vertices().len()).map(|vertex| game.field.around(vertex).len()).max();
        let most = largest.saturating_mul(degree.unwrap_or(0) as u32);
        let boards: Box<dyn Boards> = with_engine!(game, most, engine => {
            Box::new(Several { shown: vec![0; game.tiles.len()], engine, nodes: 0, total: game.total_weight(), seed })
        });
        Ok(Self(boards))
    }

    /// A solution for the capacities of the vertices: for each face the index of what it shows among
    /// [`puzzle::soku::Sorts::options`]. `None` if there is none, which may take long to find out.
    /// Panics: another number of capacities than vertices.
    pub fn solve(&mut self, capacity: &[u32]) -> Option<&[u16]> {
        self.0.solve(capacity)
    }

    /// Options tried since the solver was made.
    pub fn nodes(&self) -> u64 {
        self.0.nodes()
    }
}

trait Boards: Send + Sync {
    fn copy(&self) -> Box<dyn Boards>;
    fn solve(&mut self, capacity: &[u32]) -> Option<&[u16]>;
    fn nodes(&self) -> u64;
}

#[derive(Clone)]
struct Several<const W: usize, S: States<W>> {
    engine: Engine<W, S>,
    nodes: u64,
    shown: Vec<u16>,
    total: u64,
    seed: u64,
}

impl Clone for SokuSolver {
    /// The same, which has tried nothing yet.
    fn clone(&self) -> Self {
        Self(self.0.copy())
    }
}

impl<const W: usize, S: States<W>> Boards for Several<W, S> {
    fn copy(&self) -> Box<dyn Boards> {
        Box::new(Self { nodes: 0, ..self.clone() })
    }

    fn solve(&mut self, capacity: &[u32]) -> Option<&[u16]> {
        assert_eq!(capacity.len(), self.engine.table.degrees.len(), "a capacity for each vertex");
        if capacity.iter().map(|&capacity| u64::from(capacity)).sum::<u64>() != self.total {
            return None;
        }
        let mut control = Control::new(Deadline::default(), None);
        self.engine.seed(self.seed);
        for (patience, taste) in Restarts::new(self.shown.len(), true) {
            let go = if self.engine.begin(capacity) {
                self.engine.go(&mut control, patience, taste, &|_| Vec::new())
            } else {
                Go::Exhausted
            };
            if go != Go::Given {
                self.nodes += control.nodes;
                for (face, choice) in self.engine.laid() {
                    self.shown[face as usize] = choice;
                }
                return (go == Go::Solved).then_some(self.shown.as_slice());
            }
        }
        None
    }

    fn nodes(&self) -> u64 {
        self.nodes
    }
}
