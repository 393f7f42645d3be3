//! MiniZinc: its compiler, and any of its solvers that is a program which reads FlatZinc (MiniZinc Handbook, "FlatZinc and
//! Flattening").

mod installation;

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use model::Formulation;
use tempfile::TempDir;

use self::installation::{Configuration, Installation, NAME, lacking, mended};
use super::files::count;
use super::process::{End, locate};
use super::program::Given;
use super::session::{REHEARSAL, Stage};
use crate::backend::*;

/// The solver where none is asked for.
const USUAL: &str = "gecode";

const CHUFFED: &str = "chuffed";

const INSTALL: &str = "apt-get install minizinc, which brings Gecode; Chuffed comes with the bundle from minizinc.org, or \
                       by packaging/fzn-chuffed";

const MODEL: &str = "model.mzn";
const COMPILED: &str = "model.fzn";

/// Arguments of FlatZinc solvers that are set from the run, or that make of an answer something else.
const OWN: &str = "a n s p r t v o i time fail node mode all-solutions num-solutions random-seed";

pub(crate) struct Minizinc;

#[derive(Debug, Clone)]
struct Choices {
    program: Option<String>,
    solver: String,
    arguments: Vec<String>,
    optimization: Option<u8>,
}

impl Choices {
    fn of(options: &SessionOptions) -> Result<Self, SolveError> {
        let Given { program, arguments, options } = Given::of(NAME, options, OWN, false)?;
        let mut choices = Self { program, arguments, solver: USUAL.to_owned(), optimization: None };
        for (option, value) in options {
            let refused = || refused(NAME, &option, &value);
            match option.as_str() {
                "solver" if !value.trim().is_empty() => choices.solver.clone_from(&value),
                "optimization" => {
                    let level = value.parse().ok().filter(|level| (0..=5).contains(level));
                    choices.optimization = Some(level.ok_or_else(refused)?);
                }
                _ => return Err(refused()),
            }
        }
        Ok(choices)
    }

    fn find(&self) -> Result<(Installation, Configuration), SolveError> {
        let path = locate(NAME, "minizinc", INSTALL, self.program.as_deref())?;
        let installation = Installation::of(&path)?;
        let there: Vec<&str> =
            installation.solvers.iter().filter(|s| s.executable.is_some()).map(Configuration::short).collect();
        let missing = |reason: String| {
            SolveError::Missing {
            solver: NAME,
            reason,
            remedy: match self.solver.to_lowercase().rsplit('.').next() {
                Some(CHUFFED) => "Chuffed comes with the bundle from minizinc.org, is built from github.com/chuffed/chuffed, or \
                            installed by packaging/fzn-chuffed (docs/guide/solvers.md); MiniZinc finds its chuffed.msc in \
                            ~/.minizinc/solvers or a folder that MZN_SOLVER_PATH names"
                    .to_owned(),
                _ => "MiniZinc finds solvers by their .msc files in ~/.minizinc/solvers and the folders that MZN_SOLVER_PATH \
                      names; see minizinc --solvers"
                    .to_owned(),
            },
        }
        };
        let none = || missing(format!("this MiniZinc has no solver {:?}; it has {}", self.solver, there.join(", ")));
        let solver = installation.solver(&self.solver).ok_or_else(none)?.clone();
        if solver.executable.is_none() {
            let reason = format!("{} is no program that reads FlatZinc; there is {}", solver.name, there.join(", "));
            return Err(missing(reason));
        }
        Ok((installation, solver))
    }
}

impl Backend for Minizinc {
    fn info(&self) -> BackendInfo {
        let interface = "minizinc, and the FlatZinc solver that options.solver names (gecode)";
        let reports = Reports { threads: true, ..Reports::SAT };
        let info = BackendInfo::of(NAME, &[FormulationKind::Minizinc], interface, reports);
        BackendInfo { install: Some(INSTALL), runs: &[USUAL, CHUFFED], ..info }
    }

