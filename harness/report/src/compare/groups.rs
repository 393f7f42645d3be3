//! Groups of runs: counts that are the same whenever the same program does the same work, and sizes of models; times and memory,
//! which no two measurements have the same, by a test, a threshold, and only where there are enough instances; and runs near a
//! limit that fall over it together.

use std::collections::BTreeMap;

use serde::Serialize;

use super::circumstances::is_comparable;
use super::matching::{Group, Pair};
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

/// What is measured, and what is added to it before ratios are taken.
struct Quantity {
    aspect: Aspect,
    name: &'static str,
    shift: f64,
    shift_text: &'static str,
    of: fn(&Run) -> Option<f64>,
    /// Whether the two figures of a pair mean the same; else they are left out.
    same: fn(&Pair) -> bool,
    /// Whether they were measured under the same circumstances; else the group is shown and not judged.
    alike: fn(&Pair) -> bool,
}

const TIME: Quantity = Quantity {
    aspect: Aspect::Time,
    name: "time",
    shift: 0.01,
    shift_text: "10 ms",
    // Without the start of the process, which on small boards is most of the wall time.
    of: |run| Some(run.build_time_s.unwrap_or(0.0) + run.solve_time_s?),
    same: |_| true,
    alike: is_comparable,
};

const MEMORY: Quantity = Quantity {
    aspect: Aspect::Memory,
    name: "peak memory",
    shift: 1_048_576.0,
    shift_text: "1 MiB",
    of: |run| run.peak_memory_b.map(float),
    same: |pair| {
        let how = |run: &Run| (run.setting.isolation.clone(), run.setting.memory_source.clone());
        how(pair.base.run) == how(pair.new.run)
    },
    alike: |_| true,
};

/// What is said of times that are not comparable.
const UNLIKE: &str = "; measured under other circumstances or disturbed";

/// A quantity of a group, compared.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Tested {
    /// The group; without names: all of them together.
    pub subject: Subject,
    /// Time or memory.
    pub aspect: Aspect,
    /// Instances that were compared (together with the group, where all groups are).
    pub instances: usize,
    /// Pairs of runs behind them.
    pub runs: usize,
    /// Pairs that were left out, since a side has no figure or did not come to its end.
    pub left_out: usize,
    /// Geometric mean over the instances of (NEW + shift) / (BASE + shift).
    pub ratio: f64,
    /// Its 95 % bootstrap interval, if there are enough instances.
    pub interval: Option<(f64, f64)>,
    /// p of Wilcoxon's signed-rank test, two-sided, if there are enough instances.
    pub p: Option<f64>,
    /// The same after Holm's correction over the groups.
    pub p_holm: Option<f64>,
    /// How many tests were made together, by which p is corrected.
    pub tests: usize,
    /// Whether the figures were measured under the same circumstances, and undisturbed.
    pub comparable: bool,
    /// What it is worth; `None`: no more than chance.
    pub verdict: Option<Verdict>,
}

impl Tested {
    /// Whether there are too few instances for any outcome to be significant: even if all of them are slower, two-sided p is
    /// 2 / 2^n, and m times that after the correction for m tests.
    #[must_use]
    pub fn is_blind(&self, options: &Options) -> bool {
        let least = i32::try_from(self.instances).map_or(0.0, |n| 2.0_f64.powi(1 - n));
        let corrected = least * float(self.tests.max(1));
        self.instances < Options::LEAST_INSTANCES || corrected >= options.alpha
    }
}

/// The logarithms of the ratios of a group, one an instance.
struct Sample {
    subject: Subject,
    logs: Vec<f64>,
    runs: usize,
    left_out: usize,
    comparable: bool,
}

/// Tests the times of all groups (on a machine that was not quiet none is comparable), then their peak memory.
pub fn tests(groups: &[Group], quiet: bool, options: &Options) -> Vec<(Tested, Option<Finding>)> {
    [test(groups, &TIME, quiet, options), test(groups, &MEMORY, true, options)].concat()
}

fn test(groups: &[Group], quantity: &Quantity, quiet: bool, options: &Options) -> Vec<(Tested, Option<Finding>)> {
    let mut samples: Vec<_> = groups.iter().map(|group| sample(group, quantity, quiet)).collect();
    samples.retain(|sample| !sample.logs.is_empty());
    let all = together(&samples, |sample| sample.comparable).map(|(parts, comparable)| {
        let runs = parts.iter().map(|s| s.runs).sum();
        Sample {
            subject: Subject::default(),
            logs: parts.iter().flat_map(|s| s.logs.iter().copied()).collect(),
            runs,
            left_out: samples.iter().map(|s| s.runs + s.left_out).sum::<usize>() - runs,
            comparable,
        }
    });
    samples.extend(all);
    let enough = |sample: &Sample| sample.logs.len() >= Options::LEAST_INSTANCES;
    // Where no instance differs at all there is no test, and no need of one.
    let p = |sample: &Sample| enough(sample).then(|| stats::wilcoxon(&sample.logs).map_or(1.0, |found| found.p));
    let p_values: Vec<_> = samples.iter().map(p).collect();
    let adjusted = stats::holm(&p_values);
    let tests = p_values.iter().flatten().count();
    let all = samples.into_iter().zip(p_values).zip(adjusted);
    all.map(|((sample, p), p_holm)| decide(sample, (p, p_holm, tests), quantity, options)).collect()
}

