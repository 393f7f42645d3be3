//! One run: its worker is started, again if the machine is short of something for a moment, and watched for events, deadline,
//! memory, CPU time, interruption and end.

use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use record::{FALSE_SOLUTION, Status, proof_files};
use signal_hook::consts::{SIGHUP, SIGINT, SIGKILL, SIGTERM};

use super::conclude::{Cause, Evidence, conclude, grace};
use super::output::{Message, Stderr, listen};
use super::process::WorkerProcess;
use super::sys::doing;
use super::workplace::Workplace;
use super::{Ended, NOT_STARTED, Worker};
use crate::Interrupt;
use crate::protocol::{Answer, Event, Job};
use crate::text::memory;

/// How long a worker may take to end after its answer (freeing a large model takes a while), and the same where the time limit is
/// over.
const EXIT_GRACE: Duration = Duration::from_secs(10);
const SHORT_EXIT_GRACE: Duration = Duration::from_secs(1);

/// How long after the worker's end the rest of its words is waited for, and the same once the answer was heard. It takes so long
/// only if a stray process holds the pipe; reading an answer that is long may take a while on a busy machine.
const DRAIN: Duration = Duration::from_secs(5);
const SHORT_DRAIN: Duration = Duration::from_secs(1);

const MOST_LOG: u64 = 4 << 30;

/// How much later than its worker this process may be asked to stop, or be killed.
const ASKED: Duration = Duration::from_millis(500);

const DISK_LOOK: Duration = Duration::from_millis(500);

/// How often a worker is started anew that could not be started, the pause before it, and how soon an interruption is noticed in it.
const RETRIES: u32 = 5;
const PAUSE: Duration = Duration::from_millis(400);
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
    // Removed when all is over, unless it is empty: a worker that is killed cannot do it.
    let scratch = match place.take_scratch() {
        Ok(scratch) => scratch,
        Err(error) => return Ended::without_worker(Status::Lost, NOT_STARTED, error.to_string()),
    };
    let start = || Watch::start(worker, job, place, scratch.path(), interrupt);
    let mut started = start();
    for _ in 0..RETRIES {
        if !started.as_ref().is_err_and(may_pass) || !slept(PAUSE, interrupt) {
            break;
        }
        started = start();
    }
    let watched = started.and_then(|(mut watch, receiver)| {
        watch.until_end(&receiver, observer);
        watch.conclude()
    });
    place.keep_scratch(scratch);
    watched.unwrap_or_else(|error| match interrupt.is_set() {
        true => Ended::without_worker(Status::Interrupted, "interrupted", error.to_string()),
        false => Ended::without_worker(Status::Lost, NOT_STARTED, error.to_string()),
    })
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

struct Watch<'a> {
    job: &'a Job,
    process: WorkerProcess,
    interrupt: &'a Interrupt,
    stderr: Stderr,
    start: Instant,
    /// When to stop waiting: for the end, or for the last words after it.
    deadline: Option<Instant>,
    said: Ended,
    truncated: Option<String>,
    cause: Option<Cause>,
    next_look: Instant,
    exited: Option<Instant>,
    pulse: Pulse,
    fills: Vec<PathBuf>,
    disk_limit_b: u64,
    next_disk_look: Instant,
}

impl<'a> Watch<'a> {
    /// Starts a worker. Its temporary files go to the folder `scratch`.
    fn start(
        worker: &Worker,
        job: &'a Job,
        place: &Workplace,
        scratch: &Path,
        interrupt: &'a Interrupt,
    ) -> io::Result<(Self, Receiver<Message>)> {
        let stderr = Stderr::open(job.log.as_deref())?;
        let start = Instant::now();
        let (process, stdout) = WorkerProcess::start(worker, job, place, scratch, &stderr)?;
        let (sender, receiver) = sync_channel(64);
        doing("cannot listen to a worker", listen(stdout, process.leader(), sender))?;
        // A limit beyond what the clock can express is none.
        let whole = job.time_limit_s.and_then(|limit| Duration::try_from_secs_f64(limit + grace(limit)).ok());
        let proof = job.proof.as_deref().map(proof_files);
        let watch = Self {
            job,
            interrupt,
            stderr,
            start,
            deadline: whole.and_then(|whole| start.checked_add(whole)),
            said: Ended { cpus: place.column(job.threads), ..Ended::default() },
            truncated: None,
            cause: None,
            next_look: start + process.tick(),
            exited: None,
            pulse: Pulse::new(),
            fills: [scratch.to_owned()].into_iter().chain(proof.into_iter().flatten()).collect(),
            disk_limit_b: place.disk_b,
            next_disk_look: start + DISK_LOOK,
            process,
        };
        Ok((watch, receiver))
    }

