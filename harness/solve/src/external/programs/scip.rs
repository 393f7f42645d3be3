//! SCIP: its shell over an LP or MPS file. Its time limit is wall time, as `timing/clocktype` says.

use super::common::*;

const INFINITE: f64 = 1e20;

pub(super) static PROGRAM: Program = Program {
    name: "scip",
    executable: "scip",
    interface: "scip over a model file",
    reports: Reports { simplex_iterations: false, ..Reports::MIP },
    install: "from scipopt.org; or pip install pyscipopt and a script that calls SCIPrunShell of its libscip",
    version_after: Some("SCIP version"),
    // The last two are arguments: a batch file, and bounds on the objective.
    own: "limits/time timing/clocktype randomization/randomseedshift limits/objective limits/primal limits/dual \
          lp/threads parallel/maxnthreads b o",
    arguments: &[Part::Always(&[
        "-s",
        SETTINGS,
        "-c",
        "read {model}",
        "-c",
        "optimize",
        "-c",
        "write solution {solution}",
        "-c",
        "quit",
    ])],
    settings: &[
        Part::Always(&["timing/clocktype = 2", "lp/threads = 1", "randomization/randomseedshift = {seed}"]),
        Part::Limit(&["limits/time = {time}"]),
        Part::Options(&["{name} = {value}"]),
    ],
    reader: &READER,
    ..COMMON
};

static READER: Reader = Reader {
    name: "scip",
    refusals: &["unknown parameter <", "invalid parameter value <", "Invalid value <", "input error in file"],
    read,
    ..MIP_READER
};

fn read(left: Left<'_>) -> Result<Report, String> {
    let file = solution(left)?;
    let mut lines = file.lines().filter(|line| !line.trim().is_empty());
    let status_line = lines.next().and_then(|line| line.strip_prefix("solution status:"));
    let words = status_line.ok_or("the solution file does not begin with a status")?.trim();
    let second = lines.next().unwrap_or_default();
    let objective = second.strip_prefix("objective value:").and_then(|rest| number(rest.trim()));
    let stopped = |without| Report::stopped(without, objective.is_some(), words);
    let mut report = match words {
        "optimal solution found" => Report::of(SolveStatus::Optimal, words),
        // Every variable is bounded.
        "infeasible" | "infeasible or unbounded" => Report::of(SolveStatus::Infeasible, words),
        "time limit reached" => stopped(SolveStatus::Timeout),
        "memory limit reached" => stopped(SolveStatus::Memout),
        "user interrupt" | "termination signal received" => stopped(SolveStatus::Limit),
        _ if words.ends_with("limit reached") => stopped(SolveStatus::Limit),
        _ => return Err(format!("the solution file has the status {words:?}")),
    };
    if matches!(report.outcome.status, SolveStatus::Optimal | SolveStatus::Feasible) {
        report.values = Values::Named { values: lines.map(named).collect::<Result<_, _>>()?, all: false };
        report.outcome.objective_value = objective;
    }
    let bound = after(left.log, "Dual Bound").and_then(number);
    report.outcome.bound = bound.filter(|bound| bound.abs() < INFINITE);
    report.outcome.nodes = after(left.log, "Solving Nodes").and_then(count);
    if let Some(line) = line_with(left.log, "original problem has ") {
        report.counts = Counts { rows: count_before(line, "constraints"), columns: count_before(line, "variables") };
    }
    Ok(report)
}