    fn version(&self, options: &BTreeMap<String, String>) -> Result<String, SolveError> {
        let options = SessionOptions { options: options.clone(), ..SessionOptions::default() };
        let (installation, solver) = Choices::of(&options)?.find()?;
        let own = if lacking(&solver, &installation).is_empty() { "" } else { " (with its own constraints)" };
        Ok(format!("MiniZinc {}, {} {}{own}", installation.version, solver.name, solver.version))
    }

    fn suits(&self, formulation: &Formulation, options: &BTreeMap<String, String>) -> Result<(), SolveError> {
        let strategy = formulation.exploration().filter(|strategy| strategy.is_random());
        let solver = options.get("solver").filter(|name| name.to_lowercase().rsplit('.').next() == Some(CHUFFED));
        match (strategy, solver) {
            (Some(strategy), Some(solver)) => {
                let instead = "take first-fail or first-fail-restarts, leave the strategy out, or take Gecode";
                Err(unsupported(NAME, format!("strategy = \"{strategy}\": {solver} has no random values; {instead}")))
            }
            _ => Ok(()),
        }
    }

    fn open(&self, _kind: FormulationKind, options: &SessionOptions) -> Result<Opened, SolveError> {
        let session = Session::of(options)?;
        // One that is missing is missing whatever the threads.
        if options.threads > 1
            && let Ok((_, solver)) = session.choices.find()
            && !solver.has("-p")
        {
            return Err(unsupported(NAME, format!("{} threads: {} runs in one", options.threads, solver.name)));
        }
        Ok(Opened::Program(Box::new(session)))
    }

    fn options(&self, _listen: Listen<'_>) -> Option<Vec<String>> {
        Some(["arguments", "optimization", "program", "solver"].map(str::to_owned).to_vec())
    }

    fn takes(&self, option: &str, _listen: Listen<'_>) -> Option<Takes> {
        (option == "optimization").then(|| Takes::between("a whole number", 0, 5))
    }

    fn rehearse(&self, options: &SessionOptions, _listen: Listen<'_>) -> Result<(), SolveError> {
        let Some(arguments) = options.options.get("arguments") else { return Ok(()) };
        let mut session = Session::of(&SessionOptions { verbose: false, ..options.clone() })?;
        let Prepared::Ready(_) =
            session.compile("array[1..1] of var 1..2: x;\nsolve satisfy;\n", &Deadline::of(Some(REHEARSAL)))?
        else {
            return Ok(());
        };
        let Err(SolveError::Call { reason, .. }) = session.solve(&Deadline::of(Some(REHEARSAL))) else { return Ok(()) };
        // FlatZinc solvers have no common words for what they do not take.
        session.choices.arguments.clear();
        match session.solve(&Deadline::of(Some(REHEARSAL))) {
            Ok(_) => Err(refused_because(NAME, "arguments", arguments, &reason)),
            Err(_) => Ok(()),
        }
    }
}

struct Session {
    choices: Choices,
    options: SessionOptions,
    /// What was compiled, and for whom.
    compiled: Option<(TempDir, Configuration)>,
    /// Of the last solve, where the solver says it (`packaging/fzn-chuffed`).
    loading: Duration,
}

impl Session {
    fn of(options: &SessionOptions) -> Result<Self, SolveError> {
        options.seed_up_to(NAME, i32::MAX as u64)?;
        Ok(Self { choices: Choices::of(options)?, options: options.clone(), compiled: None, loading: Duration::ZERO })
    }

    fn stage(&self, call: &'static str, deadline: &Deadline) -> Stage {
        Stage { solver: NAME, call, time_limit: deadline.left(), echo: self.options.verbose, interrupt: false }
    }

    fn compile(&mut self, text: &str, deadline: &Deadline) -> Result<Prepared, SolveError> {
        self.compiled = None;
        let stage = self.stage("compile", deadline);
        let (installation, solver) = self.choices.find()?;
        let directory = stage.directory()?;
        let path = directory.path();
        fs::write(path.join(MODEL), text).map_err(stage.failed("write the program"))?;
        let configuration = match lacking(&solver, &installation).as_slice() {
            [] => PathBuf::from(&solver.id),
            lacking => mended(&solver, &installation, lacking, path).map_err(stage.failed("write a library"))?,
        };
        let mut command = installation::call(&installation.program, path);
        command.arg("--solver").arg(configuration).args(["--compile", "--no-output-ozn", "--fzn", COMPILED]);
        command.args(self.choices.optimization.map(|level| format!("-O{level}"))).arg(MODEL);
        let ended = stage.run(command, &path.join("compiler"))?;
        if ended.end != End::Exit(0) {
            return stage.without_answer(&ended).map(|solve| Prepared::Ended(Box::new(solve)));
        }
        let compiled = fs::read_to_string(path.join(COMPILED)).map_err(stage.failed("compile"))?;
        let size = size(&compiled);
        self.compiled = Some((directory, solver));
        Ok(Prepared::Ready(size))
    }

