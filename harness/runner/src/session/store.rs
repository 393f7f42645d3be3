//! The results directory of one experiment, open for writing.
//!
//! Solutions are written first, then iterations, then rows: what has a row is complete. Runs that ended at about the same
//! time are written together, so that the disk is waited for once; other files are written beside their place and
//! renamed into it.

use std::fs;
use std::io;
use std::path::Path;

use record::{Appender, Drafts, IterationRow, ResultsDir, RunRow, make_folder, remove_drafts};

use super::earlier::Earlier;
use super::lock::Lock;
use super::rows::Leavings;
use crate::RunnerError;
use crate::plan::ExperimentPlan;

/// An open results directory. The lock is held as long as this lives.
#[derive(Debug)]
pub(super) struct Store {
    dir: ResultsDir,
    runs: Appender<RunRow>,
    iterations: Appender<IterationRow>,
    is_new: bool,
    lock: Lock,
}

impl Store {
    /// Opens the directory of an experiment, creating it if there is none.
    ///
    /// # Errors
    /// A directory that may not be written to, that another runner holds, or that holds rows already when this is not a
    /// resumption.
    pub fn open(out: &Path, plan: &ExperimentPlan, resume: bool) -> Result<Self, RunnerError> {
        let dir = ResultsDir::new(out.join(&plan.experiment));
        let folders = ["", "instances", "solutions", "logs"].map(|folder| dir.root().join(folder));
        for folder in &folders {
            make_folder(folder)?;
        }
        let lock = Lock::take(&dir)?;
        if !resume {
            refuse_rows(&dir, plan)?;
        }
        for folder in &folders {
            remove_drafts(folder);
        }
        // Opening repairs a torn end, so this comes before reading.
        let runs = Appender::open(&dir.runs())?;
        let iterations = Appender::open(&dir.iterations())?;
        let is_new = !runs.has_rows() && !iterations.has_rows();
        Ok(Self { dir, runs, iterations, is_new, lock })
    }

    /// Whether there was nothing when it was opened.
    pub fn is_new(&self) -> bool {
        self.is_new
    }

    /// The directory.
    pub fn dir(&self) -> &ResultsDir {
        &self.dir
    }

    /// Whether the directory is still there.
    ///
    /// # Errors
    /// It is not.
    pub fn check(&self) -> io::Result<()> {
        self.lock.check()
    }

    /// Writes what some runs leave behind and waits until it is on disk.
    ///
    /// # Errors
    /// A disk that is full, files that cannot be written, a directory that is gone; none of the runs has a row then.
    pub fn write(&mut self, runs: &[&Leavings]) -> Result<(), RunnerError> {
        let mut solutions = Drafts::default();
        for run in runs {
            for (iteration, solution) in &run.solutions {
                solutions.add(&self.dir.solution(&run.row.run_id, *iteration), solution.to_json().as_bytes())?;
            }
        }
        solutions.place()?;
        self.iterations.append(runs.iter().flat_map(|run| &run.iterations))?;
        self.runs.append(runs.iter().map(|run| &run.row))?;
        Ok(())
    }
}

/// The time now, RFC 3339 with milliseconds.
pub(super) fn now() -> String {
    format!("{:.3}", jiff::Timestamp::now())
}

fn refuse_rows(dir: &ResultsDir, plan: &ExperimentPlan) -> Result<(), RunnerError> {
    let length = match fs::metadata(dir.runs()) {
        Ok(facts) => facts.len(),
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(source) => return Err(RunnerError::Io { path: dir.runs(), source }),
    };
    // A session that was killed before its first row leaves the header alone, which is nothing to lose.
    let header = record::columns::<RunRow>().join(",").len() as u64 + 1;
    if length <= header {
        return Ok(());
    }
    let done = Earlier::peek(dir, &mut |_, _| {}).unwrap_or_default();
    let complete = plan.run_ids().all(|run_id| done.is_final(run_id));
    Err(RunnerError::Results {
        dir: dir.root().to_owned(),
        reason: if complete {
            format!(
                "holds all {} runs of this plan already; report them, or choose another --out to measure anew",
                plan.len()
            )
        } else {
            "holds results already; --resume goes on there, or choose another --out".to_owned()
        },
    })
}
