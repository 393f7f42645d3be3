//! One attempt at a run, from its worker to its rows: a part of a session, or all that is asked for.

use std::path::PathBuf;
use std::time::SystemTime;

use puzzle::Solution;
use record::{IterationRow, RunRow, SessionFacts, Status, discard_proof};

use super::rows::{Leavings, Surroundings, leavings};
use crate::host::host_facts;
use crate::plan::PlannedRun;
use crate::protocol::{Event, Job};
use crate::worker::{Ended, Guard, Worker, Workplace, WorkplaceOptions, Workplaces, execute};
use crate::{Interrupt, RunnerError};

/// Files of a run beside its rows.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RunFiles {
    /// Where the solver's chatter is appended to.
    pub log: Option<PathBuf>,
    /// Where a proof goes, if the solver is to write one.
    pub proof: Option<PathBuf>,
}

/// What a run is done with.
#[derive(Debug, Clone, Copy)]
pub(super) struct Means<'a> {
    pub worker: &'a Worker,
    pub place: &'a Workplace,
    pub around: &'a Surroundings,
    pub interrupt: &'a Interrupt,
}

/// Does a run, judges its answer and makes its rows.
///
/// # Errors
/// Why no worker could be started, or that it is of another build: this says nothing of the run.
pub(super) fn attempt(
    means: Means<'_>,
    experiment: &str,
    run: &PlannedRun,
    number: u32,
    files: RunFiles,
    observer: &mut dyn FnMut(&Event),
) -> Result<Leavings, String> {
    let started_at = now();
    let RunFiles { log, proof } = files;
    let ended = match &run.solver.available {
        Ok(()) => {
            let job = Job { proof, ..run.job(&means.worker.git_commit, log) };
            execute(means.worker, &job, means.place, observer, means.interrupt)
        }
        Err(lack) => Ended::without_worker(means.place, Status::Unsupported, lack.reason(), lack.message.clone()),
    };
    if ended.not_started {
        return Err(ended.message.unwrap_or_default());
    }
    Ok(leavings(experiment, run, number, started_at, ended, means.around))
}

/// What a single run came to.
#[derive(Debug, Clone, PartialEq)]
pub struct RunOutput {
    /// Its row, as `runs.csv` would have it.
    pub row: RunRow,
    /// Its solves, as `iterations.csv` would have them.
    pub solves: Vec<IterationRow>,
    /// The solution of the answer, which was verified.
    pub solution: Option<Solution>,
    /// What disturbed it.
    pub warnings: Vec<String>,
}

/// Does a run by itself. Nothing is kept but its files; the observer sees each event as it comes.
///
/// # Errors
/// A worker that cannot be started.
pub fn run_single(
    run: &PlannedRun,
    files: RunFiles,
    cgroups: bool,
    worker: &Worker,
    observer: &mut dyn FnMut(&Event),
    interrupt: &Interrupt,
) -> Result<RunOutput, RunnerError> {
    // Not pinned: a single run is watched by its user, who may do other things meanwhile.
    let using = WorkplaceOptions { pin: false, cgroups, ..WorkplaceOptions::default() };
    let places = Workplaces::prepare(1, 1, &using);
    let mut warnings = Vec::new();
    let guard = Guard::start(worker).unwrap_or_else(|error| {
        warnings.push(no_guard(&error));
        None
    });
    let around = surroundings(worker, 1, &places);
    let means = Means { worker, place: places.slot(0), around: &around, interrupt };
    let (begun, proof) = (SystemTime::now(), files.proof.clone());
    let output = attempt(means, "", run, 1, files, observer).map_err(RunnerError::NotStarted)?;
    drop(guard);
    if let Some(proof) = proof.filter(|_| output.row.status != Status::Infeasible) {
        discard_proof(&proof, Some(begun));
    }
    let Leavings { row, iterations, mut solutions } = output;
    // That of the answer stands last.
    let solution = solutions.pop().filter(|_| row.status.has_solution()).map(|(_, solution)| solution);
    Ok(RunOutput { row, solves: iterations, solution, warnings })
}

/// What all runs of a session have in common, which begins now.
pub(super) fn surroundings(worker: &Worker, jobs: usize, places: &Workplaces) -> Surroundings {
    let facts = SessionFacts {
        started_at: now(),
        git_commit: worker.git_commit.clone(),
        jobs: u32::try_from(jobs).unwrap_or(u32::MAX),
        pinned: places.pinned(),
        isolation: places.isolation().to_owned(),
        host: host_facts(),
        ..SessionFacts::default()
    };
    Surroundings::new(worker, facts)
}

/// That there is no guard, in words.
pub(super) fn no_guard(error: &std::io::Error) -> String {
    format!("no guard ({error}): if this process is killed, what its workers started lives on")
}

/// The time now, RFC 3339 with milliseconds.
fn now() -> String {
    format!("{:.3}", jiff::Timestamp::now())
}
