//! The strategy `count`: all solutions of a game of 3SoKu are counted, and one is shown.

use std::time::{Duration, Instant};

use combinatorics::soku::{CountError, Counting};
use model::Formulation;
use puzzle::soku;
use puzzle::{Instance, Puzzle, Solution};

use super::NAME;
use crate::SolveError;
use crate::backend::{Solve, SolveStatus};

/// Counts. The objective is the number of solutions, as near as a float comes to it; the native status has all of its digits.
/// Nodes are the states that were made.
pub(super) fn count(
    instance: &Instance,
    formulation: &Formulation,
    time_limit: Option<Duration>,
) -> Result<(Solve, Option<Solution>), SolveError> {
    formulation.search()?;
    formulation.check(instance)?;
    let unsupported = |reason: String| SolveError::Unsupported { solver: NAME, reason };
    let Puzzle::Soku(game) = &instance.puzzle else {
        return Err(unsupported(format!("strategy count for {}", instance.puzzle.kind())));
    };
    // A limit too long for the clock is none.
    let deadline = time_limit.and_then(|limit| Instant::now().checked_add(limit));
    let go_on = |_| deadline.is_none_or(|deadline| Instant::now() < deadline);
    let counted = combinatorics::soku::count(game, Counting { example: true, ..Counting::default() }, &go_on);
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
    let placements = counted.example.and_then(|shown| soku::placements(game, &shown));
    Ok((outcome, placements.map(|placements| Solution::on_faces(&instance.name, placements))))
}
