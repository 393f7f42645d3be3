//! What is counted in groups of runs: figures that are the same whenever the same program does the same work, sizes of models, and
//! runs that cross a limit together.

use std::collections::BTreeMap;

use serde::Serialize;

use super::finding::{Aspect, Finding, Options, Subject, Verdict};
use super::matching::{Group, Pair};
use super::runs::{has_wrong, is_finished, over_a_limit};
use crate::results::Run;
use crate::stats::{self, float};

/// A figure, what is added to it before ratios are taken (so that few nodes weigh little and 0 has a ratio), and whether
/// it depends on the first model alone.
struct Quantity {
    name: &'static str,
    shift: f64,
    of: fn(&Run) -> Option<u64>,
    model: bool,
}

const QUANTITIES: [Quantity; 8] = [
    Quantity { name: "iterations", shift: 1.0, of: |r| r.iterations, model: false },
    Quantity { name: "cuts", shift: 1.0, of: |r| r.cuts, model: false },
    Quantity { name: "nodes", shift: 10.0, of: |r| r.nodes, model: false },
    Quantity { name: "conflicts", shift: 10.0, of: |r| r.conflicts, model: false },
    Quantity { name: "simplex iterations", shift: 100.0, of: |r| r.simplex_iterations, model: false },
    Quantity { name: "propagations", shift: 100.0, of: |r| r.propagations, model: false },
    Quantity { name: "variables", shift: 1.0, of: |r| r.variables, model: true },
    Quantity { name: "constraints", shift: 1.0, of: |r| r.constraints, model: true },
];

/// A figure of a group that is not what it was.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Change {
    /// The group.
    pub subject: Subject,
    /// The figure.
    pub quantity: &'static str,
    /// Runs in which it differs.
    pub changed: usize,
    /// Runs in which it was compared.
    pub runs: usize,
    /// Geometric mean of (NEW + shift) / (BASE + shift) over all of these.
    pub ratio: f64,
    /// What is added.
    pub shift: f64,
    /// The run in which it differs most.
    pub most: String,
    /// Whether it is worse or better.
    pub verdict: Verdict,
}

/// Counts of figures that are the same whenever the same program does the same work.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Counts {
    /// Pairs of figures.
    pub compared: usize,
    /// Pairs that are equal.
    pub equal: usize,
}

pub fn changes(group: &Group, counts: &mut Counts, options: &Options) -> Vec<(Change, Finding)> {
    QUANTITIES.iter().filter_map(|quantity| change(group, quantity, counts, options)).collect()
}

fn change(group: &Group, quantity: &Quantity, counts: &mut Counts, options: &Options) -> Option<(Change, Finding)> {
    let same_work = |run: &&Run| run.setting.threads == 1 && is_finished(run);
    let is_comparable = |pair: &Pair| !has_wrong(pair) && pair.runs().iter().all(same_work);
    let comparable = group.pairs.iter().filter(|pair| quantity.model || is_comparable(pair));
    let figures = comparable.filter_map(|pair| {
        let [before, after] = pair.runs().map(quantity.of);
        Some((pair, before?, after?))
    });
    let (mut runs, mut changed, mut sum) = (0_usize, 0_usize, 0.0);
    let mut largest = (0.0, String::new());
    for (pair, before, after) in figures {
        runs += 1;
        if before == after {
            continue;
        }
        changed += 1;
        let log = ((float(after) + quantity.shift) / (float(before) + quantity.shift)).ln();
        sum += log;
        if log.abs() > largest.0 {
            largest = (log.abs(), format!("{}: {before} → {after}", pair.new.run.setting.instance));
        }
    }
    counts.compared += runs;
    counts.equal += runs - changed;
    if changed == 0 {
        return None;
    }
    let ratio = (sum / float(runs)).exp();
    let judged = quantity.model || !group.versions_differ();
    let verdict = if judged && ratio > options.count_threshold {
        Verdict::Worse
    } else if judged && ratio < 1.0 / options.count_threshold {
        Verdict::Better
    } else {
        Verdict::Changed
    };
    let (subject, name, shift, most) = (group.subject.clone(), quantity.name, quantity.shift, largest.1);
    let mut text = format!("{name} differ in {changed} of {runs} runs, geometric mean × {ratio:.3} (most: {most})");
    if group.versions_differ() {
        text += "; the solver has another version";
    }
    let finding = Finding::new(Aspect::Count, verdict, subject.clone(), text);
    Some((Change { subject, quantity: name, changed, runs, ratio, shift, most, verdict }, finding))
}

/// How many instances fell over a limit that they kept before, and how many came back, in a group of runs.
struct Drift {
    subject: Subject,
    fell: u64,
    rose: u64,
    comparable: bool,
}

/// Groups of which more instances ran into their limits than came back (or the other way round), by McNemar's test with Holm's
/// correction over the groups and all comparable groups together, if there are several.
pub fn drifts(groups: &[Group], options: &Options) -> Vec<Finding> {
    let mut drifts: Vec<_> = groups.iter().map(drift).collect();
    drifts.retain(|drift| drift.fell + drift.rose > 0);
    let any = drifts.iter().any(|drift| drift.comparable);
    let parts: Vec<_> = drifts.iter().filter(|drift| drift.comparable || !any).collect();
    if parts.len() > 1 {
        let (fell, rose) = (parts.iter().map(|drift| drift.fell).sum(), parts.iter().map(|drift| drift.rose).sum());
        drifts.push(Drift { subject: Subject::default(), fell, rose, comparable: any });
    }
    let p: Vec<_> = drifts.iter().map(|drift| stats::mcnemar(drift.fell, drift.rose)).collect();
    let adjusted = stats::holm(&p);
    drifts.into_iter().zip(adjusted).filter_map(|(drift, p)| drifted(drift, p?, options)).collect()
}

/// An instance counts once, by what most of its seeds and repeats did: these are no independent sample.
fn drift(group: &Group) -> Drift {
    let mut by_instance: BTreeMap<&str, i64> = BTreeMap::new();
    let (pairs, comparable) = group.comparable(|pair| over_a_limit(pair) != 0);
    for pair in pairs {
        *by_instance.entry(&pair.new.run.setting.instance_hash).or_default() += i64::from(over_a_limit(pair));
    }
    let count = |sign: i64| by_instance.values().filter(|sum| sum.signum() == sign).count() as u64;
    Drift { subject: group.subject.clone(), fell: count(-1), rose: count(1), comparable }
}

/// Many runs that cross a limit in one direction: one by one that is chance, together it is none.
fn drifted(drift: Drift, p: f64, options: &Options) -> Option<Finding> {
    let Drift { subject, fell, rose, comparable } = drift;
    if p >= options.alpha {
        return None;
    }
    let verdict = match fell > rose {
        _ if !comparable && !options.insists_on(Aspect::Time) => Verdict::Changed,
        true => Verdict::Worse,
        false => Verdict::Better,
    };
    let mut text = format!(
        "{fell} instances ran into a limit in NEW only, {rose} in BASE only, p {p:.2e}: together that is no chance"
    );
    if !comparable {
        text += "; measured under other circumstances";
    }
    Some(Finding::new(Aspect::Time, verdict, subject, text))
}