    /// Waits for the end of the process, and says how the run ended.
    fn conclude(mut self) -> io::Result<Ended> {
        let exited = self.exited.unwrap_or_else(Instant::now);
        self.said.wall_time_s = Some(exited.saturating_duration_since(self.start).as_secs_f64());
        if self.is_broken() {
            self.said.answer = None;
        }
        let peak = self.said.answer.as_ref().and_then(|answer| answer.peak_memory_b);
        let peak = peak.map(|peak| (peak, "VmHWM (worker)"));
        let measured = doing("cannot wait for a worker", self.process.reap(peak))?;
        if self.cause.is_none()
            && was_asked_to_stop(self.said.answer.as_ref(), measured.reaped.exit_signal, self.interrupt)
        {
            self.cause = Some(Cause::Interrupted);
            self.said.answer = None;
        }
        // These limits count no wall time, and to look how much there is of these may take long itself.
        let counts_time = !matches!(self.cause, Some(Cause::Limit(..)));
        self.said.stopped_s = self.pulse.stopped_s().filter(|_| counts_time);
        let evidence = Evidence { truncated: self.truncated, cause: self.cause, measured, tail: self.stderr.tail() };
        Ok(conclude(self.job, self.said, &evidence))
    }

    fn until_end(&mut self, receiver: &Receiver<Message>, observer: &mut dyn FnMut(&Event)) {
        loop {
            let patience = self.patience();
            let message = receiver.recv_timeout(patience);
            self.pulse.beat(patience);
            match message {
                // Of one that breaks the protocol nothing more is believed.
                Ok(Message::Event(_)) if self.is_broken() => {}
                Ok(Message::Event(event)) => {
                    observer(&event);
                    self.pulse.skip();
                    self.event(*event);
                }
                Ok(Message::Breach(how)) => self.broken(how),
                Ok(Message::Truncated(line)) => self.truncated = Some(line),
                Ok(Message::EndOfOutput) if self.exited.is_some() => return,
                Ok(Message::EndOfOutput) => {}
                Ok(Message::Exited(at)) => {
                    self.exited = Some(at);
                    // Whoever it started goes with it, and with them the other ends of the pipe.
                    self.process.kill();
                    self.pulse.skip();
                    let drain = if self.said.answer.is_some() { SHORT_DRAIN } else { DRAIN };
                    self.deadline = Some(Instant::now() + drain);
                }
                // Both threads are done, so everything was heard.
                Err(RecvTimeoutError::Disconnected) => return,
                Err(RecvTimeoutError::Timeout) => {}
            }
            match self.exited {
                None => self.look(),
                // Somebody who could not be killed has the pipe.
                Some(_) if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) => return,
                Some(_) => {}
            }
        }
    }

    fn patience(&self) -> Duration {
        let now = Instant::now();
        let until_look = match self.exited {
            None => self.next_look.saturating_duration_since(now),
            Some(_) => DRAIN,
        };
        self.deadline.map_or(until_look, |deadline| until_look.min(deadline.saturating_duration_since(now)))
    }

    fn event(&mut self, event: Event) {
        match self.said.take(event) {
            Err(how) => self.broken(how),
            Ok(()) if self.said.answer.is_some() && self.exited.is_none() && self.cause.is_none() => {
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
            let answered = self.said.answer.is_some();
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
            self.broken(format!("the worker wrote more than {most} to standard error"));
        }
        // What is killed uses nothing that counts.
        if self.cause.is_some() {
            return;
        }
        if now >= self.next_disk_look {
            self.next_disk_look = now + DISK_LOOK;
            let used = self.fills.iter().map(|path| disk_space(path)).sum();
            self.pulse.skip();
            if used > self.disk_limit_b {
                return self.kill(Cause::disk(used, self.disk_limit_b));
            }
        }
        let usage = self.process.look();
        let above = |limit: &u64| usage.memory.filter(|used| used > limit);
        if let Some(used) = self.job.memory_limit_b.as_ref().and_then(above) {
            self.kill(Cause::memory(self.job, Some(used)));
        } else if usage.out_of_memory {
            self.kill(Cause::memory(self.job, None));
        }
        let above = |limit: f64| usage.cpu_s.filter(|used| *used > limit);
        if let Some(used) = self.job.cpu_limit_s.and_then(above) {
            self.kill(Cause::cpu(self.job, used));
        }
    }

    fn is_broken(&self) -> bool {
        matches!(self.cause, Some(Cause::Protocol(_)))
    }

    /// Believes nothing any more, whatever the worker is being killed for; the first breach is the one that is told.
    fn broken(&mut self, how: String) {
        match &mut self.cause {
            Some(Cause::Protocol(_)) => {}
            Some(earlier) => *earlier = Cause::Protocol(how),
            None => self.kill(Cause::Protocol(how)),
        }
    }

    /// Kills the worker; the first cause is the one that counts.
    fn kill(&mut self, cause: Cause) {
        if self.cause.is_none() {
            self.process.kill();
            // Finding all that it started may take a while.
            self.pulse.skip();
            self.cause = Some(cause);
            if self.exited.is_none() {
                self.deadline = None;
            }
        }
    }
}

