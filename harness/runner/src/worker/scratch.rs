//! Folders for the temporary files of runs.

use std::env;
use std::fs::{self, File};
use std::io;
use std::path::Path;

use tempfile::TempDir;

use super::sys::{doing, is_gone, runner};

/// A folder for the temporary files of a run. It is removed when it is dropped, and if the runner is killed by its guard; if that
/// was killed too, by a later session.
///
/// One that a run left empty serves the next: file systems such as ext4 do not give the number of a deleted file away for some
/// seconds, and look for a free one among all of them.
#[derive(Debug)]
pub(super) struct Scratch {
    folder: TempDir,
    /// The folder, locked as long as this process lives.
    _lock: Option<File>,
}

impl Scratch {
    pub fn new() -> io::Result<Self> {
        let made = tempfile::Builder::new().prefix(&scratch_of(runner())).tempdir();
        let folder = doing("cannot make a folder for temporary files (see the variable TMPDIR)", made)?;
        Ok(Self { _lock: locked(folder.path()), folder })
    }

    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Whether it is there and nothing is in it.
    pub fn is_empty(&self) -> bool {
        fs::read_dir(self.path()).is_ok_and(|mut entries| entries.next().is_none())
    }
}

/// A folder with its lock, if nobody else has it.
fn locked(folder: &Path) -> Option<File> {
    File::open(folder).ok().filter(|file| file.try_lock().is_ok())
}

/// What the names of temporary folders begin with, and what those of a runner do.
const SCRATCH: &str = "tilebench-run-";

fn scratch_of(runner: &str) -> String {
    format!("{SCRATCH}{runner}-")
}

/// Removes temporary folders whose names begin like this and that nobody uses.
fn sweep(prefix: &str, is_left: impl Fn(&str, &Path) -> bool) {
    for entry in fs::read_dir(env::temp_dir()).into_iter().flatten().flatten() {
        let name = entry.file_name();
        if let Some(rest) = name.to_str().and_then(|name| name.strip_prefix(prefix))
            && is_left(rest, &entry.path())
        {
            // Nobody is left who could be told.
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

/// Removes what runners left that were killed together with their guards: the process is gone, and so is its lock (processes in
/// other containers are not to be seen, their locks are).
pub(super) fn sweep_leftovers() {
    sweep(SCRATCH, |rest, folder| is_gone(rest.split('.').next().unwrap_or_default()) && locked(folder).is_some());
}

/// Removes what a runner left that was killed.
pub(super) fn sweep_of(runner: &str) {
    sweep(&scratch_of(runner), |_, _| true);
}
