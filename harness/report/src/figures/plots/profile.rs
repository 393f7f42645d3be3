//! The performance profile of Dolan and Moré: which share of the instances each solves within a multiple of the best time.

use super::compared::{Compared, Places, compared};
use super::{Chart, Curve, Dimension, Kind, Plot, Point, Scale, Trace};
use crate::analysis::Analysis;
use crate::stats::{SHORTEST_S, profile};

const NAME: &str = "profile";

/// The plot.
pub const PLOT: Plot = Plot {
    name: NAME,
    shows: "performance profile: share of instances solved within a multiple of the best time",
    build,
};

fn build(analysis: &Analysis) -> Vec<Chart> {
    compared(analysis, NAME).iter().map(chart).collect()
}

fn chart(compared: &Compared) -> Chart {
    let x = Dimension { label: "time / least time of all".to_owned(), scale: Scale::Ratios };
    let y = Dimension { label: "share of instances solved".to_owned(), scale: Scale::Shares };
    let mut chart = compared.chart("performance profile", x, y);
    let times: Vec<_> = (0..compared.labels.len()).map(|configuration| compared.times(configuration)).collect();
    let profiles = profile(&times);
    let most = profiles.iter().flatten().map(|step| step.0).fold(1.0, f64::max);
    // All lines end at the same ratio; something is to be seen also where all were equally fast.
    let end = if most > 1.0 { most } else { 2.0 };
    let ratios = ratios(&times);
    let (shown, note) = compared.shown();
    chart.notes.extend(note);
    for configuration in shown {
        let steps = &profiles[configuration];
        let places = Places::of(&ratios[configuration]);
        let point = |(ratio, share): &(f64, f64)| {
            let instances = places.at(*ratio);
            let (instance, members) = compared.behind(configuration, &instances);
            let point = Point { x: *ratio, y: *share, kind: Kind::Ended, instance, members, spread: None };
            (!instances.is_empty()).then_some(point)
        };
        let line = steps.iter().copied().chain(steps.last().map(|step| (end, step.1)));
        chart.curves.push(Curve {
            label: compared.labels[configuration].clone(),
            published: false,
            of: compared.numbers(configuration),
            points: steps.iter().filter_map(point).collect(),
            line: line.map(|(ratio, share)| (ratio, Some(share))).collect(),
            trace: Trace::Steps,
            boxes: Vec::new(),
        });
    }
    chart.notes.push("Not solved, for whatever reason: infinitely slow; instances that nobody solved count".to_owned());
    chart
}

/// The quotients behind a profile, by configuration and instance: those of [`profile`], of which these are the instances.
fn ratios(times: &[Vec<Option<f64>>]) -> Vec<Vec<Option<f64>>> {
    let time = |of: &[Option<f64>], instance: usize| of[instance].map(|t| t.max(SHORTEST_S));
    let best = |instance: usize| times.iter().filter_map(|of| time(of, instance)).reduce(f64::min);
    let ratio = |of: &Vec<Option<f64>>, instance: usize| Some(time(of, instance)? / best(instance)?);
    times.iter().map(|of| (0..of.len()).map(|instance| ratio(of, instance)).collect()).collect()
}
