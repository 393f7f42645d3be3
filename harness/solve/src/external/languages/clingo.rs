//! clingo, of which both parts are called one after the other: gringo grounds, clasp solves.

use std::collections::BTreeMap;
use std::env;
use std::ffi::OsString;
use std::fs;
use std::process::Command;
use std::time::Duration;

use model::{Fact, FormulationKind, Language, Program};
use tempfile::TempDir;

use super::aspif;
use super::stage::{Ended, Stage, refuse_excess};
use crate::backend::{
    Backend, BackendInfo, Opened, Prepared, ProgramSolver, Reports, SessionOptions, Solve, SolveStatus, Solved,
};
use crate::error::SolveError;
use crate::external::command::words;
use crate::external::find::{PATIENCE, Said, ask, locate};
use crate::external::process::End;
use crate::external::session::grace;
use crate::external::text::{after, count, line_with, tail};
use crate::own::own_argument;

const NAME: &str = "clingo";

const INSTALL: &str = "apt-get install gringo, which brings clingo; \
                       pip install clingo with options.python or TILEBENCH_CLINGO_PYTHON naming that Python";

/// Whose Python has the package, where clingo is no program of its own.
const PYTHON: &str = "python";
const PYTHON_VARIABLE: &str = "TILEBENCH_CLINGO_PYTHON";

const MODEL: &str = "model.lp";
const GROUND: &str = "model.aspif";

/// Options that are set from the run, or that make of an answer something else.
const OWN: [&str; 24] = [
    "mode",
    "seed",
    "time-limit",
    "parallel-mode",
    "t",
    "models",
    "n",
    "stats",
    "s",
    "quiet",
    "q",
    "verbose",
    "V",
    "outf",
    "enum-mode",
    "e",
    "project",
    "opt-mode",
    "pre",
    "text",
    "help",
    "h",
    "version",
    "v",
];

/// Exit codes of clasp, which are sums of these where it is not 33 or more.
const INTERRUPTED: i32 = 1;
const SATISFIABLE: i32 = 10;
const EXHAUSTED: i32 = 20;
const MEMORY: i32 = 33;

pub(crate) struct Clingo;

/// How it is called.
#[derive(Debug, Clone)]
struct Choices {
    program: Option<String>,
    python: Option<String>,
    arguments: Vec<OsString>,
}

impl Choices {
    fn of(options: &SessionOptions) -> Result<Self, SolveError> {
        let mut own = options.clone();
        let program = own.options.remove("program");
        let python = own.options.remove(PYTHON);
        let line = own.options.remove("arguments").unwrap_or_default();
        let refused = |option: &str, value: &str| SolveError::Option {
            solver: NAME,
            option: option.to_owned(),
            value: value.to_owned(),
        };
        own.refuse_own(NAME, &OWN, true)?;
        let arguments = words(&line).map_err(|_| refused("arguments", &line))?;
        if let Some(word) = own_argument(&arguments, &OWN, true) {
            return Err(SolveError::OwnOption { solver: NAME, option: format!("arguments {word}") });
        }
        // A word without a dash would be one more file.
        if let Some(word) = arguments.iter().find(|word| !word.starts_with('-')) {
            return Err(refused("arguments", word));
        }
        let named = own.options.iter().map(|(option, value)| format!("--{option}={value}"));
        let arguments = arguments.into_iter().chain(named).map(OsString::from).collect();
        Ok(Self { program, python, arguments })
    }

    /// The Python to use, if it is not clingo's own program.
    fn python(&self) -> Option<String> {
        let set = || env::var(PYTHON_VARIABLE).ok().filter(|value| !value.is_empty() && self.program.is_none());
        self.python.clone().or_else(set)
    }

    fn command(&self) -> Result<Command, SolveError> {
        match self.python().as_deref() {
            Some(python) => {
                let mut command = Command::new(locate(NAME, python, INSTALL, Some(python))?);
                command.args(["-m", "clingo"]);
                Ok(command)
            }
            None => Ok(Command::new(locate(NAME, "clingo", INSTALL, self.program.as_deref())?)),
        }
    }
}

impl Backend for Clingo {
    fn info(&self) -> BackendInfo {
        BackendInfo {
            name: NAME,
            kinds: &[FormulationKind::Asp],
            interface: "clingo, as gringo and as clasp",
            reports: Reports { nodes: true, conflicts: true, threads: true, ..Reports::default() },
            install: Some(INSTALL),
        }
    }

