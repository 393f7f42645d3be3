//! What a report shows, in neutral terms: grids of typed cells and charts, before any format renders them. This file lists all tables
//! and plots; each is a function that builds its grids or charts.

mod cells;
mod chart;
mod comparisons;
mod curves;
mod effects;
mod grid;
mod iterations;
pub mod number;
mod published;
mod runs;
mod scores;
mod solvers;
mod spread;
mod times;

use crate::analysis::Analysis;
use crate::results::{BOUNDED_TABLE, PUBLISHED_TABLE};

pub use chart::{BoxMark, Chart, Curve, Dimension, FINEST_S, Guide, GuideAt, Kind, Point, Scale, Trace};
pub use grid::{Cell, Grid, Group, Row, Spread, Value};

pub struct Table {
    /// Its name in the `[report]` section of a config and in file names.
    pub name: &'static str,
    about: About,
    /// What it shows, for the guide.
    pub shows: &'static str,
    /// Makes its grids; none where the table does not apply to the experiment. Where it is asked for by name, it is shown also if it says little.
    build: fn(&Analysis, is_named: bool) -> Vec<Grid>,
}

/// What a table is about. In formats that can fold tables away, those about runs always are, and those of comparisons are on a page that
/// shows published results.
#[derive(Clone, Copy, PartialEq)]
enum About {
    Published,
    Comparison,
    Runs,
}

/// Every table, in the order in which a report shows them: the papers' first, then what compares.
pub static TABLES: [Table; 15] = [
    Table::new(
        PUBLISHED_TABLE,
        About::Published,
        "published results beside ours, and which were reproduced",
        published::published,
    ),
    Table::new(
        BOUNDED_TABLE,
        About::Published,
        "time, loops and holes on bounded boards, if nothing was published or the config names the table",
        published::bounded,
    ),
    Table::new(
        "batch",
        About::Published,
        "mean and worst times over batches of instances, beside the published ones",
        times::batch,
    ),
    Table::new(
        "claims",
        About::Published,
        "claims: published figure, measured figure with its interval, boards, verdict",
        effects::claims_table,
    ),
    Table::new(
        "ablation",
        About::Comparison,
        "what each constraint family contributes: time, solved, iterations, nodes, root bound",
        effects::ablation_table,
    ),
    Table::new(
        "solvers",
        About::Comparison,
        "formulations and solvers: what each solved, the largest board, peak memory, nodes and conflicts",
        solvers::solvers,
    ),
    Table::new(
        "records",
        About::Comparison,
        "the largest board of each setting that each kind of formulation solved; only if the config names it",
        solvers::records,
    ),
    Table::new(
        "scores",
        About::Comparison,
        "formulations and solvers on their common instances: solved, PAR-2, shifted geometric means, virtual best",
        scores::scores,
    ),
    Table::new(
        "pairs",
        About::Comparison,
        "each formulation and solver against the baseline, of its own solver or formulation: speed-up with its interval, tests",
        scores::pairs,
    ),
    Table::new("counts", About::Comparison, "number of solutions of each instance (strategy count)", solvers::counts),
    Table::new(
        "times",
        About::Comparison,
        "total time by instance, formulation and solver; ratios over what all solved",
        times::times,
    ),
    Table::new(
        "iterations",
        About::Published,
        "solve time by iteration and challenge number, beside the published figures",
        iterations::iterations,
    ),
    Table::new("summary", About::Runs, "number of runs by status and by category", runs::summary),
    Table::new("health", About::Runs, "how the runs of each solver ended, limits, CPU use, peak memory", runs::health),
    Table::new(
        "model-size",
        About::Runs,
        "variables, constraints, nonzeros and build time of the models",
        runs::model_size,
    ),
];

impl Table {
    const fn new(
        name: &'static str,
        about: About,
        shows: &'static str,
        build: fn(&Analysis, bool) -> Vec<Grid>,
    ) -> Self {
        Self { name, about, shows, build }
    }

