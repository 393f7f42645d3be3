//! Figures that are the same whenever the same program does the same work: counts of single-threaded runs that ended by
//! themselves, and sizes of models.

use serde::Serialize;

use super::answers::is_finished;
use super::matching::Group;
use super::{Aspect, Counts, Finding, Options, Subject, Verdict};
use crate::results::Run;
use crate::stats::float;

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
    /// What it is worth.
    pub verdict: Verdict,
}

/// Compares the counts of a group.
pub fn changes(group: &Group, counts: &mut Counts, options: &Options) -> Vec<(Change, Finding)> {
    let all = QUANTITIES.iter().filter_map(|quantity| {
        let change = change(group, quantity, counts, options)?;
        let finding = finding(&change, group, options);
        Some((change, finding))
    });
    all.collect()
}

fn change(group: &Group, quantity: &Quantity, counts: &mut Counts, options: &Options) -> Option<Change> {
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

fn finding(change: &Change, group: &Group, options: &Options) -> Finding {
    let Change { quantity, changed, runs, ratio, most, verdict, .. } = change;
    let mut text = format!("{quantity} differ in {changed} of {runs} runs, geometric mean × {ratio:.3} (most: {most})");
    if group.versions_differ() {
        text += "; the solver has another version";
    }
    Finding::of_group(Aspect::Count, *verdict, change.subject.clone(), text, options)
}
