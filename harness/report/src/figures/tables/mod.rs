//! Tables. This file lists them; each is a file of its own.

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

use crate::analysis::Analysis;
use crate::figures::Grid;

/// A table of an experiment.
pub struct Table {
    /// Its name in the `[report]` section of a config and in file names.
    pub name: &'static str,
    /// What it shows, in a few words.
    pub shows: &'static str,
    /// Makes its grids; none where the table does not apply to the experiment.
    pub build: fn(&Analysis) -> Vec<Grid>,
}

/// Every table, in the order in which a report shows them: what compares comes first.
pub static TABLES: [Table; 11] = [
    ablation::ABLATION,
    solvers::SOLVERS,
    scores::SCORES,
    pairs::PAIRS,
    bounded::BOUNDED,
    counts::COUNTS,
    times::TIMES,
    iterations::ITERATIONS,
    summary::SUMMARY,
    health::HEALTH,
    model_size::MODEL_SIZE,
];

/// The grids of the table of that name; none where there is no such table, or it does not apply.
#[must_use]
pub fn grids(analysis: &Analysis, name: &str) -> Vec<Grid> {
    TABLES.iter().find(|table| table.name == name).map(|table| (table.build)(analysis)).unwrap_or_default()
}

/// The names of the tables, for configs.
#[must_use]
pub fn names() -> Vec<&'static str> {
    TABLES.iter().map(|table| table.name).collect()
}
