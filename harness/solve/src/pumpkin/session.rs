//! The solves of a run.

use std::time::{Duration, Instant};

use model::cp::Model;
use pumpkin_conflict_resolvers::resolvers::ResolutionResolver;
use pumpkin_core::Solver;
use pumpkin_core::results::{ProblemSolution, SatisfactionResult};
use pumpkin_core::termination::TimeBudget;

use super::branching::Counting;
use super::options::Choices;
use super::translate::Loaded;
use crate::backend::{Session, SessionOptions, Solve, SolveStatus, Solved};
use crate::error::SolveError;

pub(super) struct PumpkinSession {
    choices: Choices,
    kept: Option<Kept>,
}

/// What a session keeps from solve to solve.
struct Kept {
    loaded: Loaded,
    /// Made of all variables that the solver has once the first model is loaded.
    brancher: Option<Counting>,
    resolver: ResolutionResolver,
}

/// Counts since the solver was made.
#[derive(Clone, Copy)]
struct Counts {
    decisions: u64,
    conflicts: u64,
    cut_off: u64,
}

impl PumpkinSession {
    /// Reads the options.
    ///
    /// # Errors
    /// Options that there are not.
    pub fn new(options: &SessionOptions) -> Result<Self, SolveError> {
        Ok(Self { choices: Choices::read(options)?, kept: None })
    }
}

impl Kept {
    fn new(choices: &Choices) -> Self {
        let loaded = Loaded::new(Solver::with_options(choices.solver()));
        Self { loaded, brancher: None, resolver: ResolutionResolver::default() }
    }

    fn counts(&self) -> Counts {
        let (decisions, conflicts) = self.brancher.as_ref().map_or((0, 0), |b| (b.decisions, b.conflicts));
        Counts { decisions, conflicts, cut_off: self.loaded.cut_off() }
    }

    fn solve(&mut self, choices: &Choices, limit: &mut Option<TimeBudget>) -> (SolveStatus, Option<Vec<i32>>) {
        let Loaded { solver, variables, .. } = &mut self.loaded;
        if solver.is_inconsistent() {
            return (SolveStatus::Infeasible, None);
        }
        let new = || Counting::new(choices.branching, solver, variables);
        let brancher = self.brancher.get_or_insert_with(new);
        match solver.satisfy(brancher, limit, &mut self.resolver) {
            SatisfactionResult::Satisfiable(found) => {
                let solution = found.solution();
                let values = variables.iter().map(|variable| solution.get_integer_value(*variable));
                (SolveStatus::Optimal, Some(values.collect()))
            }
            SatisfactionResult::Unsatisfiable(..) => (SolveStatus::Infeasible, None),
            SatisfactionResult::Unknown(..) => (SolveStatus::Timeout, None),
        }
    }
}

impl Session<Model> for PumpkinSession {
    fn solve(&mut self, model: &Model, time_limit: Option<Duration>) -> Result<Solved<i32>, SolveError> {
        let start = Instant::now();
        let kept = self.kept.get_or_insert_with(|| Kept::new(&self.choices));
        let is_loaded = kept.loaded.add(model, time_limit.and_then(|limit| start.checked_add(limit)));
        let before = kept.counts();
        let mut limit = time_limit.map(|limit| TimeBudget::starting_now(limit.saturating_sub(start.elapsed())));
        let (status, values) =
            if is_loaded { kept.solve(&self.choices, &mut limit) } else { (SolveStatus::Timeout, None) };
        let after = kept.counts();
        let native = match status {
            SolveStatus::Optimal => "Satisfiable",
            SolveStatus::Infeasible => "Unsatisfiable",
            _ => "Unknown",
        };
        let mut outcome = Solve::of(status, native);
        outcome.nodes = Some(after.decisions - before.decisions);
        outcome.conflicts = Some(after.conflicts - before.conflicts);
        outcome.cuts_added = after.cut_off - before.cut_off;
        if is_loaded && status == SolveStatus::Timeout {
            // A solver that ran out of time takes nothing more.
            self.kept = None;
        }
        Ok(Solved { outcome, values })
    }

    fn restart(&mut self) {
        self.kept = None;
    }
}
