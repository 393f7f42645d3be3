//! The program `cbc` over an MPS or LP file; the backend `cbc` is the library. `timeMode elapsed` makes its time limit
//! wall time, before which it gives up; so it is given a little more.

use super::common::*;

pub(super) static PROGRAM: Program = Program {
    name: "cbc-exe",
    executable: "cbc",
    interface: "cbc over a model file",
    install: "apt-get install coinor-cbc",
    formats: &[Format::Mps, Format::Lp],
    version: &["-quit"],
    version_after: Some("Version:"),
    own: "seconds timeMode threads randomSeed randomCbcSeed cutoff import solve branchAndCut solution \
          printingOptions quit stop exit end export maximize direction",
    abbreviations: true,
    arguments: &[
        Part::Always(&["-import", "{model}"]),
        Part::Limit(&["-timeMode", "elapsed", "-seconds", "{time+}"]),
        // Its own 0 is the time of day, which is no seed: 0 leaves its default.
        Part::Seed(&["-randomSeed", "{seed}", "-randomCbcSeed", "{seed}"]),
        Part::Options(&["-{name}", "{value}"]),
        Part::Always(&["-solve", "-solution", "{solution}", "-quit"]),
    ],
    reader: &READER,
    ..COMMON
};

static READER: Reader = Reader {
    name: "cbc",
    refusals: &["No match for ", "Possible options for ", " is illegal for "],
    read,
    ..MIP_READER
};

fn read(left: Left<'_>) -> Result<Report, String> {
    let file = solution(left)?;
    let mut lines = file.lines().filter(|line| !line.trim().is_empty());
    let first = lines.next().ok_or("the solution file is empty")?;
    let split = first.split_once(" - objective value ");
    let (words, objective) = split.ok_or_else(|| format!("the solution file begins with {first:?}"))?;
    let words = words.trim();
    // It writes the point of the relaxation where it has no solution, and says so here and there.
    let none = words.contains("no integer solution") || left.log.contains("No feasible solution found");
    let stopped = |without| Report::stopped(without, !none, words);
    let mut report = match words {
        _ if words.starts_with("Optimal") && !none => Report::of(SolveStatus::Optimal, words),
        _ if words.starts_with("Infeasible") || words.starts_with("Integer infeasible") => {
            // It says so too when its time is over in the presolve.
            Report::of(if left.out_of_time { SolveStatus::Timeout } else { SolveStatus::Infeasible }, words)
        }
        _ if words.starts_with("Stopped on time") => stopped(SolveStatus::Timeout),
        _ if words.starts_with("Stopped on ") => stopped(SolveStatus::Limit),
        _ => return Err(format!("the solution file has the status {words:?}")),
    };
    let status = report.outcome.status;
    if matches!(status, SolveStatus::Optimal | SolveStatus::Feasible) {
        // Index, name, value, reduced cost; two asterisks before them mark what breaks a bound.
        let values = lines.map(|line| {
            let line = line.trim_start().trim_start_matches("**").trim_start();
            let rest = line.split_once(char::is_whitespace).map_or("", |(_, rest)| rest);
            named(rest).map_err(|_| format!("the solution file has the line {line:?}"))
        });
        report.values = Values::Named { values: values.collect::<Result<_, _>>()?, all: false };
        report.outcome.objective_value = number(objective);
    }
    let log = left.log;
    report.outcome.bound = after(log, "Lower bound:").and_then(number);
    if status == SolveStatus::Optimal && !log.contains("within gap tolerance") {
        report.outcome.bound = report.outcome.objective_value;
    }
    report.outcome.nodes = after(log, "Enumerated nodes:").and_then(count);
    report.outcome.simplex_iterations = after(log, "Total iterations:").and_then(count);
    Ok(report)
}
