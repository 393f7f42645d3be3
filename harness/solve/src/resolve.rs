//! Solving again until nothing is left to cut off (Kino & Uno 2012, section 4.4), and on a larger problem where there
//! is one: the one loop for all backends and problems.

use std::time::{Duration, Instant};

use model::{Problem, Separation};
use puzzle::Solution;

use crate::{Outcome, Session, SolveError, SolveStatus};

/// How far values may break a row and still be a solution.
const TOLERANCE: f64 = 1e-5;

/// Limits of a whole run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Limits {
    /// Wall time over all iterations.
    pub time: Option<Duration>,
}

/// One solve and what it showed.
#[derive(Debug, Clone, PartialEq)]
pub struct Iteration {
    /// 0 for the first solve.
    pub index: u64,
    /// Wall time of the solve call.
    pub time: Duration,
    /// What the solver said.
    pub outcome: Outcome,
    /// Its solution, with the cuts that were added because of it.
    pub solution: Option<Solution>,
    /// Loops, holes and cuts of that solution.
    pub separation: Option<Separation>,
    /// Variables of the model that was solved.
    pub variables: usize,
    /// Rows of the model that was solved.
    pub constraints: usize,
}

/// What the loop tells while it runs.
#[derive(Debug)]
pub enum Step<'a> {
    /// A solve begins.
    Solving(u64),
    /// A solve has ended.
    Solved(&'a Iteration),
}

/// How a run ended.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// Status of the whole run: a solution only counts when nothing was left to cut off.
    pub status: SolveStatus,
    /// Why the loop ended, in a word.
    pub reason: &'static str,
    /// The solution.
    pub solution: Option<Solution>,
    /// The last solve.
    pub last: Outcome,
}

/// Solves a problem, adding cuts and solving again as its formulation says. Where it has no solution and there is a
/// larger problem, goes on with that.
///
/// # Errors
/// A solver that fails, returns values that are no solution of the model, or a solution that an earlier cut
/// forbids; a larger problem that cannot be built.
pub fn resolve(
    problem: &mut dyn Problem,
    session: &mut dyn Session,
    limits: Limits,
    observe: &mut dyn FnMut(Step<'_>),
) -> Result<Answer, SolveError> {
    let start = Instant::now();
    let mut index = 0;
    loop {
        let remaining = limits.time.map(|limit| limit.saturating_sub(start.elapsed()));
        if let (Some(Duration::ZERO), 1..) = (remaining, index) {
            return Ok(without_solution("soft-limit", Outcome::of(SolveStatus::Timeout, "no time left")));
        }
        observe(Step::Solving(index));
        let (variables, constraints) = (problem.model().variables().len(), problem.model().rows().len());
        let call = Instant::now();
        let outcome = session.solve(problem.model(), remaining)?;
        let time = call.elapsed();

        let mut solution = outcome.values.as_deref().map(|values| accept(problem, values, index)).transpose()?;
        let separation = solution.as_mut().map(|solution| {
            let separation = problem.separate(solution);
            solution.cuts.clone_from(&separation.cuts);
            separation
        });
        let iteration = Iteration { index, time, outcome, solution, separation, variables, constraints };
        observe(Step::Solved(&iteration));

        let Iteration { outcome, solution, separation, .. } = iteration;
        match (solution, separation) {
            (None, _) if outcome.status == SolveStatus::Timeout => {
                return Ok(without_solution("soft-limit", outcome));
            }
            (None, _) if outcome.status == SolveStatus::Infeasible => {
                if !problem.enlarge()? {
                    return Ok(without_solution("infeasible", outcome));
                }
                session.restart();
                index += 1;
            }
            (None, _) => return Ok(without_solution("solver-limit", outcome)),
            (Some(_), Some(separation)) if separation.cut_off() > 0 => index += 1,
            (solution, _) => {
                return Ok(Answer { status: outcome.status, reason: "solved", solution, last: outcome });
            }
        }
    }
}

fn without_solution(reason: &'static str, last: Outcome) -> Answer {
    Answer { status: last.status, reason, solution: None, last }
}

/// Turns values into a solution, once they satisfy every row of the model that the solver was given.
fn accept(problem: &dyn Problem, values: &[f64], iteration: u64) -> Result<Solution, SolveError> {
    let solution = problem.decode(values)?;
    // Before the rows, of which the cut is one: that a cut was lost says more than a row's name.
    if let Some(cut) = problem.forbidden_by(&solution) {
        return Err(SolveError::CutIgnored { iteration, cut });
    }
    // Rounded values decide: a solver's tolerances shall not.
    let rounded: Vec<f64> = values.iter().map(|v| v.round()).collect();
    match problem.model().broken(&rounded, TOLERANCE).as_slice() {
        [] => Ok(solution),
        all @ [first, ..] => Err(SolveError::Broken { count: all.len(), first: (*first).to_owned() }),
    }
}