    fn command(&self, solver: &Configuration, executable: &Path, time_limit: Option<Duration>) -> Command {
        let mut command = Command::new(executable);
        command.args(&self.choices.arguments);
        let millis = time_limit.map(|limit| limit.as_millis().max(1).to_string());
        let threads = (self.options.threads > 1).then(|| self.options.threads.to_string());
        for (flag, value) in [("-r", Some(self.options.seed.to_string())), ("-p", threads), ("-t", millis)] {
            if let Some(value) = value.filter(|_| solver.has(flag)) {
                command.args([flag, value.as_str()]);
            }
        }
        // Options come first: Gecode takes the last word as its file.
        command.args(solver.has("-s").then_some("-s")).arg(COMPILED);
        command
    }
}

impl ProgramSolver for Session {
    fn prepare(&mut self, program: &Program, deadline: &Deadline) -> Result<Prepared, SolveError> {
        self.compile(&program.text(), deadline)
    }

    fn solve(&mut self, deadline: &Deadline) -> Result<Solved<Fact>, SolveError> {
        let stage = self.stage("solve", deadline);
        let Some((directory, solver)) = &self.compiled else {
            return Err(stage.unprepared());
        };
        // Solvers without one are refused before.
        let executable = solver.executable.as_deref().unwrap_or(Path::new(&solver.id));
        let mut command = self.command(solver, executable, stage.time_limit);
        command.current_dir(directory.path());
        let ended = stage.run(command, &directory.path().join("solver"))?;
        let loading = statistics(&ended.printed, "startTime").filter_map(|value| value.parse().ok()).next_back();
        self.loading = loading.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok()).unwrap_or_default();
        let answer = match ended.end {
            End::Exit(0) | End::Killed => {
                answer(&ended.printed, ended.out_of(stage.time_limit)).map_err(|reason| stage.wrong(reason, &ended))?
            }
            End::Exit(_) | End::Signal(_) => None,
        };
        answer.map_or_else(|| stage.without_answer(&ended).map(Solved::without_values), Ok)
    }

    fn loading(&self) -> Duration {
        self.loading
    }
}

/// What stands after each solution.
const SOLUTION: &str = "----------";

/// What stands after the last of all.
const COMPLETE: &str = "==========";

/// Its size: variables, constraints, and variables in all constraints.
fn size(text: &str) -> Size {
    let mut size = Size::default();
    // How many variables each name stands for.
    let mut names: HashMap<&str, usize> = HashMap::new();
    for line in text.lines() {
        if let Some(rest) = line.strip_prefix("var ") {
            size.variables += 1;
            names.insert(declared(rest), 1);
        } else if let Some(rest) = line.strip_prefix("array ").filter(|rest| rest.contains("of var ")) {
            let list = rest.rsplit_once('[').map_or("", |(_, list)| list);
            names.insert(declared(rest.split_once("of var ").map_or("", |(_, rest)| rest)), mentioned(list, &names));
        } else if let Some(rest) = line.strip_prefix("constraint ") {
            size.constraints += 1;
            size.nonzeros += mentioned(rest.split("::").next().unwrap_or(rest), &names);
        }
    }
    size
}

/// The name in a declaration, which stands after the type.
fn declared(rest: &str) -> &str {
    let name = rest.split_once(": ").map_or(rest, |(_, name)| name);
    name.split(|c: char| !is_part(c)).next().unwrap_or_default()
}

fn mentioned(text: &str, names: &HashMap<&str, usize>) -> usize {
    text.split(|c: char| !is_part(c)).filter_map(|word| names.get(word)).sum()
}

