//! What a worker says, held to the protocol; and from what was said and seen to how the run ended.
//!
//! An answer counts even when the worker died or was killed after it: the judge verifies it anyway. A worker
//! that broke the protocol is not believed at all.

use record::{CPU_LIMIT, DISK_LIMIT, FALSE_SOLUTION, HARD_LIMIT, MEMORY_LIMIT, SOFT_LIMIT, SOLVER_LIMIT, Status};
use signal_hook::consts::{SIGABRT, SIGSEGV, SIGXCPU};

use super::process::Measured;
use super::{Ended, NOT_STARTED};
use crate::protocol::{Answer, Event, Job, REFUSED};
use crate::text::memory;

/// The share of the time limit before whose end a claim that time was up is not believed.
const EARLY: f64 = 0.9;

/// Why the parent killed a worker.
#[derive(Debug)]
pub(super) enum Cause {
    Interrupted,
    /// Time limit and grace are over.
    Deadline,
    /// It used more than it may of something else than time: the termination reason, and how much it used.
    Limit(&'static str, String),
    /// It broke the protocol.
    Protocol(String),
    /// It answered and did not end.
    NoExit,
}

impl Cause {
    /// Memory above the limit: so many bytes, or whatever the kernel stopped it at.
    pub fn memory(job: &Job, used: Option<u64>) -> Self {
        let used = used.map_or_else(String::new, |used| format!("{} of ", memory(used)));
        Self::Limit(MEMORY_LIMIT, format!("{used}at most {}", memory_limit(job)))
    }

    /// So many seconds of CPU time, above the limit.
    pub fn cpu(job: &Job, used_s: f64) -> Self {
        let limit_s = job.cpu_limit_s.unwrap_or_default();
        Self::Limit(CPU_LIMIT, format!("{} s of CPU time of at most {limit_s} s", precise(used_s)))
    }

