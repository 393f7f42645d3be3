//! Time of each iteration: whether solving again becomes slower with each cut.

use std::collections::BTreeMap;

use super::compared::{labels, numbers, shortest};
use super::{Chart, Curve, Dimension, Kind, Plot, Point, Scale, Trace};
use crate::analysis::configurations::{Configuration, Part, by_setting, configurations};
use crate::analysis::{Analysis, caveats, repeats};
use crate::results::Instance;
use crate::stats::{float, median};
use crate::text::count;

/// Fewer iterations than these are no curve.
const LEAST_ITERATIONS: usize = 3;

/// The plot.
pub const PLOT: Plot = Plot { name: "by-iteration", shows: "time of each iteration by its number", build };

fn build(analysis: &Analysis) -> Vec<Chart> {
    let instances: Vec<_> = analysis.experiment.catalog().instances.iter().collect();
    let parts = by_setting(&configurations(analysis), &instances);
    parts.iter().filter_map(|part| chart(analysis, part)).collect()
}

fn chart(analysis: &Analysis, part: &Part) -> Option<Chart> {
    let had = |instance: &&&Instance| part.configurations.iter().all(|e| e.outcome(&instance.name).is_some());
    let instances: Vec<_> = part.instances.iter().filter(had).copied().collect();
    let labels = labels(&part.configurations);
    let curve = |(configuration, label): (&Configuration, String)| curve(analysis, configuration, label, &instances);
    let curves: Vec<_> = part.configurations.iter().zip(labels).map(curve).collect();
    if curves.iter().all(|c| c.points.len() < LEAST_ITERATIONS) {
        return None;
    }
    let (curves, empty): (Vec<_>, Vec<_>) = curves.into_iter().partition(|c| !c.points.is_empty());
    let shown = || part.configurations.iter().flat_map(|e| instances.iter().filter_map(|i| e.outcome(&i.name)));
    let mut notes = vec![scope(&instances, part)];
    notes.push(
        "Medians over those instances that had the iteration: later ones are of fewer and harder instances".to_owned(),
    );
    notes.push("A solve that did not come to its end counts as infinitely slow".to_owned());
    if !empty.is_empty() {
        let names: Vec<_> = empty.iter().map(|c| c.label.as_str()).collect();
        notes.push(format!("Without a curve, as infinitely slow in every iteration: {}", names.join("; ")));
    }
    notes.extend(repeats(&shown()));
    notes.extend(shortest(curves.iter().flat_map(|c| &c.points).map(|p| p.y)));
    Some(Chart {
        key: part.key.to_owned(),
        title: format!("{}: time by iteration{}", analysis.experiment.name(), part.of),
        x: Dimension { label: "iteration".to_owned(), scale: Scale::Counts },
        y: Dimension { label: "time of the iteration (s)".to_owned(), scale: Scale::Seconds },
        curves,
        guides: Vec::new(),
        notes,
        caveats: caveats::of_shown(shown(), false),
    })
}

/// Over which instances it is.
fn scope(instances: &[&Instance], part: &Part) -> String {
    let of = if part.configurations.len() > 1 { " that all of them were run on" } else { "" };
    let left_out = match part.instances.len() - instances.len() {
        0 => String::new(),
        others => format!("; {} left out", count(others, "other")),
    };
    format!("Over the {}{of}{left_out}", count(instances.len(), "instance"))
}

/// What several instances had in one iteration.
#[derive(Default)]
struct Pooled<'a> {
    times: Vec<f64>,
    instances: Vec<&'a str>,
    members: Vec<u32>,
}

fn curve(analysis: &Analysis, configuration: &Configuration, label: String, instances: &[&Instance]) -> Curve {
    let mut pooled: BTreeMap<u64, Pooled> = BTreeMap::new();
    for outcome in instances.iter().filter_map(|i| configuration.outcome(&i.name)) {
        for step in &outcome.steps {
            let of = pooled.entry(step.iteration).or_default();
            of.times.push(step.total_s.unwrap_or(f64::INFINITY));
            of.instances.push(&outcome.key.instance);
            of.members.extend(&outcome.members);
        }
    }
    let medians = pooled.into_iter().map(|(iteration, of)| {
        (float(iteration), median(of.times).filter(|m| m.is_finite()), of.instances.join(", "), of.members)
    });
    let medians: Vec<_> = medians.collect();
    let point = |(x, y, instance, members): &(f64, Option<f64>, String, Vec<u32>)| {
        let (instance, members) = (instance.clone(), members.clone());
        Some(Point { x: *x, y: (*y)?, kind: Kind::Ended, instance, members, spread: None })
    };
    Curve {
        label,
        published: false,
        of: numbers(analysis, configuration),
        points: medians.iter().filter_map(point).collect(),
        line: medians.iter().map(|(x, y, ..)| (*x, *y)).collect(),
        trace: Trace::Straight,
        boxes: Vec::new(),
    }
}
