//! Time of each iteration: whether solving again becomes slower with each cut.

use std::collections::BTreeMap;

use super::compared::{labels, numbers, shortest};
use crate::analysis::comparison::{Configuration, Part, parts};
use crate::analysis::{Analysis, caveats, repeats};
use crate::figures::{Chart, Curve, Dimension, Point, Scale};
use crate::results::Instance;
use crate::stats::{float, median};
use crate::text::count;

/// Fewer iterations than these are no curve.
const LEAST_ITERATIONS: usize = 3;

pub fn build(analysis: &Analysis, _: bool) -> Vec<Chart> {
    parts(analysis).iter().filter_map(|part| chart(analysis, part)).collect()
}

fn chart(analysis: &Analysis, part: &Part) -> Option<Chart> {
    let had = |instance: &&&Instance| part.configurations.iter().all(|c| c.outcome(&instance.name).is_some());
    let instances: Vec<_> = part.instances.iter().filter(had).copied().collect();
    let labels = labels(&part.configurations);
    let curve = |(configuration, label): (&Configuration, String)| curve(analysis, configuration, label, &instances);
    let curves: Vec<_> = part.configurations.iter().zip(labels).map(curve).collect();
    if curves.iter().all(|c| c.points.len() < LEAST_ITERATIONS) {
        return None;
    }
    let (curves, empty): (Vec<_>, Vec<_>) = curves.into_iter().partition(|c| !c.points.is_empty());
    let shown = || part.configurations.iter().flat_map(|c| instances.iter().filter_map(|i| c.outcome(&i.name)));
    let mut notes = vec![
        scope(&instances, part),
        "Medians over those instances that had the iteration: later ones are of fewer and harder instances".to_owned(),
        "A solve that did not come to its end counts as infinitely slow".to_owned(),
    ];
    if !empty.is_empty() {
        let names: Vec<_> = empty.iter().map(|c| c.label.as_str()).collect();
        notes.push(format!("Without a curve, as infinitely slow in every iteration: {}", names.join("; ")));
    }
    notes.extend(repeats(&shown()));
    notes.extend(shortest(curves.iter().flat_map(|c| &c.points).map(|p| p.y)));
    Some(Chart {
        key: part.key.to_owned(),
        title: format!("time by iteration{}", part.of),
        x: Dimension::new("iteration", Scale::Counts),
        y: Dimension::new("time of the iteration (s)", Scale::Seconds),
        curves,
        notes,
        caveats: caveats::of_shown(shown(), false),
        ..Chart::default()
    })
}

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
    let mut curve = Curve { label, of: numbers(analysis, configuration), ..Curve::default() };
    for (iteration, Pooled { times, instances, members }) in pooled {
        let (x, median) = (float(iteration), median(times).filter(|m| m.is_finite()));
        let point = |y| Point { x, y, instance: instances.join(", "), members, ..Point::default() };
        curve.points.extend(median.map(point));
        curve.line.push((x, median));
    }
    curve
}
