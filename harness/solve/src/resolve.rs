//! Solving again until nothing is left to cut off (Kino & Uno 2012, section 4.4), and on a larger problem where there
//! is one: the one loop for all backends and problems.

use std::time::{Duration, Instant};

use model::{Problem, Representation, Separation, Size};
use puzzle::Solution;
use record::{SOFT_LIMIT, SOLVER_LIMIT};

use crate::backend::left;
use crate::{Session, Solve, SolveError, SolveStatus, Solved};

/// One solve with the solution that it found.
pub type Iteration = record::Iteration<Solution>;

/// How a run ended; `last` is the last solve.
pub type Answer = record::Answer<Solution>;

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

/// Solves a problem, adding cuts and solving again as its formulation says. Where it has no solution and there is a
/// larger problem, goes on with that. The limit holds for all iterations together.
/// Errors: a solver that fails, returns values that are no solution of the model, or a solution that an earlier cut
/// forbids; a larger problem that cannot be built.
pub fn resolve<F: Representation>(
    problem: &mut dyn Problem<F>,
    session: &mut dyn Session<F>,
    time_limit: Option<Duration>,
    observe: &mut dyn FnMut(Step<'_>),
) -> Result<Answer, SolveError> {
    let start = Instant::now();
    let mut solves = Solves::begin();
    loop {
        let (remaining, index) = (left(time_limit, start), solves.ended);
        if let (Some(Duration::ZERO), 1..) = (remaining, index) {
            return Ok(Answer::of(Solve::of(SolveStatus::Timeout, "no time left"), SOFT_LIMIT, None));
        }
        observe(Step::Solving(index));
        let size = problem.model().size();
        solves.go_on();
        let Solved { outcome, values } = session.solve(problem.model(), remaining)?;
        let solve = solves.end(outcome);

        let mut solution = values.as_deref().map(|values| accept(problem, values, index)).transpose()?;
        let separation = solution.as_mut().filter(|_| problem.has_loops()).map(|solution| {
            let separation = problem.separate(solution);
            solution.cuts.clone_from(&separation.cuts);
            separation
        });
        let iteration = Iteration { solve: completed(solve, separation.as_ref(), Some(size)), solution };
        observe(Step::Solved(&iteration));

        let Iteration { solve, solution } = iteration;
        match (solution, separation) {
            (None, _) if solve.status == SolveStatus::Infeasible => {
                let enlarged = problem.enlarge();
                if enlarged == Ok(false) {
                    return Ok(concluded(solve, None));
                }
                // Also where the larger problem cannot be built: what was shown of this one is no answer.
                session.restart();
                enlarged?;
            }
            (Some(_), Some(separation)) if separation.cut_off() > 0 => {}
            (solution, _) => return Ok(concluded(solve, solution)),
        }
    }
}

/// The clock of solves that follow each other.
pub(crate) struct Solves {
    /// When the one that runs began.
    start: Instant,
    /// How many have ended, and the seconds that they took together.
    pub ended: u64,
    cumulative_s: f64,
}

impl Solves {
    /// The first one begins.
    pub fn begin() -> Self {
        Self { start: Instant::now(), ended: 0, cumulative_s: 0.0 }
    }

    /// One has ended with this outcome: its record with number and times.
    pub fn end(&mut self, outcome: Solve) -> Solve {
        let time_s = self.start.elapsed().as_secs_f64();
        self.cumulative_s += time_s;
        let solve = Solve { iteration: self.ended, time_s, cumulative_s: self.cumulative_s, ..outcome };
        self.ended += 1;
        solve
    }

    /// So much of the one that runs was no solving.
    pub fn leave_out(&mut self, time: Duration) {
        self.start += time.min(self.start.elapsed());
    }

    /// The next one begins.
    pub fn go_on(&mut self) {
        self.start = Instant::now();
    }
}

/// The record of a solve with what its solution shows and the size of what was solved.
pub(crate) fn completed(solve: Solve, separation: Option<&Separation>, size: Option<Size>) -> Solve {
    let lengths = separation.map(|separation| &separation.loop_lengths);
    Solve {
        loops: lengths.map(|lengths| lengths.len() as u64),
        loop_lengths: lengths.map(|lengths| lengths.iter().map(usize::to_string).collect::<Vec<_>>().join(" ")),
        holes: separation.map(|separation| separation.holes as u64),
        cuts_added: solve.cuts_added + separation.map_or(0, |separation| separation.cut_off() as u64),
        variables: size.map(|size| size.variables as u64),
        constraints: size.map(|size| size.constraints as u64),
        ..solve
    }
}

/// The answer where no solve follows the last one.
pub(crate) fn concluded(last: Solve, solution: Option<Solution>) -> Answer {
    let reason = match (&solution, last.status) {
        (Some(_), _) => "solved",
        (None, SolveStatus::Infeasible) => "infeasible",
        (None, SolveStatus::Timeout) => SOFT_LIMIT,
        (None, _) => SOLVER_LIMIT,
    };
    Answer::of(last, reason, solution)
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
