//! clingo, of which both parts are called one after the other: gringo grounds, clasp solves.
//!
//! Ground programs are in aspif (Kaminski, Schaub, Wanko: A Tutorial on Hybrid Answer Set Solving with clingo, appendix A).

use std::collections::HashSet;
use std::process::Command;
use std::{env, fs};

use tempfile::TempDir;

use super::files::{after, count, line_with};
use super::process::{End, grace, locate};
use super::program::{Given, version};
use super::session::{Ended, REHEARSAL, Stage};
use crate::backend::*;

const NAME: &str = "clingo";

const INSTALL: &str = "apt-get install gringo, which brings clingo; \
                       pip install clingo with options.python or TILEBENCH_CLINGO_PYTHON naming that Python";

/// Whose Python has the package, where clingo is no program of its own.
const PYTHON: &str = "python";
const PYTHON_VARIABLE: &str = "TILEBENCH_CLINGO_PYTHON";

const MODEL: &str = "model.lp";
const GROUND: &str = "model.aspif";

/// Options that are set from the run, or that make of an answer something else.
const OWN: &str = "mode seed time-limit solve-limit parallel-mode t models n stats s quiet q verbose V outf enum-mode e \
                   project opt-mode pre text help h version v compute const c file f out-ifs out-atomf out-hide-aux supp-models \
                   no-ufs-check lemma-in lemma-out hcc-out";

/// Exit codes of clasp, which are sums of these where it is not 33 or more.
const INTERRUPTED: i32 = 1;
const SATISFIABLE: i32 = 10;
const EXHAUSTED: i32 = 20;
const MEMORY: i32 = 33;

pub(crate) struct Clingo;

#[derive(Debug, Clone)]
struct Choices {
    program: Option<String>,
    python: Option<String>,
    arguments: Vec<String>,
}

impl Choices {
    fn of(options: &SessionOptions) -> Result<Self, SolveError> {
        let Given { program, mut arguments, mut options } = Given::of(NAME, options, OWN, true)?;
        let python = options.remove(PYTHON);
        // A word without a dash would be one more file.
        if let Some(word) = arguments.iter().find(|word| !word.starts_with('-')) {
            return Err(refused(NAME, "arguments", word));
        }
        // What is only switched on takes no value.
        arguments.extend(options.iter().map(|(option, value)| match value.as_str() {
            "true" => format!("--{option}"),
            value => format!("--{option}={value}"),
        }));
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
        let reports = Reports { propagations: false, seed: false, threads: true, ..Reports::SAT };
        let interface = "clingo, as gringo and as clasp";
        BackendInfo { install: Some(INSTALL), ..BackendInfo::of(NAME, &[FormulationKind::Asp], interface, reports) }
    }

    fn version(&self, options: &BTreeMap<String, String>) -> Result<String, SolveError> {
        let options = SessionOptions { options: options.clone(), ..SessionOptions::default() };
        let mut command = Choices::of(&options)?.command()?;
        command.arg("--version");
        version(NAME, command, Some("clingo version"), &[])
    }

    fn open(&self, _kind: FormulationKind, options: &SessionOptions) -> Result<Opened, SolveError> {
        Ok(Opened::Program(Box::new(Session::of(options)?)))
    }

    fn rehearse(&self, options: &SessionOptions, _listen: Listen<'_>) -> Result<(), SolveError> {
        let is_found = |option: &str| ["program", PYTHON].contains(&option);
        let given = || options.options.iter().filter(|(option, _)| !is_found(option));
        if given().next().is_none() {
            return Ok(());
        }
        let tried = |wanted: &dyn Fn(&str) -> bool| {
            let all = options.options.clone().into_iter();
            let options = all.filter(|(option, _)| is_found(option) || wanted(option)).collect();
            let mut session = Session::of(&SessionOptions { options, ..SessionOptions::default() })?;
            let deadline = Deadline::of(Some(REHEARSAL));
            match session.ground("1 { x(1); x(2) } 1.\n", &deadline)? {
                Prepared::Ready(_) => session.solve(&deadline).map(drop),
                Prepared::Ended(_) => Ok(()),
            }
        };
        let whole = tried(&|_| true);
        let Err(SolveError::Call { reason: of_all, .. }) = &whole else { return whole };
        if tried(&|_| false).is_err() {
            return whole;
        }
        // Clasp has many words for what it does not take: the first option with which alone it fails is at fault, else all are.
        for (option, value) in given() {
            match tried(&|one| one == option) {
                Err(SolveError::Call { reason, .. }) => return Err(refused_because(NAME, option, value, &reason)),
                other => other?,
            }
        }
        let (options, values): (Vec<_>, Vec<_>) =
            given().map(|(option, value)| (option.as_str(), value.as_str())).unzip();
        Err(refused_because(NAME, &options.join(" "), &values.join(" "), of_all))
    }
}

struct Session {
    choices: Choices,
    options: SessionOptions,
    ground: Option<TempDir>,
}

impl Session {
    fn of(options: &SessionOptions) -> Result<Self, SolveError> {
        options.seed_up_to(NAME, i32::MAX as u64)?;
        Ok(Self { choices: Choices::of(options)?, options: options.clone(), ground: None })
    }

