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
use crate::backend::{Outcome, Session, SessionOptions, SolveStatus, Solved};
use crate::error::SolveError;

pub(super) struct PumpkinSession {
    choices: Choices,
    kept: Option<Kept>,
}

/// What a session keeps from solve to solve.
struct Kept {
    loaded: Loaded,
    brancher: Counting,
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
    fn new(choices: &Choices, model: &Model) -> Self {
        let mut loaded = Loaded::new(Solver::with_options(choices.solver()));
        loaded.add(model);
        let brancher = Counting::new(choices.branching, &loaded.solver, &loaded.variables);
        Self { loaded, brancher, resolver: ResolutionResolver::default() }
    }

    fn counts(&self) -> Counts {
        let Counting { decisions, conflicts, .. } = self.brancher;
        Counts { decisions, conflicts, cut_off: self.loaded.cut_off() }
    }

    fn solve(&mut self, limit: &mut Option<TimeBudget>) -> (SolveStatus, Option<Vec<i32>>) {
        let Loaded { solver, variables, .. } = &mut self.loaded;
        if solver.is_inconsistent() {
            return (SolveStatus::Infeasible, None);
        }
        match solver.satisfy(&mut self.brancher, limit, &mut self.resolver) {
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
        let kept = match &mut self.kept {
            Some(kept) => {
                kept.loaded.add(model);
                kept
            }
            none => none.insert(Kept::new(&self.choices, model)),
        };
        let before = kept.counts();
        let mut limit = time_limit.map(|limit| TimeBudget::starting_now(limit.saturating_sub(start.elapsed())));
        let (status, values) = kept.solve(&mut limit);
        let after = kept.counts();
        let native = match status {
            SolveStatus::Optimal => "Satisfiable",
            SolveStatus::Infeasible => "Unsatisfiable",
            _ => "Unknown",
        };
        let mut outcome = Outcome::of(status, native);
        outcome.nodes = Some(after.decisions - before.decisions);
        outcome.conflicts = Some(after.conflicts - before.conflicts);
        outcome.cuts = model.single_loop().map(|_| after.cut_off - before.cut_off);
        Ok(Solved { outcome, values })
    }

    fn restart(&mut self) {
        self.kept = None;
    }
}
