//! A worker and everything it starts, as one process group.
//!
//! This is the one place that knows how a worker is confined; another kind of confinement would stand
//! beside it with the same few verbs.

use std::fs;
use std::io;
use std::os::unix::process::CommandExt;
use std::process::{ChildStdout, Command, Stdio};

use super::stderr::Stderr;
use super::sys::{self, Reaped};
use super::{Ended, Worker};
use crate::protocol::Job;

/// Resident memory of a process in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Memory {
    pub now: u64,
    pub peak: u64,
}

/// A running worker. Dropped, it is killed and reaped with its whole group.
#[derive(Debug)]
pub(super) struct Group {
    leader: libc::pid_t,
    reaped: bool,
}

impl Group {
    /// Starts a worker on a job.
    pub fn start(worker: &Worker, job: &Job, stderr: &Stderr) -> io::Result<(Self, ChildStdout)> {
        // A file rather than a pipe: writing cannot block on a worker that does not read.
        let stdin = sys::memory_file(c"job", &serde_json::to_vec(job)?)?;
        let mut command = Command::new(&worker.command);
        command.args(&worker.args).process_group(0);
        command.stdin(Stdio::from(stdin)).stdout(Stdio::piped()).stderr(stderr.stdio()?);
        sys::end_with_parent(&mut command);
        let mut child = command.spawn()?;
        let leader = libc::pid_t::try_from(child.id()).map_err(io::Error::other)?;
        let group = Self { leader, reaped: false };
        let stdout = child.stdout.take().ok_or_else(|| io::Error::other("no pipe to the worker"))?;
        Ok((group, stdout))
    }

    /// Process id of the worker, which is the id of the group.
    pub fn leader(&self) -> libc::pid_t {
        self.leader
    }

    /// Memory of the worker; `None` once it has ended.
    pub fn memory(&self) -> Option<Memory> {
        let status = fs::read_to_string(format!("/proc/{}/status", self.leader)).ok()?;
        let bytes = |key: &str| {
            let line = status.lines().find_map(|line| line.strip_prefix(key))?;
            line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok().map(|kib| kib * 1024)
        };
        Some(Memory { now: bytes("VmRSS:")?, peak: bytes("VmHWM:")? })
    }

    /// Kills the worker and whatever it started.
    pub fn kill(&self) {
        sys::kill_group(self.leader);
    }

    /// Waits for the end of the worker, kills what is left of its group, and says how it ended.
    pub fn reap(mut self) -> io::Result<Reaped> {
        sys::wait_for_end(self.leader);
        // Before the leader is reaped, while the number cannot be another group's yet.
        self.kill();
        self.reaped = true;
        sys::reap(self.leader)
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        if !self.reaped {
            self.kill();
            // Nobody is left to tell of a failure here.
            let _ = sys::reap(self.leader);
        }
    }
}

impl Ended {
    /// A run whose worker could not be started.
    pub(super) fn not_started(worker: &Worker, error: &io::Error) -> Self {
        let message = format!("cannot start {}: {error}", worker.command.display());
        Self::without_worker(record::Status::Lost, super::NOT_STARTED, message)
    }
}
