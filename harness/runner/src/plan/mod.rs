//! Plans: the runs that configs ask for, each with its identity, before anything is started.

mod build;
mod filter;
mod identity;
mod listing;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use puzzle::Instance;
use record::{ReportSpec, SolverFacts};

pub use build::plan;
pub use filter::Filter;

use crate::config::Limits;
use crate::formulation::PlannedFormulation;
use crate::protocol::Job;

/// Tells why a backend (by name) refuses these options, this number of threads or this seed.
pub type CheckOptions = fn(&str, &BTreeMap<String, String>, u32, u64) -> Result<(), String>;

/// A solver as the registry of backends describes it.
#[derive(Debug, Clone)]
pub struct SolverInfo {
    /// Name of the backend.
    pub name: String,
    /// Version it reports; empty where it is not available.
    pub version: String,
    /// `Err`: why it cannot be used on this machine.
    pub available: Result<(), String>,
    /// Asked for every solver and seed of a config before anything runs.
    pub check_options: CheckOptions,
}

/// An instance of a plan.
#[derive(Debug, Clone, PartialEq)]
pub struct PlannedInstance {
    /// The instance.
    pub instance: Instance,
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
    /// Version it reports.
    pub version: String,
    /// `Err`: why it cannot be used on this machine.
    pub available: Result<(), String>,
    /// Options of the backend.
    pub options: BTreeMap<String, String>,
    /// Threads of the backend.
    pub threads: u32,
}

/// One run to be done.
#[derive(Debug, Clone, PartialEq)]
pub struct PlannedRun {
    /// Hash of everything that determines the run.
    pub run_id: String,
    /// The instance.
    pub instance: Arc<PlannedInstance>,
    /// The formulation.
    pub formulation: Arc<PlannedFormulation>,
    /// The solver.
    pub solver: Arc<PlannedSolver>,
    /// Seed of the backend.
    pub seed: u64,
    /// What the run may use.
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
    /// Solvers, in the order of the config.
    pub solvers: Vec<SolverFacts>,
    /// Every run that the config asks for, whatever the filters; in the order of the config.
    pub run_ids: Vec<String>,
    /// The runs that pass the filters.
    pub runs: Vec<PlannedRun>,
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
            memory_limit_b: self.limits.memory_b,
            log,
        }
    }

    /// The run in words: instance, formulation, solver and seed.
    #[must_use]
    pub fn label(&self) -> String {
        format!(
            "{} {} {} seed {}",
            self.instance.instance.name, self.formulation.formulation.name, self.solver.label, self.seed
        )
    }
}

impl ExperimentPlan {
    /// Seconds the runs take if every one of them reaches its time limit; `None` if some have no limit.
    #[must_use]
    pub fn worst_case_s(&self) -> Option<f64> {
        let sum: Option<f64> = self.runs.iter().map(|run| run.limits.time_s).sum();
        sum.map(|seconds| seconds / self.jobs.max(1) as f64)
    }
}
