//! Tiles to start from: as they lie in a solution of a board that lacks some places and tiles.

use std::time::Instant;

use combinatorics::tantrix::{Smaller, smaller};
use model::{Formulation, FormulationKeys, FormulationKind, Problem, START_FEWER, Start};
use puzzle::tantrix::BoardTantrix;
use puzzle::{Instance, Placement, Puzzle};

use crate::search::{SearchStep, Settings, Watch, explore_until};
use crate::{Deadline, SolveError};

/// Draws of smaller boards, of which the first that is solved counts.
const DRAWS: usize = 200;

/// Steps of the search on each, many times what boards with solutions mostly take. They are counted and not timed, so that a seed always
/// leads to the same tiles.
const MOST_STEPS: u64 = 20_000;

/// Solves a smaller board and lays a share of its tiles, where the formulation says so. Returns what a reader of the row should know of it.
/// Errors: as [`crate::search::explore`].
pub(crate) fn begin(
    formulation: &Formulation,
    instance: &Instance,
    problem: &mut dyn Problem,
    deadline: &Deadline,
) -> Result<Option<String>, SolveError> {
    let (Some(start), Puzzle::TantrixFixed(puzzle)) = (formulation.start(), &instance.puzzle) else { return Ok(None) };
    let (begun, seed) = (Instant::now(), formulation.seed());
    let boards = smaller(puzzle, START_FEWER, seed).take(DRAWS).flatten();
    for board in boards.take_while(|_| !deadline.is_over()) {
        if let Some(solution) = solve(&board, seed, &deadline.apart())? {
            let laid = farthest(&solution, &board, puzzle, start);
            problem.start(start.by, &laid);
            let (taken, all, time_s) = (laid.len(), solution.len(), begun.elapsed().as_secs_f64());
            return Ok(Some(format!(
                "start from {taken} of the {all} tiles of a smaller board, solved in {time_s:.4} s"
            )));
        }
    }
    let time_s = begun.elapsed().as_secs_f64();
    let which =
        if deadline.is_over() { "no smaller board".to_owned() } else { format!("none of {DRAWS} smaller boards") };
    Ok(Some(format!("no start: {which} was solved, in {time_s:.4} s")))
}

/// The tiles of a solution of a smaller board, by its place numbers, if one is found.
fn solve(board: &Smaller, seed: u64, deadline: &Deadline) -> Result<Option<Vec<Placement>>, SolveError> {
    let instance = Instance::part("", Puzzle::TantrixFixed(board.puzzle.clone()));
    let formulation = FormulationKeys::new("smaller", FormulationKind::Search, &[]).read()?;
    let settings = Settings { seed, restarts: true, sum_check: true, time_limit: None };
    let mut count = |step: SearchStep<'_>| {
        if step.number >= MOST_STEPS {
            deadline.stop();
        }
    };
    let mut found = None;
    explore_until(deadline, &instance, &formulation, settings, Some(Watch::Steps(&mut count)), &mut |solution| {
        found = Some(solution.placements.clone());
        false
    })?;
    Ok(found)
}

/// The share of these tiles that lies farthest from the places that the smaller board lacks, by the place numbers of the larger one.
fn farthest(solution: &[Placement], board: &Smaller, larger: &BoardTantrix, start: Start) -> Vec<Placement> {
    let distance = |p: &Placement| {
        let at = larger.board.at(p.place);
        board.lacks.iter().map(|&place| larger.board.at(place).distance(at)).min()
    };
    let on_larger = |p: &Placement| Placement { place: board.places[p.place - 1], ..*p };
    let mut laid: Vec<Placement> = solution.iter().map(on_larger).collect();
    laid.sort_by_key(|p| (std::cmp::Reverse(distance(p)), p.place));
    laid.truncate((start.share * laid.len() / 100).max(1));
    laid
}
