//! What earlier sessions left of the runs, kept in a few bytes for each: what is done, and what the plan does not hold any more.

use std::cell::OnceCell;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::ffi::OsStr;
use std::path::PathBuf;
use std::{fs, iter};

use record::{Category, IterationRow, RecordError, ResultsDir, RunRow, Status, TableReader, stream_table};

use super::options::Retry;
use crate::RunnerError;
use crate::plan::{ExperimentPlan, PlannedInstance, PlannedRun, RunId};
use crate::text::count;

/// How often each run was attempted, and what became of it.
#[derive(Debug, Default)]
pub(super) struct Earlier {
    runs: HashMap<RunId, Left>,
    /// Versions of solvers.
    versions: Vec<String>,
    /// The same of other results directories.
    elsewhere: Vec<Self>,
}

#[derive(Debug, Default)]
struct Left {
    attempts: u32,
    /// Attempt of the latest row; 0 if a crash left iterations only.
    latest: u32,
    /// A bit for each of the first 63 attempts that has a row.
    seen: u64,
    /// What became of it; `None` if a crash left iterations only.
    status: Option<Status>,
    /// Whether the answer was wrong.
    is_wrong: bool,
    /// Index of the version of its solver.
    version: usize,
}

/// Refuses results with another file of an instance: only answers that were judged by one file are merged.
fn refuse_other_files(dir: &ResultsDir, instances: &HashMap<&str, &PlannedInstance>) -> Result<(), RunnerError> {
    let entries = fs::read_dir(dir.root().join("instances")).into_iter().flatten().flatten();
    for path in entries.map(|entry| entry.path()) {
        let planned = path.file_stem().and_then(OsStr::to_str).and_then(|name| instances.get(name));
        if let Some(planned) = planned
            && fs::read(&path).is_ok_and(|text| text != planned.text.as_bytes())
        {
            let (name, file) = (&planned.instance.name, planned.path.display());
            return Err(RunnerError::results(dir, format!("its file of instance {name} is another one than {file}")));
        }
    }
    Ok(())
}

impl Earlier {
    /// Reads `runs.csv`, and shows the rows of runs that came to their end; of a run that was repeated each of them. Their verdicts may
    /// be revised. A row that was not written to its end is passed over.
    pub fn read(dir: &ResultsDir, visit: &mut dyn FnMut(RunId, &mut RunRow)) -> Result<Self, RunnerError> {
        let mut this = Self::default();
        for row in TableReader::<RunRow>::open(&dir.runs())? {
            let (line, mut row) = row?;
            let wrong = |reason| RecordError::Row { path: dir.runs(), line, reason };
            let run_id = row.run_id.parse().map_err(wrong)?;
            let version = this.versions.iter().position(|version| *version == row.solver_version);
            let version = version.unwrap_or_else(|| {
                this.versions.push(row.solver_version.clone());
                this.versions.len() - 1
            });
            let left = this.runs.entry(run_id).or_default();
            let bit = 1_u64.checked_shl(row.attempt).unwrap_or(0);
            if left.seen & bit > 0 || (left.status.is_some() && left.latest == row.attempt) {
                return Err(dir.second_time(line, &row).into());
            }
            left.seen |= bit;
            if row.status.is_final() {
                visit(run_id, &mut row);
            }
            // The latest attempt counts.
            if row.attempt >= left.latest {
                (left.latest, left.status, left.version) = (row.attempt, Some(row.status), version);
                left.is_wrong = row.category == Category::Wrong;
            }
            left.attempts = left.attempts.max(row.attempt);
        }
        Ok(this)
    }

    /// Counts the attempts of which only iterations are left: a crash may have come before the row of their run.
    pub fn add_unfinished(&mut self, dir: &ResultsDir) -> Result<(), RunnerError> {
        for solve in stream_table::<IterationRow>(&dir.iterations())? {
            let (_, solve) = solve?;
            let Ok(run_id) = solve.run_id.parse() else { continue };
            let left = self.runs.entry(run_id).or_default();
            left.attempts = left.attempts.max(solve.attempt);
        }
        Ok(())
    }