/// Whether what looks like a failure is the end of the session: who stops a job may signal or kill all of its processes, and a worker,
/// or the program that it runs, may end of it before this process does.
fn was_asked_to_stop(answer: Option<&Answer>, signal: Option<i32>, interrupt: &Interrupt) -> bool {
    match answer {
        Some(answer) => answer.status == Status::Error && answer.reason != FALSE_SOLUTION && interrupt.is_set(),
        None if signal.is_some_and(|signal| [SIGHUP, SIGINT, SIGTERM, SIGKILL].contains(&signal)) => {
            !slept(ASKED, interrupt)
        }
        None => false,
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

/// What is so much later than it should be was stopped. A busy machine is late by less.
const LATE: Duration = Duration::from_secs(1);

/// Whether this process went on all the time during a run: a process that is stopped (`kill -STOP`, Ctrl-Z), a machine that
/// sleeps (a laptop that is shut) and a clock that is set anew (some solvers keep their time limit by it) spoil what is measured.
struct Pulse {
    begun: Instant,
    /// The time of day at the same moment.
    set: SystemTime,
    last: Instant,
    stopped: Duration,
}

impl Pulse {
    fn new() -> Self {
        let now = Instant::now();
        Self { begun: now, set: SystemTime::now(), last: now, stopped: Duration::ZERO }
    }

    /// Somebody waited for so long at most since the last beat.
    fn beat(&mut self, waited: Duration) {
        let late = self.last.elapsed().saturating_sub(waited);
        if late >= LATE {
            self.stopped += late;
        }
        self.skip();
    }

    /// What passed since the last beat was work of which nobody knows how long it takes.
    fn skip(&mut self) {
        self.last = Instant::now();
    }

    /// Seconds for which this process was stopped or the machine asleep, or by which the clock was set anew, if it was.
    fn stopped_s(&self) -> Option<f64> {
        let passed_s = self.begun.elapsed().as_secs_f64();
        let of_day_s = match SystemTime::now().duration_since(self.set) {
            Ok(later) => later.as_secs_f64(),
            Err(earlier) => -earlier.duration().as_secs_f64(),
        };
        // The monotonic clock stands still while the machine sleeps, and knows nothing of the time of day.
        let asleep_s = (of_day_s - passed_s).abs();
        let asleep_s = if asleep_s >= LATE.as_secs_f64() { asleep_s } else { 0.0 };
        let stopped_s = self.stopped.as_secs_f64() + asleep_s;
        (stopped_s > 0.0).then_some(stopped_s)
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;

    #[test]
    fn a_machine_that_sleeps_and_a_clock_that_is_set_anew_are_noticed() {
        for step in [Duration::from_secs(3600), Duration::from_millis(1500)] {
            let mut pulse = Pulse::new();
            pulse.set += step;
            let back = pulse.stopped_s();
            pulse.set -= 2 * step;
            for told in [back, pulse.stopped_s()] {
                assert!(told.is_some_and(|seconds| (seconds - step.as_secs_f64()).abs() < 0.5), "{told:?} of {step:?}");
            }
        }
        let mut pulse = Pulse::new();
        pulse.set += Duration::from_millis(200);
        assert_eq!(pulse.stopped_s(), None, "clocks are corrected all the time");
    }

    #[test]
    fn a_wait_that_ends_too_late_was_none() {
        let mut pulse = Pulse::new();
        thread::sleep(LATE + LATE / 10);
        pulse.beat(Duration::from_secs(60));
        assert_eq!(pulse.stopped, Duration::ZERO);
        thread::sleep(LATE + LATE / 10);
        pulse.beat(Duration::ZERO);
        assert!(pulse.stopped >= LATE);
        let stopped = pulse.stopped;
        thread::sleep(LATE + LATE / 10);
        pulse.skip();
        pulse.beat(Duration::ZERO);
        assert_eq!(pulse.stopped, stopped);
    }
}
