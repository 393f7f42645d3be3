//! The solvers of a plan, each asked for its version: those that the config uses, once for each set of options.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use model::Formulation;
use record::{LICENCE, UNAVAILABLE};

use crate::config::Config;
use crate::text::alternatives;

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
    /// Solvers that it runs, which its option `solver` chooses.
    pub runs: &'static [&'static str],
    /// Asked for every solver that a config uses, with its options.
    pub version: Probe,
    /// Asked for every solver of a config, with its least and its greatest seed, before anything runs.
    pub check_options: CheckOptions,
    /// Asked for every pair of a formulation and a solver.
    pub check_formulation: CheckFormulation,
}

impl SolverInfo {
    /// The solver of a name.
    ///
    /// # Errors
    /// There is none; the message names the nearest one and all there are.
    pub fn find<'a>(known: &'a [Self], name: &str) -> Result<&'a Self, String> {
        known.iter().find(|info| info.name == name).ok_or_else(|| {
            let through = known.iter().find(|info| info.runs.contains(&name));
            let through = through.map(|Self { name: of, .. }| format!(": {of} runs it, with the option solver={name}"));
            let there = alternatives(name, known.iter().map(|info| info.name.as_str()));
            format!("unknown solver \"{name}\"{}; {there}", through.unwrap_or_default())
        })
    }
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

impl Unavailable {
    /// The reason, for the column `termination_reason`.
    #[must_use]
    pub fn reason(&self) -> &'static str {
        if self.lack == Lack::Licence { LICENCE } else { UNAVAILABLE }
    }
}

type Asked<'a> = (&'a str, &'a BTreeMap<String, String>);

/// The solvers of a config. Only those that it uses are asked for their versions: starting a program to ask it takes time, and a
/// profile may leave it out.
pub(super) fn choose(config: &Config, infos: &[&SolverInfo]) -> Vec<Arc<PlannedSolver>> {
    let mut used = vec![false; config.solvers.len()];
    for index in config.blocks.iter().filter(|block| !block.instances.is_empty()).flat_map(|block| &block.solvers) {
        used[*index] = true;
    }
    let mut said: HashMap<Asked<'_>, Result<String, Unavailable>> = HashMap::new();
    let mut chosen = Vec::with_capacity(config.solvers.len());
    for ((choice, info), used) in config.solvers.iter().zip(infos).zip(used) {
        let version = match used {
            // Nobody will ask for it.
            false => Ok(String::new()),
            true => {
                let ask = || (info.version)(&info.name, &choice.options);
                said.entry((&info.name, &choice.options)).or_insert_with(ask).clone()
            }
        };
        chosen.push(Arc::new(PlannedSolver {
            name: choice.name.clone(),
            label: choice.label.clone(),
            available: version.as_ref().map(drop).map_err(Clone::clone),
            version: version.unwrap_or_default(),
            options: choice.options.clone(),
            threads: choice.threads,
            proof: choice.proof,
        }));
    }
    chosen
}
