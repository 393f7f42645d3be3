//! SAT solvers over DIMACS files. Those of the competitions print `s` and `v` lines; minisat writes a file.

use super::call::{Call, Part};
use super::files::{Format, Left, Reader, Report, Values, after, count, count_before, line_with, solution};
use super::program::Program;
use crate::backend::*;

/// Exit codes of all of them.
const SATISFIABLE: i32 = 10;
const UNSATISFIABLE: i32 = 20;

/// What they have in common.
const DIMACS: Program =
    Program { reports: Reports::SAT, formats: &[Format::Dimacs], reader: &COMPETITION, ..Program::COMMON };

pub(super) static PROGRAMS: [Program; 4] = [
    // Its time limit is wall time in whole seconds.
    Program {
        name: "kissat",
        executable: "kissat",
        interface: "kissat over a DIMACS file",
        install: "from github.com/arminbiere/kissat; pip install passagemath-kissat brings it as sage_wheels/bin/kissat",
        version_after: Some(""),
        own: "time seed quiet q n statistics partial",
        arguments: &[
            Part::Always(&["--seed={seed}"]),
            Part::Limit(&["--time={seconds}"]),
            Part::Options(&["--{name}={value}"]),
            Part::Always(&["{model}"]),
        ],
        ..DIMACS
    },
    // Its time limit is wall time in whole seconds. The backend `cadical` is the library.
    Program {
        name: "cadical-exe",
        executable: "cadical",
        interface: "cadical over a DIMACS file",
        install: "apt-get install cadical",
        version_after: Some(""),
        own: "t seed quiet q n witness w o e",
        most_seed: 2_000_000_000,
        arguments: &[
            Part::Always(&["--seed={seed}"]),
            Part::Limit(&["-t", "{seconds}"]),
            Part::Made(cadical_options),
            Part::Always(&["{model}"]),
        ],
        ..DIMACS
    },
    // Its time limit is CPU time.
    Program {
        name: "cryptominisat5",
        executable: "cryptominisat5",
        interface: "cryptominisat5 over a DIMACS file",
        reports: Reports { threads: true, ..Reports::SAT },
        install: "apt-get install cryptominisat",
        version_after: Some("CryptoMiniSat version"),
        own: "maxtime random r threads t verb printsol maxsol",
        abbreviations: true,
        arguments: &[
            Part::Always(&["--verb", "1", "--random", "{seed}", "--threads", "{threads}"]),
            Part::Limit(&["--maxtime", "{time}"]),
            Part::Options(&["--{name}", "{value}"]),
            Part::Always(&["{model}"]),
        ],
        ..DIMACS
    },
    // Its time limit is CPU time in whole seconds, which is never over before the wall time; that is kept by an interruption. Its seed counts only with its options rnd-freq or rnd-init.
    Program {
        name: "minisat",
        executable: "minisat",
        interface: "minisat over a DIMACS file",
        reports: Reports { seed: false, ..Reports::SAT },
        install: "apt-get install minisat",
        version: &["--help"],
        own: "cpu-lim rnd-seed verb dimacs",
        heeds_interrupt: true,
        arguments: &[
            // It takes no 0.
            Part::Seed(&["-rnd-seed={seed}"]),
            Part::Limit(&["-cpu-lim={seconds}"]),
            Part::Options(&["-{name}={value}"]),
            Part::Always(&["{model}", "{solution}"]),
        ],
        reader: &RESULT_FILE,
        ..DIMACS
    },
];

/// Exit codes 10 and 20 are solutions and proofs; without either most end with 0, CryptoMiniSat with 15.
static COMPETITION: Reader = Reader {
    name: "sat-competition",
    kind: FormulationKind::Sat,
    wants_file: false,
    codes: &[0, 10, 15, 20],
    refusals: &["invalid long option", "invalid option", "unrecognised option", "invalid argument"],
    read: competition,
    ..Reader::COMMON
};

static RESULT_FILE: Reader = Reader {
    name: "minisat",
    kind: FormulationKind::Sat,
    codes: &[0, 10, 20],
    refusals: &["Unknown flag", "ERROR! value <"],
    read: result_file,
    ..Reader::COMMON
};

/// Limits have names of one letter: `-c 1000`.
fn cadical_options(call: &Call<'_>) -> Vec<String> {
    let words = |(name, value): (&String, &String)| match name.chars().count() {
        1 => vec![format!("-{name}"), value.clone()],
        _ => vec![format!("--{name}={value}")],
    };
    call.options.iter().flat_map(words).collect()
}

