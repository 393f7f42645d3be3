//! What a reader must know of how the two sides were measured.

use std::collections::{BTreeMap, BTreeSet};

use super::Options;
use super::answers::{busy, differing};
use super::matching::{Matched, Pair};
use crate::results::{Experiment, some};
use crate::text::plural;

/// One sentence without the full stop for each.
pub fn warnings(base: &[Experiment], new: &[Experiment], matched: &Matched, options: &Options) -> Vec<String> {
    let pairs = matched.pairs.as_slice();
    let mut found = Vec::new();
    let mut unlike: Vec<_> = other_circumstances(pairs).into_iter().chain(disturbed(pairs)).collect();
    for (place, side) in ["BASE", "NEW"].into_iter().enumerate() {
        let sentence =
            |times| format!("{side} was measured on a busy machine, its runs took {times:.2} times their CPU time");
        unlike.extend(busy(pairs.iter().map(|pair| pair.runs()[place])).map(sentence));
    }
    if !unlike.is_empty() {
        let insists = options.insists_on(super::Aspect::Time);
        let but = if insists { "and fail all the same, since --fail-on names `time`" } else { "and do not fail" };
        unlike.insert(0, format!("times of the groups concerned are shown {but}"));
        found.push(unlike.join("; "));
    }
    found.extend(versions(pairs));
    for (side, experiments) in [("BASE", base), ("NEW", new)] {
        let dirty = experiments.iter().flat_map(Experiment::runs).any(|run| run.setting.build.ends_with("-dirty"));
        found.extend(dirty.then(|| format!("{side} was measured with a build of uncommitted changes")));
    }
    for (side, interrupted) in ["BASE", "NEW"].into_iter().zip(matched.interrupted) {
        if interrupted > 0 {
            let runs = plural(interrupted, "run was", "runs were");
            found.push(format!("{side}: {runs} interrupted and counted as missing"));
        }
    }
    found
}

/// Whether the machine was busy while either side was measured.
pub fn any_busy(pairs: &[Pair]) -> bool {
    (0..2).any(|side| busy(pairs.iter().map(|pair| pair.runs()[side])).is_some())
}

/// Hosts, CPU models and the like that differ within pairs.
fn other_circumstances(pairs: &[Pair]) -> Vec<String> {
    let mut differences: BTreeMap<&str, (BTreeSet<String>, usize)> = BTreeMap::new();
    for pair in pairs {
        for (what, base, new) in differing(&pair.base.run.setting, &pair.new.run.setting) {
            let entry = differences.entry(what).or_default();
            entry.0.insert(format!("{} → {}", known(&base), known(&new)));
            entry.1 += 1;
        }
    }
    let all = pairs.len();
    let sentence = |(what, (values, count)): (&str, (BTreeSet<String>, usize))| {
        let share = if count == all { String::new() } else { format!(" in {count} of {all} runs") };
        format!("other {what}{share} ({})", some(&values))
    };
    differences.into_iter().map(sentence).collect()
}

/// Runs that waited.
fn disturbed(pairs: &[Pair]) -> Option<String> {
    let [base, new] = [0, 1].map(|side| pairs.iter().filter(|pair| pair.runs()[side].is_disturbed()).count());
    let all = pairs.len();
    (base + new > 0).then(|| format!("runs that waited or were disturbed: {base} of {all} in BASE, {new} in NEW"))
}

/// Solvers that are not the same on both sides.
fn versions(pairs: &[Pair]) -> Option<String> {
    let mut changes = BTreeSet::new();
    for pair in pairs {
        let (base, new) = (&pair.base.run.setting, &pair.new.run.setting);
        if base.solver_version != new.solver_version {
            let (before, after) = (known(&base.solver_version), known(&new.solver_version));
            changes.insert(format!("{} {before} → {after}", new.solver));
        }
    }
    (!changes.is_empty()).then(|| {
        format!("other versions of solvers: {}; counts of their runs are shown and do not fail", some(&changes))
    })
}

fn known(value: &str) -> &str {
    if value.is_empty() { "unknown" } else { value }
}
