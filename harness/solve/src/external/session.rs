//! Calls of programs: one call and what it needs to be judged by, and the solves of a run by a program that reads models from files.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::process::Command;

use tempfile::TempDir;

use super::call::{Call, LOG, SOLUTION};
use super::files::{FileModel, Format, Left, Reader, accept, line_with, tail};
use super::process::{self, End, grace};
use crate::backend::*;

/// The part of its time after which a program that gives up has struck its time limit: clocks differ a little.
const MOST: f64 = 0.9;

/// How long a rehearsal may take. A program that takes longer is not waited for: it says what it has to say when it solves.
pub(super) const REHEARSAL: Duration = Duration::from_secs(1);

/// What programs print when memory is short; it counts when they fail.
const MEMORY: [&str; 6] = [
    "memory allocation limit exceeded",
    "std::bad_alloc",
    "ut of memory",
    "ut-of-memory",
    "OUT OF MEMORY",
    "annot allocate memory",
];

#[derive(Debug, Clone)]
pub(super) struct Stage {
    pub solver: &'static str,
    /// What the call does, for messages.
    pub call: &'static str,
    pub time_limit: Option<Duration>,
    /// Whether its output goes to standard output too.
    pub echo: bool,
    /// Whether it is interrupted at its time limit, as it tells then what it has.
    pub interrupt: bool,
}

#[derive(Debug)]
pub(super) struct Ended {
    pub end: End,
    /// Whether it went on until its time limit, and was interrupted there.
    pub interrupted: bool,
    pub printed: String,
    pub ran: Duration,
}

impl Ended {
    /// Whether a time limit was over, or nearly.
    pub fn out_of(&self, time_limit: Option<Duration>) -> bool {
        time_limit.is_some_and(|limit| self.ran >= limit.mul_f64(MOST))
    }
}

impl Stage {
    pub fn directory(&self) -> Result<TempDir, SolveError> {
        tempfile::Builder::new().prefix("tilebench-").tempdir().map_err(self.failed("make a directory"))
    }

    /// Runs a command; what it prints goes to a file. Where no time is left, it is as if it had been killed at once.
    pub fn run(&self, command: Command, output: &Path) -> Result<Ended, SolveError> {
        self.run_apart(command, output, None)
    }

    /// The same, with what it complains of in a file of its own.
    pub fn run_apart(&self, command: Command, output: &Path, complaints: Option<&Path>) -> Result<Ended, SolveError> {
        if self.time_limit == Some(Duration::ZERO) {
            return Ok(Ended { end: End::Killed, interrupted: false, printed: String::new(), ran: Duration::ZERO });
        }
        let start = Instant::now();
        let limit = self.time_limit.and_then(|limit| start.checked_add(limit));
        let until = limit.and_then(|at| at.checked_add(grace(self.time_limit?)));
        let interrupt = limit.filter(|_| self.interrupt);
        let run = || {
            let out = File::create(output)?;
            let echo = self.echo.then(|| File::open(output)).transpose()?;
            let err = complaints.map_or_else(|| out.try_clone(), File::create)?;
            process::run(command, [&out, &err], echo, interrupt, until)
        };
        let end = run().map_err(self.failed("run"))?;
        let ran = start.elapsed();
        let interrupted = interrupt.is_some() && self.time_limit.is_some_and(|limit| ran >= limit);
        Ok(Ended { end, interrupted, printed: self.read(output)?.unwrap_or_default(), ran })
    }

    /// The outcome of a call that gave no answer: killed at the limit, or out of memory.
    /// Errors: it failed.
    pub fn without_answer(&self, ended: &Ended) -> Result<Solve, SolveError> {
        let late = |native: &str| Ok(Solve::of(SolveStatus::Timeout, format!("{native} {}", self.call)));
        let what = match ended.end {
            End::Killed if ended.ran.is_zero() => return late("no time left to"),
            End::Killed => return late("killed at the time limit:"),
            _ if ended.interrupted => return late("killed at the time limit:"),
            End::Exit(0) => "it says nothing of an answer".to_owned(),
            End::Exit(code) => format!("it ended with exit code {code}"),
            End::Signal(signal) => format!("it was killed by signal {signal}"),
        };
        match MEMORY.iter().find_map(|part| line_with(&ended.printed, part)).filter(|_| ended.end != End::Exit(0)) {
            Some(line) => Ok(Solve::of(SolveStatus::Memout, line)),
            None => Err(self.wrong(what, ended)),
        }
    }

    /// The call came before what it needs.
    pub fn unprepared(&self) -> SolveError {
        SolveError::call(self.solver, self.call, "nothing was compiled or grounded before")
    }

    pub fn failed(&self, call: &'static str) -> impl Fn(io::Error) -> SolveError {
        let solver = self.solver;
        move |e| SolveError::call(solver, call, e)
    }

    /// What is wrong with what a program left, and the last that it printed.
    pub fn wrong(&self, reason: impl Into<String>, ended: &Ended) -> SolveError {
        SolveError::call(self.solver, self.call, format!("{}; {}", reason.into(), tail(&ended.printed)))
    }

    pub fn read(&self, path: &Path) -> Result<Option<String>, SolveError> {
        match fs::read(path) {
            Ok(bytes) => Ok(Some(process::text(bytes))),
            Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(e) => Err(self.failed("read what it left")(e)),
        }
    }
}