    /// Reads the results of an experiment that are at or below some folders, also while they are written. Returns what is wrong with those
    /// that cannot be read: nothing in them counts as done.
    pub fn add_elsewhere(&mut self, folders: &[PathBuf], plan: &ExperimentPlan) -> Result<Vec<String>, RunnerError> {
        let instances: HashMap<_, _> = plan.instances().into_iter().map(|i| (i.instance.name.as_str(), i)).collect();
        let mut damaged = Vec::new();
        for folder in folders {
            for dir in ResultsDir::below(folder)? {
                let read = || {
                    dir.refuse_incomplete()?;
                    if dir.read_manifest()?.experiment != plan.config.experiment {
                        return Ok(None);
                    }
                    refuse_other_files(&dir, &instances)?;
                    let mut wrong = None;
                    let found = Self::read(&dir, &mut |run_id, row| {
                        if let (None, Err(reason)) = (&wrong, row.check()) {
                            wrong = Some(RunnerError::results(&dir, format!("run {run_id}: {reason}")));
                        }
                    })?;
                    wrong.map_or(Ok(Some(found)), Err)
                };
                match read() {
                    Ok(found) => self.elsewhere.extend(found),
                    // It may be sound, and be read a moment later.
                    Err(error) if !error.is_usage() => return Err(error),
                    Err(error) => damaged.push(format!(
                        "passed over, so that its runs are done again unless another folder has them: {error}; before you merge, mend it or move {} away",
                        dir.root().display()
                    )),
                }
            }
        }
        Ok(damaged)
    }

    /// What is left of a run that came to an end.
    fn ended(&self, run_id: RunId) -> Option<&Left> {
        self.runs.get(&run_id).filter(|left| left.status.is_some_and(Status::is_final))
    }

    /// Whether a run came to an end that is not to be repeated.
    pub fn stays(&self, run: &PlannedRun, retry: &[Retry]) -> bool {
        self.keeper(run, retry).is_some()
    }

    /// The first results directory in which a run came to an end that is not to be repeated.
    fn keeper(&self, run: &PlannedRun, retry: &[Retry]) -> Option<&Self> {
        iter::once(self).chain(&self.elsewhere).find(|dir| dir.stays_here(run, retry))
    }

    fn stays_here(&self, run: &PlannedRun, retry: &[Retry]) -> bool {
        let is_repeated = |left: &Left| {
            retry.iter().any(|retry| match retry {
                // A wrong answer stays, also one that is a failure by its status.
                Retry::Status(status) => left.status == Some(*status) && !left.is_wrong,
                Retry::Outdated => self.version_before(run).is_some(),
            })
        };
        self.ended(run.run_id).is_some_and(|left| !is_repeated(left))
    }

    /// How often a run was attempted, going by the directory that knows of most.
    pub fn attempts(&self, run_id: RunId) -> u32 {
        let dirs = iter::once(self).chain(&self.elsewhere);
        dirs.filter_map(|dir| dir.runs.get(&run_id)).map(|left| left.attempts).max().unwrap_or(0)
    }

    /// The version of the solver that a run was measured with, where another one is here.
    fn version_before(&self, run: &PlannedRun) -> Option<&str> {
        let then = self.versions[self.ended(run.run_id)?.version].as_str();
        let now = run.solver.version.as_str();
        // Of a solver that was or is missing nothing is known.
        (then != now && !then.is_empty() && !now.is_empty()).then_some(then)
    }
}

/// Runs that are kept although their solver has another version here: by solver and version their number, and the versions
/// that they were measured with.
#[derive(Debug, Default)]
pub(super) struct Outdated(BTreeMap<(String, String), (u64, BTreeSet<String>)>);

impl Outdated {
    /// Takes note of the runs of a plan.
    pub fn add(&mut self, plan: &ExperimentPlan, earlier: &Earlier, retry: &[Retry]) {
        for run in plan.runs() {
            if let Some(version) = earlier.keeper(run, retry).and_then(|dir| dir.version_before(run)) {
                let solver = (run.solver.name.clone(), run.solver.version.clone());
                let (runs, versions) = self.0.entry(solver).or_default();
                *runs += 1;
                versions.insert(version.to_owned());
            }
        }
    }

    /// What to say of them: a line for each solver.
    pub fn notes(&self) -> impl Iterator<Item = String> {
        self.0.iter().map(|((solver, now), (runs, versions))| {
            let (were, they, them) = if *runs == 1 { ("was", "it is", "it") } else { ("were", "they are", "them") };
            let versions = versions.iter().map(String::as_str).collect::<Vec<_>>().join(" and ");
            let runs = count(*runs, "run");
            format!(
                "{runs} {were} measured with {solver} {versions}, and {now} is here; {they} kept (--retry outdated repeats \
                 {them})"
            )
        })
    }
}

const LISTED: usize = 6;

/// What rows call a run: instance, formulation, solver, seed, repeat.
type Name<'a> = (&'a str, &'a str, &'a str, u64, u32);

