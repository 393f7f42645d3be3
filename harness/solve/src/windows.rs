//! Fix-and-optimise for linear models of full boards (Salassa, Vancroonenburg, Wauters, Della Croce & Vanden Berghe 2017, arXiv
//! 1709.00252, for Eternity II): a full board on which touching edges match is mended window by window.
//!
//! A window is some places that lie together; the tiles on all others are fixed, and the solver looks for tiles in the window with
//! which the board breaks its rows by less than before: tiles of a sort too many or too few, and loops that are to be cut off. A
//! window without such tiles makes the next one larger, one on which the solver takes too long makes it smaller. Half of the
//! windows shake the board instead: they change it, and may break it by as much as before, or a little more where it has long not
//! become better. Where that does not help either, another full board is begun with. That there is no solution is known only where a
//! window has become the whole board.

use std::collections::HashSet;

use model::ir::{Model, TOLERANCE, VarId};
use model::{Formulation, Problem, Role};
use puzzle::{Instance, Solution};

use crate::backend::*;
use crate::linear::added;
use crate::search::{Random, matching_boards};

/// Full boards to begin with; after the last one comes the first again, with other windows.
const STARTS: usize = 8;

/// Places of the first window, and by how much the next one is larger after a window that has no solution, or smaller after one on
/// which the solver took too long.
const FIRST: f64 = 14.0;
const LARGER: f64 = 0.25;
const SMALLER: f64 = 3.0;

/// Places by which a window is larger or smaller than that, at random.
const SPREAD: usize = 2;

/// How long a window is solved on the first board; on each further one, so much longer.
const LONGEST: Duration = Duration::from_millis(400);

/// The share of windows that shake the board, and how many of their tiles change at least.
const SHAKEN: f64 = 0.5;
const CHANGED: f64 = 4.0;

/// Windows that were to mend and left the board no better than it has been, after which shaken boards may break their rows by `WORSE`
/// more, up to the sum `WORST`, in windows of at most `SHAKEN_PLACES` places.
const STUCK: u32 = 20;
const WORSE: f64 = 2.0;
const WORST: f64 = 4.0;
const SHAKEN_PLACES: f64 = 16.0;

/// Such windows after which another board is begun with.
const PATIENCE: u32 = 100;

/// Noise by which a place joins a window, against one of its neighbours that are in it already.
const NOISE: f64 = 1.5;

/// A session that solves models of a formulation window by window; without a full board to begin with, the session as it is, as an error.
pub(crate) fn in_windows(
    session: Box<dyn Session>,
    (instance, formulation): (&Instance, &Formulation),
    problem: &dyn Problem,
    deadline: &Deadline,
) -> Result<Box<dyn Session>, Box<dyn Session>> {
    let ones = |placements| {
        let values = problem.encode(&Solution::on_places(&instance.name, placements));
        (0..values.len()).map(VarId).filter(|var| values[var.0] > 0.5).collect()
    };
    let boards = matching_boards(&instance.puzzle, formulation.seed(), deadline);
    let starts: Vec<Vec<VarId>> = boards.take(STARTS).map(ones).collect();
    if starts.is_empty() {
        return Err(session);
    }
    let of_role = |role| formulation.families().iter().find(|family| family.has(role)).map_or("", |family| family.id);
    let counting = of_role(Role::Counting);
    let board = Board::new(problem.model(), [Role::Placing, Role::Matching, Role::Counting].map(of_role));
    let random = Random(formulation.seed());
    Ok(Box::new(Windows { session, starts, begun: 0, counting, board, random, values: Vec::new() }))
}

/// The places of a model.
struct Board {
    /// By place: its variables.
    variables: Vec<Vec<VarId>>,
    /// By variable: its place, and the row that counts its tile.
    place: Vec<usize>,
    count: Vec<usize>,
    /// By place: those beside it.
    beside: Vec<Vec<usize>>,
}

