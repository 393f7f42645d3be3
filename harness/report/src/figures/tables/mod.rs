//! Tables. This file holds the trait and the registry; each table is a file of its own.

mod ablation;
mod bounded;
mod case;
mod cells;
mod counts;
mod health;
mod iterations;
mod model_size;
mod pairs;
mod scores;
mod solvers;
mod summary;
mod times;

use crate::ReportError;
use crate::analysis::Analysis;
use crate::figures::Grid;

/// A table of an experiment.
pub trait Table: Sync {
    /// Its name in the `[report]` section of a config and in file names.
    fn name(&self) -> &'static str;

    /// What it shows, in a few words.
    fn shows(&self) -> &'static str;

    /// Its grids; none where the table does not apply to the experiment.
    fn build(&self, analysis: &Analysis) -> Result<Vec<Grid>, ReportError>;
}

/// The names of the tables, for configs.
#[must_use]
pub fn names() -> Vec<&'static str> {
    tables().iter().map(|table| table.name()).collect()
}

/// Every table, in the order in which a report shows them: what compares comes first.
pub fn tables() -> &'static [&'static dyn Table] {
    &[
        &ablation::Ablation,
        &solvers::Solvers,
        &scores::Scores,
        &pairs::Pairs,
        &bounded::Bounded,
        &counts::Counts,
        &times::Times,
        &iterations::Iterations,
        &summary::Summary,
        &health::Health,
        &model_size::ModelSize,
    ]
}
