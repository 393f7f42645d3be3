//! From what was said and seen to what became of the run.
//!
//! An answer counts even when the worker died or was killed after it: the judge verifies it anyway. A worker
//! that broke the protocol is not believed at all.

use std::time::Duration;

use record::Status;

use super::execute::{Cause, grace};
use super::group::Memory;
use super::sys::Reaped;
use super::transcript::Transcript;
use super::{Ended, ISOLATION, NOT_STARTED};
use crate::protocol::{Job, REFUSED};

/// What the parent saw of a worker, beside its events.
#[derive(Debug)]
pub(super) struct Evidence {
    pub torn: Option<String>,
    pub cause: Option<Cause>,
    pub memory: Option<Memory>,
    pub reaped: Reaped,
    pub wall_time: Duration,
    pub tail: Option<String>,
}

/// Status, reason and messages of an end.
struct Finding {
    status: Status,
    reason: String,
    messages: Vec<String>,
}

/// Puts together how a run ended.
pub(super) fn conclude(job: &Job, transcript: Transcript, seen: &Evidence) -> Ended {
    let finding = find(job, &transcript, seen);
    let of_worker = transcript.answer.as_ref().and_then(|answer| answer.peak_memory_b).map(|peak| {
        let source = transcript.answer.as_ref().and_then(|answer| answer.memory_source.clone());
        (peak, source.unwrap_or_else(|| "VmHWM (worker)".to_owned()))
    });
    let peak = of_worker.or_else(|| seen.memory.map(|m| (m.peak, "VmHWM (parent poll)".to_owned())));
    Ended {
        started: transcript.started,
        built: transcript.built,
        iterations: transcript.iterations,
        answer: transcript.answer,
        status: finding.status,
        termination_reason: finding.reason,
        exit_code: seen.reaped.exit_code,
        exit_signal: seen.reaped.exit_signal,
        wall_time_s: Some(seen.wall_time.as_secs_f64()),
        cpu_time_s: Some(seen.reaped.cpu_time_s),
        peak_memory_b: peak.as_ref().map(|p| p.0),
        memory_source: peak.map(|p| p.1),
        isolation: ISOLATION.to_owned(),
        cpus: None,
        message: (!finding.messages.is_empty()).then(|| finding.messages.join("; ")),
    }
}

fn find(job: &Job, transcript: &Transcript, seen: &Evidence) -> Finding {
    let finding = |status, reason: &str, messages: Vec<String>| Finding { status, reason: reason.to_owned(), messages };
    match &seen.cause {
        Some(Cause::Protocol(reason)) => return finding(Status::Error, "protocol", vec![reason.clone()]),
        Some(Cause::OtherBuild(reason)) => return finding(Status::Lost, NOT_STARTED, vec![reason.clone()]),
        _ => {}
    }
    if transcript.answer.is_some() {
        return answered(transcript, seen);
    }
    match &seen.cause {
        Some(Cause::Interrupted) => finding(Status::Interrupted, "interrupted", Vec::new()),
        Some(Cause::Deadline) => {
            let limit = job.time_limit_s.unwrap_or_default();
            let message = format!("no answer within {limit} s and a grace of {} s: killed", grace(limit));
            finding(Status::Timeout, "hard-limit", vec![message])
        }
        Some(Cause::Memory(used)) => {
            let limit = job.memory_limit_b.unwrap_or_default();
            finding(Status::Memout, "memory-limit", vec![format!("{used} bytes of at most {limit}: killed")])
        }
        Some(Cause::Protocol(_) | Cause::OtherBuild(_) | Cause::Farewell) | None => unanswered(transcript, seen),
    }
}

/// The worker answered: its claim stands, with a remark if its end was not clean.
fn answered(transcript: &Transcript, seen: &Evidence) -> Finding {
    let Some(answer) = &transcript.answer else { return unanswered(transcript, seen) };
    let mut messages: Vec<String> = answer.message.iter().cloned().collect();
    match (&seen.cause, seen.reaped.exit_code, seen.reaped.exit_signal) {
        (Some(_), ..) => messages.push("the worker had not ended after its answer and was killed".to_owned()),
        (None, Some(0), _) => {}
        (None, Some(code), _) => messages.push(format!("exit code {code} after the answer")),
        (None, None, Some(signal)) => messages.push(format!("{} after the answer", signal_text(signal))),
        (None, None, None) => {}
    }
    let reason = match answer.status {
        Status::Timeout => "soft-limit".to_owned(),
        status if answer.reason.is_empty() => status.to_string(),
        _ => answer.reason.clone(),
    };
    Finding { status: answer.status, reason, messages }
}

/// The worker ended by itself, without an answer.
fn unanswered(transcript: &Transcript, seen: &Evidence) -> Finding {
    let (status, reason, what) = match (seen.reaped.exit_signal, seen.reaped.exit_code) {
        (Some(signal), _) => (Status::Crash, "signal", signal_text(signal)),
        (None, Some(REFUSED)) if transcript.started.is_none() => {
            (Status::Lost, NOT_STARTED, "the worker refused the job".to_owned())
        }
        (None, Some(code)) if code != 0 => (Status::Error, "exit-code", format!("exit code {code}")),
        _ => match &seen.torn {
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
