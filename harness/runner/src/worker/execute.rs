//! Watching one run: events, deadline, memory, CPU time, interruption, end.

use std::io;
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::{Duration, Instant};

use super::conclude::{Evidence, conclude};
use super::confined::Confined;
use super::listen::{Heard, listen};
use super::stderr::Stderr;
use super::transcript::Transcript;
use super::workplace::Workplace;
use super::{Ended, Worker};
use crate::Interrupt;
use crate::protocol::{Event, Job};

/// How long a worker may take to end after its answer (freeing a large model takes a while).
const FAREWELL: Duration = Duration::from_secs(10);

/// The same where the time limit is over.
const SHORT_FAREWELL: Duration = Duration::from_secs(1);

/// How long lines may still trickle in after the worker's end; more only if a stray process holds the pipe.
const DRAIN: Duration = Duration::from_millis(200);

/// Why the parent killed a worker.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Cause {
    /// Somebody asked to stop.
    Interrupted,
    /// Time limit and grace are over.
    Deadline,
    /// Memory was above the limit: so many bytes, or whatever the kernel stopped it at.
    Memory(Option<u64>),
    /// CPU time, in seconds, was above the limit.
    Cpu(f64),
    /// It does not keep to the protocol.
    Protocol(String),
    /// It is not of this build, so that nothing can be measured with it.
    OtherBuild(String),
    /// It answered and would not end.
    Farewell,
}

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
    let ended = Stderr::open(job.log.as_deref())
        .and_then(|stderr| watched(worker, job, place, &stderr, observer, interrupt))
        .unwrap_or_else(|error| Ended::not_started(worker, &error));
    Ended { isolation: place.isolation().to_owned(), cpus: place.column(job.threads), ..ended }
}

/// Seconds beyond a time limit at which the parent steps in: a worker that keeps its limit has said so by then.
pub(super) fn grace(limit_s: f64) -> f64 {
    0.25 + limit_s * 0.05
}

fn watched(
    worker: &Worker,
    job: &Job,
    place: &Workplace,
    stderr: &Stderr,
    observer: &mut dyn FnMut(&Event),
    interrupt: &Interrupt,
) -> io::Result<Ended> {
    let start = Instant::now();
    let (mut confined, stdout) = Confined::start(worker, job, place, stderr)?;
    let (sender, receiver) = sync_channel(64);
    listen(stdout, confined.leader(), sender)?;
    // A limit beyond what the clock can express is none.
    let deadline = job
        .time_limit_s
        .and_then(|limit| Duration::try_from_secs_f64(limit + grace(limit)).ok())
        .and_then(|whole| start.checked_add(whole));
    let mut watch = Watch {
        job,
        next_look: start + confined.tick(),
        confined: &mut confined,
        interrupt,
        deadline,
        transcript: Transcript::default(),
        torn: None,
        cause: None,
        ended: None,
    };
    watch.until_end(&receiver, observer);
    let Watch { transcript, torn, cause, ended, .. } = watch;
    let wall_time = ended.unwrap_or_else(Instant::now).saturating_duration_since(start);
    let remains = confined.reap()?;
    let evidence = Evidence { torn, cause, remains, wall_time, tail: stderr.tail() };
    Ok(conclude(job, transcript, &evidence))
}

struct Watch<'a> {
    job: &'a Job,
    confined: &'a mut Confined,
    interrupt: &'a Interrupt,
    deadline: Option<Instant>,
    transcript: Transcript,
    torn: Option<String>,
    cause: Option<Cause>,
    next_look: Instant,
    ended: Option<Instant>,
}

impl Watch<'_> {
    fn until_end(&mut self, receiver: &Receiver<Heard>, observer: &mut dyn FnMut(&Event)) {
        loop {
            match receiver.recv_timeout(self.patience()) {
                // Of one that breaks the protocol nothing more is believed.
                Ok(Heard::Event(_)) if matches!(self.cause, Some(Cause::Protocol(_) | Cause::OtherBuild(_))) => {}
                Ok(Heard::Event(event)) => {
                    observer(&event);
                    self.event(*event);
                }
                Ok(Heard::Garbage(line)) => {
                    self.kill(Cause::Protocol(format!("the worker printed a line that is no event: {line}")));
                }
                Ok(Heard::Torn(line)) => self.torn = Some(line),
                Ok(Heard::Silence) if self.ended.is_some() => return,
                Ok(Heard::Silence) => {}
                Ok(Heard::End(at)) => {
                    self.ended = Some(at);
                    // Whoever it started goes with it, and with them the other ends of the pipe.
                    self.confined.kill();
                }
                // Both threads are done, so everything was heard.
                Err(RecvTimeoutError::Disconnected) => return,
                Err(RecvTimeoutError::Timeout) if self.ended.is_some() => return,
                Err(RecvTimeoutError::Timeout) => {}
            }
            if self.ended.is_none() {
                self.look();
            }
        }
    }

    /// How long to wait for the next message at most.
    fn patience(&self) -> Duration {
        if self.ended.is_some() {
            return DRAIN;
        }
        let now = Instant::now();
        let until_look = self.next_look.saturating_duration_since(now);
        self.deadline.map_or(until_look, |deadline| until_look.min(deadline.saturating_duration_since(now)))
    }

    fn event(&mut self, event: Event) {
        match self.transcript.take(event, self.job) {
            Err(cause) => self.kill(cause),
            Ok(()) if self.transcript.answer.is_some() => {
                let now = Instant::now();
                let (short, long) = (now + SHORT_FAREWELL, now + FAREWELL);
                self.deadline = Some(self.deadline.map_or(long, |deadline| deadline.clamp(short, long)));
            }
            Ok(()) => {}
        }
    }

    fn look(&mut self) {
        let now = Instant::now();
        if self.deadline.is_some_and(|deadline| now >= deadline) {
            let answered = self.transcript.answer.is_some();
            self.kill(if answered { Cause::Farewell } else { Cause::Deadline });
        }
        if now < self.next_look {
            return;
        }
        self.next_look = now + self.confined.tick();
        if self.interrupt.is_set() {
            self.kill(Cause::Interrupted);
        }
        // What is killed uses nothing that counts.
        if self.cause.is_some() {
            return;
        }
        let usage = self.confined.look();
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

    /// Kills the worker; the first cause is the one that counts.
    fn kill(&mut self, cause: Cause) {
        if self.cause.is_none() {
            self.confined.kill();
            self.cause = Some(cause);
            self.deadline = None;
        }
    }
}
