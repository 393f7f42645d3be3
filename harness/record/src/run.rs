//! One run: one instance, formulation, solver and seed.

use serde::{Deserialize, Serialize};

use crate::{Category, Status};

/// A row of `runs.csv`. The fields are the columns, in order; `results/COLUMNS.md` describes each.
///
/// Times are seconds, sizes are bytes or counts. `None` means "not measured" and is an empty cell.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "results/COLUMNS.md is the one description of every column")]
pub struct RunRow {
    pub schema_version: u32,
    pub run_id: String,
    pub attempt: u32,
    pub experiment: String,
    pub instance: String,
    pub instance_hash: String,
    pub challenge: Option<u64>,
    pub places: Option<u64>,
    pub colour: Option<String>,
    pub formulation: String,
    pub families: String,
    pub objective: String,
    pub subloops: String,
    pub hole_treatment: String,
    pub solver: String,
    pub solver_version: String,
    pub options: String,
    pub seed: u64,
    pub threads: u32,
    pub time_limit_s: Option<f64>,
    pub memory_limit_b: Option<u64>,
    pub status: Status,
    pub category: Category,
    pub termination_reason: String,
    pub native_status: Option<String>,
    pub exit_code: Option<i32>,
    pub exit_signal: Option<i32>,
    pub objective_value: Option<f64>,
    pub bound: Option<f64>,
    pub gap: Option<f64>,
    pub loops: Option<u64>,
    pub holes: Option<u64>,
    pub iterations: Option<u64>,
    pub cuts: Option<u64>,
    pub variables: Option<u64>,
    pub constraints: Option<u64>,
    pub nonzeros: Option<u64>,
    pub build_time_s: Option<f64>,
    pub solve_time_s: Option<f64>,
    pub wall_time_s: Option<f64>,
    pub cpu_time_s: Option<f64>,
    pub peak_memory_b: Option<u64>,
    pub memory_source: Option<String>,
    pub isolation: String,
    pub nodes: Option<u64>,
    pub simplex_iterations: Option<u64>,
    pub conflicts: Option<u64>,
    pub host: String,
    pub cpu_model: String,
    pub git_commit: String,
    pub git_dirty: Option<bool>,
    pub started_at: String,
    pub message: Option<String>,
}
