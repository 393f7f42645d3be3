//! SAT solvers over DIMACS files. Those of the competitions print `s` and `v` lines; minisat writes a file.

use std::ffi::OsString;
use std::io;

use model::FormulationKind;

use crate::backend::{Reports, SolveStatus};
use crate::external::command::{Call, SOLUTION};
use crate::external::formats::Format;
use crate::external::named::Program;
use crate::external::reader::{Left, Reader, Report, Values, solution};
use crate::external::text::{after, count, count_before, line_with};

const REPORTS: Reports = Reports {
    nodes: true,
    simplex_iterations: false,
    bound: false,
    conflicts: true,
    propagations: true,
    seed: true,
    threads: false,
    single_loop: false,
    proof: false,
};

/// Exit codes of all of them.
const SATISFIABLE: i32 = 10;
const UNSATISFIABLE: i32 = 20;

/// Its time limit is wall time in whole seconds.
pub(in crate::external) static KISSAT: Program = Program {
    name: "kissat",
    executable: "kissat",
    interface: "kissat over a DIMACS file",
    kinds: &[FormulationKind::Sat],
    reports: REPORTS,
    install: "from github.com/arminbiere/kissat; pip install passagemath-kissat brings it as sage_wheels/bin/kissat",
    formats: &[Format::Dimacs],
    version: &["--version"],
    version_after: Some(""),
    own: &["time", "seed", "quiet", "q", "n", "statistics", "partial"],
    abbreviations: false,
    most_seed: i32::MAX as u64,
    arguments: kissat,
    reader: &COMPETITION,
};

/// Its time limit is wall time in whole seconds. The backend `cadical` is the library.
pub(in crate::external) static CADICAL: Program = Program {
    name: "cadical-exe",
    executable: "cadical",
    interface: "cadical over a DIMACS file",
    kinds: &[FormulationKind::Sat],
    reports: REPORTS,
    install: "apt-get install cadical",
    formats: &[Format::Dimacs],
    version: &["--version"],
    version_after: Some(""),
    own: &["t", "seed", "quiet", "q", "n", "witness", "w", "o", "e"],
    abbreviations: false,
    most_seed: 2_000_000_000,
    arguments: cadical,
    reader: &COMPETITION,
};

/// Its time limit is CPU time.
pub(in crate::external) static CRYPTOMINISAT: Program = Program {
    name: "cryptominisat5",
    executable: "cryptominisat5",
    interface: "cryptominisat5 over a DIMACS file",
    kinds: &[FormulationKind::Sat],
    reports: Reports { threads: true, ..REPORTS },
    install: "apt-get install cryptominisat",
    formats: &[Format::Dimacs],
    version: &["--version"],
    version_after: Some("CryptoMiniSat version"),
    own: &["maxtime", "random", "r", "threads", "t", "verb", "printsol", "maxsol"],
    abbreviations: true,
    most_seed: i32::MAX as u64,
    arguments: cryptominisat,
    reader: &COMPETITION,
};

/// Its time limit is CPU time in whole seconds. Its seed counts only with its options rnd-freq or rnd-init.
pub(in crate::external) static MINISAT_PROGRAM: Program = Program {
    name: "minisat",
    executable: "minisat",
    interface: "minisat over a DIMACS file",
    kinds: &[FormulationKind::Sat],
    reports: Reports { seed: false, ..REPORTS },
    install: "apt-get install minisat",
    formats: &[Format::Dimacs],
    version: &["--help"],
    version_after: None,
    own: &["cpu-lim", "rnd-seed", "verb", "dimacs"],
    abbreviations: false,
    most_seed: i32::MAX as u64,
    arguments: minisat,
    reader: &MINISAT,
};

/// Exit codes 10 and 20 are solutions and proofs; without either most end with 0, CryptoMiniSat with 15.
pub(in crate::external) static COMPETITION: Reader = Reader {
    name: "sat-competition",
    kind: FormulationKind::Sat,
    wants_file: false,
    codes: &[0, 10, 15, 20],
    licence: &[],
    refusals: &["invalid long option", "invalid option", "unrecognised option", "invalid argument"],
    read: competition,
};

pub(in crate::external) static MINISAT: Reader = Reader {
    name: "minisat",
    kind: FormulationKind::Sat,
    wants_file: true,
    codes: &[0, 10, 20],
    licence: &[],
    refusals: &["Unknown flag", "ERROR! value <"],
    read: result_file,
};

fn kissat(call: &Call<'_>) -> io::Result<Vec<OsString>> {
    let mut all = vec![OsString::from(format!("--seed={}", call.seed))];
    all.extend(call.whole_seconds().map(|limit| format!("--time={limit}").into()));
    all.extend(call.own_options(|name, value| format!("--{name}={value}")));
    all.push(call.format.file_name().into());
    Ok(all)
}

fn cadical(call: &Call<'_>) -> io::Result<Vec<OsString>> {
    let mut all = vec![OsString::from(format!("--seed={}", call.seed))];
    if let Some(limit) = call.whole_seconds() {
        all.extend(["-t".into(), limit.to_string().into()]);
    }
    for (name, value) in call.options {
        // Limits have names of one letter: -c 1000.
        if name.chars().count() == 1 {
            all.extend([format!("-{name}").into(), value.into()]);
        } else {
            all.push(format!("--{name}={value}").into());
        }
    }
    all.push(call.format.file_name().into());
    Ok(all)
}

fn cryptominisat(call: &Call<'_>) -> io::Result<Vec<OsString>> {
    let mut words = vec!["--verb".to_owned(), "1".to_owned()];
    words.extend(["--random".to_owned(), call.seed.to_string(), "--threads".to_owned(), call.threads.to_string()]);
    words.extend(call.seconds().into_iter().flat_map(|limit| ["--maxtime".to_owned(), limit]));
    words.extend(call.options.iter().flat_map(|(name, value)| [format!("--{name}"), value.clone()]));
    words.push(call.format.file_name().to_owned());
    Ok(words.into_iter().map(OsString::from).collect())
}

fn minisat(call: &Call<'_>) -> io::Result<Vec<OsString>> {
    let mut all: Vec<OsString> = Vec::new();
    // It takes no 0.
    if call.seed > 0 {
        all.push(format!("-rnd-seed={}", call.seed).into());
    }
    all.extend(call.whole_seconds().map(|limit| format!("-cpu-lim={limit}").into()));
    all.extend(call.own_options(|name, value| format!("-{name}={value}")));
    all.extend([call.format.file_name().into(), SOLUTION.into()]);
    Ok(all)
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
    let (first, rest) = file.split_once('\n').ok_or("the result file is empty")?;
    let native = match first.trim() {
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
        (Some(SATISFIABLE), SolveStatus::Optimal) | (Some(UNSATISFIABLE), SolveStatus::Infeasible) => {}
        (Some(exit @ (SATISFIABLE | UNSATISFIABLE)), _) => {
            return Err(format!("it says {native} and ends with exit code {exit}"));
        }
        (exit, SolveStatus::Optimal | SolveStatus::Infeasible) if left.named => {
            let exit = exit.map_or_else(|| "none".to_owned(), |exit| exit.to_string());
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