impl Board {
    /// Each row of the placing family is a place, each of the matching one two that touch, and each of the counting one a tile.
    fn new(model: &Model, [placing, matching, counting]: [&str; 3]) -> Self {
        let rows = |family| model.rows().iter().filter(move |row| row.family == family);
        let variables: Vec<Vec<VarId>> =
            rows(placing).map(|row| row.terms.iter().map(|&(var, _)| var).collect()).collect();
        let mut place = vec![0; model.variables().len()];
        for (number, of_place) in variables.iter().enumerate() {
            of_place.iter().for_each(|var| place[var.0] = number);
        }
        let mut beside = vec![Vec::new(); variables.len()];
        for row in rows(matching) {
            for &(var, _) in &row.terms {
                let other = row.terms.iter().map(|&(other, _)| place[other.0]).find(|&other| other != place[var.0]);
                let known: &mut Vec<usize> = &mut beside[place[var.0]];
                known.extend(other.filter(|other| !known.contains(other)));
            }
        }
        let mut count = vec![0; model.variables().len()];
        for (number, row) in model.rows().iter().enumerate().filter(|(_, row)| row.family == counting) {
            row.terms.iter().for_each(|&(var, _)| count[var.0] = number);
        }
        Self { variables, place, count, beside }
    }

    /// So many places around one, each with as many neighbours among them as there are, and some noise.
    fn around(&self, middle: usize, size: usize, random: &mut Random) -> Vec<usize> {
        let mut window = vec![middle];
        while window.len() < size {
            let next = window.iter().flat_map(|&place| &self.beside[place]).filter(|place| !window.contains(place));
            let mut next: Vec<usize> = next.copied().collect();
            next.sort_unstable();
            // A place stands here once for each of its neighbours in the window.
            let scored = next.chunk_by(|a, b| a == b).map(|same| (same.len() as f64 + NOISE * random.next(), same[0]));
            let Some((_, best)) = scored.max_by(|a, b| a.0.total_cmp(&b.0)) else { break };
            window.push(best);
        }
        window
    }
}

struct Windows {
    session: Box<dyn Session>,
    /// The variables that are 1 on each board to begin with.
    starts: Vec<Vec<VarId>>,
    /// How many were begun with.
    begun: usize,
    /// The family that counts tiles.
    counting: &'static str,
    board: Board,
    random: Random,
    /// The board as it is; none at first.
    values: Vec<f64>,
}

impl Windows {
    /// Lays the next board.
    fn begin(&mut self, model: &Model) {
        self.values = vec![0.0; model.variables().len()];
        self.starts[self.begun % self.starts.len()].iter().for_each(|var| self.values[var.0] = 1.0);
        self.begun += 1;
    }

    /// The variables of a window around a place that one of the broken rows is about: where a tile lies that it has too many, or
    /// one could lie that it lacks. For each tile that is missing another is too many. If the window is to mend the board, only of
    /// tiles that lie in it or are missing: others would be too many.
    fn window(&mut self, model: &Model, broken: &[(usize, f64)], size: f64, mends: bool) -> Vec<VarId> {
        let rows = || broken.iter().map(|&(row, excess)| (&model.rows()[row], excess));
        let about: Vec<_> = rows().filter(|(row, excess)| *excess > 0.0 || row.family != self.counting).collect();
        let middle = if about.is_empty() {
            self.random.below(self.board.variables.len())
        } else {
            let (row, excess) = about[self.random.below(about.len())];
            let lies = |var: VarId| excess < 0.0 || self.values[var.0] > 0.5;
            let there: Vec<VarId> = row.terms.iter().map(|&(var, _)| var).filter(|&var| lies(var)).collect();
            if there.is_empty() { 0 } else { self.board.place[there[self.random.below(there.len())].0] }
        };
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a number of places")]
        let size = size as usize + self.random.below(2 * SPREAD + 1) - SPREAD;
        let window = self.board.around(middle, size, &mut self.random);
        let mut free: Vec<VarId> = window.iter().flat_map(|&place| &self.board.variables[place]).copied().collect();
        if mends {
            let lacking = broken.iter().filter(|(_, excess)| *excess < 0.0).map(|(row, _)| *row);
            let lie = free.iter().filter(|var| self.values[var.0] > 0.5).map(|var| self.board.count[var.0]);
            let of_use: HashSet<usize> = lacking.chain(lie).collect();
            free.retain(|var| of_use.contains(&self.board.count[var.0]));
        }
        free.sort_unstable();
        free
    }
}

