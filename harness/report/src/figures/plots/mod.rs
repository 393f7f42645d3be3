//! Plots. This file lists them; each is a function that builds its charts.

mod ablation;
mod bars;
mod box_plot;
mod by_challenge;
mod by_iteration;
mod claims;
mod compared;
mod scatter;
mod steps;

use crate::analysis::Analysis;
use crate::figures::Chart;

pub struct Plot {
    /// Its name in the `[report]` section of a config and in file names.
    pub name: &'static str,
    /// What it shows, in a few words.
    pub shows: &'static str,
    /// What is to be drawn, in one or several charts; none where the plot does not apply to the experiment. The config may name
    /// the plot: then it is shown also where it says little.
    pub build: fn(&Analysis, is_named: bool) -> Vec<Chart>,
}

impl Plot {
    pub fn charts(&self, analysis: &Analysis) -> Vec<Chart> {
        (self.build)(analysis, analysis.experiment.manifest().report.plots.iter().any(|name| name == self.name))
    }
}

/// Every plot, in the order in which a report shows them.
pub static PLOTS: [Plot; 11] = [
    Plot { name: "total-time", shows: "total time by challenge number", build: by_challenge::total_time },
    Plot { name: "iterations", shows: "iterations by challenge number", build: by_challenge::iterations },
    Plot { name: "loops", shows: "loops in the first solution by challenge number", build: by_challenge::loops },
    Plot {
        name: "profile",
        shows: "performance profile: share of instances solved within a multiple of the best time",
        build: steps::profiles,
    },
    Plot {
        name: "cactus",
        shows: "cactus plot: number of instances solved, and within which time each",
        build: steps::cactus,
    },
    Plot {
        name: "scatter",
        shows: "time of the baseline against the times of the others, instance by instance",
        build: scatter::build,
    },
    Plot { name: "by-iteration", shows: "time of each iteration by its number", build: by_iteration::build },
    Plot { name: "box", shows: "box plots of the time over seeds and repeats", build: box_plot::build },
    Plot { name: "ablation", shows: "what each constraint family contributes to the time", build: ablation::build },
    Plot { name: "claims", shows: "published figures of claims beside the measured ones", build: claims::build },
    Plot {
        name: "bars",
        shows: "time on each instance as bars with their mean, a chart for each formulation and solver",
        build: bars::build,
    },
];

/// The names of the plots, for configs.
#[must_use]
pub fn names() -> Vec<&'static str> {
    PLOTS.iter().map(|plot| plot.name).collect()
}
