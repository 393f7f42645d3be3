//! One planned run, before anything of it is known.

use serde::{Deserialize, Serialize};

/// A row of `plan.csv`. The fields are the columns, in order; `results/COLUMNS.md` describes each.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "results/COLUMNS.md is the one description of every column")]
pub struct PlanRow {
    pub run_id: String,
    pub instance: String,
    pub formulation: String,
    pub solver: String,
    pub seed: u64,
    pub repeat: u32,
}
