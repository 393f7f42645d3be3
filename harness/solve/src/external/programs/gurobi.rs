//! Gurobi: `gurobi_cl` over an LP or MPS file. Its time limit is wall time.

use super::common::*;

pub(super) static PROGRAM: Program = Program {
    name: "gurobi",
    executable: "gurobi_cl",
    interface: "gurobi_cl over a model file",
    reports: Reports { threads: true, ..Reports::MIP },
    install: "from gurobi.com, with a licence of your own",
    version_after: Some("Gurobi Optimizer version"),
    own: "TimeLimit Threads Seed ResultFile LogFile LogToConsole OutputFlag Cutoff BestObjStop BestBdStop",
    most_seed: 2_000_000_000,
    arguments: &[
        Part::Limit(&["TimeLimit={time}"]),
        Part::Always(&["Threads={threads}", "Seed={seed}", "ResultFile={solution}"]),
        Part::Options(&["{name}={value}"]),
        Part::Always(&["{model}"]),
    ],
    reader: &READER,
    ..COMMON
};

static READER: Reader = Reader {
    name: "gurobi",
    licence: &[
        "No Gurobi license",
        "Model too large for size-limited",
        "License expired",
        "license has expired",
        "license is expired",
        "Failed to connect to token server",
        "HostID mismatch",
        "Error 10009",
        "ERROR 10009",
        "Error 10010",
        "ERROR 10010",
    ],
    refusals: &["Unknown parameter", "No parameters matching", "Unable to set parameter", "not in valid range"],
    read,
    ..MIP_READER
};

fn read(left: Left<'_>) -> Result<Report, String> {
    let log = left.log;
    let known = [
        ("Optimal solution found", SolveStatus::Optimal),
        // Every variable is bounded, so "infeasible or unbounded" can only be the former.
        ("Model is infeasible or unbounded", SolveStatus::Infeasible),
        ("Infeasible or unbounded model", SolveStatus::Infeasible),
        ("Model is infeasible", SolveStatus::Infeasible),
        ("Infeasible model", SolveStatus::Infeasible),
        ("Time limit reached", SolveStatus::Timeout),
        ("Memory limit reached", SolveStatus::Memout),
        ("Node limit reached", SolveStatus::Limit),
        ("Iteration limit reached", SolveStatus::Limit),
        ("Solution limit reached", SolveStatus::Limit),
        ("Work limit reached", SolveStatus::Limit),
    ];
    // The last line counts: what stands above it may be about the relaxation, or echo a file.
    let of = |line: &&str| known.iter().find(|(words, _)| line.starts_with(words)).map(|(_, status)| *status);
    let found = log.lines().rev().map(str::trim).find_map(|line| Some((line, of(&line)?)));
    let (words, status) = found.ok_or("its output tells no status")?;
    let mut report = match status {
        SolveStatus::Optimal | SolveStatus::Infeasible => Report::of(status, words),
        // A file is written exactly if there is a solution.
        limit => Report::stopped(limit, left.solution.is_some(), words),
    };
    if matches!(report.outcome.status, SolveStatus::Optimal | SolveStatus::Feasible) {
        let values = solution(left)?.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty());
        report.values = Values::Named { values: values.map(named).collect::<Result<_, _>>()?, all: true };
    }
    let best = after(log, "Best objective").unwrap_or_default();
    let part = |name| best.split(", ").find_map(|part| part.strip_prefix(name));
    report.outcome.objective_value = number(best);
    report.outcome.bound = part("best bound ").and_then(number);
    if let Some(line) = line_with(log, "Explored ") {
        report.outcome.nodes = count_before(line, "nodes");
        report.outcome.simplex_iterations = count_before(&line.replace('(', ""), "simplex");
    }
    if let Some(line) = line_with(log, "Optimize a model with ") {
        report.counts = Counts { rows: count_before(line, "rows"), columns: count_before(line, "columns") };
    }
    Ok(report)
}
