//! Plots, and the registry of them.

mod ablation;
mod bars;
mod box_plot;
mod by_iteration;
mod cactus;
mod compared;
mod curves;
mod profile;
mod scatter;

use crate::analysis::Analysis;

use crate::figures::{BoxMark, Chart, Curve, Dimension, FINEST_S, Guide, GuideAt, Kind, Point, Scale, Trace};

/// A plot of an experiment.
pub struct Plot {
    /// Its name in the `[report]` section of a config and in file names.
    pub name: &'static str,
    /// What it shows, in a few words.
    pub shows: &'static str,
    /// What is to be drawn, in one or several charts; none where the plot does not apply to the experiment.
    pub build: fn(&Analysis) -> Vec<Chart>,
}

/// Every plot, in the order in which a report shows them.
pub static PLOTS: [Plot; 10] = [
    curves::TOTAL_TIME,
    curves::ITERATIONS,
    curves::LOOPS,
    profile::PLOT,
    cactus::PLOT,
    scatter::PLOT,
    by_iteration::PLOT,
    box_plot::PLOT,
    ablation::PLOT,
    bars::PLOT,
];

/// The names of the plots, for configs.
#[must_use]
pub fn names() -> Vec<&'static str> {
    PLOTS.iter().map(|plot| plot.name).collect()
}