    fn version(&self, options: &BTreeMap<String, String>) -> Result<String, SolveError> {
        let options = SessionOptions { options: options.clone(), ..SessionOptions::default() };
        let mut command = Choices::of(&options)?.command()?;
        let program = command.get_program().to_string_lossy().into_owned();
        command.arg("--version").current_dir(env::temp_dir());
        let missing = |reason| SolveError::Missing { solver: NAME, reason, remedy: format!("see what {program} says") };
        let Said { printed, exit } = ask(command, PATIENCE).map_err(missing)?;
        let version = printed.split_once("clingo version ").and_then(|(_, rest)| rest.split_whitespace().next());
        match version.filter(|_| exit == 0) {
            Some(version) => Ok(version.to_owned()),
            None => Err(missing(format!("{program} tells no version of clingo; {}", tail(&printed)))),
        }
    }

    fn open(&self, kind: FormulationKind, options: &SessionOptions) -> Result<Opened, SolveError> {
        if kind != FormulationKind::Asp {
            let kinds = FormulationKind::Asp.name().to_owned();
            return Err(SolveError::Kind { solver: NAME, kinds, kind, others: String::new() });
        }
        Ok(Opened::Program(Box::new(Session::of(options)?)))
    }

    fn rehearse(&self, options: &SessionOptions) -> Result<(), SolveError> {
        let mut session = Session::of(&SessionOptions { verbose: false, ..options.clone() })?;
        if session.choices.arguments.is_empty() {
            return Ok(());
        }
        let most = Some(Duration::from_secs(1));
        match session.ground("1 { x(1); x(2) } 1.\n", most)? {
            Prepared::Ready(_) => session.solve(most).map(drop),
            Prepared::Ended(_) => Ok(()),
        }
    }
}

struct Session {
    choices: Choices,
    options: SessionOptions,
    /// Where the ground program is.
    ground: Option<TempDir>,
}

impl Session {
    fn of(options: &SessionOptions) -> Result<Self, SolveError> {
        refuse_excess(NAME, options)?;
        Ok(Self { choices: Choices::of(options)?, options: options.clone(), ground: None })
    }

    fn ground(&mut self, text: &str, time_limit: Option<Duration>) -> Result<Prepared, SolveError> {
        self.ground = None;
        // What it prints is the ground program, and not for the log.
        let stage = Stage { solver: NAME, call: "ground", time_limit, echo: false };
        let mut command = self.choices.command()?;
        if let Some(late) = stage.late() {
            return Ok(Prepared::Ended(late));
        }
        let directory = tempfile::Builder::new().prefix("tilebench-").tempdir().map_err(|e| stage.failed(&e))?;
        fs::write(directory.path().join(MODEL), text).map_err(|e| stage.failed(&e))?;
        // Warnings would stand in the ground program.
        command.args(["--mode=gringo", "--warn=none", MODEL]);
        let ended = stage.run(command, directory.path(), GROUND)?;
        match ended.end {
            End::Exit(0) => {
                let size = aspif::size(&ended.printed).map_err(|reason| stage.wrong(reason))?;
                self.ground = Some(directory);
                Ok(Prepared::Ready(size))
            }
            End::Exit(MEMORY) => Ok(Prepared::Ended(Solve::of(SolveStatus::Memout, "out of memory"))),
            _ => stage.without_answer(&ended).map(Prepared::Ended),
        }
    }

    /// The option that clasp says it does not take.
    fn refused(&self, printed: &str) -> Option<SolveError> {
        let line = ["unknown option", "invalid value"].iter().find_map(|part| line_with(printed, part))?;
        let named = |option: &String| line.contains(&format!("'{option}'"));
        let (option, value) = self.options.options.iter().find(|(option, _)| named(option))?;
        Some(SolveError::Option { solver: NAME, option: option.clone(), value: value.clone() })
    }

