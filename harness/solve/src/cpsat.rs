//! CP-SAT, the constraint solver of OR-tools, where a Python with the package `ortools` is installed.
//!
//! OR-tools has no library to link, so a script (`session.py`) runs beside the worker for as long as a session does. It is
//! given models as JSON and answers in lines of text. It starts, and loads OR-tools, when the session is
//! opened: that is not part of any solve.

use std::env;
use std::fmt::Display;
use std::io::{BufRead, BufReader, ErrorKind, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::thread;

use model::cp::Model;

use crate::backend::*;
use crate::external::ask;
use crate::linear;

const NAME: &str = "cp-sat";

/// Our option that names the Python to use.
const PYTHON: &str = "python";

/// Our option for the number of workers, each a search of its own kind, where that is not the number of threads: its portfolio needs
/// eight, whatever the cores.
const WORKERS: &str = "workers";

const MOST_WORKERS: u32 = 1024;

/// Parameters that are set from the run, or that would change what an answer means.
const OWN: &str = "num_workers num_search_workers random_seed max_time_in_seconds max_deterministic_time \
                   log_search_progress log_to_stdout log_to_response enumerate_all_solutions";

/// How long Python may take to find the package: on a machine that has just started it reads much.
const PATIENCE: Duration = Duration::from_secs(20);

const INSTALL: &str =
    "pip install ortools, for the python3 on the path or the one that the option python or TILEBENCH_PYTHON names";

pub(crate) struct CpSat;

impl Backend for CpSat {
    fn info(&self) -> BackendInfo {
        let reports = Reports { threads: true, single_loop: true, bound: true, hint: true, ..Reports::SAT };
        let info =
            BackendInfo::of(NAME, &[FormulationKind::Cp, FormulationKind::Mip], "Python package ortools", reports);
        BackendInfo { install: Some(INSTALL), ..info }
    }

    fn version(&self, options: &BTreeMap<String, String>) -> Result<String, SolveError> {
        let python = python(options);
        let mut command = Command::new(&python);
        command.args(["-c", "import ortools; print('ortools', ortools.__version__)"]);
        let said = ask(command, PATIENCE).map_err(|reason| missing(&python, &format!("cannot be asked: {reason}")))?;
        // Warnings may stand before it.
        let version = said.printed.lines().find_map(|line| line.strip_prefix("ortools ")).map(str::trim);
        match version.filter(|version| said.exit == 0 && !version.is_empty()) {
            Some(version) => Ok(version.to_owned()),
            None => Err(missing(&python, "has no package ortools")),
        }
    }

    fn open(&self, kind: FormulationKind, options: &SessionOptions) -> Result<Opened, SolveError> {
        options.refuse_own(NAME, OWN, false)?;
        let session = Box::new(Process::start(&python(&options.options), options)?);
        Ok(if kind == FormulationKind::Mip { linear::by_minimising(session) } else { Opened::Cp(session) })
    }
}

fn python(options: &BTreeMap<String, String>) -> String {
    options.get(PYTHON).cloned().or_else(|| env::var("TILEBENCH_PYTHON").ok()).unwrap_or_else(|| "python3".to_owned())
}

fn missing(python: &str, what: &str) -> SolveError {
    SolveError::Missing { solver: NAME, reason: format!("{python} {what}"), remedy: INSTALL.to_owned() }
}

impl Session<Model> for Process {
    fn solve(&mut self, model: &Model, time_limit: Option<Duration>) -> Result<Solved<i32>, SolveError> {
        let start = Instant::now();
        let mut text = serde_json::to_vec(model).map_err(|error| failed("json", error))?;
        text.push(b'\n');
        let left = left(time_limit, start);
        if left == Some(Duration::ZERO) {
            return Ok(Solved::without_values(Solve::of(SolveStatus::Timeout, "no time left")));
        }
        let limit = left.map_or_else(|| "none".to_owned(), |left| left.as_secs_f64().to_string());
        self.say(format!("solve {limit}\n").as_bytes())?;
        self.say(&text)?;
        let answer = self.answer()?;
        let ["solved", native, counts @ ..] = &answer.split_whitespace().collect::<Vec<_>>()[..] else {
            return Err(failed("solve", format!("answered {answer:?}")));
        };
        let status = match *native {
            "OPTIMAL" => SolveStatus::Optimal,
            "FEASIBLE" => SolveStatus::Feasible,
            "INFEASIBLE" => SolveStatus::Infeasible,
            "UNKNOWN" if time_limit.is_some_and(|limit| start.elapsed() + EARLY >= limit) => SolveStatus::Timeout,
            "UNKNOWN" => SolveStatus::Limit,
            other => return Err(failed("solve", format!("status {other}"))),
        };
        let mut outcome = Solve::of(status, *native);
        let count = |index: usize| counts.get(index).and_then(|count| count.parse().ok());
        (outcome.nodes, outcome.conflicts, outcome.propagations) = (count(0), count(1), count(2));
        outcome.bound = counts.get(3).and_then(|bound| bound.parse().ok());
        let has_solution = matches!(status, SolveStatus::Optimal | SolveStatus::Feasible);
        let values = if has_solution { Some(values(&self.answer()?)?) } else { None };
        Ok(Solved { outcome, values })
    }
}

/// How much earlier than its limit CP-SAT may stop because of it.
const EARLY: Duration = Duration::from_millis(50);

fn values(line: &str) -> Result<Vec<i32>, SolveError> {
    let words = line.strip_prefix("values").ok_or_else(|| failed("solve", format!("answered {line:?}")))?;
    let value = |word: &str| word.parse().map_err(|_| failed("solve", format!("a value {word:?}")));
    words.split_whitespace().map(value).collect()
}

/// What runs in the Python process of a session.
const SCRIPT: &str = include_str!("cpsat/session.py");

/// A running script that has taken its options.
struct Process {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

fn failed(call: &'static str, reason: impl Display) -> SolveError {
    SolveError::call(NAME, call, reason)
}

impl Process {
    /// Errors: there is no such Python, it has no `ortools`, or CP-SAT refuses an option.
    fn start(python: &str, options: &SessionOptions) -> Result<Self, SolveError> {
        let given = || options.options.iter().filter(|(option, _)| ![PYTHON, WORKERS].contains(&option.as_str()));
        let workers = options.options.get(WORKERS).map(|value| {
            let number = value.parse().ok().filter(|number| (1..=MOST_WORKERS).contains(number));
            number.ok_or_else(|| refused(NAME, WORKERS, value))
        });
        let workers = workers.transpose()?.unwrap_or(options.threads.max(1));
        // The script reads an option a line.
        if let Some((option, value)) =
            given().find(|(option, value)| option.contains([' ', '\n']) || value.contains('\n'))
        {
            return Err(refused(NAME, option, value));
        }
        let mut command = Command::new(python);
        command.args(["-c", SCRIPT]).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().map_err(|error| match error.kind() {
            ErrorKind::NotFound => missing(python, "is not there"),
            _ => missing(python, &format!("cannot be started: {error}")),
        })?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(failed("start", "no pipes"));
        };
        let mut process = Self { child, input, output: BufReader::new(output) };
        let verbose = u8::from(options.verbose);
        // CP-SAT's seed is a 32-bit number that is not negative.
        let seed = i32::try_from(options.seed).map_err(|_| failed("random_seed", options.seed))?;
        let mut settings = format!("workers {workers}\nseed {seed}\nverbose {verbose}\n");
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
                Some((option, value)) => Err(refused(NAME, option, value)),
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

    fn say(&mut self, text: &[u8]) -> Result<(), SolveError> {
        self.input.write_all(text).and_then(|()| self.input.flush()).map_err(|error| failed("write", error))
    }

    /// Its next line.
    fn answer(&mut self) -> Result<String, SolveError> {
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
