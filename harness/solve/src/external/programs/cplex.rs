//! CPLEX: the interactive optimizer over an LP or MPS file. `clocktype 2` makes its time limit wall time.

use super::common::*;

pub(super) static PROGRAM: Program = Program {
    name: "cplex",
    executable: "cplex",
    interface: "cplex over a model file",
    reports: Reports { threads: true, ..Reports::MIP },
    install: "IBM ILOG CPLEX Optimization Studio, with a licence of your own",
    version: &["-c", "quit"],
    version_after: Some("Interactive Optimizer"),
    own: "timelimit dettimelimit clocktype threads randomseed logfile mip/tolerances/uppercutoff \
          mip/tolerances/lowercutoff",
    abbreviations: true,
    arguments: &[
        Part::Always(&["-c", "set clocktype 2"]),
        Part::Limit(&["set timelimit {time}"]),
        Part::Always(&["set threads {threads}", "set randomseed {seed}"]),
        Part::Made(|call| call.options.iter().map(|(name, v)| format!("set {} {v}", name.replace('/', " "))).collect()),
        Part::Always(&["read {model}", "optimize", "write {solution}", "quit"]),
    ],
    reader: &READER,
    ..COMMON
};

static READER: Reader = Reader {
    name: "cplex",
    licence: &["CPLEX Error  1016", "CPLEX Error 1016", "CPLEX Error  32", "CPLEX Error 32", "ILM Error"],
    refusals: &["does not exist.", "is not a valid", "Invalid value", "not in valid range"],
    read,
    ..MIP_READER
};

fn read(left: Left<'_>) -> Result<Report, String> {
    let mut report = match left.solution {
        Some(file) => from_file(file)?,
        None => from_log(left.log)?,
    };
    if let Some(line) = line_with(left.log, "Current MIP best bound =") {
        report.outcome.bound = number(line.trim_start_matches("Current MIP best bound =").trim_start());
    } else if report.outcome.status == SolveStatus::Optimal && !left.log.contains("Integer optimal, tolerance") {
        report.outcome.bound = report.outcome.objective_value;
    }
    if let Some((_, rest)) = left.log.rsplit_once("Iterations = ") {
        report.outcome.simplex_iterations = count(rest);
        report.outcome.nodes = rest.split_once("Nodes = ").and_then(|(_, rest)| count(rest));
    }
    Ok(report)
}

/// The file has a status of its own; the numbers are those of its manual.
fn from_file(file: &str) -> Result<Report, String> {
    if !file.trim_end().ends_with("</CPLEXSolution>") {
        return Err("the solution file is cut short".to_owned());
    }
    let header = file.split_once("<quality").map_or(file, |(header, _)| header);
    let text = |name: &str| attribute(header, name).ok_or_else(|| format!("the solution file has no {name}"));
    let words = text("solutionStatusString")?;
    let stopped = |without| Report::stopped(without, true, words);
    let mut report = match text("solutionStatusValue")? {
        "1" | "101" | "102" => Report::of(SolveStatus::Optimal, words),
        "3" | "4" | "103" | "119" => Report::of(SolveStatus::Infeasible, words),
        "107" | "131" => stopped(SolveStatus::Timeout),
        "111" | "116" => stopped(SolveStatus::Memout),
        "104" | "105" | "109" | "113" => stopped(SolveStatus::Limit),
        "108" | "132" => Report::of(SolveStatus::Timeout, words),
        "112" | "117" => Report::of(SolveStatus::Memout, words),
        "106" => Report::of(SolveStatus::Limit, words),
        other => return Err(format!("the solution file has the status {other}, {words}")),
    };
    report.outcome.objective_value = number(text("objectiveValue")?);
    let variables = file.split("<variable ").skip(1).map(|part| part.split_once("/>").map_or(part, |(part, _)| part));
    let values = variables.map(|variable| match (attribute(variable, "name"), attribute(variable, "value")) {
        (Some(name), Some(word)) => Ok((name.to_owned(), value(word)?)),
        _ => Err(format!("the solution file has a variable {variable:?}")),
    });
    report.values = Values::Named { values: values.collect::<Result<_, _>>()?, all: true };
    let rows = file.matches("<constraint ").count() as u64;
    report.counts = Counts { rows: (rows > 0).then_some(rows), columns: None };
    Ok(report)
}

/// Without a solution there is no file.
fn from_log(log: &str) -> Result<Report, String> {
    let known = [
        ("Time limit exceeded, no integer solution", SolveStatus::Timeout),
        ("Deterministic time limit exceeded, no integer", SolveStatus::Timeout),
        ("Memory limit exceeded, no integer solution", SolveStatus::Memout),
        ("Out of memory", SolveStatus::Memout),
        ("Node limit exceeded, no integer solution", SolveStatus::Limit),
        ("Integer infeasible or unbounded", SolveStatus::Infeasible),
        ("Integer infeasible", SolveStatus::Infeasible),
        ("Infeasible or unbounded", SolveStatus::Infeasible),
        ("Presolve - Infeasible", SolveStatus::Infeasible),
    ];
    let found = known.into_iter().find_map(|(words, status)| Some((line_with(log, words)?, status)));
    match (found, after(log, "MIP -")) {
        (Some((words, status)), _) => Ok(Report::of(status, words)),
        (None, Some(words)) => Err(format!("it says {words:?} and gives no solution")),
        (None, None) => Err("its output tells no status".to_owned()),
    }
}

/// The value of an attribute of an XML element. Names of ours need no escapes.
fn attribute<'a>(element: &'a str, name: &str) -> Option<&'a str> {
    let start = element.find(&format!("{name}=\""))? + name.len() + 2;
    let before = element[..start - name.len() - 2].chars().next_back();
    let rest = &element[start..];
    before.is_none_or(char::is_whitespace).then(|| rest.split('"').next())?
}
