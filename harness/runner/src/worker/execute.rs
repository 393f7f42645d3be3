//! One run: its worker is started, again if the machine is short of something for a moment, and watched for events, deadline,
//! memory, CPU time, interruption and end.

use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use record::{Status, proof_files};

use super::conclude::{Cause, Evidence, conclude, grace};
use super::guard::Scratch;
use super::output::{Breach, Message, Stderr, Transcript, listen};
use super::process::WorkerProcess;
use super::pulse::Pulse;
use super::sys::{System, doing};
use super::workplace::Workplace;
use super::{Ended, Worker};
use crate::Interrupt;
use crate::protocol::{Event, Job};
use crate::text::memory;

/// How long a worker may take to end after its answer (freeing a large model takes a while).
const EXIT_GRACE: Duration = Duration::from_secs(10);

/// The same where the time limit is over.
const SHORT_EXIT_GRACE: Duration = Duration::from_secs(1);

/// How long after the worker's end the rest of its words is waited for. They are there, so it takes so long only if a stray
/// process holds the pipe; reading an answer that is long may take a while on a busy machine.
const DRAIN: Duration = Duration::from_secs(5);

/// The same once the answer was heard.
const SHORT_DRAIN: Duration = Duration::from_secs(1);

/// Bytes that a worker may add to its log.
const MOST_LOG: u64 = 4 << 30;

/// How often to look at how much disk a run fills.
const DISK_LOOK: Duration = Duration::from_millis(500);

/// How often a worker is started anew that could not be started, and the pause before it: the machine may be short of something
/// for a moment.
const RETRIES: u32 = 5;
const PAUSE: Duration = Duration::from_millis(400);

/// How soon an interruption is noticed in a pause.
const POLL: Duration = Duration::from_millis(50);

/// Runs one job in a worker process and waits for its end, whatever that is.
///
/// The observer sees each event as it comes. The worker has its time limit and a grace of 0.25 s and 5 % of the
/// limit, then it is killed with all of its descendants; for memory and CPU time there is no grace. It also dies when the
/// calling thread does.
pub fn execute(
    worker: &Worker,
    job: &Job,
    place: &Workplace,
    observer: &mut dyn FnMut(&Event),
    interrupt: &Interrupt,
) -> Ended {
    // Removed when all is over: a worker that is killed cannot do it.
    let scratch = Scratch::new();
    let scratch = scratch.as_ref().map(Scratch::path);
    begin(worker, job, place, scratch, interrupt)
        .and_then(|begun| watched(job, place, scratch, begun, observer, interrupt))
        .unwrap_or_else(|error| match interrupt.is_set() {
            true => Ended::without_worker(place, Status::Interrupted, "interrupted", error.to_string()),
            false => Ended::not_started(place, &error),
        })
}

/// A worker that runs, and what is heard of it.
struct Begun {
    start: Instant,
    process: WorkerProcess,
    receiver: Receiver<Message>,
    stderr: Stderr,
}

/// Starts a worker; where the machine is short of something for a moment, a little later.
///
/// Its temporary files go to the folder `scratch`.
fn begin(
    worker: &Worker,
    job: &Job,
    place: &Workplace,
    scratch: Option<&Path>,
    interrupt: &Interrupt,
) -> io::Result<Begun> {
    let begin = || {
        let stderr = Stderr::open(job.log.as_deref())?;
        let start = Instant::now();
        let (process, stdout) = WorkerProcess::start(worker, job, place, scratch, &stderr)?;
        let (sender, receiver) = sync_channel(64);
        doing("cannot listen to a worker", listen(stdout, process.leader(), sender))?;
        Ok(Begun { start, process, receiver, stderr })
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
        thread::sleep(POLL);
    }
    !interrupt.is_set()
}

fn watched(
    job: &Job,
    place: &Workplace,
    scratch: Option<&Path>,
    begun: Begun,
    observer: &mut dyn FnMut(&Event),
    interrupt: &Interrupt,
) -> io::Result<Ended> {
    let Begun { start, mut process, receiver, stderr } = begun;
    // A limit beyond what the clock can express is none.
    let deadline = job
        .time_limit_s
        .and_then(|limit| Duration::try_from_secs_f64(limit + grace(limit)).ok())
        .and_then(|whole| start.checked_add(whole));
    let proof = job.proof.as_deref().map(proof_files);
    let mut watch = Watch {
        job,
        pulse: Pulse::new(System::default()),
        fills: scratch.map(Path::to_owned).into_iter().chain(proof.into_iter().flatten()).collect(),
        disk_limit_b: place.disk_b(),
        next_disk_look: start + DISK_LOOK,
        next_look: start + process.tick(),
        process: &mut process,
        interrupt,
        stderr: &stderr,
        deadline,
        transcript: Transcript::default(),
        truncated: None,
        breach: None,
        cause: None,
        ended: None,
    };
    watch.until_end(&receiver, observer);
    let Watch { transcript, truncated, breach, cause, ended, pulse, .. } = watch;
    let wall_time = ended.unwrap_or_else(Instant::now).saturating_duration_since(start);
    let measured = doing("cannot wait for a worker", process.reap())?;
    // These limits count no wall time, and to look how much there is of these may take long itself.
    let other = matches!(cause, Some(Cause::Memory(_) | Cause::Cpu(_) | Cause::Disk { .. }));
    let (stopped_s, tail) = (pulse.stopped_s().filter(|_| !other), stderr.tail());
    let evidence = Evidence { truncated, breach, cause, measured, wall_time, stopped_s, tail };
    Ok(conclude(job, place, transcript, &evidence))
}

