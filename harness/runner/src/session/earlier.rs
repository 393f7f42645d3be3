//! What earlier sessions left of the runs, of a million rows a few bytes each; and what is still to be done.

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::iter;
use std::path::PathBuf;

use record::{IterationRow, RecordError, ResultsDir, RunRow, Status, TableReader, stream_table};

use super::dropped::Dropped;
use super::options::{Retry, RunOptions};
use crate::RunnerError;
use crate::host::host_facts;
use crate::plan::{ExperimentPlan, PlannedRun, RunId};
use crate::text::{count, duration};

/// How often each run was attempted, and what became of it.
#[derive(Debug, Default)]
pub(super) struct Earlier {
    runs: HashMap<RunId, Left>,
    /// The versions of solvers that there are.
    versions: Vec<String>,
    /// The same of other results directories.
    elsewhere: Vec<Self>,
}

#[derive(Debug, Clone, Copy)]
struct Left {
    attempts: u32,
    /// Attempt of the latest row; 0 if a crash left iterations only.
    latest: u32,
    /// What became of it; `None` if a crash left iterations only.
    status: Option<Status>,
    /// Index of the version of its solver.
    version: usize,
}

impl Earlier {
    /// Reads `runs.csv`, and shows the rows of runs that came to their end; of a run that was repeated each of them. A row that was
    /// not written to its end is passed over.
    ///
    /// # Errors
    /// A row that does not fit, or that stands there twice.
    pub fn read(dir: &ResultsDir, visit: &mut dyn FnMut(RunId, &RunRow)) -> Result<Self, RunnerError> {
        let mut this = Self::default();
        for row in TableReader::<RunRow>::open(&dir.runs())? {
            let (line, row) = row?;
            let wrong = |reason| RecordError::Row { path: dir.runs(), line, reason };
            let run_id = row.run_id.parse().map_err(wrong)?;
            let version = this.versions.iter().position(|version| *version == row.solver_version);
            let version = version.unwrap_or_else(|| {
                this.versions.push(row.solver_version.clone());
                this.versions.len() - 1
            });
            let left = Left { attempts: row.attempt, latest: row.attempt, status: Some(row.status), version };
            match this.runs.entry(run_id) {
                Entry::Vacant(entry) => drop(entry.insert(left)),
                Entry::Occupied(entry) if entry.get().latest == row.attempt => {
                    return Err(dir.second_time(line, &row).into());
                }
                // The latest attempt counts.
                Entry::Occupied(mut entry) => {
                    let before = *entry.get();
                    let latest = if row.attempt > before.latest { left } else { before };
                    entry.insert(Left { attempts: before.attempts.max(row.attempt), ..latest });
                }
            }
            if row.status.is_final() {
                visit(run_id, &row);
            }
        }
        Ok(this)
    }

    /// Counts the attempts of which only iterations are left: a crash may have come before the row of their run.
    ///
    /// # Errors
    /// A row that does not fit.
    pub fn add_unfinished(&mut self, dir: &ResultsDir) -> Result<(), RunnerError> {
        for solve in stream_table::<IterationRow>(&dir.iterations())? {
            let (_, solve) = solve?;
            let Ok(run_id) = solve.run_id.parse() else { continue };
            let left = self.runs.entry(run_id).or_insert(Left { attempts: 0, latest: 0, status: None, version: 0 });
            left.attempts = left.attempts.max(solve.attempt);
        }
        Ok(())
    }

    /// Reads the results of an experiment that are at or below some folders, also while they are written.
    ///
    /// # Errors
    /// Results that cannot be read, a row that does not fit.
    pub fn add_elsewhere(&mut self, folders: &[PathBuf], experiment: &str) -> Result<(), RunnerError> {
        for folder in folders {
            for dir in ResultsDir::below(folder)? {
                if dir.read_manifest()?.experiment == experiment {
                    self.elsewhere.push(Self::read(&dir, &mut |_, _| {})?);
                }
            }
        }
        Ok(())
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
                Retry::Status(status) => left.status == Some(*status),
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

/// Refuses folders of other results that are not there.
pub(super) fn refuse_missing(folders: &[PathBuf]) -> Result<(), RunnerError> {
    match folders.iter().find(|folder| !folder.is_dir()) {
        Some(folder) => Err(RunnerError::Usage(format!("--done {}: there is no such folder", folder.display()))),
        None => Ok(()),
    }
}

/// Says in words what a session would do: the runs, how many are done already, which rows that are there are not of the plan, and the
/// longest that the rest may take by its limits. Nothing is started or written.
///
/// # Errors
/// Where `options.resume` or `options.done` is set: results that cannot be read.
pub fn preview(plan: &ExperimentPlan, options: &RunOptions) -> Result<String, RunnerError> {
    let mut text = plan.to_string();
    if plan.config.warmup > 0 {
        let warmups = count(plan.config.warmup.into(), "warm-up run");
        text += &format!("before them {warmups} of each solver in each of {} slots, not recorded\n", plan.jobs);
    }
    refuse_missing(&options.done)?;
    let dir = ResultsDir::new(options.out.join(&plan.config.experiment));
    let (mut dropped, mut outdated) = (Dropped::new(plan), Outdated::default());
    let mut earlier = match dir.runs().exists() {
        true => Earlier::read(&dir, &mut |run_id, row| dropped.add(run_id, row)),
        false => Ok(Earlier::default()),
    };
    if !options.resume {
        earlier = Ok(Earlier::default());
    }
    let mut earlier = earlier?;
    earlier.add_elsewhere(&options.done, &plan.config.experiment)?;
    outdated.add(plan, &earlier, &options.retry);
    let elsewhere = plan.config.check_cpu_model(&host_facts().cpu_model).err();
    for note in elsewhere
        .map(|error| error.to_string())
        .into_iter()
        .chain(plan.without_solver())
        .chain(plan.without_long_runs())
        .chain(plan.without_runs())
        .chain(dropped.note(&dir))
        .chain(outdated.notes())
    {
        text += &format!("note: {note}\n");
    }
    let left: Vec<Option<f64>> =
        plan.runs().filter(|run| !earlier.stays(run, &options.retry)).map(|run| run.limits.time_s).collect();
    let runs = count(plan.len() as u64, "run");
    text += &match options.resume || !options.done.is_empty() {
        true => format!("{} of {runs} done already, {} left", plan.len() - left.len(), left.len()),
        false => runs,
    };
    if !left.is_empty() {
        text += &format!(", {} at a time: ", plan.jobs);
        let slots = plan.jobs.clamp(1, left.len()) as f64;
        text += &match left.iter().copied().sum::<Option<f64>>() {
            Some(seconds) => format!("at most about {}", duration(seconds / slots)),
            None => "no time limit".to_owned(),
        };
    }
    Ok(text + "\n")
}
