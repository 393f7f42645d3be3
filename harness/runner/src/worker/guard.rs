//! What ends processes that a worker started and that would outlive it.
//!
//! If the runner is killed, the kernel ends its workers, but not what these started. A small process, the guard, waits for the end
//! of the runner, which it notices by a pipe that closes. It costs nothing while runs are measured. It knows the workers by the name
//! of the process that started them, so one session at a time is meant: the guard of a session that ends kills what the workers of
//! another one in the same process have started.
//!
//! If a worker ends by itself, processes that cleared their environment and left group and session in its last moments are known by
//! nothing. They become children of this process, if it takes them in. As every worker takes in its own while it lives, they are of
//! one that has ended, and are killed. Only a process all of whose children are known can do this: the program, while it has a
//! [`Guard`].

use std::collections::BTreeSet;
use std::io::{self, Read};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, MutexGuard};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{RawPid, getpid};

use super::Worker;
use super::figures::{Environment, MOST_DOUBT, variables};
use super::scratch::{sweep_leftovers, sweep_of};
use super::sys::{self, System, held, runner};

/// Variable by which the descendants of a worker are known, whatever group they are in.
pub(super) const MARK: &str = "TILEBENCH_RUN";

/// Rounds in a row that find nobody before all are gone: a process that ends while a round goes on may have started another that
/// this round does not know.
const EMPTY_ROUNDS: u32 = 2;
const PAUSE: Duration = Duration::from_millis(10);

/// The same for children that this process took in; the pause is so long that the killed are gone.
const STRAY_ROUNDS: u32 = 1000;
const STRAY_PAUSE: Duration = Duration::from_micros(200);

/// Waits until standard input ends, then kills every process that a worker of that runner left behind, and removes their
/// temporary files.
///
/// # Errors
/// A standard input that cannot be read.
pub fn guard(runner: &str) -> io::Result<()> {
    io::stdin().read_to_end(&mut Vec::new())?;
    let mark = format!("{MARK}={runner}-");
    let system = System::default();
    // `None`: not to be told now.
    let is_marked = |pid: RawPid| match Environment::of(&system, pid) {
        Environment::Shown(environment) => {
            Some(variables(&environment).any(|variable| variable.starts_with(mark.as_bytes())))
        }
        Environment::Pending => None,
        Environment::Hidden => Some(false),
    };
    let (end, mut empty) = (Instant::now() + MOST_DOUBT, 0);
    while empty < EMPTY_ROUNDS && Instant::now() < end {
        let mut are_gone = true;
        for pid in system.processes().into_iter().flatten() {
            let is_left = is_marked(pid);
            are_gone &= is_left == Some(false);
            if is_left == Some(true) {
                system::kill_process(pid, || is_marked(pid) == Some(true));
            }
        }
        empty = if are_gone { empty + 1 } else { 0 };
        thread::sleep(PAUSE);
    }
    sweep_of(runner);
    Ok(())
}

/// The process that waits. Dropped, it is told that all is over, and its end is waited for. As long as this lives, this process
/// takes in what workers leave behind, and kills it; it must have no other children of its own that are started meanwhile.
#[derive(Debug)]
#[must_use = "the guard is told that all is over when this is dropped"]
pub struct Guard(Child);

impl Guard {
    /// Starts it, if the worker's program can be one, and removes what earlier runners left.
    ///
    /// # Errors
    /// A process that cannot be started.
    pub fn start(worker: &Worker) -> io::Result<Option<Self>> {
        let Some(name) = &worker.guard else { return Ok(None) };
        sweep_leftovers();
        sys::expect_children();
        let mut command = Command::new(&worker.command);
        // In a group of its own it does not hear the Ctrl-C that the runner hears.
        command.args([name, runner()]).process_group(0);
        command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
        let guard = command.spawn()?;
        // The children that there are stay.
        let mut own = own();
        *own = system::adopt_orphans(true).then(|| system::children(getpid().as_raw_pid()).into_iter().collect());
        Ok(Some(Self(guard)))
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        let mut own = own();
        system::adopt_orphans(false);
        *own = None;
        drop(own);
        drop(self.0.stdin.take());
        // Nobody can be told, and its work is done.
        let _ = self.0.wait();
    }
}

/// The children that this process has started itself, where it takes in others.
fn own() -> MutexGuard<'static, Option<BTreeSet<RawPid>>> {
    static OWN: Mutex<Option<BTreeSet<RawPid>>> = Mutex::new(None);
    held(&OWN)
}

pub(super) fn spawn(command: &mut Command) -> io::Result<Child> {
    let mut own = own();
    let child = command.spawn()?;
    if let Some(own) = own.as_mut() {
        own.extend(RawPid::try_from(child.id()));
    }
    Ok(child)
}

/// What workers that have ended left behind, which this process took in. `None`: it takes in none, or the system does not list
/// children, among which this one, of its own, would be.
pub(super) fn taken_in(child: RawPid) -> Option<Vec<RawPid>> {
    let own = own();
    let own = own.as_ref()?;
    let mut children = system::children(getpid().as_raw_pid());
    let are_listed = children.contains(&child);
    children.retain(|pid| !own.contains(pid));
    children.extend(children.clone().into_iter().flat_map(system::descendants));
    are_listed.then_some(children)
}

/// Forgets a child that was reaped, and kills processes that became children of this one since.
pub(super) fn reaped(child: RawPid) {
    let mut own = own();
    let Some(own) = own.as_mut() else { return };
    own.remove(&child);
    for _ in 0..STRAY_ROUNDS {
        let mut left = system::children(getpid().as_raw_pid());
        left.retain(|pid| !own.contains(pid));
        if left.is_empty() {
            return;
        }
        for pid in left {
            // Nobody else waits for it, so the number stays its own until it is forgotten here.
            system::kill_process(pid, || true);
            system::forget_dead(pid);
        }
        thread::sleep(STRAY_PAUSE);
    }
}
