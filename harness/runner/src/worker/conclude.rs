//! From what was said and seen to what became of the run.
//!
//! An answer counts even when the worker died or was killed after it: the judge verifies it anyway. A worker
//! that broke the protocol is not believed at all.

use std::time::Duration;

use record::{CPU_LIMIT, DISK_LIMIT, HARD_LIMIT, MEMORY_LIMIT, SOFT_LIMIT, SOLVER_LIMIT, Status};
use signal_hook::consts::{SIGABRT, SIGXCPU};

use super::output::{Breach, Transcript};
use super::process::{Measured, PeakOf};
use super::workplace::Workplace;
use super::{Ended, NOT_STARTED};
use crate::protocol::{Answer, Job, REFUSED};
use crate::text::memory;

/// The share of the time limit before whose end nobody can say that time was up.
const EARLY: f64 = 0.9;

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
    /// Its files took so many bytes of disk, of so many.
    Disk { used: u64, limit: u64 },
    /// It broke the protocol, or is not of this build.
    Breach,
    /// It answered and would not end.
    NoExit,
}

/// What the parent saw of a worker, beside its events.
#[derive(Debug)]
pub(super) struct Evidence {
    pub truncated: Option<String>,
    pub breach: Option<Breach>,
    pub cause: Option<Cause>,
    pub measured: Measured,
    pub wall_time: Duration,
    /// Seconds for which this process was stopped or the machine asleep.
    pub stopped_s: Option<f64>,
    pub tail: Option<String>,
}

/// The part of a time limit by which a worker may be late before it is killed, beside a quarter of a second.
pub const GRACE: f64 = 0.05;

/// Seconds beyond a time limit at which the parent steps in: a worker that keeps its limit has said so by then.
pub(super) fn grace(limit_s: f64) -> f64 {
    0.25 + limit_s * GRACE
}

/// Status, reason and messages of an end.
#[derive(Debug)]
struct Finding {
    status: Status,
    reason: String,
    messages: Vec<String>,
}

/// Puts together how a run ended.
pub(super) fn conclude(job: &Job, place: &Workplace, mut transcript: Transcript, seen: &Evidence) -> Ended {
    if seen.breach.is_some() {
        transcript.answer = None;
    }
    let mut finding = find(job, &transcript, seen);
    let (measured, answered) = (&seen.measured, transcript.answer.is_some());
    let of_worker = transcript.answer.as_ref().and_then(|answer| {
        Some((answer.peak_memory_b?, answer.memory_source.clone().unwrap_or_else(|| "VmHWM (worker)".to_owned())))
    });
    let of_parent = measured.peak.map(|(peak, source)| (peak, source.to_owned()));
    let peak = match measured.peak_of {
        PeakOf::Group => of_parent.or(of_worker),
        PeakOf::Sum => of_worker.into_iter().chain(of_parent).max_by_key(|(peak, _)| *peak),
        PeakOf::Worker => of_worker.or(of_parent),
    };
    finding.messages.extend(beyond(job, seen, peak.as_ref().map(|(peak, _)| *peak)));
    Ended {
        started: transcript.started,
        built: transcript.built,
        relaxed: transcript.relaxed,
        iterations: transcript.iterations,
        answer: transcript.answer,
        status: finding.status,
        not_started: finding.reason == NOT_STARTED && !answered,
        termination_reason: finding.reason,
        exit_code: measured.reaped.exit_code,
        exit_signal: measured.reaped.exit_signal,
        wall_time_s: Some(seen.wall_time.as_secs_f64()),
        cpu_time_s: Some(measured.cpu_time_s),
        peak_memory_b: peak.as_ref().map(|p| p.0),
        memory_source: peak.map(|p| p.1),
        isolation: place.isolation().to_owned(),
        stopped_s: seen.stopped_s,
        cpus: place.column(job.threads),
        message: (!finding.messages.is_empty()).then(|| finding.messages.join("; ")),
    }
}

