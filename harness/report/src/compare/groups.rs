//! Groups of runs: counts that are the same whenever the same program does the same work, and sizes of models; and runs that cross a
//! limit together.

use std::collections::BTreeMap;

use serde::Serialize;

use super::matching::Group;
use super::runs::{is_finished, over_a_limit};
use super::{Aspect, Counts, Finding, Options, Subject, Verdict};
use crate::results::Run;
use crate::stats::{self, float};

/// A figure, what is added to it before ratios are taken (so that few nodes weigh little and 0 has a ratio), and whether
/// it depends on the first model alone.
struct Count {
    name: &'static str,
    shift: f64,
    of: fn(&Run) -> Option<u64>,
    model: bool,
}

const COUNTS: [Count; 8] = [
    Count { name: "iterations", shift: 1.0, of: |r| r.iterations, model: false },
    Count { name: "cuts", shift: 1.0, of: |r| r.cuts, model: false },
    Count { name: "nodes", shift: 10.0, of: |r| r.nodes, model: false },
    Count { name: "conflicts", shift: 10.0, of: |r| r.conflicts, model: false },
    Count { name: "simplex iterations", shift: 100.0, of: |r| r.simplex_iterations, model: false },
    Count { name: "propagations", shift: 100.0, of: |r| r.propagations, model: false },
    Count { name: "variables", shift: 1.0, of: |r| r.variables, model: true },
    Count { name: "constraints", shift: 1.0, of: |r| r.constraints, model: true },
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
    /// What it is worth.
    pub verdict: Verdict,
}

pub fn changes(group: &Group, counts: &mut Counts, options: &Options) -> Vec<(Change, Finding)> {
    let all = COUNTS.iter().filter_map(|quantity| {
        let change = change(group, quantity, counts, options)?;
        let finding = changed(&change, group, options);
        Some((change, finding))
    });
    all.collect()
}

fn change(group: &Group, quantity: &Count, counts: &mut Counts, options: &Options) -> Option<Change> {
    let (mut runs, mut changed, mut sum) = (0_usize, 0_usize, 0.0);
    let mut most = (0.0, String::new());
    for pair in &group.pairs {
        let (base, new) = (pair.base.run, pair.new.run);
        let same_work = |run: &Run| run.setting.threads == 1 && is_finished(run);
        let fixed = quantity.model || (same_work(base) && same_work(new));
        if !fixed {
            continue;
        }
        let Some((before, after)) = (quantity.of)(base).zip((quantity.of)(new)) else { continue };
        runs += 1;
        if before == after {
            continue;
        }
        changed += 1;
        let log = ((float(after) + quantity.shift) / (float(before) + quantity.shift)).ln();
        sum += log;
        if log.abs() > most.0 {
            most = (log.abs(), format!("{}: {before} → {after}", pair.new.run.setting.instance));
        }
    }
    counts.compared += runs;
    counts.equal += runs - changed;
    if changed == 0 {
        return None;
    }
    let ratio = (sum / float(runs)).exp();
    let verdict = if !quantity.model && group.versions_differ() {
        Verdict::Changed
    } else if ratio > options.count_threshold {
        Verdict::Worse
    } else if ratio < 1.0 / options.count_threshold {
        Verdict::Better
    } else {
        Verdict::Changed
    };
    let (subject, shift) = (group.subject.clone(), quantity.shift);
    Some(Change { subject, quantity: quantity.name, changed, runs, ratio, shift, most: most.1, verdict })
}

fn changed(change: &Change, group: &Group, options: &Options) -> Finding {
    let Change { quantity, changed, runs, ratio, most, verdict, .. } = change;
    let mut text = format!("{quantity} differ in {changed} of {runs} runs, geometric mean × {ratio:.3} (most: {most})");
    if group.versions_differ() {
        text += "; the solver has another version";
    }
    Finding::of_group(Aspect::Count, *verdict, change.subject.clone(), text, options)
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
    let judged = comparable || options.insists_on(Aspect::Time);
    let verdict = match fell > rose {
        _ if !judged => Verdict::Changed,
        true => Verdict::Worse,
        false => Verdict::Better,
    };
    let mut text = format!(
        "{fell} instances ran into a limit in NEW only, {rose} in BASE only, p {p:.2e}: together that is no chance"
    );
    if !comparable {
        text += "; measured under other circumstances";
    }
    Some(Finding::of_group(Aspect::Time, verdict, subject, text, options))
}
