//! Plots. This file holds the trait and the registry; each plot is a file of its own.

mod ablation;
mod bars;
mod box_plot;
mod by_iteration;
mod cactus;
mod compared;
mod curves;
mod iterations;
mod loops;
mod profile;
mod scatter;
mod total_time;

use crate::analysis::Analysis;

use crate::figures::{BoxMark, Chart, Curve, Dimension, FINEST_S, Guide, GuideAt, Kind, Point, Scale, Trace};

/// A plot of an experiment.
pub trait Plot: Sync {
    /// Its name in the `[report]` section of a config and in file names.
    fn name(&self) -> &'static str;

    /// What it shows, in a few words.
    fn shows(&self) -> &'static str;

    /// What is to be drawn, in one or several charts; none where the plot does not apply to the experiment.
    fn build(&self, analysis: &Analysis) -> Vec<Chart>;
}

/// The names of the plots, for configs.
#[must_use]
pub fn names() -> Vec<&'static str> {
    plots().iter().map(|plot| plot.name()).collect()
}

/// Every plot, in the order in which a report shows them.
pub fn plots() -> &'static [&'static dyn Plot] {
    &[
        &total_time::TotalTime,
        &iterations::Iterations,
        &loops::Loops,
        &profile::Profile,
        &cactus::Cactus,
        &scatter::Scatter,
        &by_iteration::ByIteration,
        &box_plot::BoxPlot,
        &ablation::Ablation,
        &bars::Bars,
    ]
}