/// The rows that a point breaks, and by how much.
fn broken(model: &Model, values: &[f64]) -> Vec<(usize, f64)> {
    let excess = model.rows().iter().map(|row| Model::excess(row, values)).enumerate();
    excess.filter(|(_, excess)| excess.abs() > TOLERANCE).collect()
}

impl Session for Windows {
    fn solve(&mut self, model: &Model, deadline: &Deadline) -> Result<Solved, SolveError> {
        let (mut total, mut windows, mut restarts) = (None, 0, 0);
        let (mut size, mut least, mut in_vain) = (FIRST, f64::INFINITY, 0);
        if self.values.is_empty() {
            self.begin(model);
        }
        let status = loop {
            let broken = broken(model, &self.values);
            if broken.is_empty() {
                break SolveStatus::Optimal;
            }
            if deadline.is_over() {
                break SolveStatus::Timeout;
            }
            let breaks: f64 = broken.iter().map(|(_, excess)| excess.abs()).sum();
            if breaks < least {
                (least, in_vain) = (breaks, 0);
            }
            if in_vain == PATIENCE {
                self.begin(model);
                restarts += 1;
                (size, least, in_vain) = (FIRST, f64::INFINITY, 0);
                continue;
            }
            let mends = self.random.next() >= SHAKEN;
            let (places, less, changed) = match in_vain {
                _ if mends => (size, 1.0, 0.0),
                ..STUCK => (size, 0.0, CHANGED),
                _ if breaks + WORSE <= WORST => (size.min(SHAKEN_PLACES), -WORSE, CHANGED),
                _ => (size.min(SHAKEN_PLACES), 0.0, CHANGED),
            };
            let free = self.window(model, &broken, places, mends);
            let is_soft = |row: usize| model.rows()[row].family == self.counting || broken.iter().any(|b| b.0 == row);
            let window = model.window(&self.values, &free, is_soft, less, changed);
            self.session.restart();
            let is_whole = mends && free.len() == self.values.len();
            let longest = LONGEST.mul_f64(self.begun as f64);
            let until = if is_whole { deadline.clone() } else { deadline.within(longest) };
            let Solved { outcome, values } = self.session.solve(&window, &until)?;
            let status = outcome.status;
            total = Some(added(total.take(), outcome));
            windows += 1;
            in_vain += u32::from(mends);
            match (values, status) {
                (Some(values), _) => {
                    free.iter().zip(values).for_each(|(var, value)| self.values[var.0] = value.round())
                }
                // All rows of a solution hold, so that it would have been found.
                (None, _) if is_whole => break status,
                (None, SolveStatus::Memout) => break SolveStatus::Memout,
                (None, _) if !mends => {}
                (None, SolveStatus::Infeasible) => size += LARGER,
                (None, _) => size = (size - SMALLER).max(FIRST),
            }
        };
        let is_solved = status == SolveStatus::Optimal;
        let native = if is_solved { "all rows hold".to_owned() } else { format!("window of {size:.0} places") };
        let figures = total.unwrap_or_else(|| Solve::of(status, ""));
        let outcome = Solve {
            nodes: figures.nodes,
            simplex_iterations: figures.simplex_iterations,
            conflicts: figures.conflicts,
            propagations: figures.propagations,
            patches: Some(windows),
            restarts: Some(restarts),
            ..Solve::of(status, native)
        };
        Ok(Solved { outcome, values: is_solved.then(|| self.values.clone()) })
    }

    fn restart(&mut self) {
        self.session.restart();
        self.values.clear();
    }
}