struct Watch<'a> {
    job: &'a Job,
    process: &'a mut WorkerProcess,
    interrupt: &'a Interrupt,
    stderr: &'a Stderr,
    /// When to stop waiting: for the end, or for the last words after it.
    deadline: Option<Instant>,
    transcript: Transcript,
    truncated: Option<String>,
    breach: Option<Breach>,
    cause: Option<Cause>,
    next_look: Instant,
    ended: Option<Instant>,
    pulse: Pulse,
    /// Where the run leaves files that grow, beside its log.
    fills: Vec<PathBuf>,
    disk_limit_b: u64,
    next_disk_look: Instant,
}

impl Watch<'_> {
    fn until_end(&mut self, receiver: &Receiver<Message>, observer: &mut dyn FnMut(&Event)) {
        loop {
            let patience = self.patience();
            let message = receiver.recv_timeout(patience);
            self.pulse.beat(patience);
            match message {
                // Of one that breaks the protocol nothing more is believed.
                Ok(Message::Event(_)) if self.breach.is_some() => {}
                Ok(Message::Event(event)) => {
                    observer(&event);
                    self.pulse.skip();
                    self.event(*event);
                }
                Ok(Message::Garbage(line)) => {
                    self.broken(Breach::Protocol(format!("the worker printed a line that is no event: {line}")));
                }
                Ok(Message::TooMuchOutput(bytes)) => {
                    self.broken(Breach::Protocol(format!("the worker printed more than {} of events", memory(bytes))));
                }
                Ok(Message::Truncated(line)) => self.truncated = Some(line),
                Ok(Message::EndOfOutput) if self.ended.is_some() => return,
                Ok(Message::EndOfOutput) => {}
                Ok(Message::Exited(at)) => {
                    self.ended = Some(at);
                    // Whoever it started goes with it, and with them the other ends of the pipe.
                    self.process.kill();
                    let drain = if self.transcript.answer.is_some() { SHORT_DRAIN } else { DRAIN };
                    self.deadline = Some(Instant::now() + drain);
                }
                // Both threads are done, so everything was heard.
                Err(RecvTimeoutError::Disconnected) => return,
                Err(RecvTimeoutError::Timeout) => {}
            }
            match self.ended {
                None => self.look(),
                // Somebody who could not be killed has the pipe.
                Some(_) if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) => return,
                Some(_) => {}
            }
        }
    }

    /// How long to wait for the next message at most.
    fn patience(&self) -> Duration {
        let now = Instant::now();
        let until_look = match self.ended {
            None => self.next_look.saturating_duration_since(now),
            Some(_) => DRAIN,
        };
        self.deadline.map_or(until_look, |deadline| until_look.min(deadline.saturating_duration_since(now)))
    }

    fn event(&mut self, event: Event) {
        match self.transcript.take(event, self.job) {
            Err(breach) => self.broken(breach),
            Ok(()) if self.transcript.answer.is_some() && self.ended.is_none() && self.cause.is_none() => {
                let now = Instant::now();
                let (short, long) = (now + SHORT_EXIT_GRACE, now + EXIT_GRACE);
                self.deadline = Some(self.deadline.map_or(long, |deadline| deadline.clamp(short, long)));
            }
            Ok(()) => {}
        }
    }

    fn look(&mut self) {
        let now = Instant::now();
        if self.deadline.is_some_and(|deadline| now >= deadline) {
            let answered = self.transcript.answer.is_some();
            self.kill(if answered { Cause::NoExit } else { Cause::Deadline });
        }
        if now < self.next_look {
            return;
        }
        self.next_look = now + self.process.tick();
        if self.interrupt.is_set() {
            self.kill(Cause::Interrupted);
        }
        if self.stderr.written() > MOST_LOG {
            let most = memory(MOST_LOG);
            self.broken(Breach::Protocol(format!("the worker wrote more than {most} to standard error")));
        }
        // What is killed uses nothing that counts.
        if self.cause.is_some() {
            return;
        }
        if now >= self.next_disk_look {
            self.next_disk_look = now + DISK_LOOK;
            let used = self.fills.iter().map(|path| disk_space(path)).sum();
            if used > self.disk_limit_b {
                return self.kill(Cause::Disk { used, limit: self.disk_limit_b });
            }
        }
        let usage = self.process.look();
        let above = |limit: &u64| usage.memory.filter(|used| used > limit);
        if let Some(used) = self.job.memory_limit_b.as_ref().and_then(above) {
            self.kill(Cause::Memory(Some(used)));
        } else if usage.out_of_memory {
            self.kill(Cause::Memory(None));
        }
        let above = |limit: f64| usage.cpu_s.filter(|used| *used > limit);
        if let Some(used) = self.job.cpu_limit_s.and_then(above) {
            self.kill(Cause::Cpu(used));
        }
    }

    /// Believes nothing any more, whatever the worker is being killed for.
    fn broken(&mut self, breach: Breach) {
        self.breach.get_or_insert(breach);
        self.kill(Cause::Breach);
    }

    /// Kills the worker; the first cause is the one that counts.
    fn kill(&mut self, cause: Cause) {
        if self.cause.is_none() {
            self.process.kill();
            self.cause = Some(cause);
            if self.ended.is_none() {
                self.deadline = None;
            }
        }
    }
}

/// Bytes of disk that a file or all in a folder takes up.
fn disk_space(path: &Path) -> u64 {
    /// The unit of [`MetadataExt::blocks`], whatever the file system.
    const BLOCK: u64 = 512;
    let Ok(facts) = fs::symlink_metadata(path) else { return 0 };
    let inside = if facts.is_dir() { fs::read_dir(path).ok() } else { None };
    let inside = inside.into_iter().flatten().flatten().map(|entry| disk_space(&entry.path()));
    facts.blocks() * BLOCK + inside.sum::<u64>()
}
