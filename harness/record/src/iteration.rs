//! One solve inside a run.

use serde::{Deserialize, Serialize};

use crate::Status;

/// A row of `iterations.csv`. The fields are the columns, in order; `results/COLUMNS.md` describes each.
///
/// Iteration 0 is the first solve; each re-solve after added cuts is one more, as in Kino and Uno's tables.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "results/COLUMNS.md is the one description of every column")]
pub struct IterationRow {
    pub run_id: String,
    pub attempt: u32,
    pub iteration: u64,
    pub time_s: f64,
    pub cumulative_s: f64,
    pub status: Status,
    pub native_status: Option<String>,
    pub loops: Option<u64>,
    pub loop_lengths: Option<String>,
    pub holes: Option<u64>,
    pub cuts_added: u64,
    pub objective_value: Option<f64>,
    pub bound: Option<f64>,
    pub gap: Option<f64>,
    pub nodes: Option<u64>,
    pub simplex_iterations: Option<u64>,
    pub conflicts: Option<u64>,
    pub propagations: Option<u64>,
    pub variables: Option<u64>,
    pub constraints: Option<u64>,
}
