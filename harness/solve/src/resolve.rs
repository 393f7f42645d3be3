//! Solving again until nothing is left to cut off (Kino & Uno 2012, section 4.4), and on a larger problem where there
//! is one: the one loop for all backends and problems.

use std::mem;
use std::time::{Duration, Instant};

use model::{Problem, Representation, Separation, Size};
use puzzle::Solution;
use record::{Answer, Iteration, SOFT_LIMIT, SOLVER_LIMIT};

use crate::backend::hold_against;
use crate::{Deadline, Growing, Session, Solve, SolveError, SolveStatus, Solved};

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
/// larger problem, goes on with that. The deadline holds for all iterations together.
/// Errors: a solver that fails, returns values that are no solution of the model, or a solution that an earlier cut
/// forbids; a larger problem that cannot be built.
pub fn resolve<F: Representation>(
    problem: &mut dyn Problem<F>,
    session: &mut dyn Session<F>,
    deadline: &Deadline,
    observe: &mut dyn FnMut(Step<'_>),
) -> Result<Answer, SolveError> {
    resolve_on(&mut Solves::begin(), problem, session, deadline, observe)
}

/// [`resolve`] after other solves.
pub(crate) fn resolve_on<F: Representation>(
    solves: &mut Solves,
    problem: &mut dyn Problem<F>,
    session: &mut dyn Session<F>,
    deadline: &Deadline,
    observe: &mut dyn FnMut(Step<'_>),
) -> Result<Answer, SolveError> {
    let mut run = Run { problem, solves, observe };
    loop {
        if deadline.is_over() && run.solves.ended > 0 {
            return Ok(Answer::of(Solve::of(SolveStatus::Timeout, "no time left"), SOFT_LIMIT, None));
        }
        run.begin();
        let Solved { outcome, values } = if run.problem.cuts_lazily() {
            session.solve_lazily(&mut run, deadline)?
        } else {
            session.solve(run.problem.model(), deadline)?
        };
        let mut solve = run.solves.end(outcome);
        let size = run.problem.model().size();
        let judged = values.as_deref().map(|values| run.judge(values, solve.iteration, &mut solve)).transpose()?;
        let (Iteration { solve, solution }, cut_off) = run.tell(solve, size, judged);
        match solution {
            None if solve.status == SolveStatus::Infeasible => {
                let enlarged = run.problem.enlarge();
                if enlarged == Ok(false) {
                    return Ok(concluded(solve, None));
                }
                // Also where the larger problem cannot be built: what was shown of this one is no answer.
                session.restart();
                enlarged?;
            }
            Some(_) if cut_off => {}
            solution => return Ok(concluded(solve, solution)),
        }
    }
}

/// A problem while it is solved.
struct Run<'a, 'o, F: Representation> {
    problem: &'a mut dyn Problem<F>,
    solves: &'a mut Solves,
    observe: &'o mut dyn FnMut(Step<'_>),
}

impl<F: Representation> Run<'_, '_, F> {
    fn begin(&mut self) {
        (self.observe)(Step::Solving(self.solves.ended));
        self.solves.go_on();
    }

    /// The solution that values describe, with what was cut off because of it. The solve gets its objective and its gap.
    fn judge(
        &mut self,
        values: &[F::Value],
        iteration: u64,
        solve: &mut Solve,
    ) -> Result<(Solution, Option<Separation>), SolveError> {
        let mut solution = accept(self.problem, values, iteration)?;
        hold_against(self.problem.model(), values, solve).map_err(SolveError::Objective)?;
        let separation = self.problem.has_loops().then(|| self.problem.separate(&solution));
        if let Some(separation) = &separation {
            solution.cuts.clone_from(&separation.cuts);
        }
        Ok((solution, separation))
    }

    /// Tells of a solve of a model of this size, and whether something was cut off after it.
    fn tell(&mut self, solve: Solve, size: Size, judged: Option<(Solution, Option<Separation>)>) -> (Iteration, bool) {
        let (solution, separation) = judged.map_or((None, None), |(solution, separation)| (Some(solution), separation));
        let iteration = Iteration { solve: completed(solve, separation.as_ref(), Some(size)), solution };
        (self.observe)(Step::Solved(&iteration));
        (iteration, separation.is_some_and(|separation| separation.cut_off() > 0))
    }
}

impl<F: Representation> Growing<F> for Run<'_, '_, F> {
    fn model(&self) -> &F {
        self.problem.model()
    }

    fn cut_off(&mut self, Solved { mut outcome, values }: Solved<F::Value>) -> Result<bool, SolveError> {
        let (size, start) = (self.problem.model().size(), Instant::now());
        let judged = values.as_deref().map(|values| self.judge(values, self.solves.ended, &mut outcome)).transpose()?;
        self.solves.leave_out(start.elapsed());
        // What stands is told of where the solver ends with it.
        if judged.as_ref().is_none_or(|(_, separation)| separation.as_ref().is_none_or(|s| s.cut_off() == 0)) {
            return Ok(false);
        }
        let solve = self.solves.end(outcome);
        self.tell(solve, size, judged);
        self.begin();
        Ok(true)
    }
}

/// The clock of solves that follow each other.
pub(crate) struct Solves {
    /// When the one that runs began.
    start: Instant,
    /// How many have ended, and the seconds that they took together.
    pub ended: u64,
    cumulative_s: f64,
    /// Work since the last one that counts as one of the next.
    before: Duration,
}

impl Solves {
    /// The first one begins.
    pub fn begin() -> Self {
        Self { start: Instant::now(), ended: 0, cumulative_s: 0.0, before: Duration::ZERO }
    }

    /// One has ended with this outcome: its record with number and times.
    pub fn end(&mut self, outcome: Solve) -> Solve {
        let time_s = (self.start.elapsed() + mem::take(&mut self.before)).as_secs_f64();
        self.cumulative_s += time_s;
        let solve = Solve { iteration: self.ended, time_s, cumulative_s: self.cumulative_s, ..outcome };
        self.ended += 1;
        solve
    }

    /// So much of the one that runs was no solving.
    pub fn leave_out(&mut self, time: Duration) {
        self.start += time.min(self.start.elapsed());
    }

    /// So much work counts as one of the next.
    pub fn add(&mut self, time: Duration) {
        self.before += time;
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
