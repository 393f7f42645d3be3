//! What Pumpkin decides next, and the counts of decisions and conflicts, which it tells nobody but who decides.

use std::fmt;

use pumpkin_core::Solver;
use pumpkin_core::branching::branchers::autonomous_search::AutonomousSearch;
use pumpkin_core::branching::branchers::independent_variable_value_brancher::IndependentVariableValueBrancher;
use pumpkin_core::branching::value_selection::{InDomainMin, InDomainRandom};
use pumpkin_core::branching::variable_selection::{FirstFail, InputOrder, RandomSelector};
use pumpkin_core::branching::{Brancher, BrancherEvent, SelectionContext};
use pumpkin_core::predicates::Predicate;
use pumpkin_core::results::SolutionReference;
use pumpkin_core::variables::DomainId;

puzzle::words!(Branching: Vsids "vsids", VsidsFirstFail "vsids-first-fail", FirstFail "first-fail", InputOrder "input-order",
    Random "random");

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Branching {
    /// What was in recent conflicts (VSIDS), and where nothing is left of these at random.
    #[default]
    Vsids,
    /// The same, and where nothing is left as `FirstFail`.
    VsidsFirstFail,
    /// A variable with the fewest values left, a random value.
    FirstFail,
    /// Variables in the order of the model, least value first.
    InputOrder,
    /// Any variable, a random value.
    Random,
}

pub(super) struct Counting {
    inner: Box<dyn Brancher>,
    pub decisions: u64,
    pub conflicts: u64,
}

impl Counting {
    /// Decides on these variables; `Vsids` on all that the solver has.
    pub fn new(branching: Branching, solver: &Solver, variables: &[DomainId]) -> Self {
        let first_fail = || IndependentVariableValueBrancher::new(FirstFail::new(variables), InDomainRandom);
        let inner: Box<dyn Brancher> = match branching {
            Branching::Vsids => Box::new(solver.default_brancher()),
            Branching::VsidsFirstFail => Box::new(AutonomousSearch::new(first_fail())),
            Branching::FirstFail => Box::new(first_fail()),
            Branching::InputOrder => {
                Box::new(IndependentVariableValueBrancher::new(InputOrder::new(variables), InDomainMin))
            }
            Branching::Random => Box::new(IndependentVariableValueBrancher::new(
                RandomSelector::new(variables.iter().copied()),
                InDomainRandom,
            )),
        };
        Self { inner, decisions: 0, conflicts: 0 }
    }
}

impl fmt::Debug for Counting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Counting").field("decisions", &self.decisions).field("conflicts", &self.conflicts).finish()
    }
}

impl Brancher for Counting {
    fn next_decision(&mut self, context: &mut SelectionContext) -> Option<Predicate> {
        let decision = self.inner.next_decision(context);
        self.decisions += u64::from(decision.is_some());
        decision
    }

    fn on_conflict(&mut self) {
        self.conflicts += 1;
        self.inner.on_conflict();
    }

    fn on_backtrack(&mut self) {
        self.inner.on_backtrack();
    }

    fn on_solution(&mut self, solution: SolutionReference) {
        self.inner.on_solution(solution);
    }

    fn on_unassign_integer(&mut self, variable: DomainId, value: i32) {
        self.inner.on_unassign_integer(variable, value);
    }

    fn on_appearance_in_conflict_predicate(&mut self, predicate: Predicate) {
        self.inner.on_appearance_in_conflict_predicate(predicate);
    }

    fn on_restart(&mut self) {
        self.inner.on_restart();
    }

    fn synchronise(&mut self, context: &mut SelectionContext) {
        self.inner.synchronise(context);
    }

    fn is_restart_pointless(&mut self) -> bool {
        self.inner.is_restart_pointless()
    }

    fn subscribe_to_events(&self) -> Vec<BrancherEvent> {
        self.inner.subscribe_to_events()
    }
}
