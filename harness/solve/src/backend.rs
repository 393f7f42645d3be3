//! What a backend is. The files of backends import all of this.

pub(crate) use std::collections::BTreeMap;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
pub(crate) use std::time::{Duration, Instant};

use model::Representation;
use model::cp;
use model::ir::Model;
use model::sat::Cnf;
pub(crate) use model::{Fact, Formulation, FormulationKind, Program, Size};
use puzzle::{Instance, Solution};
pub use record::{Solve, SolveStatus};

pub(crate) use crate::error::SolveError;
pub(crate) use crate::options::{refused, refused_because, unsupported};

/// How far the objective that a solver says may be from that of its values, relative to its size.
const OBJECTIVE: f64 = 1e-4;

/// Holds the objective that a solver says, if it does, against that of its values, and adds the gap.
pub(crate) fn hold_against<F: Representation>(model: &F, values: &[F::Value], solve: &mut Solve) -> Result<(), String> {
    let Some(computed) = model.objective_of(values) else { return Ok(()) };
    let said = *solve.objective_value.get_or_insert(computed);
    if (computed - said).abs() > OBJECTIVE * said.abs().max(1.0) {
        return Err(format!("its values have the objective {computed}, and it says {said}"));
    }
    let gap = |bound: f64| if said == bound { 0.0 } else { (said - bound).abs() / said.abs().max(1e-10) };
    solve.gap = solve.bound.map(gap);
    Ok(())
}

/// What a backend can report beside its answer, and what it can do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Reports {
    /// Nodes of the search tree, or decisions.
    pub nodes: bool,
    /// Simplex iterations.
    pub simplex_iterations: bool,
    /// Bound on the objective of linear models, where there is a solution.
    pub bound: bool,
    /// Conflicts.
    pub conflicts: bool,
    /// Propagations.
    pub propagations: bool,
    /// Whether the seed has an effect.
    pub seed: bool,
    /// Whether it can use several threads.
    pub threads: bool,
    /// Whether it can keep the rule of the single loop while it searches (subloops = "propagate").
    pub single_loop: bool,
    /// Whether rows can be added while it runs (subloops = "lazy").
    pub lazy_cuts: bool,
    /// Whether it can write a proof of an answer `infeasible`.
    pub proof: bool,
    /// Whether it takes values to start from (start = "hint").
    pub hint: bool,
}

impl Reports {
    /// What most solvers of linear models report.
    pub(crate) const MIP: Self = Self {
        nodes: true,
        simplex_iterations: true,
        bound: true,
        conflicts: false,
        propagations: false,
        seed: true,
        threads: false,
        single_loop: false,
        lazy_cuts: false,
        proof: false,
        hint: false,
    };

    /// What most solvers of clauses and constraints report.
    pub(crate) const SAT: Self =
        Self { simplex_iterations: false, bound: false, conflicts: true, propagations: true, ..Self::MIP };
}

/// A backend as listings show it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BackendInfo {
    /// The name used in configs and on the command line.
    pub name: &'static str,
    /// The kinds of formulations it solves.
    pub kinds: &'static [FormulationKind],
    /// The interface it is called through.
    pub interface: &'static str,
    /// What it can report and do.
    pub reports: Reports,
    /// How to install it, for those that are not built in.
    pub install: Option<&'static str>,
    /// Well-known solvers that it runs, which its option `solver` chooses.
    pub runs: &'static [&'static str],
}

impl BackendInfo {
    /// A backend that is built in.
    pub(crate) const fn of(
        name: &'static str,
        kinds: &'static [FormulationKind],
        interface: &'static str,
        reports: Reports,
    ) -> Self {
        Self { name, kinds, interface, reports, install: None, runs: &[] }
    }
}

/// How to solve.
#[derive(Debug, Clone, Default)]
pub struct SessionOptions {
    /// Random seed.
    pub seed: u64,
    /// Threads; 1 for comparable times.
    pub threads: u32,
    /// Bytes that the process is limited to, if it is: counts plan their tables by it.
    pub memory: Option<u64>,
    /// Options of the solver by its own names.
    pub options: BTreeMap<String, String>,
    /// Whether the solver may print its log to standard output.
    pub verbose: bool,
    /// Where to write the proof of an answer `infeasible` (DRAT); what it refutes is written beside it, with the ending
    /// `.cnf`. Without such an answer there is no file.
    pub proof: Option<PathBuf>,
}