/// What the figures at the end show to be beyond a limit, where it did not end the run.
fn beyond(job: &Job, seen: &Evidence, peak: Option<u64>) -> Vec<String> {
    let used_memory = peak.filter(|peak| job.memory_limit_b.is_some_and(|limit| *peak > limit));
    let used_cpu_s = Some(seen.measured.cpu_time_s).filter(|used| job.cpu_limit_s.is_some_and(|limit| *used > limit));
    let mut found = Vec::new();
    if let Some(used) = used_memory.filter(|_| !matches!(seen.cause, Some(Cause::Memory(_)))) {
        found.push(format!("took {}", memory_used(job, Some(used))));
    }
    if let Some(used) = used_cpu_s.filter(|_| !matches!(seen.cause, Some(Cause::Cpu(_)))) {
        found.push(format!("took {}", cpu_used(job, used)));
    }
    found
}

fn find(job: &Job, transcript: &Transcript, seen: &Evidence) -> Finding {
    let finding = |status, reason: &str, messages: Vec<String>| Finding { status, reason: reason.to_owned(), messages };
    match &seen.breach {
        Some(Breach::Protocol(reason)) => return finding(Status::Error, "protocol", vec![reason.clone()]),
        Some(Breach::OtherBuild(reason)) => return finding(Status::Lost, NOT_STARTED, vec![reason.clone()]),
        None => {}
    }
    if let Some(answer) = &transcript.answer {
        return answered(job, answer, seen);
    }
    match &seen.cause {
        Some(Cause::Interrupted) => finding(Status::Interrupted, "interrupted", Vec::new()),
        Some(Cause::Deadline) => {
            let limit = job.time_limit_s.unwrap_or_default();
            let message = format!("no answer within {limit} s and a grace of {:.2} s: killed", grace(limit));
            finding(Status::Timeout, HARD_LIMIT, vec![message])
        }
        Some(Cause::Memory(used)) => {
            finding(Status::Memout, MEMORY_LIMIT, vec![format!("{}: killed", memory_used(job, *used))])
        }
        Some(Cause::Cpu(used)) => {
            finding(Status::Timeout, CPU_LIMIT, vec![format!("{}: killed", cpu_used(job, *used))])
        }
        Some(Cause::Disk { used, limit }) => {
            finding(Status::Memout, DISK_LIMIT, vec![format!("{}: killed", disk_used(*used, *limit))])
        }
        Some(Cause::Breach | Cause::NoExit) | None => unanswered(job, transcript, seen),
    }
}

/// The worker answered: its claim stands, with a remark if its end was not clean.
fn answered(job: &Job, answer: &Answer, seen: &Evidence) -> Finding {
    let mut messages: Vec<String> = answer.message.iter().cloned().collect();
    let killed = |why: &str| format!("answered, and had not ended when it was killed: {why}");
    match (&seen.cause, seen.measured.reaped.exit_code, seen.measured.reaped.exit_signal) {
        (Some(Cause::Interrupted), ..) => messages.push(killed("the session was interrupted")),
        (Some(Cause::Deadline), ..) => messages.push(killed("the time limit and its grace were over")),
        (Some(Cause::Memory(used)), ..) => messages.push(killed(&memory_used(job, *used))),
        (Some(Cause::Cpu(used)), ..) => messages.push(killed(&cpu_used(job, *used))),
        (Some(Cause::Disk { used, limit }), ..) => messages.push(killed(&disk_used(*used, *limit))),
        (Some(Cause::NoExit | Cause::Breach), ..) => {
            messages.push("the worker had not ended after its answer and was killed".to_owned());
        }
        (None, Some(0), _) => {}
        (None, Some(code), _) => messages.push(format!("exit code {code} after the answer")),
        (None, None, Some(signal)) => messages.push(format!("{} after the answer", signal_text(signal))),
        (None, None, None) => {}
    }
    // A solver that was refused memory says so in its own words.
    if answer.status == Status::Error && refused_memory(job, &messages, seen) {
        messages.push(format!("memory was limited to {}", memory_limit(job)));
        return Finding { status: Status::Memout, reason: MEMORY_LIMIT.to_owned(), messages };
    }
    let reason = match answer.status {
        Status::Timeout if answer.reason != SOLVER_LIMIT && is_early(job, seen.wall_time) => {
            messages.push(early(job, seen.wall_time));
            SOLVER_LIMIT.to_owned()
        }
        // A limit of the solver's own says nothing of the time.
        Status::Timeout if answer.reason != SOLVER_LIMIT => SOFT_LIMIT.to_owned(),
        status if answer.reason.is_empty() => status.to_string(),
        _ => answer.reason.clone(),
    };
    Finding { status: answer.status, reason, messages }
}