    fn ground(&mut self, text: &str, deadline: &Deadline) -> Result<Prepared, SolveError> {
        self.ground = None;
        // What it prints is the ground program, and not for the log.
        let stage = Stage { solver: NAME, call: "ground", time_limit: deadline.left(), echo: false, interrupt: false };
        let mut command = self.choices.command()?;
        let directory = stage.directory()?;
        fs::write(directory.path().join(MODEL), text).map_err(stage.failed("write the program"))?;
        command.args(["--mode=gringo", "--warn=none", MODEL]).current_dir(directory.path());
        let complaints = directory.path().join("complaints");
        let mut ended = stage.run_apart(command, &directory.path().join(GROUND), Some(&complaints))?;
        if ended.end != End::Exit(0) {
            ended.printed = stage.read(&complaints)?.unwrap_or_default();
        }
        match ended.end {
            End::Exit(0) => {
                let size = ground_size(&ended.printed).map_err(|reason| stage.wrong(reason, &ended))?;
                self.ground = Some(directory);
                Ok(Prepared::Ready(size))
            }
            End::Exit(MEMORY) => Ok(Prepared::Ended(Box::new(Solve::of(SolveStatus::Memout, "out of memory")))),
            _ => stage.without_answer(&ended).map(|solve| Prepared::Ended(Box::new(solve))),
        }
    }

    /// The option that clasp says it does not take.
    fn refused(&self, printed: &str) -> Option<SolveError> {
        let line = ["unknown option", "invalid value"].iter().find_map(|part| line_with(printed, part))?;
        let named = |option: &String| line.contains(&format!("'{option}'"));
        let (option, value) = self.options.options.iter().find(|(option, _)| named(option))?;
        Some(refused(NAME, option, value))
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
    fn prepare(&mut self, program: &Program, deadline: &Deadline) -> Result<Prepared, SolveError> {
        self.ground(&program.text(), deadline)
    }

    fn solve(&mut self, deadline: &Deadline) -> Result<Solved<Fact>, SolveError> {
        let time_limit = deadline.left();
        let stage = Stage { solver: NAME, call: "solve", time_limit, echo: self.options.verbose, interrupt: false };
        let Some(directory) = &self.ground else {
            return Err(stage.unprepared());
        };
        let mut command = self.command(time_limit)?;
        command.current_dir(directory.path());
        let ended = stage.run(command, &directory.path().join("solver"))?;
        if let Some(refused) = self.refused(&ended.printed) {
            return Err(refused);
        }
        let answer = answer(&ended, time_limit, self.choices.python().is_some());
        let answer = answer.map_err(|reason| stage.wrong(reason, &ended))?;
        answer.map_or_else(|| stage.without_answer(&ended).map(Solved::without_values), Ok)
    }
}

/// What clasp says, if it says anything. Its exit code and its words must agree; `any_code`: the package for Python ends with 0
/// whatever it says.
fn answer(ended: &Ended, time_limit: Option<Duration>, any_code: bool) -> Result<Option<Solved<Fact>>, String> {
    let End::Exit(code) = ended.end else { return Ok(None) };
    if code == MEMORY {
        return Ok(Some(Solved::without_values(Solve::of(SolveStatus::Memout, "out of memory"))));
    }
    const WORDS: [&str; 3] = ["SATISFIABLE", "UNSATISFIABLE", "UNKNOWN"];
    let Some(word) = ended.printed.lines().map(str::trim).find_map(|line| WORDS.into_iter().find(|word| *word == line))
    else {
        return Ok(None);
    };
    let limited = ended.out_of(time_limit) || line_with(&ended.printed, "TIME LIMIT").is_some();
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

/// The size of a ground program: atoms, rules, and literals in their heads and bodies.
/// Errors: a text that is no ground program, or not all of one.
fn ground_size(text: &str) -> Result<Size, String> {
    if !text.starts_with("asp ") || text.trim_end().lines().last() != Some("0") {
        return Err("what it grounded is no whole program".to_owned());
    }
    let (mut atoms, mut size, mut numbers) = (HashSet::new(), Size::default(), Vec::new());
    for line in text.lines().filter_map(|line| line.strip_prefix("1 ")) {
        let unread = || format!("it grounded a rule that cannot be read: {line}");
        numbers.clear();
        for word in line.split(' ') {
            numbers.push(word.parse::<i64>().map_err(|_| unread())?);
        }
        size.constraints += 1;
        for literal in rule(&numbers).ok_or_else(unread)? {
            size.nonzeros += 1;
            atoms.insert(literal.unsigned_abs());
        }
    }
    size.variables = atoms.len();
    Ok(size)
}

/// The literals of a rule. It has a kind, the number of atoms in its head and these, then either 0, a number and so many
/// literals, or 1, a bound, a number and so many pairs of a literal and its weight.
fn rule(numbers: &[i64]) -> Option<impl Iterator<Item = &i64>> {
    let counted = |at: usize| usize::try_from(*numbers.get(at)?).ok();
    let heads = counted(1)?;
    let body = heads + 2;
    let (first, step) = if *numbers.get(body)? == 0 { (body + 2, 1) } else { (body + 3, 2) };
    let count = counted(first - 1)?;
    let literals = numbers.get(first..first + step * count)?.iter().step_by(step);
    Some(numbers[2..body].iter().chain(literals))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn atoms_rules_and_literals_are_counted() {
        // {a; b}.  c :- a, not b.  :- 3 <= #sum { 2: a; 1: c }.  Then names, which are no rules.
        let text = "asp 1 0 0\n1 1 2 1 2 0 0\n1 0 1 3 0 2 1 -2\n1 0 0 1 3 2 1 2 3 1\n4 1 a 1 1\n0\n";
        assert_eq!(ground_size(text), Ok(Size { variables: 3, constraints: 3, nonzeros: 7 }));
    }

    #[test]
    fn what_is_cut_off_is_no_program() {
        for text in ["", "asp 1 0 0\n1 0 0 0 0\n", "asp 1 0 0\n1 0 2 1\n0\n", "error: unsafe variables\n0\n"] {
            assert!(ground_size(text).is_err(), "{text:?}");
        }
    }
}