/// When the time of calls is over, if ever, or they are told to end. Clones are the same deadline.
#[derive(Debug, Clone, Default)]
pub struct Deadline {
    at: Option<Instant>,
    stopped: Arc<AtomicBool>,
}

impl Deadline {
    /// So long from now. A limit too long for the clock is none.
    pub fn of(time_limit: Option<Duration>) -> Self {
        Self { at: time_limit.and_then(|limit| Instant::now().checked_add(limit)), ..Self::default() }
    }

    /// The same moment, for calls that are stopped apart from others.
    pub(crate) fn apart(&self) -> Self {
        Self { at: self.at, ..Self::default() }
    }

    /// The same, but not longer than this from now.
    pub(crate) fn within(&self, longest: Duration) -> Self {
        let own = Self::of(Some(longest));
        Self { at: [self.at, own.at].into_iter().flatten().min(), stopped: Arc::clone(&self.stopped) }
    }

    /// Ends the calls that have it; searches and CaDiCaL look at it while they run.
    pub(crate) fn stop(&self) {
        self.stopped.store(true, Ordering::Relaxed);
    }

    /// Whether the time is over.
    pub fn is_over(&self) -> bool {
        self.at.is_some_and(|at| Instant::now() >= at) || self.stopped.load(Ordering::Relaxed)
    }

    /// What is left of the time; `None`: all that it takes.
    pub fn left(&self) -> Option<Duration> {
        self.at.map(|at| at.saturating_duration_since(Instant::now()))
    }
}

/// How many clauses or constraints a backend gives its solver between two looks at the clock.
pub(crate) const AT_ONCE: usize = 4096;

/// What came out of one solve, with the values of the model's variables; of a program, with the entries of its answer.
#[derive(Debug, Clone, PartialEq)]
pub struct Solved<V = f64> {
    /// The record of it, of which the backend fills what its solver says; the loop that called it fills the rest.
    pub outcome: Solve,
    /// A value for each variable, or all entries, where the status has a solution.
    pub values: Option<Vec<V>>,
}

/// The solves of one run, for a kind of formulations.
pub enum Opened {
    /// Of linear models.
    Mip(Box<dyn Session>),
    /// Of clauses.
    Sat(Box<dyn Session<Cnf>>),
    /// Of constraints.
    Cp(Box<dyn Session<cp::Model>>),
    /// Of puzzles.
    Search(Box<dyn Searcher>),
    /// Of programs.
    Program(Box<dyn ProgramSolver>),
}

impl<V> Solved<V> {
    /// An outcome without a solution.
    pub fn without_values(outcome: Solve) -> Self {
        Self { outcome, values: None }
    }
}

/// What an option of a solver takes, for messages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Takes {
    /// One of these words.
    Words(Vec<String>),
    /// What this says: `a whole number from 0 to 9`.
    Such(String),
}

impl Takes {
    /// One of some words.
    pub(crate) fn words(words: &[&str]) -> Self {
        Self::Words(words.iter().map(|&word| word.to_owned()).collect())
    }

    /// A number within bounds.
    pub(crate) fn between(number: &str, least: impl std::fmt::Display, most: impl std::fmt::Display) -> Self {
        Self::Such(format!("{number} from {least} to {most}"))
    }
}

/// Does something and gives back what was printed to standard output meanwhile, by libraries too: some solvers tell what
/// options they have in no other way.
pub type Listen<'a> = &'a dyn Fn(&mut dyn FnMut()) -> io::Result<String>;

/// A solver.
pub trait Backend: Sync {
    /// What it is.
    fn info(&self) -> BackendInfo;

