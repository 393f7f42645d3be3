//! What determines a run, as a hash.

use super::{PlannedInstance, PlannedRun, PlannedSolver};
use crate::config::Limits;
use crate::formulation::PlannedFormulation;

/// First 16 hex digits of the hash of a text.
pub(super) fn short_hash(text: &str) -> String {
    let mut hex = blake3::hash(text.as_bytes()).to_hex().to_string();
    hex.truncate(16);
    hex
}

/// Identity of a run. Names, labels and paths are not part of it: they may change without making it another
/// run. Each part stands on a line of its own with its length, so that no two different runs have one text.
pub(super) fn run_id(
    instance: &PlannedInstance,
    formulation: &PlannedFormulation,
    solver: &PlannedSolver,
    seed: u64,
    limits: Limits,
) -> String {
    let or_none = |value: Option<String>| value.unwrap_or_else(|| "none".to_owned());
    let mut parts = vec![
        record::SCHEMA_VERSION.to_string(),
        instance.instance.canonical(),
        formulation.families.clone(),
        formulation.objective.clone(),
        formulation.subloops.clone(),
        formulation.holes.clone(),
        solver.name.clone(),
        solver.version.clone(),
        seed.to_string(),
        solver.threads.to_string(),
        or_none(limits.time_s.map(|s| s.to_string())),
        or_none(limits.memory_b.map(|b| b.to_string())),
    ];
    parts.extend(solver.options.iter().flat_map(|(key, value)| [key.clone(), value.clone()]));
    let text: String = parts.iter().map(|part| format!("{} {part}\n", part.len())).collect();
    short_hash(&text)
}

impl PlannedRun {
    /// A run with its identity.
    #[must_use]
    pub fn new(
        instance: std::sync::Arc<PlannedInstance>,
        formulation: std::sync::Arc<PlannedFormulation>,
        solver: std::sync::Arc<PlannedSolver>,
        seed: u64,
        limits: Limits,
    ) -> Self {
        let run_id = run_id(&instance, &formulation, &solver, seed, limits);
        Self { run_id, instance, formulation, solver, seed, limits }
    }
}
