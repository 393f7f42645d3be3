//! The identity of a planned run: that of the columns which its row will have.

use model::FormulationColumns;
use record::{RunId, RunKey};

use super::{PlannedInstance, PlannedSolver};
use crate::config::Limits;
use crate::formulation::PlannedFormulation;

/// First 16 hex digits of the hash of a text.
pub(super) fn short_hash(text: &str) -> String {
    let mut hex = blake3::hash(text.as_bytes()).to_hex().to_string();
    hex.truncate(16);
    hex
}

/// The column `options`: those of the backend by name, then what else is asked for that takes time.
pub(crate) fn options_text(formulation: &PlannedFormulation, solver: &PlannedSolver) -> String {
    let options = solver.options.iter().map(|(key, value)| format!("{key}={value}"));
    let proof = solver.proof.then(|| "proof=true".to_owned());
    let root_bound = formulation.root_bound.then(|| "root-bound=true".to_owned());
    options.chain(proof).chain(root_bound).collect::<Vec<_>>().join("; ")
}

/// What the runs of an instance, a formulation and a solver have in common beside the instance and the solver.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Common {
    about: FormulationColumns,
    options: String,
}

impl Common {
    pub fn of(instance: &PlannedInstance, formulation: &PlannedFormulation, solver: &PlannedSolver) -> Self {
        Self { about: formulation.about(&instance.instance.puzzle), options: options_text(formulation, solver) }
    }

    /// The identity of one of them.
    pub fn run_id(
        &self,
        instance: &PlannedInstance,
        solver: &PlannedSolver,
        seed: u64,
        repeat: u32,
        limits: Limits,
    ) -> RunId {
        let key = RunKey {
            instance_hash: &instance.hash,
            kind: self.about.kind.name(),
            families: &self.about.families,
            objective: &self.about.objective,
            subloops: &self.about.subloops,
            hole_treatment: &self.about.holes,
            backend: &solver.name,
            options: &self.options,
            threads: solver.threads,
            seed,
            repeat,
            time_limit_s: limits.time_s,
            cpu_limit_s: limits.cpu_s,
            memory_limit_b: limits.memory_b,
        };
        key.id()
    }
}
