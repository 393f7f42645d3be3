//! Times and memory, which no two measurements have the same: never single values, but groups of instances, by a test, a
//! threshold, and only where there are enough of them.

use std::collections::BTreeMap;

use serde::Serialize;

use super::answers::{is_comparable, is_finished};
use super::matching::{Group, Pair};
use super::{Aspect, Finding, Options, Subject, Verdict};
use crate::results::Run;
use crate::stats;

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
    of: |run| run.peak_memory_b.map(stats::float),
    same: |pair| {
        let how = |run: &Run| (run.setting.isolation.clone(), run.setting.memory_source.clone());
        how(pair.base.run) == how(pair.new.run)
    },
    alike: |_| true,
};

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
        let corrected = least * stats::float(self.tests.max(1));
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

/// Tests the times of all groups; on a machine that was not quiet none is comparable.
pub fn times(groups: &[Group], quiet: bool, options: &Options) -> Vec<(Tested, Option<Finding>)> {
    test(groups, &TIME, quiet, options)
}

/// Tests the peak memory of all groups.
pub fn memory(groups: &[Group], options: &Options) -> Vec<(Tested, Option<Finding>)> {
    test(groups, &MEMORY, true, options)
}

fn test(groups: &[Group], quantity: &Quantity, quiet: bool, options: &Options) -> Vec<(Tested, Option<Finding>)> {
    let mut samples: Vec<_> = groups.iter().map(|group| sample(group, quantity, quiet)).collect();
    samples.retain(|sample| !sample.logs.is_empty());
    samples.extend(together(&samples));
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
fn together(samples: &[Sample]) -> Option<Sample> {
    let any = samples.iter().any(|sample| sample.comparable);
    let parts: Vec<_> = samples.iter().filter(|sample| sample.comparable || !any).collect();
    (parts.len() > 1).then(|| Sample {
        subject: Subject::default(),
        logs: parts.iter().flat_map(|s| s.logs.iter().copied()).collect(),
        runs: parts.iter().map(|s| s.runs).sum(),
        left_out: samples.iter().map(|s| s.runs + s.left_out).sum::<usize>()
            - parts.iter().map(|s| s.runs).sum::<usize>(),
        comparable: any,
    })
}

fn decide(
    sample: Sample,
    (p, p_holm, tests): (Option<f64>, Option<f64>, usize),
    quantity: &Quantity,
    options: &Options,
) -> (Tested, Option<Finding>) {
    let ratio = stats::geometric_mean(&sample.logs).unwrap_or(1.0);
    let of = |logs: &[f64]| stats::geometric_mean(logs).unwrap_or(1.0);
    let interval = p.and_then(|_| stats::bootstrap(&sample.logs, of));
    let judged = sample.comparable || options.insists_on(quantity.aspect);
    let significant = p_holm.is_some_and(|p| p < options.alpha);
    let verdict = match significant {
        true if ratio >= options.time_threshold => Some(if judged { Verdict::Worse } else { Verdict::Changed }),
        true if ratio <= 1.0 / options.time_threshold => Some(if judged { Verdict::Better } else { Verdict::Changed }),
        _ => None,
    };
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
    let finding = verdict.map(|verdict| finding(&tested, verdict, quantity, options));
    (tested, finding)
}

fn finding(tested: &Tested, verdict: Verdict, quantity: &Quantity, options: &Options) -> Finding {
    let interval = tested.interval.map(|(low, high)| format!(" [{low:.2}, {high:.2}]")).unwrap_or_default();
    let p = tested.p_holm.map(|p| format!(", p {p:.2e}")).unwrap_or_default();
    let (name, ratio, instances) = (quantity.name, tested.ratio, tested.instances);
    let mut text =
        format!("{name} × {ratio:.2}{interval} over {instances} instances{p} (shift {})", quantity.shift_text);
    if !tested.comparable {
        text += "; measured under other circumstances or disturbed";
    }
    Finding::of_group(quantity.aspect, verdict, tested.subject.clone(), text, options)
}
