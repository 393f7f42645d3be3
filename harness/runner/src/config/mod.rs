//! Experiment configs: what a TOML file asks for, with one profile applied.

mod ablation;
mod blocks;
mod claims;
mod file;
mod formulations;
mod load;
mod names;
mod schema;
mod source;
mod values;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::PathBuf;
use std::sync::Arc;

use model::{Formulation, FormulationKeys, ModelError};
use record::{ReportSpec, ResultsDir};

pub use ablation::Ablation;
pub use names::is_suite;
pub use schema::{CheckPublished, MakeSuite, Vocabulary, config_schema};
pub use source::Setting;
pub use values::MOST_THREADS;

use crate::{Filter, RunnerError};

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

/// An experiment as its config describes it.
#[derive(Debug, Clone, PartialEq)]
pub struct Config {
    /// The config file.
    pub path: PathBuf,
    /// Its text, byte for byte; settings of the command line follow as remarks.
    pub text: String,
    /// Name of the experiment and of its results directory.
    pub experiment: String,
    /// One line for headings.
    pub title: String,
    /// Free text, may be empty.
    pub description: String,
    /// The profile that was applied.
    pub profile: Option<String>,
    /// A part of the name of the CPU model that the machine must have, and the line that asks for it.
    pub cpu_model: Option<(String, usize)>,
    /// Throw-away runs before the measured ones, for each worker and solver.
    pub warmup: u32,
    /// Formulations, in the order of the config.
    pub formulations: Vec<FormulationChoice>,
    /// Solvers, in the order of the config.
    pub solvers: Vec<SolverChoice>,
    /// What to run: products of the parts.
    pub blocks: Vec<BlockChoice>,
    /// Runs of the blocks that are not to be done.
    pub excludes: Vec<Exclude>,
    /// How to report the runs.
    pub report: ReportSpec,
    /// The file of published figures, if the report names one.
    pub published: Option<PathBuf>,
    /// The earlier results of this experiment that tell which runs are too long, and the line that names them.
    pub effort: Option<(ResultsDir, usize)>,
    /// Instance files that a pattern stands for: its line, and the pattern.
    pub matched: HashMap<PathBuf, (usize, String)>,
    /// Texts of the instances that suites make. Their paths go on behind the suite: `SUITE/NAME.toml`.
    pub made: HashMap<PathBuf, String>,
    /// Every file that a pattern matched, suites as they are.
    pub read: BTreeSet<PathBuf>,
}

/// A formulation of an experiment.
#[derive(Debug, Clone, PartialEq)]
pub struct FormulationChoice {
    /// The formulation as it is written.
    pub written: FormulationKeys,
    /// What that means, or why it makes no sense: which is a mistake only where runs are made of it.
    pub formulation: Result<Formulation, ModelError>,
    /// How a shorthand made it, if one did.
    pub ablation: Option<Ablation>,
    /// Keys whose values come from `[defaults.formulation]`.
    pub defaulted: Vec<&'static str>,
    /// Line of the config on which it begins.
    pub line: usize,
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

impl Config {
    /// The seed of an experiment that names none.
    pub const DEFAULT_SEED: u64 = 1;

    /// Nothing, if runs of this config may be measured on a machine of this CPU model.
    ///
    /// # Errors
    /// The config asks for another one.
    pub(crate) fn check_cpu_model(&self, here: &str) -> Result<(), RunnerError> {
        match &self.cpu_model {
            Some((wanted, line)) if !here.to_lowercase().contains(&wanted.to_lowercase()) => {
                let here = if here.is_empty() { "not known".to_owned() } else { format!("\"{here}\"") };
                let reason =
                    format!("[require] cpu_model asks for \"{wanted}\", and the CPU model of this machine is {here}");
                Err(self.error(*line, format!("{reason}: run it on such a machine, or change the key")))
            }
            _ => Ok(()),
        }
    }

    /// Every file that a plan of this config rests on: itself, instances and suites, published figures, and of earlier results what
    /// planning reads.
    #[must_use]
    pub fn inputs(&self) -> Vec<PathBuf> {
        let earlier =
            self.effort.iter().flat_map(|(dir, _)| [dir.manifest(), dir.runs()]).filter(|path| path.is_file());
        let config = std::iter::once(self.path.clone());
        config.chain(self.read.iter().cloned()).chain(self.published.clone()).chain(earlier).collect()
    }

    /// An error about a line of this config.
    #[must_use]
    pub fn error(&self, line: usize, reason: impl Into<String>) -> RunnerError {
        source::error_on(&self.path, &self.text, line, reason.into())
    }
}