    /// Files of so many bytes, above the limit.
    pub fn disk(used: u64, limit: u64) -> Self {
        Self::Limit(DISK_LIMIT, format!("files of {} of at most {}", memory(used), memory(limit)))
    }
}

/// Numbers of solves end below this: a run that goes on and on shall not fill the memory of the runner.
const MOST_ITERATIONS: u64 = 1_000_000;

impl Ended {
    /// Takes the next event of the worker, or says how it breaks the protocol.
    pub(super) fn take(&mut self, event: Event) -> Result<(), String> {
        if self.answer.is_some() {
            return Err("the worker went on after its answer".to_owned());
        }
        match event {
            Event::Started(started) => self.started = Some(started),
            _ if self.started.is_none() => return Err("the worker did not say first who it is".to_owned()),
            Event::Built(built) => self.built = Some(built),
            Event::Relaxed(relaxed) => self.relaxed = Some(relaxed),
            Event::Solving { .. } => {}
            Event::Iteration(iteration) => {
                let number = iteration.solve.iteration;
                match self.iterations.last().map(|last| last.solve.iteration) {
                    Some(last) if number <= last => return Err(format!("solve {number} came after solve {last}")),
                    _ if number >= MOST_ITERATIONS => {
                        return Err(format!("solve {number}: there are at most {MOST_ITERATIONS} in a run"));
                    }
                    _ => self.iterations.push(iteration),
                }
            }
            // Whether a run was interrupted or lost is for the parent to say: such a run would be repeated for ever.
            Event::Answer(answer) if !answer.status.is_final() => {
                return Err(format!("the worker answered \"{}\", which is not for it to say", answer.status));
            }
            Event::Answer(answer) => self.answer = Some(answer),
        }
        Ok(())
    }
}

/// What the parent saw of a worker, beside its events.
#[derive(Debug)]
pub(super) struct Evidence {
    /// The beginning of a last line that was cut off.
    pub truncated: Option<String>,
    pub cause: Option<Cause>,
    pub measured: Measured,
    /// The end of what it wrote to standard error.
    pub tail: Option<String>,
}

/// The part of a time limit by which a worker may be late before it is killed, beside a quarter of a second.
pub const GRACE: f64 = 0.05;

/// Seconds beyond a time limit at which the parent steps in: a worker that keeps its limit has said so by then.
pub(super) fn grace(limit_s: f64) -> f64 {
    0.25 + limit_s * GRACE
}

type Finding = (Status, String, Vec<String>);

/// Completes what a worker said, with its wall time, by what the parent saw.
pub(super) fn conclude(job: &Job, said: Ended, seen: &Evidence) -> Ended {
    let (status, termination_reason, mut messages) = find(job, &said, seen);
    messages.extend(beyond(job, seen));
    let Measured { reaped, cpu_time_s, peak, .. } = &seen.measured;
    Ended {
        status,
        termination_reason,
        exit_code: reaped.exit_code,
        exit_signal: reaped.exit_signal,
        cpu_time_s: Some(*cpu_time_s),
        peak_memory_b: peak.map(|(bytes, _)| bytes),
        memory_source: peak.map(|(_, source)| source),
        message: (!messages.is_empty()).then(|| messages.join("; ")),
        ..said
    }
}

/// What the figures at the end show to be beyond a limit, where it did not end the run.
fn beyond(job: &Job, seen: &Evidence) -> Vec<String> {
    let peak = seen.measured.peak.map(|(bytes, _)| bytes);
    let used_memory = peak.filter(|peak| job.memory_limit_b.is_some_and(|limit| *peak > limit));
    let used_cpu_s = Some(seen.measured.cpu_time_s).filter(|used| job.cpu_limit_s.is_some_and(|limit| *used > limit));
    let memory = used_memory.map(|used| Cause::memory(job, Some(used)));
    let found = memory.into_iter().chain(used_cpu_s.map(|used| Cause::cpu(job, used)));
    let told = |reason| matches!(&seen.cause, Some(Cause::Limit(told, _)) if *told == reason);
    let found = found.filter_map(|cause| match cause {
        Cause::Limit(reason, what) if !told(reason) => Some(format!("took {what}")),
        _ => None,
    });
    found.collect()
}

fn find(job: &Job, said: &Ended, seen: &Evidence) -> Finding {
    let (status, reason, message) = match (&seen.cause, &said.answer) {
        (Some(Cause::Protocol(how)), _) => (Status::Error, "protocol", how.clone()),
        (_, Some(answer)) => return answered(job, answer, said.wall_time_s.unwrap_or_default(), seen),
        (Some(Cause::Interrupted), None) => return (Status::Interrupted, "interrupted".to_owned(), Vec::new()),
        (Some(Cause::Deadline), None) => {
            let limit = job.time_limit_s.unwrap_or_default();
            let message = format!("no answer within {limit} s and a grace of {:.2} s: killed", grace(limit));
            (Status::Timeout, HARD_LIMIT, message)
        }
        (Some(Cause::Limit(reason, what)), None) => {
            let status = if *reason == CPU_LIMIT { Status::Timeout } else { Status::Memout };
            (status, *reason, format!("{what}: killed"))
        }
        (Some(Cause::NoExit) | None, None) => return unanswered(job, said.started.is_some(), seen),
    };
    (status, reason.to_owned(), vec![message])
}

/// The worker answered: its claim stands, with a remark if its end was not clean.
fn answered(job: &Job, answer: &Answer, wall_time_s: f64, seen: &Evidence) -> Finding {
    let mut messages: Vec<String> = answer.message.iter().cloned().collect();
    let killed = |why: &str| Some(format!("answered, and had not ended when it was killed: {why}"));
    messages.extend(match (&seen.cause, seen.measured.reaped.exit_code, seen.measured.reaped.exit_signal) {
        (Some(Cause::Interrupted), ..) => killed("the session was interrupted"),
        (Some(Cause::Deadline), ..) => killed("the time limit and its grace were over"),
        (Some(Cause::Limit(_, what)), ..) => killed(what),
        (Some(_), ..) => Some("the worker had not ended after its answer and was killed".to_owned()),
        (None, Some(0), _) | (None, None, None) => None,
        (None, Some(code), _) => Some(format!("exit code {code} after the answer")),
        (None, None, Some(signal)) => Some(format!("{} after the answer", signal_text(signal))),
    });
    // A solver that was refused memory says so in its own words.
    if answer.status == Status::Error && answer.reason != FALSE_SOLUTION && refused_memory(job, &messages, seen) {
        messages.push(format!("memory was limited to {}", memory_limit(job)));
        return (Status::Memout, MEMORY_LIMIT.to_owned(), messages);
    }
    let is_early = job.time_limit_s.is_none_or(|limit| wall_time_s < limit * EARLY);
    let reason = match answer.status {
        Status::Timeout if answer.reason != SOLVER_LIMIT && is_early => {
            let limit =
                job.time_limit_s.map_or_else(|| ", without a time limit".to_owned(), |limit| format!(" of {limit} s"));
            messages.push(format!("claims a timeout after {} s{limit}", precise(wall_time_s)));
            SOLVER_LIMIT.to_owned()
        }
        // A limit of the solver's own says nothing of the time.
        Status::Timeout if answer.reason != SOLVER_LIMIT => SOFT_LIMIT.to_owned(),
        status if answer.reason.is_empty() => status.to_string(),
        _ => answer.reason.clone(),
    };
    (answer.status, reason, messages)
}

/// Whether a worker ended without an answer because it was refused memory: the kernel killed it or what it had started at the
/// limit of its control group, or it failed at its limit of data, which it may say itself; one that gives up without words
/// shows it by how much it had.
fn died_of_memory(job: &Job, seen: &Evidence) -> bool {
    let Measured { reaped, out_of_memory, data_limit_b, .. } = &seen.measured;
    let failed = reaped.exit_signal.is_some() || reaped.exit_code.is_some_and(|code| code != 0);
    let said = || seen.tail.as_deref().is_some_and(tells_of_memory);
    let aborted = reaped.exit_signal == Some(SIGABRT);
    *out_of_memory || (data_limit_b.is_some() && failed && (said() || (aborted && is_near(job, seen))))
}

/// Whether a run that answered with an error failed because it was refused memory: it, or a program that it had
/// started, says so, or the kernel does, or the program died without words when it had nearly all there was.
fn refused_memory(job: &Job, messages: &[String], seen: &Evidence) -> bool {
    let says = messages.iter().map(String::as_str).chain(seen.tail.as_deref()).any(tells_of_memory);
    let died = messages.iter().any(|message| message.contains("killed by signal"));
    seen.measured.out_of_memory || (seen.measured.data_limit_b.is_some() && (says || (died && is_near(job, seen))))
}

fn is_near(job: &Job, seen: &Evidence) -> bool {
    seen.measured.peak.zip(job.memory_limit_b).is_some_and(|((peak, _), limit)| peak >= limit - limit / 10)
}

/// Words of allocators, the runtimes of C++, Rust and Python, and the C library.
fn tells_of_memory(text: &str) -> bool {
    let text = text.to_lowercase();
    let words = [
        "bad_alloc",
        "memoryerror",
        "memory allocation of",
        "out of memory",
        "memory exhausted",
        "cannot allocate memory",
    ];
    words.iter().any(|words| text.contains(words))
}

fn memory_limit(job: &Job) -> String {
    memory(job.memory_limit_b.unwrap_or_default())
}

/// Seconds with as many places as tell them from a small limit.
fn precise(seconds: f64) -> String {
    if seconds < 1.0 { format!("{seconds:.3}") } else { format!("{seconds:.2}") }
}

/// The worker ended by itself, without an answer.
fn unanswered(job: &Job, has_started: bool, seen: &Evidence) -> Finding {
    let (status, reason, what) = match (seen.measured.reaped.exit_signal, seen.measured.reaped.exit_code) {
        _ if died_of_memory(job, seen) => {
            (Status::Memout, MEMORY_LIMIT, format!("stopped at its limit of {}", memory_limit(job)))
        }
        (Some(SIGXCPU), _) if job.cpu_limit_s.is_some() => {
            (Status::Timeout, CPU_LIMIT, "the kernel ended it beyond its CPU time".to_owned())
        }
        // A large block that was refused leaves no trace: the peak may be far below the limit.
        (Some(SIGSEGV), _) if seen.measured.data_limit_b.is_some() => {
            let limit = memory_limit(job);
            (
                Status::Crash,
                "signal",
                format!("signal SIGSEGV (perhaps it was refused memory beyond its limit of {limit})"),
            )
        }
        (Some(signal), _) => (Status::Crash, "signal", signal_text(signal)),
        (None, Some(REFUSED)) if !has_started => (Status::Lost, NOT_STARTED, "the worker refused the job".to_owned()),
        (None, Some(code)) if code != 0 => (Status::Error, "exit-code", format!("exit code {code}")),
        _ => match &seen.truncated {
            Some(line) => (Status::Error, "protocol", format!("the last line is no event: {line:?}")),
            None => (Status::Lost, "no-answer", "the worker ended without an answer".to_owned()),
        },
    };
    let messages = [what].into_iter().chain(seen.tail.clone());
    (status, reason.to_owned(), messages.collect())
}

fn signal_text(signal: i32) -> String {
    match signal_hook::low_level::signal_name(signal) {
        // Not sent by this program, which would have said so.
        Some("SIGKILL") => "SIGKILL from outside (perhaps the kernel, out of memory)".to_owned(),
        Some(name) => format!("signal {name}"),
        None => format!("signal {signal}"),
    }
}
