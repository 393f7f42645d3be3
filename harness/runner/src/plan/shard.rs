//! Which runs of a plan are in which shard. All runs of an instance are in one of them, so that one machine measures them.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap, HashMap};

use super::{ExperimentPlan, PlannedRun};
use crate::Shard;
use crate::text::count;

/// What a run without a time limit is taken to last, in seconds.
pub const UNLIMITED_S: f64 = 3600.0;

impl ExperimentPlan {
    /// Number of instances, equal puzzles counted once: no more shards than these have runs.
    #[must_use]
    pub fn groups(&self) -> usize {
        groups(&self.asked).len()
    }

    /// Of each of so many shards the sum of the time limits of its runs, whatever the filters, in seconds; a run without a limit
    /// counts as an hour.
    #[must_use]
    pub fn shard_seconds(&self, shards: usize) -> Vec<f64> {
        let mut seconds = vec![0.0; shards];
        for (shard, milliseconds) in cut(&self.asked, shards).into_values() {
            seconds[shard] += milliseconds as f64 / 1000.0;
        }
        seconds
    }

    /// Number of runs of each of so many shards, whatever the filters.
    #[must_use]
    pub fn shard_runs(&self, shards: usize) -> Vec<usize> {
        let (shard_of, mut runs) = (cut(&self.asked, shards), vec![0; shards]);
        for (shard, _) in self.asked.iter().filter_map(|run| shard_of.get(run.instance.hash.as_str())) {
            runs[*shard] += 1;
        }
        runs
    }

    /// Leaves the runs of a shard to be done.
    pub(super) fn keep(&mut self, shard: Shard) {
        let Self { asked, order, .. } = self;
        let shards = cut(asked, shard.of);
        let is_in = |run: &PlannedRun| {
            shards.get(run.instance.hash.as_str()).is_some_and(|(index, _)| index + 1 == shard.number)
        };
        order.retain(|position| is_in(&asked[*position]));
        self.shard = Some(shard);
    }

    /// That the shard has no runs to be done.
    pub(crate) fn without_runs(&self) -> Option<String> {
        let shard = self.shard.filter(|_| self.is_empty())?;
        let (experiment, instances) = (&self.config.experiment, count(self.groups() as u64, "instance"));
        Some(format!("shard {shard} of {experiment} has no runs to do: each of the {instances} is in one shard"))
    }
}

/// Instances by their hashes, and the sum of the limits of their runs in milliseconds, which add up alike in any order.
fn groups(runs: &[PlannedRun]) -> BTreeMap<&str, u64> {
    let mut groups = BTreeMap::new();
    for run in runs {
        let milliseconds = (run.limits.time_s.unwrap_or(UNLIMITED_S) * 1000.0).round() as u64;
        *groups.entry(run.instance.hash.as_str()).or_default() += milliseconds;
    }
    groups
}

/// The shard of each instance, counted from 0, and the sum of its limits: one by one, the longest first, each to the shard that has the
/// least so far.
fn cut(runs: &[PlannedRun], shards: usize) -> HashMap<&str, (usize, u64)> {
    let mut groups: Vec<(&str, u64)> = groups(runs).into_iter().collect();
    groups.sort_by_key(|(hash, milliseconds)| (Reverse(*milliseconds), *hash));
    let mut loads: BinaryHeap<Reverse<(u64, usize)>> = (0..shards.min(groups.len())).map(|i| Reverse((0, i))).collect();
    let mut shard_of = HashMap::with_capacity(groups.len());
    for (hash, milliseconds) in groups {
        let Some(Reverse((load, shard))) = loads.pop() else { break };
        shard_of.insert(hash, (shard, milliseconds));
        loads.push(Reverse((load + milliseconds, shard)));
    }
    shard_of
}
