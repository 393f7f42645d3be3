//! Verdicts of earlier sessions, judged again by what is known of the instances now.

use std::collections::{BTreeMap, HashMap};

use puzzle::Instance;
use record::{RecordError, ResultsDir, RunRow, rewrite_table};

use crate::judge::judge_again;
use crate::plan::{ExperimentPlan, PlannedInstance, RunId};
use crate::text::count;

/// The instances of a plan, and how many verdicts on each are others now than when they were given.
pub(super) struct Verdicts<'a> {
    by_run: HashMap<RunId, &'a Instance>,
    /// By hash, for runs that are not of the plan any more. Several instances may be one puzzle.
    by_hash: HashMap<&'a str, Vec<&'a Instance>>,
    /// By name and what is known.
    revised: BTreeMap<(&'a str, &'static str), u64>,
}

impl<'a> Verdicts<'a> {
    pub fn new(plan: &'a ExperimentPlan) -> Self {
        let mut this = Self { by_run: HashMap::new(), by_hash: HashMap::new(), revised: BTreeMap::new() };
        // Whatever the filters choose.
        for run in plan.asked() {
            let PlannedInstance { instance, hash, .. } = run.instance.as_ref();
            this.by_run.insert(run.run_id, instance);
            let of_hash = this.by_hash.entry(hash).or_default();
            if of_hash.iter().all(|other| other.name != instance.name) {
                of_hash.push(instance);
            }
        }
        this
    }

    /// Judges a row again by the file of its instance, whatever it was called then; a row whose file is not known stays.
    pub fn judge(&mut self, run_id: RunId, row: &mut RunRow) {
        let of_hash = || {
            let instances = self.by_hash.get(row.instance_hash.as_str())?;
            let of_name = instances.iter().find(|instance| instance.name == row.instance);
            of_name.or(if let [only] = &instances[..] { Some(only) } else { None }).copied()
        };
        let Some(instance) = self.by_run.get(&run_id).copied().or_else(of_hash) else { return };
        if judge_again(row, instance) {
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
    pub fn write(mut self, dir: &ResultsDir) -> Result<(), RecordError> {
        rewrite_table(&dir.runs(), |row: &mut RunRow| {
            // Each id was read before.
            if let Ok(run_id) = row.run_id.parse() {
                self.judge(run_id, row);
            }
        })
    }
}
