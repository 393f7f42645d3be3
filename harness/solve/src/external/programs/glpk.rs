//! GLPK: `glpsol` over an MPS or LP file. Its time limit is wall time in whole seconds.

use super::common::*;

pub(super) static PROGRAM: Program = Program {
    name: "glpk",
    executable: "glpsol",
    interface: "glpsol over a model file",
    reports: Reports { nodes: false, seed: false, ..Reports::MIP },
    install: "apt-get install glpk-utils",
    formats: &[Format::Mps, Format::Lp],
    version_after: Some("LP/MIP Solver"),
    own: "tmlim seed write w output o read r lp mps freemps log max min nomip objbnd minisat check interior exact \
          ranges",
    most_seed: 0,
    arguments: &[
        Part::Made(|call| vec![if call.format == Format::Lp { "--lp" } else { "--freemps" }.to_owned()]),
        Part::Always(&["{model}"]),
        Part::Limit(&["--tmlim", "{seconds}"]),
        // Most of its options are switches.
        Part::Made(|call| {
            let words = call.options.iter().flat_map(|(name, value)| [format!("--{name}"), value.clone()]);
            words.filter(|word| !matches!(word.as_str(), "" | "true")).collect()
        }),
        Part::Always(&["--write", "{solution}"]),
    ],
    reader: &READER,
    ..COMMON
};

static READER: Reader = Reader {
    name: "glpk",
    refusals: &["Invalid option", "Invalid relative mip gap tolerance", "No argument for"],
    read,
    ..MIP_READER
};

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