/// Whether a run took so little of its time limit that it cannot have been that which struck.
fn is_early(job: &Job, wall_time: Duration) -> bool {
    job.time_limit_s.is_none_or(|limit| wall_time.as_secs_f64() < limit * EARLY)
}

fn early(job: &Job, wall_time: Duration) -> String {
    let limit = job.time_limit_s.map_or_else(|| ", without a time limit".to_owned(), |limit| format!(" of {limit} s"));
    format!("claims a timeout after {} s{limit}", precise(wall_time.as_secs_f64()))
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
    let says = messages.iter().any(|message| tells_of_memory(message));
    let died = messages.iter().any(|message| message.contains("killed by signal"));
    seen.measured.out_of_memory || (seen.measured.data_limit_b.is_some() && (says || (died && is_near(job, seen))))
}

/// Whether a run had nearly as much memory as it may.
fn is_near(job: &Job, seen: &Evidence) -> bool {
    seen.measured.peak.zip(job.memory_limit_b).is_some_and(|((peak, _), limit)| peak >= limit - limit / 10)
}

/// Words of allocators, C++ and Rust runtimes and the C library.
fn tells_of_memory(text: &str) -> bool {
    let text = text.to_lowercase();
    let words = ["bad_alloc", "memory allocation of", "out of memory", "memory exhausted", "cannot allocate memory"];
    words.iter().any(|words| text.contains(words))
}

/// Memory beyond its limit, in words.
fn memory_used(job: &Job, used: Option<u64>) -> String {
    let used = used.map_or_else(String::new, |used| format!("{} of ", memory(used)));
    format!("{used}at most {}", memory_limit(job))
}

fn memory_limit(job: &Job) -> String {
    memory(job.memory_limit_b.unwrap_or_default())
}

/// Disk space beyond its limit, in words.
fn disk_used(used: u64, limit: u64) -> String {
    format!("files of {} of at most {}", memory(used), memory(limit))
}

/// CPU time beyond its limit, in words.
fn cpu_used(job: &Job, used: f64) -> String {
    format!("{} s of CPU time of at most {} s", precise(used), job.cpu_limit_s.unwrap_or_default())
}

/// Seconds with as many places as tell them from a small limit.
fn precise(seconds: f64) -> String {
    if seconds < 1.0 { format!("{seconds:.3}") } else { format!("{seconds:.2}") }
}

/// The worker ended by itself, without an answer.
fn unanswered(job: &Job, transcript: &Transcript, seen: &Evidence) -> Finding {
    let (status, reason, what) = match (seen.measured.reaped.exit_signal, seen.measured.reaped.exit_code) {
        _ if died_of_memory(job, seen) => {
            (Status::Memout, MEMORY_LIMIT, format!("stopped at its limit of {}", memory_limit(job)))
        }
        (Some(SIGXCPU), _) if job.cpu_limit_s.is_some() => {
            (Status::Timeout, CPU_LIMIT, "the kernel ended it beyond its CPU time".to_owned())
        }
        (Some(signal), _) => (Status::Crash, "signal", signal_text(signal)),
        (None, Some(REFUSED)) if transcript.started.is_none() => {
            (Status::Lost, NOT_STARTED, "the worker refused the job".to_owned())
        }
        (None, Some(code)) if code != 0 => (Status::Error, "exit-code", format!("exit code {code}")),
        _ => match &seen.truncated {
            Some(line) => (Status::Error, "protocol", format!("the last line is no event: {line:?}")),
            None => (Status::Lost, "no-answer", "the worker ended without an answer".to_owned()),
        },
    };
    let mut messages = vec![what];
    messages.extend(seen.tail.clone());
    Finding { status, reason: reason.to_owned(), messages }
}

fn signal_text(signal: i32) -> String {
    match signal_hook::low_level::signal_name(signal) {
        // Not sent by this program, which would have said so.
        Some("SIGKILL") => "SIGKILL from outside (perhaps the kernel, out of memory)".to_owned(),
        Some(name) => format!("signal {name}"),
        None => format!("signal {signal}"),
    }
}