fn is_part(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// What a solver says, if it says anything: the outcome, and the entries of the arrays of its first solution.
/// Errors: words that no solver of a program without an objective has a right to, or that contradict each other.
fn answer(printed: &str, out_of_time: bool) -> Result<Option<Solved<Fact>>, String> {
    let lines = || printed.lines().map(str::trim);
    let solved = lines().position(|line| line == SOLUTION);
    let mut words =
        lines().filter_map(|line| line.strip_prefix("=====")?.strip_suffix("=====")).filter(|w| !w.is_empty());
    let word = words.next();
    let (status, native) = match (solved, word) {
        (Some(_), None) => (SolveStatus::Optimal, "SATISFIED"),
        (None, Some(word @ "UNSATISFIABLE")) => (SolveStatus::Infeasible, word),
        (None, Some(word @ "UNKNOWN")) if out_of_time => (SolveStatus::Timeout, word),
        (None, Some(word @ "UNKNOWN")) => (SolveStatus::Limit, word),
        (None, None) if lines().any(|line| line == COMPLETE) => {
            return Err("it searched all, and says nothing of it".to_owned());
        }
        (None, None) => return Ok(None),
        (Some(_), Some(word)) => return Err(format!("a solution, and then {word}")),
        (None, Some(word)) => return Err(format!("it says {word}")),
    };
    let mut outcome = Solve::of(status, native);
    outcome.nodes = statistic(printed, "nodes");
    outcome.conflicts = statistic(printed, "failures").or_else(|| statistic(printed, "conflicts"));
    outcome.propagations = statistic(printed, "propagations");
    let values = solved.map(|end| lines().take(end).map(entries).collect::<Result<Vec<_>, _>>()).transpose()?;
    Ok(Some(Solved { outcome, values: values.map(|facts| facts.into_iter().flatten().collect()) }))
}

/// The values of a statistic, in the order in which they are printed.
fn statistics<'a>(printed: &'a str, name: &'a str) -> impl DoubleEndedIterator<Item = &'a str> {
    let values = printed.lines().filter_map(|line| line.trim().strip_prefix("%%%mzn-stat: ")?.split_once('='));
    values.filter(move |(found, _)| *found == name).map(|(_, value)| value)
}

/// The last count of a statistic.
fn statistic(printed: &str, name: &str) -> Option<u64> {
    statistics(printed, name).filter_map(count).next_back()
}

/// The entries of an array of integers with indices from 1: `tile = array1d(1..3, [2, 1, 3]);` or `tile = [2, 1, 3];`. Other
/// lines have none.
fn entries(line: &str) -> Result<Vec<Fact>, String> {
    let listed = line.split_once(" = ").and_then(|(name, rest)| {
        let (_, list) = rest.split_once('[')?;
        Some((name, list.strip_suffix("]);").or_else(|| list.strip_suffix("];"))?))
    });
    let Some((name, list)) = listed else { return Ok(Vec::new()) };
    let fact = |(index, value): (i64, &str)| match value.trim().parse() {
        Ok(value) => Ok(Fact { name: name.to_owned(), arguments: vec![index, value] }),
        Err(_) => Err(format!("{name} has the entry {value:?}, which is no whole number")),
    };
    (1..).zip(list.split(',').filter(|value| !value.trim().is_empty())).map(fact).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_are_counted_wherever_they_stand() {
        let text = "predicate p(array [int] of var int: x);\narray [1..2] of int: c = [1,1];\nvar 1..2: a;\n\
                    var bool: b ::var_is_introduced :: is_defined_var;\narray [1..3] of var int: t:: output_array([1..3]) = [a,2,a];\n\
                    constraint p(t);\nconstraint int_lin_eq(c,[a,a],3):: defines_var(a);\nconstraint bool_eq(b,true);\nsolve satisfy;\n";
        assert_eq!(size(text), Size { variables: 2, constraints: 3, nonzeros: 5 });
        assert_eq!(
            size("constraint bool_eq(false,true);\nsolve  satisfy;\n"),
            Size { constraints: 1, ..Size::default() }
        );
    }
}
