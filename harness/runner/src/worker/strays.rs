//! Processes that outlive a worker which ended by itself, and that nobody knows: they cleared their environment and left group
//! and session in its last moments.
//!
//! They become children of this process, if it takes them in. As every worker takes in its own while it lives, they are of one
//! that has ended, and are killed. Only a process all of whose children are known can do this: the program, while it has a
//! [`Guard`](super::Guard).

use std::collections::BTreeSet;
use std::io;
use std::process::{Child, Command};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use rustix::process::{RawPid, getpid};

/// The children that this process has started itself, where it takes in others.
static OWN: Mutex<Option<BTreeSet<RawPid>>> = Mutex::new(None);

/// Rounds of killing; more than one only if they start others meanwhile.
const ROUNDS: u32 = 1000;

/// Pause between two rounds, so that the killed are gone.
const PAUSE: Duration = Duration::from_micros(200);

fn own() -> MutexGuard<'static, Option<BTreeSet<RawPid>>> {
    // The value is sound at any moment, whoever panicked while holding it.
    OWN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Takes in whoever loses its parent from now on. The children that there are stay.
pub(super) fn take_in() {
    let mut own = own();
    system::adopt_orphans(true);
    *own = Some(system::children(getpid().as_raw_pid()).into_iter().collect());
}

/// Leaves those alone who come from now on.
pub(super) fn leave_alone() {
    let mut own = own();
    system::adopt_orphans(false);
    *own = None;
}

/// Starts a child that is known.
pub(super) fn spawn(command: &mut Command) -> io::Result<Child> {
    let mut own = own();
    let child = command.spawn()?;
    if let Some(own) = own.as_mut() {
        own.extend(RawPid::try_from(child.id()));
    }
    Ok(child)
}

/// Forgets a child that was reaped, and kills whoever came in.
pub(super) fn end(reaped: RawPid) {
    let mut own = own();
    let Some(own) = own.as_mut() else { return };
    own.remove(&reaped);
    let this = getpid().as_raw_pid();
    for _ in 0..ROUNDS {
        let mut left = system::children(this);
        left.retain(|pid| !own.contains(pid));
        if left.is_empty() {
            return;
        }
        for pid in left {
            // Nobody else waits for it, so the number stays its own until it is forgotten here.
            system::kill_process(pid, || true);
            system::forget_dead(pid);
        }
        thread::sleep(PAUSE);
    }
}
