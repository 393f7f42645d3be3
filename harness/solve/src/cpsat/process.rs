//! The Python process of a session.

use std::fmt::Display;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::thread;
use std::time::Duration;

use super::{NAME, PYTHON, cannot_start, missing};
use crate::backend::SessionOptions;
use crate::error::SolveError;

/// What runs in it.
const SCRIPT: &str = include_str!("session.py");

/// A running script that has taken its options.
pub(super) struct Process {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

pub(super) fn failed(call: &'static str, reason: impl Display) -> SolveError {
    SolveError::Call { solver: NAME, call, reason: reason.to_string() }
}

impl Process {
    /// Starts it.
    ///
    /// # Errors
    /// There is no such Python, it has no `ortools`, or CP-SAT refuses an option.
    pub fn start(python: &str, options: &SessionOptions) -> Result<Self, SolveError> {
        let given = || options.options.iter().filter(|(option, _)| *option != PYTHON);
        let refused = |(option, value): (&String, &String)| SolveError::Option {
            solver: NAME,
            option: option.clone(),
            value: value.clone(),
        };
        // The script reads an option a line.
        if let Some(bad) = given().find(|(option, value)| option.contains([' ', '\n']) || value.contains('\n')) {
            return Err(refused(bad));
        }
        let mut command = Command::new(python);
        command.args(["-c", SCRIPT]).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().map_err(|error| cannot_start(python, &error))?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(failed("start", "no pipes"));
        };
        let mut process = Self { child, input, output: BufReader::new(output) };
        let (threads, verbose) = (options.threads.max(1), u8::from(options.verbose));
        // CP-SAT's seed is a 32-bit number that is not negative.
        let seed = i32::try_from(options.seed).map_err(|_| failed("random_seed", options.seed))?;
        let mut settings = format!("threads {threads}\nseed {seed}\nverbose {verbose}\n");
        for (option, value) in given() {
            settings.push_str(&format!("option {option} {value}\n"));
        }
        settings.push_str("open\n");
        // Where the script has ended already, there is no answer either, which says more.
        let _ = process.say(settings.as_bytes());
        let answer = match process.answer() {
            // The script says something before it ends without an error.
            Err(_) if process.ended_well() => return Err(missing(python, "is no Python: it ended without a word")),
            answer => answer?,
        };
        match answer.split_once(' ') {
            Some(("ready", _)) => Ok(process),
            Some(("missing", why)) => Err(missing(python, why)),
            Some(("refused", option)) => match given().find(|(name, _)| *name == option) {
                Some(option) => Err(refused(option)),
                None => Err(failed("start", format!("refused {option:?}, which it was not given"))),
            },
            _ => Err(failed("start", format!("answered {answer:?}"))),
        }
    }

    /// Whether it ends within a moment, and without an error.
    fn ended_well(&mut self) -> bool {
        for _ in 0..100 {
            if let Ok(Some(status)) = self.child.try_wait() {
                return status.success();
            }
            thread::sleep(Duration::from_millis(10));
        }
        false
    }

    /// Says something to the script.
    ///
    /// # Errors
    /// It has ended.
    pub fn say(&mut self, text: &[u8]) -> Result<(), SolveError> {
        self.input.write_all(text).and_then(|()| self.input.flush()).map_err(|error| failed("write", error))
    }

    /// Its next line.
    ///
    /// # Errors
    /// It has ended.
    pub fn answer(&mut self) -> Result<String, SolveError> {
        let mut line = String::new();
        match self.output.read_line(&mut line) {
            Ok(1..) => Ok(line.trim_end().to_owned()),
            Ok(0) => Err(failed("solve", "Python ended; the log has its reasons")),
            Err(error) => Err(failed("read", error)),
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // It has nothing to finish, and may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
