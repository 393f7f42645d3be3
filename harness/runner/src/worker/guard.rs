//! What ends a worker's own children when the runner is killed: the kernel ends the worker then, but nobody else.
//!
//! A small process waits for the end of the runner, which it notices by a pipe that closes. It costs nothing while runs are
//! measured. It knows the workers by the name of the process that started them, so one session at a time is meant: the guard
//! of a session that ends kills what the workers of another one in the same process have started.

use std::env;
use std::fs;
use std::io::{self, Read};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::thread;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use rustix::process::RawPid;
use tempfile::TempDir;

use super::{Worker, sys};

/// Variable by which the descendants of a worker are known, whatever group they are in.
pub(super) const MARK: &str = "TILEBENCH_RUN";

/// Rounds of looking for processes and killing them; more than one only if they are being born meanwhile.
const ROUNDS: u32 = 20;

/// Rounds that find nobody before all are gone: a process that is just about to run another program shows no environment.
const EMPTY_ROUNDS: u32 = 2;

/// Pause between two rounds.
const PAUSE: Duration = Duration::from_millis(10);

/// What the marks of this process begin with; no other process ever has the same.
pub(super) fn runner() -> &'static str {
    static NAME: OnceLock<String> = OnceLock::new();
    NAME.get_or_init(|| {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        format!("{}.{}", std::process::id(), now.as_nanos())
    })
}

/// A folder for the temporary files of a run. It is removed when it is dropped, and if the runner is killed by its guard.
/// Without one a worker uses what all use.
pub(super) fn scratch() -> Option<TempDir> {
    tempfile::Builder::new().prefix(&scratch_of(runner())).tempdir().ok()
}

/// What the names of a runner's temporary folders begin with.
fn scratch_of(runner: &str) -> String {
    format!("tilebench-run-{runner}-")
}

/// Removes the temporary folders of a runner that is gone.
fn sweep(runner: &str) {
    let prefix = scratch_of(runner);
    for entry in fs::read_dir(env::temp_dir()).into_iter().flatten().flatten() {
        if entry.file_name().as_encoded_bytes().starts_with(prefix.as_bytes()) {
            // Nobody is left who could be told.
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

/// Waits until standard input ends, then kills every process that a worker of that runner left behind, and removes their
/// temporary files.
///
/// # Errors
/// A standard input that cannot be read.
pub fn guard(runner: &str) -> io::Result<()> {
    io::stdin().read_to_end(&mut Vec::new())?;
    let mark = format!("{MARK}={runner}-");
    let mut empty = 0;
    for _ in 0..ROUNDS {
        let left = marked(mark.as_bytes());
        empty = if left.is_empty() { empty + 1 } else { 0 };
        if empty == EMPTY_ROUNDS {
            break;
        }
        left.into_iter().for_each(sys::kill_process);
        thread::sleep(PAUSE);
    }
    sweep(runner);
    Ok(())
}

/// Living processes with a variable in their environment that begins like this.
fn marked(mark: &[u8]) -> Vec<RawPid> {
    let Ok(entries) = fs::read_dir("/proc") else { return Vec::new() };
    let numbers = entries.flatten().filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    let is_marked = |pid: &RawPid| {
        // Of one that has ended it is empty, of one of another user it cannot be read.
        let environment = fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
        environment.split(|byte| *byte == 0).any(|variable| variable.starts_with(mark))
    };
    numbers.filter(is_marked).collect()
}

/// The process that waits. Dropped, it is told that all is over, and its end is waited for.
#[derive(Debug)]
#[must_use = "the guard is told that all is over when this is dropped"]
pub struct Guard(Child);

impl Guard {
    /// Starts it, if the worker's program can be one.
    ///
    /// # Errors
    /// A process that cannot be started.
    pub fn start(worker: &Worker) -> io::Result<Option<Self>> {
        let Some(name) = &worker.guard else { return Ok(None) };
        sys::expect_children();
        let mut command = Command::new(&worker.command);
        // In a group of its own it does not hear the Ctrl-C that the runner hears.
        command.args([name, runner()]).process_group(0);
        command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
        Ok(Some(Self(command.spawn()?)))
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        drop(self.0.stdin.take());
        // Nobody can be told, and its work is done.
        let _ = self.0.wait();
    }
}
