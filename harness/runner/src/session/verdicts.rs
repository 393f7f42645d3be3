//! Verdicts of earlier sessions, judged again by what is known of the instances now.

use std::collections::{BTreeMap, HashMap};

use puzzle::{Instance, Known, Solution, verify};
use record::{RecordError, ResultsDir, RunRow, stream_table, write_table};

use crate::judge::{is_refuted_record, judge_again};
use crate::plan::ExperimentPlan;
use crate::text::count;

/// The instances of a plan, and how many verdicts on each are others now than when they were given.
pub(super) struct Verdicts<'a> {
    dir: &'a ResultsDir,
    /// Two instances may be one puzzle.
    by_hash: HashMap<&'a str, Vec<&'a Instance>>,
    /// By name and what is known.
    revised: BTreeMap<(&'a str, &'static str), u64>,
    /// By name, those that would be others if the solution were still there.
    lost: BTreeMap<&'a str, u64>,
}

impl<'a> Verdicts<'a> {
    pub fn new(dir: &'a ResultsDir, plan: &'a ExperimentPlan) -> Self {
        let mut by_hash: HashMap<_, Vec<_>> = HashMap::new();
        for planned in plan.instances() {
            by_hash.entry(planned.hash.as_str()).or_default().push(&planned.instance);
        }
        Self { dir, by_hash, revised: BTreeMap::new(), lost: BTreeMap::new() }
    }

    /// Judges a row again, whatever its instance was called then.
    pub fn judge(&mut self, row: &mut RunRow) {
        let Some(instances) = self.by_hash.get(row.instance_hash.as_str()) else { return };
        let instance = instances.iter().find(|instance| instance.name == row.instance).unwrap_or(&instances[0]);
        let path = self.dir.solution(&row.run_id, row.last_solve());
        let is_valid = || {
            let solution =
                Solution::load(&path).map(|solution| Solution { instance: instance.name.clone(), ..solution });
            solution.is_ok_and(|solution| verify(instance, &solution).is_valid())
        };
        if judge_again(row, instance, is_valid) {
            *self.revised.entry((&instance.name, instance.known.name())).or_default() += 1;
        } else if is_refuted_record(row) && instance.known != Known::Unsolvable {
            *self.lost.entry(&instance.name).or_default() += 1;
        }
    }

    /// What to say of those that are others now, and of those that should be: a line for each instance.
    pub fn notes(&self) -> impl Iterator<Item = String> {
        let revised = self.revised.iter().map(|((name, known), runs)| {
            format!("{} of {name} judged again, as its file says known = \"{known}\" now", count(*runs, "verdict"))
        });
        let lost = self.lost.iter().map(|(name, runs)| {
            format!("{} of {name} cannot be judged again: no file of the solution", count(*runs, "verdict"))
        });
        revised.chain(lost)
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
