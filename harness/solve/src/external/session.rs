//! One solve by a program: the model into a directory of its own, the program over it, its answer out of it.

use std::fs;
use std::io;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use super::command::{Call, LOG, SOLUTION};
use super::formats::Format;
use super::process::{self, End};
use super::reader::{Left, Reader};
use super::text::{line_with, tail};
use super::values::{External, accept};
use crate::backend::{Session, SessionOptions, Solve, SolveStatus, Solved};
use crate::error::SolveError;

/// How long a program may go on after its time limit, to write what it has, and the part of the limit that is added to
/// it. It is less than what the runner grants a worker.
const GRACE: (Duration, f64) = (Duration::from_millis(200), 0.02);

/// The part of its time after which a program that gives up has struck its time limit: clocks differ a little.
pub(super) const MOST: f64 = 0.9;

/// What programs print when memory is short; it counts when they fail.
pub(super) const MEMORY: [&str; 6] = [
    "memory allocation limit exceeded",
    "std::bad_alloc",
    "ut of memory",
    "ut-of-memory",
    "OUT OF MEMORY",
    "annot allocate memory",
];

/// Who knows how to call a program.
pub(super) trait Caller {
    /// The command for a call, in full.
    ///
    /// # Errors
    /// A program that is not there; files that it needs and that cannot be written.
    fn command(&self, call: &Call<'_>) -> Result<Command, SolveError>;

    /// Arguments of the user's that are options of the program.
    fn arguments(&self) -> &[String] {
        &[]
    }
}

/// The solves of one run by a program.
pub(super) struct ProgramSession<C> {
    pub name: &'static str,
    pub caller: C,
    pub reader: &'static Reader,
    pub format: Format,
    /// Whether the harness knows the program by name.
    pub named: bool,
    /// The options are those of the program alone.
    pub options: SessionOptions,
}

impl<C: Caller, F: External> Session<F> for ProgramSession<C> {
    fn solve(&mut self, model: &F, time_limit: Option<Duration>) -> Result<Solved<F::Value>, SolveError> {
        let deadline = time_limit.and_then(|limit| Instant::now().checked_add(limit));
        let directory = tempfile::Builder::new().prefix("tilebench-").tempdir();
        let directory = directory.map_err(self.failed("make a directory"))?;
        let path = directory.path();
        let written = model.write(self.format, &path.join(self.format.file_name()));
        written.map_err(self.failed("write the model"))?;

        let left = deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
        if left == Some(Duration::ZERO) {
            return Ok(Solved::without_values(Solve::of(SolveStatus::Timeout, "no time left to start it")));
        }
        let call = Call {
            directory: path,
            format: self.format,
            time_limit: left,
            seed: self.options.seed,
            threads: self.options.threads.max(1),
            options: &self.options.options,
        };
        let command = self.caller.command(&call)?;
        let printed = path.join("printed");
        let until = deadline.and_then(|deadline| deadline.checked_add(grace(time_limit?)));
        let start = Instant::now();
        let end = process::run(command, &printed, until, self.options.verbose).map_err(self.failed("run"))?;
        let ran = start.elapsed();
        let log = read(&printed).map_err(self.failed("read its output"))?.unwrap_or_default();
        let own_log = read(&path.join(LOG)).map_err(self.failed("read its log"))?.unwrap_or_default();
        let solution = read(&path.join(SOLUTION)).map_err(self.failed("read the solution file"))?;
        let all = if own_log.is_empty() { log } else { log + "\n" + &own_log };
        let allowed = call.whole_seconds().map(Duration::from_secs).and_then(|whole| Some(whole.min(call.time_limit?)));
        let out_of_time = allowed.is_some_and(|allowed| ran >= allowed.mul_f64(MOST));
        let exit = if let End::Exit(code) = end { Some(code) } else { None };
        let left = Left { log: &all, solution: solution.as_deref(), out_of_time, exit, named: self.named };
        self.conclude(model, end, left)
    }

    // Every solve is a program of its own.
    fn restart(&mut self) {}
}

impl<C: Caller> ProgramSession<C> {
    fn conclude<F: External>(&self, model: &F, end: End, left: Left<'_>) -> Result<Solved<F::Value>, SolveError> {
        if end == End::Killed {
            return Ok(Solved::without_values(Solve::of(SolveStatus::Timeout, "killed at the time limit")));
        }
        let says = |parts: &[&str]| parts.iter().find_map(|part| line_with(left.log, part)).map(str::to_owned);
        if let Some(reason) = says(self.reader.licence) {
            return Err(SolveError::Licence { solver: self.name, reason });
        }
        let refusals = || left.log.lines().filter(|line| self.reader.refusals.iter().any(|part| line.contains(part)));
        if let Some(first) = refusals().next() {
            let error = refusals().find_map(|line| self.refused(line));
            return Err(error.unwrap_or_else(|| self.wrong(first.trim().to_owned())));
        }
        let done = matches!(end, End::Exit(code) if self.reader.codes.contains(&code));
        if !done && let Some(line) = says(&MEMORY) {
            return Ok(Solved::without_values(Solve::of(SolveStatus::Memout, line)));
        }
        let solved = match end {
            End::Signal(signal) => Err(format!("it was killed by signal {signal}")),
            End::Exit(code) if !done => Err(format!("it ended with exit code {code}")),
            _ => (self.reader.read)(left).and_then(|report| accept(model, report, self.format)),
        };
        solved.map_err(|reason| self.wrong(format!("{reason}; {}", tail(left.log))))
    }

    /// Says which option it is, if the line names one of those that were given.
    fn refused(&self, line: &str) -> Option<SolveError> {
        let is_part = |c: char| c.is_alphanumeric() || ['_', '-'].contains(&c);
        let words: Vec<&str> = line.split(|c| !is_part(c)).map(|word| word.trim_matches('-')).collect();
        let names = |name: &str| {
            let last = name.trim_end().rsplit(['/', ' ']).next().unwrap_or(name);
            !last.is_empty() && words.iter().any(|word| word.eq_ignore_ascii_case(last))
        };
        let refused = |option: &str, value: &str| {
            let (option, value) = (option.to_owned(), value.to_owned());
            SolveError::Option { solver: self.name, option, value }
        };
        if let Some((option, value)) = self.options.options.iter().find(|(name, _)| names(name)) {
            return Some(refused(option, value));
        }
        let name = |word: &str| word.trim_start_matches('-').split('=').next().unwrap_or_default().to_owned();
        let word = self.caller.arguments().iter().find(|word| names(&name(word)))?;
        Some(refused("arguments", word))
    }

    fn wrong(&self, reason: String) -> SolveError {
        SolveError::Call { solver: self.name, call: "solve", reason }
    }

    fn failed(&self, call: &'static str) -> impl Fn(io::Error) -> SolveError {
        let solver = self.name;
        move |e| SolveError::Call { solver, call, reason: e.to_string() }
    }
}

/// How long after its time limit a program is killed.
pub(super) fn grace(time_limit: Duration) -> Duration {
    GRACE.0.saturating_add(time_limit.mul_f64(GRACE.1))
}

fn read(path: &Path) -> io::Result<Option<String>> {
    match fs::read(path) {
        Ok(bytes) => Ok(Some(String::from_utf8_lossy(&bytes).into_owned())),
        Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(e) => Err(e),
    }
}
