//! Who was the fastest, in sentences for a terminal: the configurations of each comparison by rank, and how they compare with the first.

use std::collections::HashSet;

use crate::analysis::Analysis;
use crate::analysis::comparison::{Comparison, Configuration, comparisons};
use crate::stats::{Score, geometric_interval, geometric_mean, log_ratio, shifted_geometric_mean};
use crate::text::count;

/// Configurations that a ranking names.
const NAMED: usize = 5;

/// Shift of the mean that decides between those that solved as many, in seconds.
const SHIFT_S: f64 = 1.0;

/// The rankings of an experiment, one for each setting in which several configurations had instances in common and one solved any.
/// First comes who solved most, of these who has the least shifted geometric mean, where what was not solved counts as the limit.
#[must_use]
pub fn ranking(analysis: &Analysis) -> Vec<String> {
    comparisons(analysis).iter().flat_map(lines).collect()
}

fn lines(comparison: &Comparison) -> Vec<String> {
    let mut ranked: Vec<usize> = (0..comparison.configurations.len()).filter(|at| comparison.may_lead(*at)).collect();
    let solved = |at: usize| comparison.scores[at].iter().filter(|score| score.time_s.is_some()).count();
    let mean = |at: usize| {
        let times: Option<Vec<_>> = comparison.scores[at].iter().map(|score| score.penalised(1.0)).collect();
        times.and_then(|times| shifted_geometric_mean(&times, SHIFT_S)).unwrap_or(f64::INFINITY)
    };
    ranked.sort_by(|a, b| solved(*b).cmp(&solved(*a)).then(mean(*a).total_cmp(&mean(*b))));
    let Some((first, others)) = ranked.split_first().filter(|_| comparison.configurations.len() > 1) else {
        return Vec::new();
    };
    let instances = count(comparison.instances.len(), "instance");
    let name = |at: usize| name(&comparison.configurations, at);
    let mut lines = vec![format!("ranking on {instances}{}:", comparison.of)];
    lines.push(format!("  1. {}: {} solved", name(*first), solved(*first)));
    for (rank, other) in (2..).zip(others.iter().take(NAMED - 1)) {
        let faster = faster(&comparison.scores[*first], &comparison.scores[*other]);
        let faster = faster.map(|faster| format!("; {} was {faster}", name(*first))).unwrap_or_default();
        lines.push(format!("  {rank}. {}: {} solved{faster}", name(*other), solved(*other)));
    }
    match comparison.configurations.len() - ranked.len().min(NAMED) {
        0 => {}
        rest => lines.push(format!("  and {}; `tilebench table` shows all", count(rest, "other"))),
    }
    lines.extend(comparison.caveats().iter().map(|caveat| format!("  warning: {caveat}")));
    lines
}

/// How much faster the first was, over the instances that both solved: the geometric mean of the quotients with its 95 % interval,
/// where there are enough.
fn faster(first: &[Score], other: &[Score]) -> Option<String> {
    let both = first.iter().zip(other).filter(|(first, other)| first.time_s.is_some() && other.time_s.is_some());
    let logs: Vec<f64> = both.filter_map(|(first, other)| log_ratio(*other, *first)).collect();
    let mean = geometric_mean(&logs)?;
    let interval = geometric_interval(&logs.iter().map(|log| (*log, 1.0)).collect::<Vec<_>>());
    let interval = interval.map(|(from, to)| format!(" ({} to {})", ratio(from), ratio(to))).unwrap_or_default();
    Some(format!("{}{interval} times as fast on {} that both solved", ratio(mean), logs.len()))
}

/// What tells a configuration from the others: formulation, solver or both.
fn name(configurations: &[Configuration], at: usize) -> String {
    let number = |of: fn(&Configuration) -> String| configurations.iter().map(of).collect::<HashSet<_>>().len();
    let [_, formulation, solver] = configurations[at].labels();
    match (number(|c| c.labels()[1].to_owned()), number(|c| c.labels()[2].to_owned())) {
        (1, _) => solver.to_owned(),
        (_, 1) => formulation.to_owned(),
        _ if formulation == solver => solver.to_owned(),
        _ => format!("{formulation} by {solver}"),
    }
}

/// Two digits at least.
fn ratio(value: f64) -> String {
    match value {
        ..0.995 => format!("{value:.2}"),
        ..9.95 => format!("{value:.1}"),
        _ => format!("{value:.0}"),
    }
}