    fn command(&self, time_limit: Option<Duration>) -> Result<Command, SolveError> {
        let mut command = self.choices.command()?;
        command.args(["--mode=clasp", GROUND]).args(&self.choices.arguments);
        command.args(["--models=1", "--stats=1", "--outf=0"]).arg(format!("--seed={}", self.options.seed));
        if self.options.threads > 1 {
            command.arg(format!("--parallel-mode={}", self.options.threads));
        }
        // It takes whole seconds. Where the next one comes too late, it is killed and tells no figures.
        let whole = time_limit.and_then(|limit| {
            let whole = Duration::from_secs(limit.as_secs_f64().ceil() as u64);
            (whole < limit + grace(limit) / 2).then_some(whole)
        });
        command.args(whole.map(|whole| format!("--time-limit={}", whole.as_secs())));
        Ok(command)
    }
}

impl ProgramSolver for Session {
    fn language(&self) -> Language {
        Language::Asp
    }

    fn prepare(&mut self, program: &Program, time_limit: Option<Duration>) -> Result<Prepared, SolveError> {
        self.ground(&program.text(), time_limit)
    }

    fn solve(&mut self, time_limit: Option<Duration>) -> Result<Solved<Fact>, SolveError> {
        let stage = Stage { solver: NAME, call: "solve", time_limit, echo: self.options.verbose };
        let Some(directory) = &self.ground else {
            return Err(stage.wrong("nothing was grounded before".to_owned()));
        };
        if let Some(late) = stage.late() {
            return Ok(Solved::without_values(late));
        }
        let ended = stage.run(self.command(time_limit)?, directory.path(), "solver")?;
        if let Some(refused) = self.refused(&ended.printed) {
            return Err(refused);
        }
        let answer = answer(&ended, self.choices.python().is_some())
            .map_err(|reason| stage.wrong(format!("{reason}; {}", tail(&ended.printed))))?;
        answer.map_or_else(|| stage.without_answer(&ended).map(Solved::without_values), Ok)
    }
}

/// What clasp says, if it says anything. Its exit code and its words must agree; `any_code`: the package for Python ends with 0
/// whatever it says.
fn answer(ended: &Ended, any_code: bool) -> Result<Option<Solved<Fact>>, String> {
    let End::Exit(code) = ended.end else { return Ok(None) };
    if code == MEMORY {
        return Ok(Some(Solved::without_values(Solve::of(SolveStatus::Memout, "out of memory"))));
    }
    const WORDS: [&str; 3] = ["SATISFIABLE", "UNSATISFIABLE", "UNKNOWN"];
    let Some(word) = ended.printed.lines().map(str::trim).find_map(|line| WORDS.into_iter().find(|word| *word == line))
    else {
        return Ok(None);
    };
    let limited = ended.out_of_time || line_with(&ended.printed, "TIME LIMIT").is_some();
    let status = match (word, code & !INTERRUPTED) {
        ("SATISFIABLE", SATISFIABLE) => SolveStatus::Optimal,
        ("SATISFIABLE", both) if both == SATISFIABLE + EXHAUSTED => SolveStatus::Optimal,
        ("UNSATISFIABLE", EXHAUSTED) => SolveStatus::Infeasible,
        ("UNKNOWN", 0) if limited => SolveStatus::Timeout,
        ("UNKNOWN", 0) => SolveStatus::Limit,
        ("SATISFIABLE", 0) if any_code => SolveStatus::Optimal,
        ("UNSATISFIABLE", 0) if any_code => SolveStatus::Infeasible,
        (word, _) => return Err(format!("it says {word} and ends with exit code {code}")),
    };
    let mut outcome = Solve::of(status, word);
    let figure = |label| after(&ended.printed, label).and_then(count);
    (outcome.nodes, outcome.conflicts) = (figure("Choices"), figure("Conflicts"));
    let values = match status {
        SolveStatus::Optimal => {
            let mut lines = ended.printed.lines().skip_while(|line| !line.starts_with("Answer:"));
            let atoms = lines.nth(1).ok_or("it shows no answer")?;
            Some(atoms.split_whitespace().map(fact).collect::<Result<_, _>>()?)
        }
        _ => None,
    };
    Ok(Some(Solved { outcome, values }))
}

/// An atom over whole numbers: `assign(3,14)`.
fn fact(atom: &str) -> Result<Fact, String> {
    let unread = || format!("it shows {atom:?}, which is no atom over whole numbers");
    let (name, list) = atom.strip_suffix(')').and_then(|atom| atom.split_once('(')).ok_or_else(unread)?;
    let arguments = list.split(',').map(|number| number.parse().map_err(|_| unread())).collect::<Result<_, _>>()?;
    Ok(Fact { name: name.to_owned(), arguments })
}