/// Medians over the seeds and repeats of each instance: these are no independent sample.
fn sample(group: &Group, quantity: &Quantity, quiet: bool) -> Sample {
    let mut by_instance: BTreeMap<&str, [Vec<f64>; 2]> = BTreeMap::new();
    let (mut runs, mut left_out, mut comparable) = (0, 0, quiet);
    for pair in &group.pairs {
        let (base, new) = (pair.base.run, pair.new.run);
        let both = (quantity.of)(base).zip((quantity.of)(new));
        match both.filter(|_| is_finished(base) && is_finished(new) && (quantity.same)(pair)) {
            Some((before, after)) => {
                let values = by_instance.entry(&new.setting.instance_hash).or_default();
                values[0].push(before);
                values[1].push(after);
                runs += 1;
                comparable &= (quantity.alike)(pair);
            }
            None => left_out += 1,
        }
    }
    let log = |[before, after]: [Vec<f64>; 2]| {
        Some(((stats::median(after)? + quantity.shift) / (stats::median(before)? + quantity.shift)).ln())
    };
    let logs = by_instance.into_values().filter_map(log).collect();
    Sample { subject: group.subject.clone(), logs, runs, left_out, comparable }
}

/// All groups as one, if there are several: groups of few instances may show together what none of them shows alone. Those
/// that are not comparable have a part in it only if none is.
fn together<T>(groups: &[T], comparable: fn(&T) -> bool) -> Option<(Vec<&T>, bool)> {
    let any = groups.iter().any(comparable);
    let parts: Vec<_> = groups.iter().filter(|group| comparable(group) || !any).collect();
    (parts.len() > 1).then_some((parts, any))
}

fn decide(
    sample: Sample,
    (p, p_holm, tests): (Option<f64>, Option<f64>, usize),
    quantity: &Quantity,
    options: &Options,
) -> (Tested, Option<Finding>) {
    let of = |logs: &[f64]| stats::geometric_mean(logs).unwrap_or(1.0);
    let ratio = of(&sample.logs);
    let interval = p.and_then(|_| stats::bootstrap(&sample.logs, of));
    let judged = sample.comparable || options.insists_on(quantity.aspect);
    let significant = p_holm.is_some_and(|p| p < options.alpha);
    let verdict = match significant {
        true if ratio >= options.time_threshold => Some(Verdict::Worse),
        true if ratio <= 1.0 / options.time_threshold => Some(Verdict::Better),
        _ => None,
    };
    let verdict = verdict.map(|verdict| if judged { verdict } else { Verdict::Changed });
    let tested = Tested {
        subject: sample.subject,
        aspect: quantity.aspect,
        instances: sample.logs.len(),
        runs: sample.runs,
        left_out: sample.left_out,
        ratio,
        interval,
        p,
        p_holm,
        tests,
        comparable: sample.comparable,
        verdict,
    };
    let finding = verdict.map(|verdict| shifted(&tested, verdict, quantity, options));
    (tested, finding)
}

fn shifted(tested: &Tested, verdict: Verdict, quantity: &Quantity, options: &Options) -> Finding {
    let interval = tested.interval.map(|(low, high)| format!(" [{low:.2}, {high:.2}]")).unwrap_or_default();
    let p = tested.p_holm.map(|p| format!(", p {p:.2e}")).unwrap_or_default();
    let (name, ratio, instances) = (quantity.name, tested.ratio, tested.instances);
    let mut text =
        format!("{name} × {ratio:.2}{interval} over {instances} instances{p} (shift {})", quantity.shift_text);
    if !tested.comparable {
        text += UNLIKE;
    }
    Finding::of_group(quantity.aspect, verdict, tested.subject.clone(), text, options)
}

/// How many instances fell over a limit that they kept before, and how many came back, in a group of runs.
struct Drift {
    subject: Subject,
    fell: u64,
    rose: u64,
    comparable: bool,
}

/// Groups of which more instances fell over their limits than came back (or the other way round), by McNemar's test with Holm's
/// correction over the groups; on a machine that was not quiet none is comparable.
pub fn drifts(groups: &[Group], quiet: bool, options: &Options) -> Vec<Finding> {
    let mut drifts: Vec<_> = groups.iter().map(|group| drift(group, quiet)).collect();
    drifts.retain(|drift| drift.fell + drift.rose > 0);
    let all = together(&drifts, |drift| drift.comparable).map(|(parts, comparable)| Drift {
        subject: Subject::default(),
        fell: parts.iter().map(|drift| drift.fell).sum(),
        rose: parts.iter().map(|drift| drift.rose).sum(),
        comparable,
    });
    drifts.extend(all);
    let p: Vec<_> = drifts.iter().map(|drift| stats::mcnemar(drift.fell, drift.rose)).collect();
    let adjusted = stats::holm(&p);
    drifts.into_iter().zip(adjusted).filter_map(|(drift, p)| drifted(drift, p?, options)).collect()
}

/// An instance counts once, by what most of its seeds and repeats did: these are no independent sample.
fn drift(group: &Group, quiet: bool) -> Drift {
    let mut by_instance: BTreeMap<&str, i64> = BTreeMap::new();
    let mut comparable = quiet;
    for pair in &group.pairs {
        let direction = over_a_limit(pair);
        if direction != 0 {
            *by_instance.entry(&pair.new.run.setting.instance_hash).or_default() += i64::from(direction);
            comparable &= is_comparable(pair);
        }
    }
    let count = |sign: i64| by_instance.values().filter(|sum| sum.signum() == sign).count() as u64;
    Drift { subject: group.subject.clone(), fell: count(-1), rose: count(1), comparable }
}

/// Runs near a limit, many of which fall over it at once: one by one that is chance, together it is none.
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
        "of the instances near a limit {fell} ran into it in NEW only, {rose} in BASE only, p {p:.2e}: together that is no chance"
    );
    if !comparable {
        text += UNLIKE;
    }
    Some(Finding::of_group(Aspect::Time, verdict, subject, text, options))
}
