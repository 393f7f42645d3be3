//! The results directory of one experiment, open for writing.
//!
//! A run's solutions are written first, then its iterations, then its row: what has a row is complete. Rows
//! are synced to disk one by one; other files are written beside their place and renamed into it.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::Path;

use record::{Appender, IterationRow, ResultsDir, RunRow, write_whole};

use super::earlier::Earlier;
use super::rows::Leavings;
use crate::RunnerError;
use crate::plan::ExperimentPlan;

/// An open results directory. The lock is held as long as this lives.
#[derive(Debug)]
pub(super) struct Store {
    dir: ResultsDir,
    runs: Appender<RunRow>,
    iterations: Appender<IterationRow>,
    _lock: Lock,
}

impl Store {
    /// Opens the directory of an experiment, creating it if there is none.
    ///
    /// # Errors
    /// A directory that another runner holds, or that holds rows already when this is not a resumption.
    pub fn open(out: &Path, plan: &ExperimentPlan, resume: bool) -> Result<(Self, Earlier), RunnerError> {
        let dir = ResultsDir::new(out.join(&plan.experiment));
        for folder in ["instances", "solutions", "logs"] {
            let folder = dir.root().join(folder);
            fs::create_dir_all(&folder).map_err(|source| RunnerError::Io { path: folder, source })?;
        }
        let lock = lock(&dir)?;
        if !resume {
            refuse_rows(&dir, plan)?;
        }
        // Opening repairs a torn last line, so this comes before reading.
        let runs = Appender::open(&dir.runs())?;
        let iterations = Appender::open(&dir.iterations())?;
        let earlier = Earlier::read(&dir)?;
        Ok((Self { dir, runs, iterations, _lock: lock }, earlier))
    }

    /// The directory.
    pub fn dir(&self) -> &ResultsDir {
        &self.dir
    }

    /// Writes what a run leaves behind.
    ///
    /// # Errors
    /// A disk that is full or files that cannot be written; the run then has no row.
    pub fn write(&mut self, leavings: &Leavings) -> Result<(), RunnerError> {
        for (iteration, solution) in &leavings.solutions {
            let path = self.dir.solution(&leavings.row.run_id, *iteration);
            write_whole(&path, solution.to_json().as_bytes())?;
        }
        self.iterations.append(&leavings.iterations)?;
        self.runs.append(std::slice::from_ref(&leavings.row))?;
        Ok(())
    }
}

/// The time now, RFC 3339 with milliseconds.
pub(super) fn now() -> String {
    format!("{:.3}", jiff::Timestamp::now())
}

/// A locked file. A child that another thread is just starting has the file open too until it runs its program, so
/// closing it here might not be enough.
#[derive(Debug)]
struct Lock(File);

impl Drop for Lock {
    fn drop(&mut self) {
        // Nobody can be told; the lock goes with the last process that has the file open.
        drop(self.0.unlock());
    }
}

fn lock(dir: &ResultsDir) -> Result<Lock, RunnerError> {
    let path = dir.root().join(".lock");
    let io = |source| RunnerError::Io { path: path.clone(), source };
    let file = File::options().create(true).truncate(false).write(true).open(&path).map_err(io)?;
    match file.try_lock() {
        Ok(()) => Ok(Lock(file)),
        Err(TryLockError::Error(source)) => Err(io(source)),
        Err(TryLockError::WouldBlock) => Err(RunnerError::Results {
            dir: dir.root().to_owned(),
            reason: "another tilebench run is writing here; wait for it or choose another --out".to_owned(),
        }),
    }
}

fn refuse_rows(dir: &ResultsDir, plan: &ExperimentPlan) -> Result<(), RunnerError> {
    let text = match fs::read(dir.runs()) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(source) => return Err(RunnerError::Io { path: dir.runs(), source }),
    };
    // A session that was killed before its first row leaves the header alone, which is nothing to lose.
    if text.iter().position(|byte| *byte == b'\n').is_none_or(|end| end + 1 == text.len()) {
        return Ok(());
    }
    // The file may end in a torn line; then it is not complete either.
    let done = Earlier::of_runs(dir).unwrap_or_default();
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
