//! Solvers that are packages of Python and have no library to link: a script runs beside the worker for as long as a session does.
//!
//! It is given settings and models, models as JSON, and answers in lines of text. It starts, and loads the package, when the
//! session is opened: that is not part of any solve. What all scripts have in common is `python/session.py`.

use std::env;
use std::fmt::Display;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use crate::backend::*;
use crate::external::ask;

/// Our option that names the Python to use.
const PYTHON: &str = "python";

/// How long Python may take to find the package: on a machine that has just started it reads much.
const PATIENCE: Duration = Duration::from_secs(20);

/// A package and the script that uses it.
pub(crate) struct Package {
    /// The solver, as configs name it.
    pub solver: &'static str,
    /// The package, by which it is installed and imported.
    pub name: &'static str,
    pub install: &'static str,
    /// The version, in Python.
    pub version: &'static str,
    /// The part of the script that is its own.
    pub script: &'static str,
}

impl Package {
    /// The version of the solver, as it says itself.
    /// Errors: there is no such Python, or it lacks the package.
    pub fn version(&self, options: &BTreeMap<String, String>) -> Result<String, SolveError> {
        let (python, name) = (python(options), self.name);
        let mut command = Command::new(&python);
        command.args(["-c", &format!("import {name}; print('{name}', {})", self.version)]);
        let (exit, printed) =
            ask(command, PATIENCE).map_err(|reason| self.missing(&python, &format!("cannot be asked: {reason}")))?;
        // Warnings may stand before it.
        let version = printed.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' ')).map(str::trim);
        match version.filter(|version| exit == 0 && !version.is_empty()) {
            Some(version) => Ok(version.to_owned()),
            None => Err(self.missing(&python, &format!("has no package {name}"))),
        }
    }

    fn missing(&self, python: &str, what: &str) -> SolveError {
        SolveError::Missing { solver: self.solver, reason: format!("{python} {what}"), remedy: self.install.to_owned() }
    }

    pub fn failed(&self, call: &'static str, reason: impl Display) -> SolveError {
        SolveError::call(self.solver, call, reason)
    }

    /// Starts the script with some settings, the seed, and options of the solver; `ours` are the options that are none of its own.
    /// Errors: there is no such Python, it lacks the package, or the solver refuses an option.
    pub fn start(
        &'static self,
        options: &SessionOptions,
        ours: &[&str],
        settings: &[(&str, u32)],
    ) -> Result<Process, SolveError> {
        let python = &python(&options.options);
        let is_own = |option: &String| option != PYTHON && !ours.contains(&option.as_str());
        let given = || options.options.iter().filter(|(option, _)| is_own(option));
        // The script reads an option a line.
        if let Some((option, value)) = given().find(|(option, _)| option.contains(' ')) {
            return Err(refused(self.solver, option, value));
        }
        options.seed_up_to(self.solver, i32::MAX as u64)?;
        // What is no Python may never answer.
        self.version(&options.options)?;
        let mut command = Command::new(python);
        let script = format!("{COMMON}\n{}", self.script);
        command.args(["-c", &script]).stdin(Stdio::piped()).stdout(Stdio::piped());
        system::die_with_parent(&mut command);
        let mut child = command.spawn().map_err(|error| self.failed("start", error))?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(self.failed("start", "no pipes"));
        };
        let mut process = Process { package: self, child, input, output: BufReader::new(output) };
        let mut text = format!("seed {}\nverbose {}\n", options.seed, u8::from(options.verbose));
        text.extend(settings.iter().map(|(name, value)| format!("{name} {value}\n")));
        text.extend(given().map(|(option, value)| format!("option {option} {value}\n")));
        text.push_str("open\n");
        // Where the script has ended already, there is no answer either, which says more.
        let _ = process.say(text.as_bytes());
        let answer = process.answer()?;
        match answer.split_once(' ') {
            Some(("ready", _)) => Ok(process),
            Some(("missing", why)) => Err(self.missing(python, why)),
            Some(("refused", said)) => {
                let why = |option: &str| said.strip_prefix(option)?.strip_prefix(": ");
                match given().find_map(|(option, value)| Some((option, value, why(option)?))) {
                    Some((option, value, why)) => Err(refused_because(self.solver, option, value, why)),
                    None => Err(self.failed("start", format!("refused {said:?}, which it was not given"))),
                }
            }
            _ => Err(self.failed("start", format!("answered {answer:?}"))),
        }
    }
}

fn python(options: &BTreeMap<String, String>) -> String {
    options
        .get(PYTHON)
        .cloned()
        .or_else(|| env::var("TILEBENCH_PYTHON").ok().filter(|path| !path.is_empty()))
        .unwrap_or_else(|| "python3".to_owned())
}

const COMMON: &str = include_str!("python/session.py");

/// A running script that has taken its options.
pub(crate) struct Process {
    package: &'static Package,
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Process {
    /// Gives it a model to solve; an outcome where no time is left for that. `how` stands behind the time limit.
    pub fn give<F: serde::Serialize>(
        &mut self,
        model: &F,
        deadline: &Deadline,
        how: &str,
    ) -> Result<Option<Solve>, SolveError> {
        let text = self.json(model)?;
        let left = deadline.left();
        if left == Some(Duration::ZERO) {
            return Ok(Some(Solve::of(SolveStatus::Timeout, "no time left")));
        }
        let limit = left.map_or_else(|| "none".to_owned(), |left| left.as_secs_f64().to_string());
        self.say(format!("solve {limit}{how}\n").as_bytes())?;
        self.say(&text)?;
        Ok(None)
    }

    /// A line of JSON.
    pub fn json<T: serde::Serialize + ?Sized>(&self, what: &T) -> Result<Vec<u8>, SolveError> {
        let mut text = serde_json::to_vec(what).map_err(|error| self.package.failed("json", error))?;
        text.push(b'\n');
        Ok(text)
    }

    pub fn say(&mut self, text: &[u8]) -> Result<(), SolveError> {
        let said = self.input.write_all(text).and_then(|()| self.input.flush());
        said.map_err(|error| self.package.failed("write", error))
    }

    /// Its next line.
    pub fn answer(&mut self) -> Result<String, SolveError> {
        let mut line = String::new();
        match self.output.read_line(&mut line) {
            Ok(1..) => Ok(line.trim_end().to_owned()),
            Ok(0) => Err(self.package.failed("solve", "Python ended; the log has its reasons")),
            Err(error) => Err(self.package.failed("read", error)),
        }
    }

    /// The values in its next line.
    pub fn values<V: std::str::FromStr>(&mut self) -> Result<Vec<V>, SolveError> {
        let (line, package) = (self.answer()?, self.package);
        let words = line.strip_prefix("values").ok_or_else(|| package.failed("solve", format!("answered {line:?}")))?;
        let value = |word: &str| word.parse().map_err(|_| package.failed("solve", format!("a value {word:?}")));
        words.split_whitespace().map(value).collect()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // It has nothing to finish, and may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
