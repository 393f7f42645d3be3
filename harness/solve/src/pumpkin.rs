//! Pumpkin, a constraint solver with lazy clause generation in pure Rust.
//!
//! A session keeps its solver, with all that it learned, from solve to solve. The rule of the single loop is kept by a
//! propagator of ours (`single_loop.rs`).

mod single_loop;
mod translate;

use std::fmt;

use model::cp::Model;
use pumpkin_conflict_resolvers::resolvers::ResolutionResolver;
use pumpkin_core::Solver;
use pumpkin_core::branching::branchers::autonomous_search::AutonomousSearch;
use pumpkin_core::branching::branchers::independent_variable_value_brancher::IndependentVariableValueBrancher;
use pumpkin_core::branching::value_selection::{InDomainMin, InDomainRandom};
use pumpkin_core::branching::variable_selection::{FirstFail, InputOrder, RandomSelector};
use pumpkin_core::branching::{Brancher, BrancherEvent, SelectionContext};
use pumpkin_core::options::{RestartOptions, SequenceGeneratorType, SolverOptions};
use pumpkin_core::predicates::Predicate;
use pumpkin_core::rand::SeedableRng;
use pumpkin_core::rand::rngs::SmallRng;
use pumpkin_core::results::{ProblemSolution, SatisfactionResult, SolutionReference};
use pumpkin_core::termination::TimeBudget;
use pumpkin_core::variables::DomainId;

use self::translate::Loaded;
use crate::backend::*;
use crate::{linear, linked};

const NAME: &str = linked::PUMPKIN.name;

/// Conflicts before a restart; multiples of more are too large for Pumpkin.
const MOST_INTERVAL: u64 = 1_000_000_000;

pub(crate) struct Pumpkin;

impl Backend for Pumpkin {
    fn info(&self) -> BackendInfo {
        linked::PUMPKIN
    }

    fn version(&self, _options: &BTreeMap<String, String>) -> Result<String, SolveError> {
        Ok(env!("PUMPKIN_VERSION").to_owned())
    }

    fn options(&self, _listen: Listen<'_>) -> Option<Vec<String>> {
        Some(["branching", "first-restart", "restart-interval", "restarts"].map(str::to_owned).to_vec())
    }

    fn takes(&self, option: &str, _listen: Listen<'_>) -> Option<Takes> {
        match option {
            "branching" => Some(Takes::words(Branching::WORDS)),
            "restarts" => Some(Takes::words(Restarts::WORDS)),
            "restart-interval" => Some(Takes::between("a whole number", 1, MOST_INTERVAL)),
            "first-restart" => Some(Takes::between("a whole number", 0, u64::MAX)),
            _ => None,
        }
    }

    fn open(&self, kind: FormulationKind, options: &SessionOptions) -> Result<Opened, SolveError> {
        let session = Box::new(PumpkinSession { choices: Choices::read(options)?, kept: None });
        Ok(if kind == FormulationKind::Mip { linear::by_constraints(session) } else { Opened::Cp(session) })
    }
}

#[derive(Debug, Clone, Copy)]
struct Choices {
    branching: Branching,
    restarts: RestartOptions,
    seed: u64,
}

impl Choices {
    fn read(options: &SessionOptions) -> Result<Self, SolveError> {
        options.one_thread(NAME)?;
        options.refuse_own(NAME, "seed threads time-limit", false)?;
        let mut choices =
            Self { branching: Branching::default(), restarts: RestartOptions::default(), seed: options.seed };
        for (option, value) in &options.options {
            let set = match option.as_str() {
                "branching" => Branching::of_word(value).map(|branching| choices.branching = branching),
                "restarts" => Restarts::of_word(value).map(|restarts| restarts.set(&mut choices.restarts)),
                "restart-interval" => {
                    let interval = value.parse().ok().filter(|interval| (1..=MOST_INTERVAL).contains(interval));
                    interval.map(|interval| choices.restarts.base_interval = interval)
                }
                "first-restart" => {
                    let first = value.parse().ok();
                    first.map(|first| choices.restarts.min_num_conflicts_before_first_restart = first)
                }
                _ => None,
            };
            set.ok_or_else(|| refused(NAME, option, value))?;
        }
        Ok(choices)
    }

    fn solver(&self) -> SolverOptions {
        SolverOptions {
            restart_options: self.restarts,
            random_generator: SmallRng::seed_from_u64(self.seed),
            ..SolverOptions::default()
        }
    }
}

puzzle::words!(Restarts: Constant "constant", Luby "luby", Geometric "geometric", None "none");

/// When the search begins anew.
#[derive(Debug, Clone, Copy)]
enum Restarts {
    /// Pumpkin's default: by the quality of what is learned, as Glucose does.
    Constant,
    Luby,
    Geometric,
    None,
}

impl Restarts {
    fn set(self, options: &mut RestartOptions) {
        match self {
            Self::Constant => options.sequence_generator_type = SequenceGeneratorType::Constant,
            Self::Luby => options.sequence_generator_type = SequenceGeneratorType::Luby,
            Self::Geometric => {
                options.sequence_generator_type = SequenceGeneratorType::Geometric;
                options.geometric_coef = Some(1.5);
            }
            Self::None => options.no_restarts = true,
        }
    }
}

puzzle::words!(Branching: Vsids "vsids", VsidsFirstFail "vsids-first-fail", FirstFail "first-fail", InputOrder "input-order",
    Random "random");

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Branching {
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

/// Counts decisions and conflicts, of which Pumpkin tells only whoever decides.
struct Counting {
    inner: Box<dyn Brancher>,
    decisions: u64,
    conflicts: u64,
}

impl Counting {
    /// Decides on these variables; `Vsids` on all that the solver has.
    fn new(branching: Branching, solver: &Solver, variables: &[DomainId]) -> Self {
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

struct PumpkinSession {
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

impl Kept {
    fn new(choices: &Choices) -> Self {
        let loaded = Loaded::new(Solver::with_options(choices.solver()));
        Self { loaded, brancher: None, resolver: ResolutionResolver::default() }
    }

    /// Decisions, conflicts and edges denied since the solver was made.
    fn counts(&self) -> [u64; 3] {
        let (decisions, conflicts) = self.brancher.as_ref().map_or((0, 0), |b| (b.decisions, b.conflicts));
        [decisions, conflicts, self.loaded.cut_off()]
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
    fn solve(&mut self, model: &Model, deadline: &Deadline) -> Result<Solved<i32>, SolveError> {
        let kept = self.kept.get_or_insert_with(|| Kept::new(&self.choices));
        let is_loaded = kept.loaded.add(model, deadline);
        let before = kept.counts();
        let mut limit = deadline.left().map(TimeBudget::starting_now);
        let (status, values) =
            if is_loaded { kept.solve(&self.choices, &mut limit) } else { (SolveStatus::Timeout, None) };
        let after = kept.counts();
        let native = match status {
            SolveStatus::Optimal => "Satisfiable",
            SolveStatus::Infeasible => "Unsatisfiable",
            _ => "Unknown",
        };
        let mut outcome = Solve::of(status, native);
        outcome.nodes = Some(after[0] - before[0]);
        outcome.conflicts = Some(after[1] - before[1]);
        outcome.cuts_added = after[2] - before[2];
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
