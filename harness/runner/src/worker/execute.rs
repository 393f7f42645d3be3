//! Watching one run: events, deadline, memory, interruption, end.

use std::io;
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::{Duration, Instant};

use super::conclude::{Evidence, conclude};
use super::group::{Group, Memory};
use super::listen::{Heard, listen};
use super::stderr::Stderr;
use super::transcript::Transcript;
use super::{Ended, Worker};
use crate::Interrupt;
use crate::protocol::{Event, Job};

/// How often memory and interruption are looked at while the worker is silent.
const TICK: Duration = Duration::from_millis(50);

/// How long a worker may take to end after its answer (freeing a large model takes a while).
const FAREWELL: Duration = Duration::from_secs(10);

/// How long lines may still trickle in after the worker's end; more only if a stray process holds the pipe.
const DRAIN: Duration = Duration::from_millis(200);

/// Why the parent killed a worker.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Cause {
    /// Somebody asked to stop.
    Interrupted,
    /// Time limit and grace are over.
    Deadline,
    /// Resident memory, in bytes, was above the limit.
    Memory(u64),
    /// It does not keep to the protocol.
    Protocol(String),
    /// It is not of this build, so that nothing can be measured with it.
    OtherBuild(String),
    /// It answered and would not end.
    Farewell,
}

/// Runs one job in a worker process and waits for its end, whatever that is.
///
/// The observer sees each event as it comes. The worker has its time limit and a grace of 5 % (at least a
/// second), then its whole process group is killed. It also dies when the calling thread does.
pub fn execute(worker: &Worker, job: &Job, observer: &mut dyn FnMut(&Event), interrupt: &Interrupt) -> Ended {
    match Stderr::open(job.log.as_deref()) {
        Err(error) => Ended::not_started(worker, &error),
        Ok(stderr) => {
            watched(worker, job, &stderr, observer, interrupt).unwrap_or_else(|e| Ended::not_started(worker, &e))
        }
    }
}

/// What is left of a time limit when the parent steps in: the grace.
pub(super) fn grace(limit_s: f64) -> f64 {
    (limit_s * 0.05).max(1.0)
}

fn watched(
    worker: &Worker,
    job: &Job,
    stderr: &Stderr,
    observer: &mut dyn FnMut(&Event),
    interrupt: &Interrupt,
) -> io::Result<Ended> {
    let start = Instant::now();
    let (group, stdout) = Group::start(worker, job, stderr)?;
    let (sender, receiver) = sync_channel(64);
    listen(stdout, group.leader(), sender)?;
    // A limit beyond what the clock can express is none.
    let deadline = job
        .time_limit_s
        .and_then(|limit| Duration::try_from_secs_f64(limit + grace(limit)).ok())
        .and_then(|whole| start.checked_add(whole));
    let mut watch = Watch {
        job,
        group: &group,
        interrupt,
        deadline,
        transcript: Transcript::default(),
        torn: None,
        cause: None,
        memory: None,
        next_look: start + TICK,
        ended: None,
    };
    watch.until_end(&receiver, observer);
    let Watch { transcript, torn, cause, memory, ended, .. } = watch;
    let wall_time = ended.unwrap_or_else(Instant::now).saturating_duration_since(start);
    let reaped = group.reap()?;
    let evidence = Evidence { torn, cause, memory, reaped, wall_time, tail: stderr.tail() };
    Ok(conclude(job, transcript, &evidence))
}

struct Watch<'a> {
    job: &'a Job,
    group: &'a Group,
    interrupt: &'a Interrupt,
    deadline: Option<Instant>,
    transcript: Transcript,
    torn: Option<String>,
    cause: Option<Cause>,
    memory: Option<Memory>,
    next_look: Instant,
    ended: Option<Instant>,
}

impl Watch<'_> {
    fn until_end(&mut self, receiver: &Receiver<Heard>, observer: &mut dyn FnMut(&Event)) {
        loop {
            match receiver.recv_timeout(self.patience()) {
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
                    self.group.kill();
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
                let farewell = Instant::now() + FAREWELL;
                self.deadline = Some(self.deadline.map_or(farewell, |deadline| deadline.min(farewell)));
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
        self.next_look = now + TICK;
        if self.interrupt.is_set() {
            self.kill(Cause::Interrupted);
        }
        let Some(memory) = self.group.memory() else { return };
        self.memory = Some(memory);
        if self.job.memory_limit_b.is_some_and(|limit| memory.now > limit) {
            self.kill(Cause::Memory(memory.now));
        }
    }

    /// Kills the group; the first cause is the one that counts.
    fn kill(&mut self, cause: Cause) {
        if self.cause.is_none() {
            self.group.kill();
            self.cause = Some(cause);
            self.deadline = None;
        }
    }
}
