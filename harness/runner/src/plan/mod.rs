//! Plans: the runs that configs ask for, each with its identity, before anything is started.

mod build;
mod checks;
mod filter;
mod identity;
mod listing;
mod matrix;
mod probe;

use std::collections::{BTreeMap, HashSet};
use std::path::PathBuf;
use std::sync::Arc;

use model::Formulation;
use puzzle::{Facts, Instance};
use record::{LICENCE, PlanRow, ReportSpec, SolverFacts, UNAVAILABLE};

pub use build::plan;
pub use filter::Filter;
pub(crate) use identity::options_text;
pub use record::RunId;

use matrix::Matrix;

use crate::config::Limits;
use crate::formulation::PlannedFormulation;
use crate::protocol::Job;

/// Tells why a backend (by name) refuses these options, this number of threads or this seed.
pub type CheckOptions = fn(&str, &BTreeMap<String, String>, u32, u64) -> Result<(), String>;

/// Tells why a backend (by name) does not solve formulations like this one with its options, or does not prove that they
/// have no solution where that is asked for.
pub type CheckFormulation = fn(&str, &Formulation, &BTreeMap<String, String>, bool) -> Result<(), String>;

/// Asks a backend (by name) for its version; its options may say which program it is.
pub type Probe = fn(&str, &BTreeMap<String, String>) -> Result<String, Unavailable>;

/// A solver as the registry of backends describes it.
#[derive(Debug, Clone)]
pub struct SolverInfo {
    /// Name of the backend.
    pub name: String,
    /// Whether it is part of every build, so that its version is known without a look at the machine.
    pub built_in: bool,
    /// Asked for every solver that a config uses, with its options, and for every one that is built in.
    pub version: Probe,
    /// Asked for every solver of a config, with its least and its greatest seed, before anything runs.
    pub check_options: CheckOptions,
    /// Asked for every pair of a formulation and a solver.
    pub check_formulation: CheckFormulation,
}

/// Why a solver cannot be used on this machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unavailable {
    /// What it takes.
    pub lack: Lack,
    /// What is missing, and how to get it.
    pub message: String,
}

/// What a solver takes to be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lack {
    /// The solver itself.
    Solver,
    /// It is there; a licence.
    Licence,
    /// Other options: that is a mistake of the config, whatever is installed.
    Options,
}

/// An instance of a plan.
#[derive(Debug, Clone, PartialEq)]
pub struct PlannedInstance {
    /// The instance.
    pub instance: Instance,
    /// What result rows say of it.
    pub facts: Facts,
    /// The file it was read from.
    pub path: PathBuf,
    /// The file, byte for byte.
    pub text: String,
    /// Hash of what determines the puzzle.
    pub hash: String,
}

/// A solver of a plan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlannedSolver {
    /// Name of the backend.
    pub name: String,
    /// What the `solver` column shows.
    pub label: String,
    /// Version it reports; empty where it is not available.
    pub version: String,
    /// `Err`: why it cannot be used on this machine.
    pub available: Result<(), Unavailable>,
    /// Options of the backend.
    pub options: BTreeMap<String, String>,
    /// Threads of the backend.
    pub threads: u32,
    /// Whether it writes proofs of infeasibility.
    pub proof: bool,
}

/// One run to be done.
#[derive(Debug, Clone, PartialEq)]
pub struct PlannedRun {
    /// Hash of everything that determines the run.
    pub run_id: RunId,
    /// The instance.
    pub instance: Arc<PlannedInstance>,
    /// The formulation.
    pub formulation: Arc<PlannedFormulation>,
    /// The solver.
    pub solver: Arc<PlannedSolver>,
    /// Seed of the backend.
    pub seed: u64,
    /// Which of the repeats that the config asks for, from 1.
    pub repeat: u32,
    /// What the run may use.
    pub limits: Limits,
}

/// What a run has in common with those that differ from it by seed and repeat only.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Parts<'a> {
    pub instance: &'a PlannedInstance,
    pub formulation: &'a PlannedFormulation,
    pub solver: &'a PlannedSolver,
    pub limits: Limits,
}

/// The runs of one config, in the order in which they are to be done.
#[derive(Debug, Clone, PartialEq)]
pub struct ExperimentPlan {
    /// Name of the experiment.
    pub experiment: String,
    /// One line for headings.
    pub title: String,
    /// Free text.
    pub description: String,
    /// The profile that was applied.
    pub profile: Option<String>,
    /// Seed by which the order of the runs was shuffled.
    pub order_seed: u64,
    /// Number of worker processes at a time.
    pub jobs: usize,
    /// Text of the config, byte for byte.
    pub config_text: String,
    /// How to report the runs.
    pub report: ReportSpec,
    /// The file of published figures.
    pub published: Option<PathBuf>,
    /// Formulation names, in the order of the config.
    pub formulations: Vec<String>,
    /// Formulations that the profile leaves without a solver, in the order of the config.
    pub unserved: Vec<String>,
    /// Solvers, in the order of the config.
    pub solvers: Vec<SolverFacts>,
    /// The solvers that are built in, whether the config uses them or not, and those that it uses.
    pub known_solvers: Vec<SolverFacts>,
    /// Throw-away runs before the measured ones, for each worker and solver.
    pub warmup: u32,
    matrix: Matrix,
    /// Numbers of the runs that the config asks for, whatever the filters, in its order.
    asked: Vec<u32>,
    /// Numbers of the runs that pass the filters, in the order in which they are to be done.
    order: Vec<u32>,
}

