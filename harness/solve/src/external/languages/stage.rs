//! One call of a program: what it needs to be judged by.

use std::fs;
use std::io;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use crate::backend::{SessionOptions, Solve, SolveStatus};
use crate::error::SolveError;
use crate::external::process::{self, End};
use crate::external::session::{MEMORY, MOST, grace};
use crate::external::text::{line_with, tail};

/// The calls of a solver.
#[derive(Debug, Clone)]
pub(super) struct Stage {
    pub solver: &'static str,
    /// What the call does, for messages.
    pub call: &'static str,
    pub time_limit: Option<Duration>,
    /// Whether its output goes to standard output too.
    pub echo: bool,
}

/// How a call ended.
#[derive(Debug)]
pub(super) struct Ended {
    pub end: End,
    /// All that it printed.
    pub printed: String,
    /// Whether its time was over, or nearly.
    pub out_of_time: bool,
}

impl Stage {
    /// Runs a command in a directory; what it prints goes to a file there.
    ///
    /// # Errors
    /// A program that cannot be run.
    pub fn run(&self, mut command: Command, directory: &Path, file: &str) -> Result<Ended, SolveError> {
        command.current_dir(directory);
        let start = Instant::now();
        let until = self.time_limit.and_then(|limit| start.checked_add(limit)?.checked_add(grace(limit)));
        let output = directory.join(file);
        let end = process::run(command, &output, until, self.echo).map_err(|e| self.failed(&e))?;
        let ran = start.elapsed();
        let bytes = fs::read(&output).map_err(|e| self.failed(&e))?;
        let out_of_time = self.time_limit.is_some_and(|limit| ran >= limit.mul_f64(MOST));
        Ok(Ended { end, printed: String::from_utf8_lossy(&bytes).into_owned(), out_of_time })
    }

    /// The outcome where no time is left to begin.
    pub fn late(&self) -> Option<Solve> {
        let native = || format!("no time left to {}", self.call);
        (self.time_limit == Some(Duration::ZERO)).then(|| Solve::of(SolveStatus::Timeout, native()))
    }

    /// What became of a call that gave no answer: killed at the limit, out of memory, or failed.
    ///
    /// # Errors
    /// The failure.
    pub fn without_answer(&self, ended: &Ended) -> Result<Solve, SolveError> {
        let what = match ended.end {
            End::Killed => {
                return Ok(Solve::of(SolveStatus::Timeout, format!("killed at the time limit: {}", self.call)));
            }
            End::Exit(0) => "it says nothing of an answer".to_owned(),
            End::Exit(code) => format!("it ended with exit code {code}"),
            End::Signal(signal) => format!("it was killed by signal {signal}"),
        };
        match MEMORY.iter().find_map(|part| line_with(&ended.printed, part)).filter(|_| ended.end != End::Exit(0)) {
            Some(line) => Ok(Solve::of(SolveStatus::Memout, line)),
            None => Err(self.wrong(format!("{what}; {}", tail(&ended.printed)))),
        }
    }

    pub fn failed(&self, error: &io::Error) -> SolveError {
        self.wrong(error.to_string())
    }

    pub fn wrong(&self, reason: String) -> SolveError {
        SolveError::Call { solver: self.solver, call: self.call, reason }
    }
}

/// Refuses more threads than one, and seeds above those that a program takes, where it cannot have them.
pub(super) fn refuse_excess(solver: &'static str, options: &SessionOptions) -> Result<(), SolveError> {
    let most = i32::MAX as u64;
    if options.seed > most {
        let reason = format!("a seed of {}, above {most}", options.seed);
        return Err(SolveError::Unsupported { solver, reason });
    }
    Ok(())
}
