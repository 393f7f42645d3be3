//! The cactus plot of the SAT competitions: how many instances each solves, and within which time. It is the survival plot
//! with the number across and the time upward.

use super::compared::{Compared, Places, compared, shortest};
use super::{Chart, Curve, Dimension, Guide, GuideAt, Kind, Plot, Point, Scale, Trace};
use crate::analysis::Analysis;
use crate::stats::{float, survival};

const NAME: &str = "cactus";

/// The plot.
pub const PLOT: Plot =
    Plot { name: NAME, shows: "cactus plot: number of instances solved, and within which time each", build };

fn build(analysis: &Analysis) -> Vec<Chart> {
    compared(analysis, NAME).iter().map(chart).collect()
}

fn chart(compared: &Compared) -> Chart {
    let x = Dimension { label: "instances solved".to_owned(), scale: Scale::Counts };
    let y = Dimension { label: "time per instance (s)".to_owned(), scale: Scale::Seconds };
    let mut chart = compared.chart("cactus plot", x, y);
    let (shown, note) = compared.shown();
    chart.curves = shown.into_iter().map(|configuration| curve(compared, configuration)).collect();
    chart.notes.extend(note);
    let instances = compared.comparison.instances.len();
    let all = GuideAt::X(float(instances as u64));
    chart.guides = compared.limits(GuideAt::Y);
    chart.guides.push(Guide { at: all, label: format!("all {instances} instances") });
    chart.notes.push("What was not solved, for whatever reason, is in no curve".to_owned());
    chart.notes.extend(compared.without_any());
    chart.notes.extend(shortest(compared.comparison.scores.iter().flatten().filter_map(|s| s.time_s)));
    chart
}

fn curve(compared: &Compared, configuration: usize) -> Curve {
    let times = compared.times(configuration);
    let steps = survival(&times);
    let places = Places::of(&times);
    let point = |(time, count): &(f64, f64)| {
        let (instance, members) = compared.behind(configuration, &places.at(*time));
        Point { x: *count, y: *time, kind: Kind::Ended, instance, members, spread: None }
    };
    // From the number that was solved before, level up to the number that is solved within that time.
    let before = std::iter::once(0.0).chain(steps.iter().map(|step| step.1));
    let line = before.zip(&steps).map(|(count, step)| (count, Some(step.0)));
    Curve {
        label: compared.labels[configuration].clone(),
        published: false,
        of: compared.numbers(configuration),
        points: steps.iter().map(point).collect(),
        line: line.chain(steps.last().map(|(time, count)| (*count, Some(*time)))).collect(),
        trace: Trace::Steps,
        boxes: Vec::new(),
    }
}
