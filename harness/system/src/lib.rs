//! What the operating system is asked for beyond std.
//!
//! Calls that only Linux has are in the module `linux`. The module `elsewhere` has the same functions for other systems, so that all
//! that reads and writes files builds there. What is read from `/proc` is empty there. Runs are weaker: a worker that is ended may leave
//! processes behind, and nothing is pinned.

use std::env;
use std::fs;
use std::io;
use std::path::PathBuf;

use rustix::process::{Pid, WaitOptions, waitpid};

pub use rustix::process::RawPid;

#[cfg(not(target_os = "linux"))]
mod elsewhere;
#[cfg(target_os = "linux")]
mod linux;

#[cfg(not(target_os = "linux"))]
pub use elsewhere::*;
#[cfg(target_os = "linux")]
pub use linux::*;

/// A process by its number; none for this one's group, the first of the system, and what no process can have.
#[must_use]
pub fn process(pid: RawPid) -> Option<Pid> {
    if pid > 1 { Pid::from_raw(pid) } else { None }
}

/// Children of a process, dead ones that nobody has waited for among them. Empty where there is no `/proc`.
#[must_use]
pub fn children(pid: RawPid) -> Vec<RawPid> {
    let tasks = fs::read_dir(format!("/proc/{pid}/task")).into_iter().flatten().flatten();
    let listed = tasks.map(|task| fs::read_to_string(task.path().join("children")).unwrap_or_default());
    listed.flat_map(|list| list.split(' ').filter_map(|pid| pid.trim().parse().ok()).collect::<Vec<_>>()).collect()
}

/// Children of a process, their children and so on.
#[must_use]
pub fn descendants(pid: RawPid) -> Vec<RawPid> {
    let mut found = vec![pid];
    let mut next = 0;
    while let Some(&parent) = found.get(next) {
        next += 1;
        for child in children(parent) {
            if !found.contains(&child) {
                found.push(child);
            }
        }
    }
    found.split_off(1)
}

/// The program that runs; on Linux the running one, also if its file was replaced since.
///
/// # Errors
/// If the system does not say.
pub fn running_program() -> io::Result<PathBuf> {
    let running = PathBuf::from("/proc/self/exe");
    if running.exists() { Ok(running) } else { env::current_exe() }
}

/// Takes note of the end of a child, if it has ended.
pub fn forget_dead(pid: RawPid) {
    let _ = process(pid).map(|pid| waitpid(Some(pid), WaitOptions::NOHANG));
}
