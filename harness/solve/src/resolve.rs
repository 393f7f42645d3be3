//! Solving again until nothing is left to cut off (Kino & Uno 2012, section 4.4), and on a larger problem where there
//! is one: the one loop for all backends and problems.

use std::time::{Duration, Instant};

use model::{Problem, Representation, Separation, Size};
use puzzle::Solution;

use crate::{Outcome, Session, SolveError, SolveStatus, Solved};

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
    /// Size of the model that was solved, if there is a model.
    pub size: Option<Size>,
}

/// What the loop tells while it runs.
#[derive(Debug)]
pub enum Step<'a> {
    /// A program was compiled or grounded, as its solver does it before it solves; size of what came of it.
    Built(Size),
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
pub fn resolve<F: Representation>(
    problem: &mut dyn Problem<F>,
    session: &mut dyn Session<F>,
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
        let size = Some(problem.model().size());
        let call = Instant::now();
        let Solved { outcome, values } = session.solve(problem.model(), remaining)?;
        let time = call.elapsed();

        let mut solution = values.as_deref().map(|values| accept(problem, values, index)).transpose()?;
        let separation = solution.as_mut().filter(|_| problem.has_loops()).map(|solution| {
            let separation = problem.separate(solution);
            solution.cuts.clone_from(&separation.cuts);
            separation
        });
        let iteration = Iteration { index, time, outcome, solution, separation, size };
        observe(Step::Solved(&iteration));

        let Iteration { outcome, solution, separation, .. } = iteration;
        match (solution, separation) {
            (None, _) if outcome.status == SolveStatus::Timeout => {
                return Ok(without_solution("soft-limit", outcome));
            }
            (None, _) if outcome.status == SolveStatus::Infeasible => {
                let enlarged = problem.enlarge();
                if enlarged == Ok(false) {
                    return Ok(without_solution("infeasible", outcome));
                }
                // Also where the larger problem cannot be built: what was shown of this one is no answer.
                session.restart();
                enlarged?;
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

/// Turns values into a solution, once they satisfy all of the model that the solver was given.
fn accept<F: Representation>(
    problem: &dyn Problem<F>,
    values: &[F::Value],
    iteration: u64,
) -> Result<Solution, SolveError> {
    let solution = problem.decode(values)?;
    // Before the rows, of which the cut is one: that a cut was lost says more than a row's name.
    if let Some(cut) = problem.forbidden_by(&solution) {
        return Err(SolveError::CutIgnored { iteration, cut });
    }
    match problem.model().broken_by(values).as_slice() {
        [] => Ok(solution),
        all @ [first, ..] => Err(SolveError::Broken { count: all.len(), first: first.clone() }),
    }
}
