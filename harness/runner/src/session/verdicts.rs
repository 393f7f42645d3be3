//! Verdicts of earlier sessions, judged again by what is known of the instances now.

use std::collections::{BTreeMap, HashMap};

use puzzle::{Instance, Solution, verify};
use record::{RecordError, ResultsDir, RunRow, stream_table, write_table};

use crate::judge::judge_again;
use crate::plan::ExperimentPlan;
use crate::text::count;

/// The instances of a plan, and how many verdicts on each are others now than when they were given.
pub(super) struct Verdicts<'a> {
    dir: &'a ResultsDir,
    by_hash: HashMap<&'a str, &'a Instance>,
    /// By name and what is known.
    revised: BTreeMap<(&'a str, &'static str), u64>,
}

impl<'a> Verdicts<'a> {
    pub fn new(dir: &'a ResultsDir, plan: &'a ExperimentPlan) -> Self {
        let instances = plan.instances().into_iter();
        let by_hash = instances.map(|planned| (planned.hash.as_str(), &planned.instance)).collect();
        Self { dir, by_hash, revised: BTreeMap::new() }
    }

    /// Judges a row again, whatever its instance was called then.
    pub fn judge(&mut self, row: &mut RunRow) {
        let Some(instance) = self.by_hash.get(row.instance_hash.as_str()) else { return };
        let path = self.dir.solution(&row.run_id, row.last_solve());
        let is_valid = || Solution::load(&path).is_ok_and(|solution| verify(instance, &solution).is_valid());
        if judge_again(row, instance, is_valid) {
            *self.revised.entry((&instance.name, instance.known.name())).or_default() += 1;
        }
    }

    /// What to say of those that are others now: a line for each instance.
    pub fn notes(&self) -> impl Iterator<Item = String> {
        self.revised.iter().map(|((name, known), runs)| {
            format!("{} of {name} judged again, as its file says known = \"{known}\" now", count(*runs, "verdict"))
        })
    }

    /// Whether any is another one.
    pub fn are_others(&self) -> bool {
        !self.revised.is_empty()
    }

    /// Writes all rows with their verdicts of now.
    pub fn write(mut self) -> Result<(), RecordError> {
        let path = self.dir.runs();
        let mut rows = stream_table::<RunRow>(&path)?.map(|row| Ok(row?.1)).collect::<Result<Vec<_>, RecordError>>()?;
        rows.iter_mut().for_each(|row| self.judge(row));
        write_table(&path, rows)
    }
}
