//! What determines a run, as a hash.

use std::fmt;
use std::str::FromStr;

use super::{PlannedInstance, PlannedSolver};
use crate::config::Limits;
use crate::formulation::PlannedFormulation;

/// Hash of everything that determines a run; shown as 16 hex digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RunId(u64);

impl fmt::Display for RunId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

impl FromStr for RunId {
    type Err = String;

    /// Reads what the column `run_id` shows.
    fn from_str(text: &str) -> Result<Self, String> {
        let hex = text.len() == 16 && text.bytes().all(|b| b.is_ascii_hexdigit());
        let id = hex.then(|| u64::from_str_radix(text, 16).ok()).flatten();
        id.map(Self).ok_or_else(|| format!("\"{text}\" is no run id: 16 hex digits"))
    }
}

/// First 16 hex digits of the hash of a text.
pub(super) fn short_hash(text: &str) -> String {
    let mut hex = blake3::hash(text.as_bytes()).to_hex().to_string();
    hex.truncate(16);
    hex
}

/// The parts of an identity, each on a line of its own with its length, so that no two different lists have one text.
fn joined<'a>(parts: impl IntoIterator<Item = &'a str>) -> String {
    parts.into_iter().map(|part| format!("{} {part}\n", part.len())).collect()
}

/// Identity of an instance, a formulation and a solver together. Names, labels and paths are not part of it: they may
/// change without making it another run.
pub(super) fn digest(
    instance: &PlannedInstance,
    formulation: &PlannedFormulation,
    solver: &PlannedSolver,
) -> blake3::Hash {
    let schema = record::SCHEMA_VERSION.to_string();
    let canonical = instance.instance.canonical();
    let parts = [
        schema.as_str(),
        &canonical,
        formulation.kind(),
        &formulation.columns.families,
        &formulation.columns.objective,
        &formulation.columns.subloops,
        &formulation.columns.holes,
        &solver.name,
        &solver.version,
    ];
    let threads = solver.threads.to_string();
    let options = solver.options.iter().flat_map(|(key, value)| [key.as_str(), value.as_str()]);
    // Writing a proof takes time. Options come in pairs, so that none of them looks like this.
    let proof = solver.proof.then_some("proof");
    // So does solving the linear relaxation.
    let root_bound = formulation.root_bound.then_some("root-bound");
    let parts = parts.into_iter().chain([threads.as_str()]).chain(options).chain(proof).chain(root_bound);
    blake3::hash(joined(parts).as_bytes())
}

/// Identity of a run of such a triple.
pub(super) fn run_id(triple: &blake3::Hash, seed: u64, repeat: u32, limits: Limits) -> RunId {
    // Infinity stands for no limit, which is none that can be written in a config.
    let bits = |limit: Option<f64>| limit.unwrap_or(f64::INFINITY).to_bits().to_le_bytes();
    let mut hasher = blake3::Hasher::new();
    hasher.update(triple.as_bytes()).update(&seed.to_le_bytes()).update(&repeat.to_le_bytes());
    hasher.update(&bits(limits.time_s)).update(&bits(limits.cpu_s));
    hasher.update(&limits.memory_b.unwrap_or(u64::MAX).to_le_bytes());
    let mut first = [0; 8];
    first.copy_from_slice(&hasher.finalize().as_bytes()[..8]);
    RunId(u64::from_be_bytes(first))
}