    /// The kinds of formulations that it solves with these options, which may choose among its kinds.
    /// Errors: options that make no sense.
    fn kinds(&self, _options: &BTreeMap<String, String>) -> Result<&'static [FormulationKind], SolveError> {
        Ok(self.info().kinds)
    }

    /// The version, as the solver itself says; options may say which program it is.
    /// Errors: [`SolveError::Missing`] or [`SolveError::Licence`] where it cannot be used on this machine.
    fn version(&self, options: &BTreeMap<String, String>) -> Result<String, SolveError>;

    /// Whether it solves this formulation, which is of one of its kinds, with these options.
    /// Errors: what it cannot do.
    fn suits(&self, _formulation: &Formulation, _options: &BTreeMap<String, String>) -> Result<(), SolveError> {
        Ok(())
    }

    /// Prepares for the solves of one run of a kind, which is one of those that it solves with these options ([`crate::fits`]).
    /// Errors: options that the solver does not have, where it can tell before a solve (others: [`Backend::rehearse`]).
    fn open(&self, kind: FormulationKind, options: &SessionOptions) -> Result<Opened, SolveError>;

    /// Names of the options that are free to be chosen; `None` where it cannot list them.
    fn options(&self, _listen: Listen<'_>) -> Option<Vec<String>> {
        None
    }

    /// What an option takes, if that is known and there is such an option.
    fn takes(&self, _option: &str, _listen: Listen<'_>) -> Option<Takes> {
        None
    }

    /// Lets a solver that tells only while it solves whether it takes its options read them, on a model of next to nothing.
    /// Errors: options that it does not take; whatever else goes wrong.
    fn rehearse(&self, _options: &SessionOptions, _listen: Listen<'_>) -> Result<(), SolveError> {
        Ok(())
    }
}

/// The solves of one run. `F` is the form of the models.
pub trait Session<F: Representation = Model> {
    /// Solves a model.
    ///
    /// From call to call the model only grows (see [`Model`], [`Cnf`], [`cp::Model`]) unless [`Session::restart`] is called in between,
    /// so that a session may keep what it has loaded and add the rest.
    /// Errors: a solver that fails; limits and infeasibility are outcomes.
    fn solve(&mut self, model: &F, deadline: &Deadline) -> Result<Solved<F::Value>, SolveError>;

    /// The same with each solution that the solver comes to cut off while it runs, if it has to be. A solver that cannot
    /// ([`Reports::lazy_cuts`]) returns the first, and the loop that solves again cuts it off.
    fn solve_lazily(
        &mut self,
        growing: &mut dyn Growing<F>,
        deadline: &Deadline,
    ) -> Result<Solved<F::Value>, SolveError> {
        self.solve(growing.model(), deadline)
    }

    /// The next model is another one and does not extend the last: a session that keeps anything drops it.
    fn restart(&mut self) {}
}

/// A model to which rows are added while it is solved.
pub trait Growing<F: Representation = Model> {
    /// The model as it stands.
    fn model(&self) -> &F;

    /// Looks at a solution that the solver has come to, with figures since the one before that was cut off. If there is something to
    /// cut off, adds rows to the model, no variables, and returns true: the solution breaks them.
    /// Errors: as [`crate::resolve`], of values that are no solution of the model as it stands.
    fn cut_off(&mut self, found: Solved<F::Value>) -> Result<bool, SolveError>;
}

/// An algorithm that solves puzzles as they are.
pub trait Searcher {
    /// Searches for a solution; one without subloops, and without holes where the formulation wants none. `reached` is called with
    /// the boards on the way to it that show how far the search has come, if it has such; figures are of the way from the one before.
    /// Errors: an algorithm that does not know this kind of instance; limits and infeasibility are outcomes.
    fn search(
        &mut self,
        instance: &Instance,
        formulation: &Formulation,
        deadline: &Deadline,
        reached: &mut dyn FnMut(Solve, Solution),
    ) -> Result<(Solve, Option<Solution>), SolveError>;
}

/// What became of a program before it is solved.
#[derive(Debug, Clone, PartialEq)]
pub enum Prepared {
    /// It can be solved: the size of what it was compiled or grounded to.
    Ready(Size),
    /// A limit struck.
    Ended(Box<Solve>),
}

/// A solver of programs: it compiles or grounds a program, then solves what came of that.
pub trait ProgramSolver {
    /// Compiles or grounds a program, which is the next one to be solved.
    /// Errors: a solver that fails; limits are outcomes.
    fn prepare(&mut self, program: &Program, deadline: &Deadline) -> Result<Prepared, SolveError>;

    /// Solves the program that was prepared last.
    /// Errors: a solver that fails; limits and infeasibility are outcomes.
    fn solve(&mut self, deadline: &Deadline) -> Result<Solved<Fact>, SolveError>;

    /// How long the solver was loaded before it began with the last solve, where it says so and that is no part of solving: as
    /// WebAssembly, a solver takes seconds to load that it would not take otherwise.
    fn loading(&self) -> Duration {
        Duration::ZERO
    }
}