/// Makes the command for a call. Errors: a program that is not there, files that it needs and that cannot be written.
pub(super) type MakeCommand = Box<dyn Fn(&Call<'_>) -> Result<Command, SolveError>>;

/// How a program that ran on a model ended, with its solution file if it wrote one.
type Finished = (Stage, Ended, Option<String>);

/// The solves of one run by a program. Every one is a process of its own.
pub(super) struct ProgramSession {
    pub name: &'static str,
    pub command: MakeCommand,
    /// Arguments of the user's that are options of the program.
    pub arguments: Vec<String>,
    pub reader: &'static Reader,
    pub format: Format,
    /// Whether the harness knows the program by name.
    pub named: bool,
    /// Whether it is interrupted at its time limit, as it tells then what it has.
    pub interrupt: bool,
    /// The options are those of the program alone.
    pub options: SessionOptions,
}

impl<F: FileModel> Session<F> for ProgramSession {
    fn solve(&mut self, model: &F, deadline: &Deadline) -> Result<Solved<F::Value>, SolveError> {
        let (stage, ended, solution) = match self.run(|file| model.write(self.format, file), deadline)? {
            Ok(finished) => finished,
            Err(outcome) => return Ok(Solved::without_values(outcome)),
        };
        let exit = match ended.end {
            End::Exit(code) if self.reader.codes.contains(&code) => code,
            _ => return stage.without_answer(&ended).map(Solved::without_values),
        };
        let (log, solution, out_of_time) =
            (ended.printed.as_str(), solution.as_deref(), ended.out_of(stage.time_limit));
        let left = Left { log, solution, out_of_time, exit, named: self.named };
        let solved = (self.reader.read)(left).and_then(|report| accept(model, report, self.format));
        solved.map_err(|reason| stage.wrong(reason, &ended))
    }
}

impl ProgramSession {
    /// For the kind of the models that its format is for.
    pub fn opened(self) -> Opened {
        match self.format.kind() {
            FormulationKind::Sat => Opened::Sat(Box::new(self)),
            _ => Opened::Mip(Box::new(self)),
        }
    }

    /// Runs the program on a model; an outcome where its time is over before it starts or when it is killed.
    fn run(
        &self,
        write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
        deadline: &Deadline,
    ) -> Result<Result<Finished, Solve>, SolveError> {
        let (echo, interrupt) = (self.options.verbose, self.interrupt);
        let mut stage = Stage { solver: self.name, call: "solve", time_limit: deadline.left(), echo, interrupt };
        let directory = stage.directory()?;
        let path = directory.path();
        let file = File::create(path.join(self.format.file_name()));
        let mut file = BufWriter::new(file.map_err(stage.failed("write the model"))?);
        write(&mut file).and_then(|()| file.flush()).map_err(stage.failed("write the model"))?;
        drop(file);
        stage.time_limit = deadline.left();
        let call = Call {
            directory: path,
            format: self.format,
            time_limit: stage.time_limit,
            seed: self.options.seed,
            threads: self.options.threads.max(1),
            options: &self.options.options,
        };
        let mut ended = stage.run((self.command)(&call)?, &path.join("printed"))?;
        if ended.end == End::Killed {
            return stage.without_answer(&ended).map(Err);
        }
        if let Some(log) = stage.read(&path.join(LOG))?.filter(|log| !log.is_empty()) {
            ended.printed = ended.printed + "\n" + &log;
        }
        if let Some(reason) = self.reader.licence.iter().find_map(|part| line_with(&ended.printed, part)) {
            return Err(SolveError::Licence { solver: self.name, reason: reason.to_owned() });
        }
        let refuses = |line: &&str| self.reader.refusals.iter().any(|part| line.contains(part));
        let refusals = || ended.printed.lines().filter(refuses);
        if let Some(first) = refusals().next() {
            let call = || SolveError::call(self.name, "solve", first.trim());
            return Err(refusals().find_map(|line| self.refused(line)).unwrap_or_else(call));
        }
        let solution = stage.read(&path.join(SOLUTION))?;
        Ok(Ok((stage, ended, solution)))
    }

    /// Runs the program on a model of one variable, by which it says whether it takes its options before a large model is built.
    /// Errors: an option that is refused, a program that is not there or has no licence. Whatever else goes wrong is
    /// left to the solve that counts.
    pub fn rehearse(&self) -> Result<(), SolveError> {
        match self.run(|file| file.write_all(self.format.smallest().as_bytes()), &Deadline::of(Some(REHEARSAL))) {
            Ok(_) | Err(SolveError::Call { .. }) => Ok(()),
            Err(error) => Err(error),
        }
    }

    /// Says which option it is, if the line names one of those that were given.
    fn refused(&self, line: &str) -> Option<SolveError> {
        let is_part = |c: char| c.is_alphanumeric() || ['_', '-'].contains(&c);
        let words: Vec<&str> = line.split(|c| !is_part(c)).map(|word| word.trim_matches('-')).collect();
        let names = |name: &str| {
            let last = name.trim_end().rsplit(['/', ' ']).next().unwrap_or(name);
            !last.is_empty() && words.iter().any(|word| word.eq_ignore_ascii_case(last))
        };
        if let Some((option, value)) = self.options.options.iter().find(|(name, _)| names(name)) {
            return Some(refused(self.name, option, value));
        }
        let name = |word: &str| word.trim_start_matches('-').split('=').next().unwrap_or_default().to_owned();
        let word = self.arguments.iter().find(|word| names(&name(word)))?;
        Some(refused(self.name, "arguments", word))
    }
}
