//! How the two sides were measured: what is comparable, and what a reader must know.

use std::collections::{BTreeMap, BTreeSet};

use super::matching::{Matched, Pair, differing};
use super::{Aspect, Options};
use crate::results::{Experiment, Run, is_odd, known, some};
use crate::stats::median;
use crate::text::plural;

/// One sentence without the full stop for each.
pub fn warnings(base: &[Experiment], new: &[Experiment], matched: &Matched, options: &Options) -> Vec<String> {
    let pairs = matched.pairs.as_slice();
    let mut found = Vec::new();
    let mut unlike = other_circumstances(pairs);
    if !unlike.is_empty() {
        let insists = options.insists_on(Aspect::Time);
        let but = if insists { "and fail all the same, since --fail-on names `time`" } else { "and do not fail" };
        unlike.insert(0, format!("times of the groups concerned are shown {but}"));
        found.push(unlike.join("; "));
    }
    let mut waits: Vec<_> = disturbed(pairs).into_iter().collect();
    for (place, side) in ["BASE", "NEW"].into_iter().enumerate() {
        let sentence =
            |times| format!("{side} was measured on a busy machine, its runs took {times:.2} times their CPU time");
        waits.extend(busy(pairs.iter().map(|pair| pair.runs()[place])).map(sentence));
    }
    if !waits.is_empty() {
        waits.insert(0, "CPU times are compared where runs waited".to_owned());
        found.push(waits.join("; "));
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

/// Relative and absolute difference (s) of wall time and CPU time above which a single-threaded run waited; less is the start of a
/// process.
const WAITED: (f64, f64) = (1.1, 0.1);

/// What a busy machine can do to a run: above this many times its CPU time, and this many seconds more, it hung or slept.
const HUNG: (f64, f64) = (10.0, 1.0);

/// Whether a single-threaded run waited for the machine, so that its wall time says little of it.
pub fn waited(run: &Run) -> bool {
    let exceeds = |(wall, cpu): (f64, f64)| wall > WAITED.0 * cpu && wall - cpu > WAITED.1;
    run.setting.threads == 1 && run.times().is_some_and(|times| exceeds(times) && !hung(times))
}

fn hung((wall, cpu): (f64, f64)) -> bool {
    wall > HUNG.0 * cpu + HUNG.1
}

/// Least wall time in seconds of a run by which the load of a machine is judged: of shorter ones much is the start of a process.
const TELLING_S: f64 = 0.1;

/// How many times their CPU time the single-threaded runs of at least 0.1 s took together, if that is more than 1.1 and 0.5 s
/// more, and more than 1.1 for most of them: then the machine was busy, and each of them may have waited, those too that were too
/// short to show it.
fn busy<'a>(runs: impl Iterator<Item = &'a Run>) -> Option<f64> {
    let single = runs.filter(|run| run.setting.threads == 1);
    let telling = |(wall, cpu): &(f64, f64)| *wall >= TELLING_S && !hung((*wall, *cpu));
    let times: Vec<_> = single.filter_map(Run::times).filter(telling).collect();
    let (wall, cpu) = times.iter().fold((0.0, 0.0), |sum, time| (sum.0 + time.0, sum.1 + time.1));
    let usual = median(times.iter().map(|(wall, cpu)| wall / cpu).collect())?;
    (is_odd(cpu, wall) && usual > WAITED.0).then(|| wall / cpu)
}

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

fn disturbed(pairs: &[Pair]) -> Option<String> {
    let [base, new] = [0, 1].map(|side| pairs.iter().filter(|pair| waited(pair.runs()[side])).count());
    let all = pairs.len();
    (base + new > 0).then(|| format!("runs that waited: {base} of {all} in BASE, {new} in NEW"))
}

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
