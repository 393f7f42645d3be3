//! The program `highs` over an LP or MPS file; the backend `highs` is the library. Its time limit is wall time.

use super::common::*;

pub(super) static PROGRAM: Program = Program {
    name: "highs-exe",
    executable: "highs",
    interface: "highs over a model file",
    reports: Reports { threads: true, ..Reports::MIP },
    install: "pip install highsbox; or from highs.dev",
    version_after: Some("HiGHS version"),
    own: "random_seed threads parallel time_limit output_flag log_to_console log_file solution_file \
          write_solution_to_file write_solution_style objective_bound objective_target options_file model_file",
    arguments: &[Part::Always(&["--options_file", SETTINGS, "--solution_file", "{solution}", "{model}"])],
    settings: &[
        Part::Always(&["random_seed = {seed}", "threads = {threads}"]),
        Part::Made(|call| vec![format!("parallel = {}", if call.threads > 1 { "on" } else { "off" })]),
        Part::Limit(&["time_limit = {time}"]),
        Part::Options(&["{name} = {value}"]),
    ],
    reader: &READER,
    ..COMMON
};

static READER: Reader = Reader {
    name: "highs",
    refusals: &["is unknown", "Cannot read value", "for option \"", "for string option", "is not one of"],
    read,
    ..MIP_READER
};

fn read(left: Left<'_>) -> Result<Report, String> {
    let mut lines = solution(left)?.lines().map(str::trim);
    lines.find(|line| *line == "Model status").ok_or("the solution file has no status")?;
    let words = lines.next().unwrap_or_default();
    lines.find(|line| *line == "# Primal solution values").ok_or("the solution file has no primal solution")?;
    let feasible = lines.next() == Some("Feasible");
    let stopped = |without| Report::stopped(without, feasible, words);
    let mut report = match words {
        "Optimal" if feasible => Report::of(SolveStatus::Optimal, words),
        // Every variable is bounded.
        "Infeasible" | "Primal infeasible or unbounded" => Report::of(SolveStatus::Infeasible, words),
        "Time limit reached" => stopped(SolveStatus::Timeout),
        "Memory limit reached" => stopped(SolveStatus::Memout),
        "Iteration limit reached" | "Solution limit reached" | "Interrupted by user" => stopped(SolveStatus::Limit),
        _ => return Err(format!("the solution file has the status {words:?}, a solution: {feasible}")),
    };
    let log = left.log;
    if feasible && report.outcome.status != SolveStatus::Infeasible {
        let objective = lines.next().and_then(|line| line.strip_prefix("Objective "));
        report.outcome.objective_value = objective.and_then(number);
        let columns = lines.next().and_then(|line| line.strip_prefix("# Columns ")).and_then(count);
        let columns = usize::try_from(columns.ok_or("the solution file has no columns")?).unwrap_or(usize::MAX);
        let values: Vec<_> = lines.take(columns).map(named).collect::<Result<_, _>>()?;
        if values.len() < columns {
            return Err("the solution file is cut short".to_owned());
        }
        report.values = Values::Named { values, all: true };
    }
    report.outcome.bound = after(log, "Dual bound").and_then(number);
    report.outcome.nodes = after(log, "Nodes").and_then(count);
    report.outcome.simplex_iterations = after(log, "LP iterations").and_then(count);
    // "MIP model has 4 rows; 4 cols; ..."
    let size = log.lines().find(|line| line.contains(" rows; ") && line.contains(" cols; "));
    if let Some(line) = size {
        report.counts = Counts { rows: count_before(line, "rows"), columns: count_before(line, "cols") };
    }
    Ok(report)
}
