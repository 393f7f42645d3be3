//! Time on each instance as a bar, a chart for each formulation and solver, all on one scale, with the mean drawn across (Rizzo,
//! *CSP Modeling of IcoSoKu*, section 5.1).
//!
//! The axis is logarithmic, where the source has a linear one that cuts off what is long: the times of one experiment span six orders
//! of magnitude, of which a linear axis shows one. Bars stand on the lower end of the axis, so that their upper ends can be compared
//! and their lengths cannot.

use super::compared::{drawn_at, kind, labels, numbers};
use crate::analysis::comparison::{Configuration, Part, parts};
use crate::analysis::{Analysis, Outcome, caveats, repeats};
use crate::figures::number::seconds;
use crate::figures::{Chart, Curve, Dimension, FINEST_S, Guide, GuideAt, Kind, Point, Scale, Spread, Trace};
use crate::results::Instance;
use crate::stats::float;
use crate::text::count;

/// Only where a config names it: there is a chart for each formulation and solver.
pub fn build(analysis: &Analysis, is_named: bool) -> Vec<Chart> {
    if !is_named {
        return Vec::new();
    }
    let mut charts: Vec<_> = parts(analysis).iter().flat_map(|part| of_part(analysis, part)).collect();
    let values = || charts.iter().flat_map(Chart::points).map(|point| point.y);
    let range = values().reduce(f64::min).zip(values().reduce(f64::max));
    let all = charts.len();
    for chart in &mut charts {
        if let Some((least, most)) = range {
            chart.y.scale = Scale::SecondsWithin(least, most);
        }
        let scale =
            if all > 1 { format!("All {all} charts have one scale, which is") } else { "The scale is".to_owned() };
        chart.notes.push(format!("{scale} logarithmic: the ends of bars compare, their lengths do not"));
    }
    charts
}

fn of_part(analysis: &Analysis, part: &Part) -> Vec<Chart> {
    let had = |instance: &&&Instance| part.configurations.iter().any(|c| c.outcome(&instance.name).is_some());
    let instances: Vec<_> = part.instances.iter().filter(had).copied().collect();
    let all = part.configurations.iter().zip(labels(&part.configurations));
    all.filter_map(|(configuration, label)| chart(analysis, part, (configuration, &label), &instances)).collect()
}

fn chart(
    analysis: &Analysis,
    part: &Part,
    (configuration, label): (&Configuration, &str),
    instances: &[&Instance],
) -> Option<Chart> {
    let found: Vec<_> =
        instances.iter().enumerate().filter_map(|(at, i)| Some((at, configuration.outcome(&i.name)?))).collect();
    let bars: Vec<_> = found.iter().filter_map(|(at, outcome)| bar(analysis, *at, outcome)).collect();
    let mean = bars.iter().map(|bar| bar.y).sum::<f64>() / float(bars.len() as u64);
    let worst = bars.iter().filter(|bar| bar.kind == Kind::Ended).max_by(|a, b| a.y.total_cmp(&b.y));
    let unsolved = bars.iter().filter(|bar| bar.kind != Kind::Ended).count();
    let outcomes = || found.iter().map(|(_, outcome)| *outcome);
    let mut notes = Vec::new();
    if let Some(worst) = worst {
        let solved = count(bars.len() - unsolved, "instance");
        notes.push(format!("Solved: {solved}, the slowest, {}, in {} s", worst.instance, seconds(worst.y)));
    }
    if unsolved > 0 {
        let of = count(bars.len(), "instance");
        notes.push(format!("Not solved: {unsolved} of {of}; counted at the time limit, so the mean is a lower bound"));
    }
    if found.len() > bars.len() {
        let missing = found.len() - bars.len();
        notes.push(format!("Without a bar, and not in the mean: {missing} not solved, under no time limit"));
    }
    notes.extend(repeats(&outcomes()));
    notes.extend(drawn_at(FINEST_S, bars.iter().map(|bar| bar.y)));
    let at_least = if unsolved > 0 { "at least " } else { "" };
    let shown = caveats::of_shown(outcomes(), false);
    let of_name = label.replace(", ", "-");
    (!bars.is_empty()).then(|| Chart {
        key: if part.key.is_empty() { of_name } else { format!("{}-{of_name}", part.key) },
        title: format!("time by instance, {label}{}", part.of),
        x: Dimension::named("instance", instances.iter().map(|i| &i.name)),
        y: Dimension::new("total time (s)", Scale::Seconds),
        curves: vec![Curve {
            label: label.to_owned(),
            of: numbers(analysis, configuration),
            points: bars,
            trace: Trace::Bars,
            ..Curve::default()
        }],
        guides: vec![Guide { at: GuideAt::Y(mean), label: format!("mean: {at_least}{} s", seconds(mean)) }],
        notes,
        caveats: shown,
    })
}

/// The time on an instance, or the limit within which it was not solved; none where there was no limit.
fn bar(analysis: &Analysis, at: usize, outcome: &Outcome) -> Option<Point> {
    let solved = outcome.is_solved();
    Some(Point {
        x: float(at),
        y: outcome.total_s.filter(|_| solved).or_else(|| analysis.time_limit(outcome))?,
        kind: kind(outcome),
        instance: outcome.key.instance.clone(),
        members: outcome.members.clone(),
        spread: solved.then(|| Spread::of(outcome)),
    })
}