/// The runs that count no more, by reason.
pub(super) struct Dropped<'a> {
    plan: &'a ExperimentPlan,
    asked: HashSet<RunId>,
    /// Made when a row is met that needs it.
    index: OnceCell<Index<'a>>,
    reasons: BTreeMap<String, HashSet<RunId>>,
}

/// The runs of the plan by what rows call them, and each of these properties.
#[derive(Default)]
struct Index<'a> {
    runs: HashMap<Name<'a>, &'a PlannedRun>,
    properties: HashSet<(&'static str, String)>,
}

impl<'a> Dropped<'a> {
    pub fn new(plan: &'a ExperimentPlan) -> Self {
        // Filters choose what to run; they do not take runs out of the plan.
        let asked = plan.asked().iter().map(|run| run.run_id).collect();
        Self { plan, asked, index: OnceCell::new(), reasons: BTreeMap::new() }
    }

    /// Whether the plan holds a run.
    pub fn is_asked(&self, run_id: RunId) -> bool {
        self.asked.contains(&run_id)
    }

    /// Takes note of a row of an earlier session.
    pub fn add(&mut self, run_id: RunId, row: &RunRow) {
        if self.is_asked(run_id) {
            return;
        }
        let reason = self.reason(row);
        self.reasons.entry(reason).or_default().insert(run_id);
    }

    /// What to say of them, if there are any: how many, and why.
    pub fn note(&self, dir: &ResultsDir) -> Option<String> {
        let runs: usize = self.reasons.values().map(HashSet::len).sum();
        if runs == 0 {
            return None;
        }
        let mut reasons: Vec<(usize, &str)> =
            self.reasons.iter().map(|(why, runs)| (runs.len(), why.as_str())).collect();
        reasons.sort_by_key(|(runs, why)| (Reverse(*runs), *why));
        let more = reasons.len().saturating_sub(LISTED);
        let mut text =
            reasons.iter().take(LISTED).map(|(runs, why)| format!("{runs}: {why}")).collect::<Vec<_>>().join("; ");
        if more > 0 {
            text += &format!("; and {}", count(more, "other reason"));
        }
        let named = |profile: Option<String>| profile.map_or_else(|| "none".to_owned(), |name| format!("\"{name}\""));
        let before = dir.read_manifest().ok().map(|manifest| manifest.profile);
        let profile = before.filter(|before| *before != self.plan.config.profile).map(|before| {
            format!(" (profile {} before, {} now)", named(before), named(self.plan.config.profile.clone()))
        });
        let (runs, root) = (count(runs, "run"), dir.root().display());
        Some(format!(
            "{runs} in {root} are not of this plan{}, so reports leave them out; {text}",
            profile.unwrap_or_default()
        ))
    }

    fn reason(&self, row: &RunRow) -> String {
        let index = self.index.get_or_init(|| Index::of(self.plan));
        let name = (row.instance.as_str(), row.formulation.as_str(), row.solver.as_str(), row.seed, row.repeat);
        if let Some(run) = index.runs.get(&name) {
            return changed(row, run);
        }
        let missing = properties(name).into_iter().find(|property| !index.properties.contains(property));
        match missing {
            Some((what, value)) => format!("the plan has no {what} {value}"),
            None => format!("the plan leaves out {} by {} on {}", row.formulation, row.solver, row.instance),
        }
    }
}

impl<'a> Index<'a> {
    fn of(plan: &'a ExperimentPlan) -> Self {
        let mut index = Self::default();
        for run in plan.asked() {
            let name = name_of(run);
            index.runs.insert(name, run);
            index.properties.extend(properties(name));
        }
        index
    }
}

fn properties((instance, formulation, solver, seed, repeat): Name<'_>) -> [(&'static str, String); 5] {
    [
        ("instance", instance.to_owned()),
        ("formulation", format!("\"{formulation}\"")),
        ("solver", format!("\"{solver}\"")),
        ("seed", seed.to_string()),
        ("repeat", repeat.to_string()),
    ]
}

fn name_of(run: &PlannedRun) -> Name<'_> {
    let (instance, formulation) = (run.instance.instance.name.as_str(), run.formulation.name());
    (instance, formulation, &run.solver.label, run.seed, run.repeat)
}

/// What of a run is another than in its row: all that makes its identity.
fn changed(row: &RunRow, run: &PlannedRun) -> String {
    let differs = run.differences(row).into_iter().map(|(column, [then, now])| match column.as_str() {
        "instance hash" => format!("the file of instance {} describes another puzzle now", row.instance),
        _ => format!("{column} {then}, now {now}"),
    });
    let differs = differs.collect::<Vec<_>>().join(", ");
    if differs.is_empty() { "its id was computed differently".to_owned() } else { differs }
}