    /// Whether it is folded away, where the format can.
    pub fn is_detail(&self, analysis: &Analysis) -> bool {
        let wanted = &analysis.experiment.manifest().report.tables;
        let is_shown = wanted.is_empty() || wanted.iter().any(|name| name == PUBLISHED_TABLE);
        let is_published = is_shown && !analysis.experiment.published.is_empty();
        self.about == About::Runs || (is_published && self.about != About::Published)
    }

    /// Its grids, with one number of decimals in each column.
    pub fn grids(&self, analysis: &Analysis, is_named: bool) -> Vec<Grid> {
        let mut grids = (self.build)(analysis, is_named);
        grids.iter_mut().for_each(number::align);
        grids
    }
}

pub struct Plot {
    /// Its name in the `[report]` section of a config and in file names.
    pub name: &'static str,
    /// What it shows, and where it is drawn if the config does not name it, for the guide.
    pub shows: &'static str,
    drawn: &'static str,
    /// Makes its charts; none where the plot does not apply to the experiment. Where the config names the plot, it is shown also
    /// if it says little.
    build: fn(&Analysis, is_named: bool) -> Vec<Chart>,
}

/// Every plot, in the order in which a report shows them.
pub static PLOTS: [Plot; 11] = [
    Plot::new(
        "total-time",
        "total time by challenge number: medians, with gaps where not solved",
        "always",
        curves::total_time,
    ),
    Plot::new("iterations", "iterations by challenge number: medians", "always", curves::iterations),
    Plot::new("loops", "loops in the first solution by challenge number: medians", "always", curves::loops),
    Plot::new(
        "profile",
        "performance profile: share of instances solved within a multiple of the best time; at most 16 configurations",
        "two configurations, 5 common instances",
        comparisons::profiles,
    ),
    Plot::new(
        "cactus",
        "cactus plot: number of instances solved within a time; at most 16 configurations",
        "two configurations, 5 common instances",
        comparisons::cactus,
    ),
    Plot::new(
        "scatter",
        "time on each instance against that of the baseline (x); not solved: the limit; up to five others, of more the best on each instance",
        "two configurations, 5 common instances",
        comparisons::scatter,
    ),
    Plot::new("by-iteration", "median time of each iteration", "3 iterations", curves::by_iteration),
    Plot::new(
        "box",
        "box plots of the times of the runs of an instance; above 48 boxes one for each configuration, relative to the medians",
        "3 runs in half of the cells",
        spread::boxes,
    ),
    Plot::new(
        "ablation",
        "what each constraint family contributes to the time",
        "two families",
        effects::ablation_plot,
    ),
    Plot::new(
        "claims",
        "published figures of claims beside the measured ones",
        "a claim with a figure",
        effects::claims_plots,
    ),
    Plot::new(
        "bars",
        "time on each instance as bars (not solved: the limit) with their mean, as in Rizzo's section 5.1",
        "only if the config names it",
        spread::bars,
    ),
];

impl Plot {
    const fn new(
        name: &'static str,
        shows: &'static str,
        drawn: &'static str,
        build: fn(&Analysis, bool) -> Vec<Chart>,
    ) -> Self {
        Self { name, shows, drawn, build }
    }

    pub fn charts(&self, analysis: &Analysis) -> Vec<Chart> {
        (self.build)(analysis, analysis.experiment.manifest().report.plots.iter().any(|name| name == self.name))
    }
}

/// The grids of the table of that name in a report; none where there is no such table, or it does not apply.
#[must_use]
pub fn grids(analysis: &Analysis, name: &str) -> Vec<Grid> {
    let is_named = !analysis.experiment.manifest().report.tables.is_empty();
    TABLES.iter().find(|table| table.name == name).map(|table| table.grids(analysis, is_named)).unwrap_or_default()
}

/// The names of the tables, for configs, and what each shows.
pub fn table_list() -> impl Iterator<Item = (&'static str, &'static str)> {
    TABLES.iter().map(|table| (table.name, table.shows))
}

/// The names of the plots, for configs, what each shows, and where it is drawn if the config does not name it.
pub fn plot_list() -> impl Iterator<Item = (&'static str, &'static str, &'static str)> {
    PLOTS.iter().map(|plot| (plot.name, plot.shows, plot.drawn))
}