/// The lines may stand in the output or in a file.
fn competition(left: Left<'_>) -> Result<Report, String> {
    let text = left.solution.unwrap_or(left.log);
    let mut statements = text.lines().filter_map(|line| line.strip_prefix("s "));
    let stated = statements.next();
    if let Some(other) = statements.find(|other| Some(other.trim()) != stated.map(str::trim)) {
        return Err(format!("it says {:?} and {other:?}", stated.unwrap_or_default()));
    }
    // CaDiCaL leaves the line out where it gave up.
    let native = stated.or_else(|| text.contains("c UNKNOWN").then_some("UNKNOWN"));
    let native = native.ok_or("there is no status line")?.trim();
    let literals = match native {
        "SATISFIABLE" => {
            let words = text.lines().filter_map(|line| line.strip_prefix("v ")).flat_map(str::split_whitespace);
            Some(terminated(words)?)
        }
        _ => None,
    };
    report(native, literals.map(|literals| Values::Literals { literals, all: true }), left)
}

fn result_file(left: Left<'_>) -> Result<Report, String> {
    let file = solution(left)?;
    let (first, rest) = file.split_once('\n').unwrap_or((file, ""));
    let native = match first.trim() {
        "" => return Err("the result file is empty".to_owned()),
        "SAT" => "SATISFIABLE",
        "UNSAT" => "UNSATISFIABLE",
        "INDET" => "INDETERMINATE",
        other => return Err(format!("the result file begins with {other:?}")),
    };
    let literals = (native == "SATISFIABLE").then(|| terminated(rest.split_whitespace())).transpose()?;
    // It leaves out variables that stand in no clause.
    report(native, literals.map(|literals| Values::Literals { literals, all: false }), left)
}

/// Literals up to the 0 that ends them.
fn terminated<'a>(words: impl Iterator<Item = &'a str>) -> Result<Vec<i32>, String> {
    let mut literals = Vec::new();
    for word in words {
        match word.parse() {
            Ok(0) => return Ok(literals),
            Ok(i32::MIN) | Err(_) => return Err(format!("the solution has {word:?} for a literal")),
            Ok(literal) => literals.push(literal),
        }
    }
    Err("the solution is cut short: no 0 ends it".to_owned())
}

fn report(native: &str, values: Option<Values>, left: Left<'_>) -> Result<Report, String> {
    let log = left.log;
    let status = match native {
        "SATISFIABLE" => SolveStatus::Optimal,
        "UNSATISFIABLE" => SolveStatus::Infeasible,
        // They do not say which limit it was.
        "UNKNOWN" | "INDETERMINATE" if left.out_of_time => SolveStatus::Timeout,
        "UNKNOWN" | "INDETERMINATE" => SolveStatus::Limit,
        other => return Err(format!("the status line says {other:?}")),
    };
    match (left.exit, status) {
        (SATISFIABLE, SolveStatus::Optimal) | (UNSATISFIABLE, SolveStatus::Infeasible) => {}
        (exit @ (SATISFIABLE | UNSATISFIABLE), _) => {
            return Err(format!("it says {native} and ends with exit code {exit}"));
        }
        (exit, SolveStatus::Optimal | SolveStatus::Infeasible) if left.named => {
            return Err(format!("it says {native}, and its exit code is {exit}, not {SATISFIABLE} or {UNSATISFIABLE}"));
        }
        _ => {}
    }
    let mut report = Report::of(status, native);
    report.values = values.unwrap_or(Values::None);
    // CaDiCaL leaves out of its statistics what is 0.
    let left_out = log.contains("c --- [ statistics ]").then_some(0);
    let figure = |name: &str| {
        let line = after(log, &format!("c {name}")).or_else(|| after(log, name));
        line.map_or(left_out, count)
    };
    report.outcome.conflicts = figure("conflicts");
    report.outcome.nodes = figure("decisions");
    report.outcome.propagations = figure("propagations");
    // CaDiCaL and CryptoMiniSat count what they have read.
    let parsed = line_with(log, "c parsed ").and_then(|line| count_before(line, "clauses"));
    report.counts.rows = parsed.or_else(|| after(log, "c -- clauses added").and_then(count));
    Ok(report)
}
