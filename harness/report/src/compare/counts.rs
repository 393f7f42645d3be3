//! What is counted in groups of runs: figures that are the same whenever the same program does the same work, sizes of models, and
//! runs that cross a limit together.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::finding::{Aspect, Finding, Options, Subject, Verdict};
use super::matching::{Group, Pair};
use super::runs::{has_wrong, is_finished, over_a_limit, share_of_time, struck_by_time};
use crate::results::Run;
use crate::stats::{self, float};
use crate::text::count;

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
    let judged = quantity.model || !group.versions_differ() || options.insists_on(Aspect::Count);
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

/// By instance in how many more runs of a group a limit was crossed in one direction than in the other: less than 0, if more of them ran
/// into it in NEW. Seeds and repeats of an instance are no independent sample, nor are its groups: it counts once.
struct Drift<'a> {
    subject: Subject,
    signs: BTreeMap<&'a str, i64>,
    comparable: bool,
}

impl<'a> Drift<'a> {
    fn of(group: &Group<'a>) -> Self {
        let (pairs, comparable) = group.comparable(|pair| over_a_limit(pair) != 0);
        let mut signs = BTreeMap::new();
        for pair in pairs {
            *signs.entry(pair.new.run.setting.instance_hash.as_str()).or_default() += i64::from(over_a_limit(pair));
        }
        Self { subject: group.subject.clone(), signs, comparable }
    }

    /// How many instances fell over a limit that they kept before, and how many came back.
    fn crossed(&self) -> [u64; 2] {
        [-1, 1].map(|sign| self.signs.values().filter(|sum| sum.signum() == sign).count() as u64)
    }
}

/// Groups of which more instances ran into their limits than came back (or the other way round), by McNemar's test with Holm's
/// correction over the groups and all comparable groups together, if there are several.
pub fn drifts(groups: &[Group], options: &Options) -> Vec<Finding> {
    let mut drifts: Vec<_> = groups.iter().map(Drift::of).collect();
    drifts.retain(|drift| drift.crossed() != [0, 0]);
    let any = drifts.iter().any(|drift| drift.comparable);
    let parts: Vec<_> = drifts.iter().filter(|drift| drift.comparable || !any).collect();
    if parts.len() > 1 {
        let mut signs = BTreeMap::new();
        for (instance, sum) in parts.iter().flat_map(|drift| &drift.signs) {
            *signs.entry(*instance).or_default() += sum.signum();
        }
        drifts.push(Drift { subject: Subject::default(), signs, comparable: any });
    }
    let p: Vec<_> = drifts.iter().map(Drift::crossed).map(|[fell, rose]| stats::mcnemar(fell, rose)).collect();
    let adjusted = stats::holm(&p);
    drifts.into_iter().zip(adjusted).filter_map(|(drift, p)| drifted(drift, p?, options)).collect()
}

/// Instances of a group from which on it is a failure by itself that NEW loses all.
const LEAST_LOST: usize = 3;

/// Share of their limit of time that runs may need on the median, if their loss is not to be that of a busy machine, and if it is not to be
/// that of another one.
const LOST_FROM: [f64; 2] = [1.0 / 3.0, 0.1];

/// Groups of which NEW loses to a limit of time whatever BASE solved, though each single run may be chance.
pub fn losses(groups: &[Group]) -> impl Iterator<Item = Finding> {
    groups.iter().filter_map(|group| {
        let is_solved = |pair: &Pair| is_finished(pair.base.run) && !has_wrong(pair);
        let (solved, comparable) = group.comparable(is_solved);
        let instances: BTreeSet<_> = solved.iter().map(|pair| &pair.new.run.setting.instance_hash).collect();
        let share = stats::median(solved.iter().filter_map(|pair| share_of_time(pair.base.run)).collect())?;
        let lost = |pair: &&Pair| over_a_limit(pair) < 0 && struck_by_time(pair.new.run);
        let is_early = share < LOST_FROM[usize::from(!comparable)];
        let is_lost = instances.len() >= LEAST_LOST && is_early && solved.iter().all(lost);
        let text = format!(
            "all {} that BASE solved ran out of time in NEW; BASE needed {:.0} % of its limit on the median",
            count(instances.len(), "instance"),
            100.0 * share
        );
        is_lost.then(|| Finding::new(Aspect::Failure, Verdict::Worse, group.subject.clone(), text))
    })
}

/// Many runs that cross a limit in one direction: one by one that is chance, together it is none.
fn drifted(drift: Drift, p: f64, options: &Options) -> Option<Finding> {
    let [fell, rose] = drift.crossed();
    let Drift { subject, comparable, .. } = drift;
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
