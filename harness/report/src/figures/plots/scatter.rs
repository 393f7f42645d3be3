//! Time against time, a mark an instance: the baseline across, another upward.

use super::compared::{Compared, compared, shortest};
use crate::analysis::Analysis;
use crate::figures::{Chart, Curve, Dimension, Guide, GuideAt, Kind, Point, Scale};
use crate::stats::Score;
use crate::text::count;

/// With more others than these, marks cannot be told apart: then the best of them stands for all.
const MOST_OTHERS: usize = 5;

pub fn build(analysis: &Analysis, is_named: bool) -> Vec<Chart> {
    compared(analysis, is_named).iter().map(chart).filter(|c| c.points().next().is_some()).collect()
}

/// Somebody, or several of whom the best counts.
struct Other {
    label: String,
    configurations: Vec<usize>,
}

fn chart(compared: &Compared) -> Chart {
    let others = others(&compared.labels);
    let upward = if let [only] = others.as_slice() { only.label.as_str() } else { "the others" };
    let axis = |who: &str| Dimension::new(format!("time of {who} (s)"), Scale::Seconds);
    let baseline = compared.labels[0].as_str();
    let against = if others.len() == 1 { upward } else { "others" };
    let mut chart = compared.chart(&format!("{against} against {baseline}"), axis(baseline), axis(upward));
    chart.curves = others.iter().map(|other| curve(compared, other)).collect();
    chart.guides = vec![Guide { at: GuideAt::Equal, label: "equally fast".to_owned() }];
    let unsolved = chart.points().any(|p| p.kind != Kind::Ended);
    if unsolved {
        chart.guides.extend(compared.limits(GuideAt::X));
        chart.guides.extend(compared.limits(GuideAt::Y));
        chart.notes.push("Not solved, for whatever reason: drawn at the time limit, or at the time of the other where that is longer".to_owned());
    }
    chart.notes.push(format!("Below the diagonal {baseline} was slower"));
    let pairs = compared.comparison.instances.len() * others.len();
    let missing = pairs - chart.points().count();
    if missing > 0 {
        let pairs = if others.len() > 1 { format!("{missing} of {pairs} pairs") } else { count(missing, "instance") };
        let unlimited = |score: &Score| score.time_s.is_none() && score.limit_s.is_none();
        let without = compared.comparison.scores.iter().flatten().any(unlimited);
        let or = if without { ", or one did not under no time limit" } else { "" };
        chart.notes.push(format!("Not shown: {pairs} that neither solved{or}"));
    }
    chart.notes.extend(shortest(chart.points().flat_map(|p| [p.x, p.y]).collect::<Vec<_>>().into_iter()));
    chart
}

fn others(labels: &[String]) -> Vec<Other> {
    if labels.len() > MOST_OTHERS + 1 {
        let count = labels.len() - 1;
        let label = format!("the best of {count} others");
        return vec![Other { label, configurations: (1..labels.len()).collect() }];
    }
    let others = labels.iter().enumerate().skip(1);
    others.map(|(number, label)| Other { label: label.clone(), configurations: vec![number] }).collect()
}

fn curve(compared: &Compared, other: &Other) -> Curve {
    let points = (0..compared.comparison.instances.len()).filter_map(|i| point(compared, other, i));
    Curve {
        label: other.label.clone(),
        of: other.configurations.first().map_or((0, 0), |first| compared.numbers(*first)),
        points: points.collect(),
        ..Curve::default()
    }
}

/// The mark of an instance; none if neither solved it.
fn point(compared: &Compared, other: &Other, instance: usize) -> Option<Point> {
    let score = |configuration: &usize| compared.comparison.scores[*configuration][instance];
    let time = |configuration: &usize| score(configuration).time_s.unwrap_or(f64::INFINITY);
    let best = *other.configurations.iter().min_by(|a, b| time(a).total_cmp(&time(b)))?;
    if score(&0).time_s.is_none() && score(&best).time_s.is_none() {
        return None;
    }
    // At its limit, or where the other took longer than that, there: the one that solved it was not the slower one.
    let shown = |score: Score, other: Score| {
        score.time_s.or(score.limit_s.map(|limit| limit.max(other.time_s.unwrap_or(limit))))
    };
    let outcomes = [0, best].map(|configuration| compared.outcome(configuration, instance));
    // One of both solved it, so that at most one has another kind.
    let kinds = [0, best].map(|configuration| compared.kind(configuration, instance));
    let kind = kinds.into_iter().rfind(|k| *k != Kind::Ended).unwrap_or(Kind::Ended);
    Some(Point {
        x: shown(score(&0), score(&best))?,
        y: shown(score(&best), score(&0))?,
        kind,
        instance: compared.comparison.instances[instance].name.clone(),
        members: outcomes.into_iter().flatten().flat_map(|o| o.members.clone()).collect(),
        spread: None,
    })
}
