//! One planned run, before anything of it is known.

use serde::{Deserialize, Serialize};

use crate::columns::row;

row! {
/// A row of `plan.csv`: one for each run that the config asks for, whatever `--filter` said, in the order of the config.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlanRow {
    /// The run; see `runs.csv`.
    ///
    /// text, 16 hex digits
    pub run_id: String,
    /// Name of the instance.
    ///
    /// text
    pub instance: String,
    /// Name of the formulation.
    ///
    /// text
    pub formulation: String,
    /// Label of the solver.
    ///
    /// text
    pub solver: String,
    /// Seed given to the backend.
    ///
    /// integer
    pub seed: u64,
    /// Which of the repeats.
    ///
    /// integer from 1
    pub repeat: u32,
}
}
