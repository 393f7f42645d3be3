//! Experiment configs: what a TOML file asks for, with one profile applied.

mod blocks;
mod claims;
mod file;
mod formulations;
mod load;
mod names;
mod schema;
mod source;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

pub use file::MOST_THREADS;
pub use formulations::{Ablation, FormulationChoice};
pub use load::Config;
pub(crate) use names::Property;
pub use names::{Filter, is_suite};
pub use schema::{CheckPublished, MakeSuite, Vocabulary, config_schema};
pub use source::Setting;

/// The seed of an experiment that names none.
pub const DEFAULT_SEED: u64 = 1;

/// What a run may use.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Limits {
    /// Wall time in seconds, over all iterations of a run.
    pub time_s: Option<f64>,
    /// CPU time in seconds of the worker and its descendants, over all iterations of a run.
    pub cpu_s: Option<f64>,
    /// Memory of the worker and its descendants in bytes.
    pub memory_b: Option<u64>,
}

/// Runs: one formulation on each of some instances under each of some solvers with each of some seeds, so many times.
#[derive(Debug, Clone, PartialEq)]
pub struct BlockChoice {
    /// Index of the formulation.
    pub formulation: usize,
    /// The instance files, in natural order.
    pub instances: Vec<PathBuf>,
    /// Indices of the solvers.
    pub solvers: Vec<usize>,
    /// Seeds for the solvers.
    pub seeds: Arc<[u64]>,
    /// How often each run is done, at least once.
    pub repeats: u32,
    /// What a run may use.
    pub limits: Limits,
    /// Line of the config that asks for the runs.
    pub line: usize,
    /// Line of the config on which the seeds stand; 1 where they are left out.
    pub seeds_line: usize,
    /// Whether it is an `[[include]]`: these stand behind all others, and excludes do not touch them.
    pub included: bool,
}

/// Properties of runs that are not to be done; a run that has all of them is left out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exclude {
    /// The properties.
    pub filters: Vec<Filter>,
    /// Whether it is a mistake if no run has them. It is none under a profile, nor where profiles have instances or seeds of
    /// their own.
    pub must_fit: bool,
    /// Line of the config on which it begins.
    pub line: usize,
}

/// A solver of an experiment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SolverChoice {
    /// Name of the backend.
    pub name: String,
    /// What the `solver` column shows.
    pub label: String,
    /// Options of the backend, as text.
    pub options: BTreeMap<String, String>,
    /// Threads of the backend.
    pub threads: u32,
    /// Whether it writes proofs of infeasibility.
    pub proof: bool,
    /// Line of the config on which it stands.
    pub line: usize,
}
