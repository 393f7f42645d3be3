//! GLPK: `glpsol` over an MPS or LP file. Its time limit is wall time in whole seconds.

use std::ffi::OsString;
use std::io;

use model::FormulationKind;

use crate::backend::{Reports, SolveStatus};
use crate::external::command::{Call, SOLUTION};
use crate::external::formats::{Counts, Format};
use crate::external::named::Program;
use crate::external::reader::{Left, Reader, Report, Values, solution, value};
use crate::external::text::{count, line_with, number};

pub(in crate::external) static PROGRAM: Program = Program {
    name: "glpk",
    executable: "glpsol",
    interface: "glpsol over a model file",
    kinds: &[FormulationKind::Mip],
    reports: Reports {
        nodes: false,
        simplex_iterations: true,
        bound: true,
        conflicts: false,
        propagations: false,
        seed: false,
        threads: false,
        single_loop: false,
        proof: false,
    },
    install: "apt-get install glpk-utils",
    formats: &[Format::Mps, Format::Lp],
    version: &["--version"],
    version_after: Some("LP/MIP Solver"),
    own: &[
        "tmlim", "seed", "write", "w", "output", "o", "read", "r", "lp", "mps", "freemps", "log", "max", "min",
        "nomip", "objbnd", "minisat", "check", "interior", "exact", "ranges",
    ],
    abbreviations: false,
    most_seed: 0,
    arguments,
    reader: &READER,
};

pub(in crate::external) static READER: Reader = Reader {
    name: "glpk",
    kind: FormulationKind::Mip,
    wants_file: true,
    codes: &[0],
    licence: &[],
    refusals: &["Invalid option", "Invalid relative mip gap tolerance", "No argument for"],
    read,
};

fn arguments(call: &Call<'_>) -> io::Result<Vec<OsString>> {
    let format = if call.format == Format::Lp { "--lp" } else { "--freemps" };
    let mut all: Vec<OsString> = vec![format.into(), call.format.file_name().into()];
    if let Some(limit) = call.whole_seconds() {
        all.extend(["--tmlim".into(), limit.to_string().into()]);
    }
    for (name, value) in call.options {
        all.push(format!("--{name}").into());
        // Most of its options are switches.
        if !matches!(value.as_str(), "" | "true") {
            all.push(value.into());
        }
    }
    all.extend(["--write".into(), SOLUTION.into()]);
    Ok(all)
}

fn read(left: Left<'_>) -> Result<Report, String> {
    let file = solution(left)?;
    if !file.trim_end().ends_with("e o f") {
        return Err("the solution file is cut short".to_owned());
    }
    let line = file.lines().find_map(|line| line.strip_prefix("s mip "));
    let words: Vec<&str> = line.ok_or("the solution file has no line `s mip`")?.split_whitespace().collect();
    let [rows, columns, claim, objective] = words[..] else {
        return Err(format!("the solution file has the line {:?}", words.join(" ")));
    };
    let no_solution = ["HAS NO PRIMAL FEASIBLE", "HAS NO INTEGER FEASIBLE", "HAS NO FEASIBLE"];
    // An infeasible relaxation is no end: only where nothing stopped it does it speak of the model.
    let stopped_by = if left.log.contains("TIME LIMIT EXCEEDED") { SolveStatus::Timeout } else { SolveStatus::Limit };
    let (status, without) = match claim {
        "o" => (SolveStatus::Optimal, SolveStatus::Optimal),
        "f" => (SolveStatus::Feasible, stopped_by),
        "n" => (SolveStatus::Infeasible, SolveStatus::Infeasible),
        "u" if left.log.contains("LIMIT EXCEEDED") => (stopped_by, stopped_by),
        "u" if no_solution.iter().any(|words| left.log.contains(words)) => {
            (SolveStatus::Infeasible, SolveStatus::Infeasible)
        }
        _ => return Err(format!("the solution file has the status {claim}")),
    };
    let stated = file.lines().find_map(|line| line.strip_prefix("c Status:")).unwrap_or(claim).trim();
    let stopped = line_with(left.log, "SEARCH TERMINATED");
    let native = stopped.map_or_else(|| stated.to_owned(), |line| format!("{stated}, {line}"));
    let mut report = Report { without, ..Report::of(status, native) };
    report.counts = Counts { rows: count(rows), columns: count(columns) };
    if matches!(status, SolveStatus::Optimal | SolveStatus::Feasible) {
        let listed = file.lines().filter_map(|line| line.strip_prefix("j "));
        let listed = listed.enumerate().map(|(index, line)| match line.split_once(' ') {
            Some((column, word)) if column.parse() == Ok(index + 1) => value(word.trim()),
            _ => Err(format!("the solution file has the line {line:?} for column {}", index + 1)),
        });
        report.values = Values::Listed(listed.collect::<Result<_, _>>()?);
        report.outcome.objective_value = number(objective);
    }
    // Progress: "+ 6582: mip = 1.0e+00 >= 0.0e+00 10.0% (19; 162)", first the iterations.
    let mut progress = left.log.lines().filter_map(|line| line.strip_prefix('+')?.split_once(':'));
    let last = progress.rfind(|(_, rest)| rest.contains(">="));
    report.outcome.simplex_iterations = last.and_then(|(iterations, _)| count(iterations));
    report.outcome.bound = match status {
        SolveStatus::Optimal => report.outcome.objective_value,
        _ => last.and_then(|(_, rest)| rest.split_once(">=")).and_then(|(_, bound)| number(bound)),
    };
    Ok(report)
}
