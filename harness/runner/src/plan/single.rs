//! A plan of one run, for `tilebench solve`: what the command line says in place of a config.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use model::Formulation;
use puzzle::Instance;

use super::build::Loader;
use super::solvers::{PlannedSolver, SolverInfo};
use super::{Common, PlannedFormulation, PlannedInstance, PlannedRun, short_hash};
use crate::RunnerError;
use crate::config::Limits;

/// A run that is asked for by itself.
#[derive(Debug, Clone, PartialEq)]
pub struct SingleRun<'a> {
    /// The instance.
    pub instance: Arc<PlannedInstance>,
    /// What to solve it with.
    pub formulation: Formulation,
    /// Whether to solve the linear relaxation of the first model too.
    pub root_bound: bool,
    /// Name of the backend.
    pub solver: &'a str,
    /// Options of the backend, as text.
    pub options: BTreeMap<String, String>,
    /// Threads of the backend.
    pub threads: u32,
    /// Whether it writes a proof of infeasibility.
    pub proof: bool,
    /// Seed of the backend.
    pub seed: u64,
    /// What the run may use.
    pub limits: Limits,
}

impl PlannedInstance {
    /// An instance with the text of its file.
    #[must_use]
    pub fn new(instance: Instance, path: &Path, text: String) -> Arc<Self> {
        let (hash, facts) = (short_hash(&instance.canonical()), instance.facts());
        Arc::new(Self { instance, facts, path: path.to_owned(), text, hash })
    }

    /// Reads an instance file.
    ///
    /// # Errors
    /// A file that cannot be read or is no sound instance.
    pub fn load(path: &Path) -> Result<Arc<Self>, RunnerError> {
        Loader::default().load(path)
    }
}

impl SingleRun<'_> {
    /// Plans the run. Nothing is started but, perhaps, a program that is asked for its version.
    ///
    /// # Errors
    /// A formulation that does not fit the instance, a solver that there is not, that cannot be used here, or that refuses the
    /// formulation, its options, threads or seed.
    pub fn plan(self, known: &[SolverInfo]) -> Result<PlannedRun, RunnerError> {
        let usage = RunnerError::Usage;
        let Self { instance, formulation, root_bound, solver: name, options, threads, proof, seed, limits } = self;
        formulation.check(&instance.instance).map_err(|error| usage(error.to_string()))?;
        let info = SolverInfo::find(known, name).map_err(usage)?;
        let version = (info.version)(name, &options).map_err(|lack| usage(lack.message))?;
        (info.check_formulation)(name, &formulation, &options, proof).map_err(usage)?;
        (info.check_options)(name, &options, threads, seed).map_err(usage)?;
        let planned = PlannedFormulation::new(formulation);
        let formulation = Arc::new(PlannedFormulation { root_bound: planned.root_bound || root_bound, ..planned });
        let label = name.to_owned();
        let solver = PlannedSolver { name: label.clone(), label, version, available: Ok(()), options, threads, proof };
        Ok(PlannedRun {
            run_id: Common::of(&instance, &formulation, &solver).key(seed, 1, limits).id(),
            instance,
            formulation,
            solver: Arc::new(solver),
            seed,
            repeat: 1,
            limits,
        })
    }
}