impl Unavailable {
    /// The reason, for the column `termination_reason`.
    #[must_use]
    pub fn reason(&self) -> &'static str {
        if self.lack == Lack::Licence { LICENCE } else { UNAVAILABLE }
    }
}

impl PlannedRun {
    /// The run as a job for a worker.
    #[must_use]
    pub fn job(&self, git_commit: &str, log: Option<PathBuf>) -> Job {
        Job {
            schema_version: record::SCHEMA_VERSION,
            git_commit: git_commit.to_owned(),
            instance_name: self.instance.instance.name.clone(),
            instance_text: self.instance.text.clone(),
            formulation: self.formulation.formulation.clone(),
            solver: self.solver.name.clone(),
            options: self.solver.options.clone(),
            seed: self.seed,
            threads: self.solver.threads,
            time_limit_s: self.limits.time_s,
            cpu_limit_s: self.limits.cpu_s,
            memory_limit_b: self.limits.memory_b,
            log,
            proof: None,
            root_bound: self.formulation.root_bound,
        }
    }

    /// The run in words: instance, formulation, solver, seed and, after the first, repeat.
    #[must_use]
    pub fn label(&self) -> String {
        let mut label = format!(
            "{} {} {} seed {}",
            self.instance.instance.name,
            self.formulation.formulation.name(),
            self.solver.label,
            self.seed
        );
        if self.repeat > 1 {
            label += &format!(" repeat {}", self.repeat);
        }
        label
    }

    /// The run as a row of `plan.csv`.
    #[must_use]
    pub fn row(&self) -> PlanRow {
        PlanRow {
            run_id: self.run_id.to_string(),
            instance: self.instance.instance.name.clone(),
            formulation: self.formulation.formulation.name().to_owned(),
            solver: self.solver.label.clone(),
            seed: self.seed,
            repeat: self.repeat,
        }
    }
}

impl ExperimentPlan {
    /// Number of runs to be done: those that pass the filters.
    #[must_use]
    pub fn len(&self) -> usize {
        self.order.len()
    }

    /// Whether nothing is to be done.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.order.is_empty()
    }

    /// The run at an index below [`ExperimentPlan::len`], in the order in which they are to be done.
    ///
    /// # Panics
    /// An index that is too large.
    #[must_use]
    pub fn run(&self, index: usize) -> PlannedRun {
        self.matrix.run(self.order[index])
    }

    /// The runs to be done, in that order; each is made when it is asked for.
    pub fn runs(&self) -> impl ExactSizeIterator<Item = PlannedRun> + '_ {
        self.order.iter().map(|number| self.matrix.run(*number))
    }

    /// The identity of the run at an index below [`ExperimentPlan::len`].
    pub(crate) fn run_id(&self, index: usize) -> RunId {
        self.matrix.run_id(self.order[index])
    }

    /// The run at an index below [`ExperimentPlan::len`] without what only its identity and seed can tell.
    pub(crate) fn parts(&self, index: usize) -> Parts<'_> {
        self.matrix.parts(self.order[index])
    }

    /// For each solver of the runs to be done the one with the fewest tiles.
    pub(crate) fn smallest_runs(&self) -> Vec<PlannedRun> {
        let mut smallest: BTreeMap<&str, (u64, usize)> = BTreeMap::new();
        for index in 0..self.len() {
            let Parts { instance, solver, .. } = self.parts(index);
            let candidate = (instance.facts.challenge.unwrap_or(u64::MAX), index);
            let found = smallest.entry(&solver.label).or_insert(candidate);
            *found = candidate.min(*found);
        }
        smallest.into_values().map(|(_, index)| self.run(index)).collect()
    }

    /// Whether some solver of the plan is to write proofs.
    pub(crate) fn proves(&self) -> bool {
        self.matrix.solvers().any(|solver| solver.proof)
    }

    /// That formulations have no runs, since the profile names none of their solvers.
    pub(crate) fn without_solver(&self) -> Option<String> {
        let names: Vec<String> = self.unserved.iter().map(|name| format!("\"{name}\"")).collect();
        let profile = self.profile.as_deref().map(|profile| format!("profile \"{profile}\" ")).unwrap_or_default();
        let several = if names.len() == 1 { "formulation" } else { "formulations" };
        let which = format!("{profile}leaves {several} {} without a solver: no runs of that", names.join(", "));
        (!names.is_empty()).then_some(which)
    }

    /// Identities of the runs to be done, in that order.
    pub fn run_ids(&self) -> impl ExactSizeIterator<Item = RunId> + '_ {
        self.order.iter().map(|number| self.matrix.run_id(*number))
    }

    /// Every run that the config asks for, whatever the filters, in the order of the config.
    pub fn asked(&self) -> impl ExactSizeIterator<Item = PlannedRun> + '_ {
        self.asked.iter().map(|number| self.matrix.run(*number))
    }

    /// Identities of every run that the config asks for, whatever the filters.
    pub fn asked_ids(&self) -> impl ExactSizeIterator<Item = RunId> + '_ {
        self.asked.iter().map(|number| self.matrix.run_id(*number))
    }

    /// Instances of the runs to be done, each once, in the order of the config.
    #[must_use]
    pub fn instances(&self) -> Vec<Arc<PlannedInstance>> {
        let mut numbers = self.order.clone();
        numbers.sort_unstable();
        let mut seen = HashSet::new();
        let each = numbers.into_iter().map(|number| self.matrix.instance(number));
        each.filter(|instance| seen.insert(Arc::as_ptr(instance))).map(Arc::clone).collect()
    }
}
