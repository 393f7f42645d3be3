//! Starting a worker, again if the machine is short of something for a moment.

use std::fmt::Display;
use std::io;
use std::path::Path;
use std::sync::mpsc::{Receiver, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use super::Worker;
use super::confined::Confined;
use super::listen::{Heard, listen};
use super::stderr::Stderr;
use super::workplace::Workplace;
use crate::Interrupt;
use crate::protocol::Job;

/// How often a worker is started anew that could not be started, and the pause before it: the machine may be short of something
/// for a moment.
const RETRIES: u32 = 5;
const PAUSE: Duration = Duration::from_millis(400);

/// How soon an interruption is noticed in a pause.
const NAP: Duration = Duration::from_millis(50);

/// A worker that runs, and what is heard of it.
pub(super) struct Begun {
    pub start: Instant,
    pub confined: Confined,
    pub receiver: Receiver<Heard>,
    pub stderr: Stderr,
}

/// Starts a worker; where the machine is short of something for a moment, a little later.
///
/// Its temporary files go to the folder `scratch`.
pub(super) fn begin(
    worker: &Worker,
    job: &Job,
    place: &Workplace,
    scratch: Option<&Path>,
    interrupt: &Interrupt,
) -> io::Result<Begun> {
    let begin = || {
        let stderr = Stderr::open(job.log.as_deref())?;
        let start = Instant::now();
        let (confined, stdout) = Confined::start(worker, job, place, scratch, &stderr)?;
        let (sender, receiver) = sync_channel(64);
        doing("cannot listen to a worker", listen(stdout, confined.leader(), sender))?;
        Ok(Begun { start, confined, receiver, stderr })
    };
    let mut begun = begin();
    for _ in 0..RETRIES {
        if !begun.as_ref().is_err_and(may_pass) || !slept(PAUSE, interrupt) {
            break;
        }
        begun = begin();
    }
    begun
}

/// Whether what failed may go well a moment later: too many processes, no memory, a CPU or a group that is just not there,
/// a program that is just being written.
fn may_pass(error: &io::Error) -> bool {
    use io::ErrorKind::{ExecutableFileBusy, Interrupted, InvalidInput, OutOfMemory, ResourceBusy, WouldBlock};
    matches!(error.kind(), WouldBlock | OutOfMemory | ResourceBusy | InvalidInput | Interrupted | ExecutableFileBusy)
}

/// Sleeps; `false` if that was interrupted.
fn slept(time: Duration, interrupt: &Interrupt) -> bool {
    let end = Instant::now() + time;
    while Instant::now() < end && !interrupt.is_set() {
        thread::sleep(NAP);
    }
    !interrupt.is_set()
}

/// Has an error say what was being done.
pub(super) fn doing<T>(what: impl Display, result: io::Result<T>) -> io::Result<T> {
    result.map_err(|error| io::Error::new(error.kind(), format!("{what}: {error}")))
}
