//! Tables. This file lists them; each is a function that builds its grids.

mod ablation;
mod answers;
mod batch;
mod cells;
mod claims;
mod counts;
mod endings;
mod iterations;
mod model_size;
mod pairs;
mod records;
mod scores;
mod solvers;
mod times;

use crate::analysis::Analysis;
use crate::figures::Grid;
use crate::figures::number::align;
use crate::results::{BOUNDED_TABLE, PUBLISHED_TABLE};

pub struct Table {
    /// Its name in the `[report]` section of a config and in file names.
    pub name: &'static str,
    /// What it shows, in a few words.
    pub shows: &'static str,
    /// Makes its grids; none where the table does not apply to the experiment.
    build: fn(&Analysis) -> Vec<Grid>,
}

impl Table {
    /// Whether it tells of the runs rather than of the question: then it is folded away, where the format can. Beside published
    /// results the question is these.
    pub fn is_detail(&self, analysis: &Analysis) -> bool {
        let wanted = &analysis.experiment.manifest().report.tables;
        let is_shown = wanted.is_empty() || wanted.iter().any(|name| name == PUBLISHED_TABLE);
        let is_published = is_shown && !analysis.experiment.published.is_empty();
        OF_RUNS.contains(&self.name) || (is_published && !OF_PAPERS.contains(&self.name))
    }

    /// Its grids, with one number of decimals in each column.
    pub fn grids(&self, analysis: &Analysis) -> Vec<Grid> {
        let mut grids = (self.build)(analysis);
        grids.iter_mut().for_each(align);
        grids
    }
}

/// Tables that say how runs went.
const OF_RUNS: [&str; 3] = ["summary", "health", "model-size"];

/// Tables that stand beside published figures.
const OF_PAPERS: [&str; 5] = [PUBLISHED_TABLE, BOUNDED_TABLE, "batch", "claims", "iterations"];

/// Every table, in the order in which a report shows them: the papers' first, then what compares.
pub static TABLES: [Table; 15] = [
    Table {
        name: PUBLISHED_TABLE,
        shows: "published results beside ours: time, solves, loops and holes by challenge, and what was reproduced",
        build: answers::published,
    },
    Table {
        name: BOUNDED_TABLE,
        shows: "time, loops and holes on boards with more places than tiles",
        build: answers::bounded,
    },
    Table {
        name: "batch",
        shows: "mean and worst times over batches of instances, beside the published ones",
        build: batch::build,
    },
    Table {
        name: "claims",
        shows: "claims of the sources (`[[claim]]` of a config): published figure, measured figure with its interval, verdict",
        build: claims::build,
    },
    Table {
        name: "ablation",
        shows: "what each constraint family contributes: time with and without it, solved, iterations, nodes, root bound",
        build: ablation::build,
    },
    Table {
        name: "solvers",
        shows: "formulations and solvers of all kinds: what each solved, the largest board, peak memory, nodes and conflicts",
        build: solvers::build,
    },
    Table {
        name: "records",
        shows: "the largest board of each setting that each kind of formulation solved, where the config names this table",
        build: records::build,
    },
    Table {
        name: "scores",
        shows: "formulations and solvers on their common instances: solved, PAR-2, shifted geometric means, virtual best",
        build: scores::build,
    },
    Table {
        name: "pairs",
        shows: "each formulation and solver against the baseline: speed-up with its interval, Wilcoxon's and McNemar's test",
        build: pairs::build,
    },
    Table {
        name: "counts",
        shows: "number of solutions of each instance, where runs counted them (strategy count)",
        build: counts::build,
    },
    Table {
        name: "times",
        shows: "total time by instance, formulation and solver, of building and of solving",
        build: times::build,
    },
    Table {
        name: "iterations",
        shows: "solve time by iteration and challenge number, beside the published figures",
        build: iterations::build,
    },
    Table { name: "summary", shows: "number of runs by status and by category", build: endings::summary },
    Table {
        name: "health",
        shows: "how the runs of each solver ended, limits, CPU use, peak memory",
        build: endings::health,
    },
    Table {
        name: "model-size",
        shows: "variables, constraints, nonzeros and build time of the models",
        build: model_size::build,
    },
];

/// The grids of the table of that name; none where there is no such table, or it does not apply.
#[must_use]
pub fn grids(analysis: &Analysis, name: &str) -> Vec<Grid> {
    TABLES.iter().find(|table| table.name == name).map(|table| table.grids(analysis)).unwrap_or_default()
}

/// The names of the tables, for configs.
#[must_use]
pub fn names() -> Vec<&'static str> {
    TABLES.iter().map(|table| table.name).collect()
}
