//! Solvers of linear models, over an LP or MPS file. What a description does not say is as in [`Program::COMMON`] and
//! [`Reader::COMMON`]: exit code 0, a time limit in seconds of wall time.

use roxmltree::Document;

use super::call::{Part, SETTINGS};
use super::files::{
    Counts, Format, Left, Reader, Report, Values, after, count, count_before, line_with, named, number, solution, value,
};
use super::program::Program;
use crate::backend::*;
use crate::options::{CBC_COMPLAINTS, CBC_OWN, HIGHS_OWN, SCIP_OWN};

pub(super) static PROGRAMS: [Program; 6] = [
    // Its time limit is wall time.
    Program {
        name: "gurobi",
        executable: "gurobi_cl",
        interface: "gurobi_cl over a model file",
        reports: Reports { threads: true, ..Reports::MIP },
        install: "from gurobi.com, with a licence of your own",
        version_after: Some("Gurobi Optimizer version"),
        own: "TimeLimit Threads Seed ResultFile LogFile LogToConsole OutputFlag Cutoff BestObjStop BestBdStop InputFile \
              ConcurrentSettings",
        most_seed: 2_000_000_000,
        arguments: &[
            Part::Limit(&["TimeLimit={time}"]),
            Part::Always(&["Threads={threads}", "Seed={seed}", "ResultFile={solution}"]),
            Part::Options(&["{name}={value}"]),
            Part::Always(&["{model}"]),
        ],
        reader: &Reader {
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
            read: gurobi,
            ..Reader::COMMON
        },
        ..Program::COMMON
    },
    // The interactive optimizer. `clocktype 2` makes its time limit wall time.
    Program {
        name: "cplex",
        executable: "cplex",
        interface: "cplex over a model file",
        reports: Reports { threads: true, ..Reports::MIP },
        install: "IBM ILOG CPLEX Optimization Studio, with a licence of your own",
        version: &["-c", "quit"],
        version_after: Some("Interactive Optimizer"),
        own: "timelimit dettimelimit clocktype threads randomseed logfile mip/tolerances/uppercutoff \
              mip/tolerances/lowercutoff mip/tolerances/objdifference mip/tolerances/relobjdifference",
        abbreviations: true,
        arguments: &[
            Part::Always(&["-c", "set clocktype 2"]),
            Part::Limit(&["set timelimit {time}"]),
            Part::Always(&["set threads {threads}", "set randomseed {seed}"]),
            Part::Made(|call| {
                call.options.iter().map(|(name, v)| format!("set {} {v}", name.replace('/', " "))).collect()
            }),
            Part::Always(&["read {model}", "optimize", "write {solution}", "quit"]),
        ],
        reader: &Reader {
            name: "cplex",
            licence: &["CPLEX Error  1016", "CPLEX Error 1016", "CPLEX Error  32", "CPLEX Error 32", "ILM Error"],
            refusals: &["does not exist.", "is not a valid", "Invalid value", "not in valid range"],
            read: cplex,
            ..Reader::COMMON
        },
        ..Program::COMMON
    },
    // Its shell. Its time limit is wall time, as `timing/clocktype` says.
    Program {
        name: "scip",
        executable: "scip",
        interface: "scip over a model file",
        reports: Reports { simplex_iterations: false, ..Reports::MIP },
        install: "from scipopt.org; the solver pyscipopt is SCIP without an executable",
        version_after: Some("SCIP version"),
        own: SCIP_OWN,
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
        reader: &Reader {
            name: "scip",
            refusals: &["unknown parameter <", "invalid parameter value <", "Invalid value <", "input error in file"],
            read: scip,
            ..Reader::COMMON
        },
        ..Program::COMMON
    },
    // The backend `highs` is the library. Its time limit is wall time.
    Program {
        name: "highs-exe",
        executable: "highs",
        interface: "highs over a model file",
        reports: Reports { threads: true, ..Reports::MIP },
        install: "from highs.dev; pip install highsbox brings it as highsbox/highs_dist/bin/highs, with LD_LIBRARY_PATH on the lib beside bin",
        version_after: Some("HiGHS version"),
        own: HIGHS_OWN,
        arguments: &[Part::Always(&["--options_file", SETTINGS, "--solution_file", "{solution}", "{model}"])],
        settings: &[
            Part::Always(&["random_seed = {seed}", "threads = {threads}"]),
            Part::Made(|call| vec![format!("parallel = {}", if call.threads > 1 { "on" } else { "off" })]),
            Part::Limit(&["time_limit = {time}"]),
            Part::Options(&["{name} = {value}"]),
        ],
        reader: &Reader {
            name: "highs",
            refusals: &["is unknown", "Cannot read value", "for option \"", "for string option", "is not one of"],
            read: highs,
            ..Reader::COMMON
        },
        ..Program::COMMON
    },
    // The backend `cbc` is the library. `timeMode elapsed` makes its time limit wall time, before which it gives up; so it is given a
    // little more.
    Program {
        name: "cbc-exe",
        executable: "cbc",
        interface: "cbc over a model file",
        install: "apt-get install coinor-cbc",
        formats: &[Format::Mps, Format::Lp],
        version: &["-quit"],
        version_after: Some("Version:"),
        own: CBC_OWN,
        abbreviations: true,
        arguments: &[
            Part::Always(&["-import", "{model}"]),
            Part::Limit(&["-timeMode", "elapsed", "-seconds", "{time+}"]),
            // Its own 0 is the time of day, which is no seed: 0 leaves its default.
            Part::Seed(&["-randomSeed", "{seed}", "-randomCbcSeed", "{seed}"]),
            Part::Options(&["-{name}", "{value}"]),
            Part::Always(&["-solve", "-solution", "{solution}", "-quit"]),
        ],
        reader: &Reader { name: "cbc", refusals: &CBC_COMPLAINTS, read: cbc, ..Reader::COMMON },
        ..Program::COMMON
    },
    // Its time limit is wall time in whole seconds.
    Program {
        name: "glpk",
        executable: "glpsol",
        interface: "glpsol over a model file",
        reports: Reports { nodes: false, seed: false, ..Reports::MIP },
        install: "apt-get install glpk-utils",
        formats: &[Format::Mps, Format::Lp],
        version_after: Some("LP/MIP Solver"),
        own: "tmlim seed write w output o read r lp mps freemps log max min nomip objbnd minisat check interior exact \
              ranges bounds",
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
        reader: &Reader {
            name: "glpk",
            refusals: &["Invalid option", "Invalid relative mip gap tolerance", "No argument for"],
            read: glpk,
            ..Reader::COMMON
        },
        ..Program::COMMON
    },
];

fn gurobi(left: Left<'_>) -> Result<Report, String> {
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

fn cplex(left: Left<'_>) -> Result<Report, String> {
    let mut report = match left.solution {
        Some(file) => cplex_file(file)?,
        None => cplex_log(left.log)?,
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
fn cplex_file(file: &str) -> Result<Report, String> {
    let document = Document::parse(file).map_err(|error| format!("the solution file cannot be read: {error}"))?;
    let all = |tag: &'static str| document.descendants().filter(move |node| node.has_tag_name(tag));
    let header = all("header").next().ok_or("the solution file has no header")?;
    let text = |name: &str| header.attribute(name).ok_or_else(|| format!("the solution file has no {name}"));
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
    let values = all("variable").map(|variable| match (variable.attribute("name"), variable.attribute("value")) {
        (Some(name), Some(word)) => Ok((name.to_owned(), value(word)?)),
        _ => Err("the solution file has a variable without a name or a value".to_owned()),
    });
    report.values = Values::Named { values: values.collect::<Result<_, _>>()?, all: true };
    let rows = all("constraint").count() as u64;
    report.counts = Counts { rows: (rows > 0).then_some(rows), columns: None };
    Ok(report)
}

/// Without a solution there is no file.
fn cplex_log(log: &str) -> Result<Report, String> {
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

const SCIP_INFINITE: f64 = 1e20;

fn scip(left: Left<'_>) -> Result<Report, String> {
    let file = solution(left)?;
    let mut lines = file.lines().filter(|line| !line.trim().is_empty());
    let status_line = lines.next().and_then(|line| line.strip_prefix("solution status:"));
    let words = status_line.ok_or("the solution file does not begin with a status")?.trim();
    let second = lines.next().unwrap_or_default();
    let objective = second.strip_prefix("objective value:").and_then(|rest| number(rest.trim()));
    let stopped = |without| Report::stopped(without, objective.is_some(), words);
    let mut report = match words {
        // Other solvers call it optimal too that they end within the gap that their options allow.
        "optimal solution found" | "gap limit reached" => Report::of(SolveStatus::Optimal, words),
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
    report.outcome.bound = bound.filter(|bound| bound.abs() < SCIP_INFINITE);
    report.outcome.nodes = after(left.log, "Solving Nodes").and_then(count);
    if let Some(line) = line_with(left.log, "original problem has ") {
        report.counts = Counts { rows: count_before(line, "constraints"), columns: count_before(line, "variables") };
    }
    Ok(report)
}

fn highs(left: Left<'_>) -> Result<Report, String> {
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

fn cbc(left: Left<'_>) -> Result<Report, String> {
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
    // It prints three decimals: a bound is what this may be rounded from.
    report.outcome.bound = after(log, "Lower bound:").and_then(number).map(|bound| bound - 0.0005);
    if status == SolveStatus::Optimal && !log.contains("within gap tolerance") {
        report.outcome.bound = report.outcome.objective_value;
    }
    report.outcome.nodes = after(log, "Enumerated nodes:").and_then(count);
    report.outcome.simplex_iterations = after(log, "Total iterations:").and_then(count);
    Ok(report)
}

fn glpk(left: Left<'_>) -> Result<Report, String> {
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
        // As other solvers call it that end within the gap that their options allow.
        "f" if left.log.contains("GAP TOLERANCE REACHED") => (SolveStatus::Optimal, SolveStatus::Optimal),
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
    report.outcome.bound = match claim {
        "o" => report.outcome.objective_value,
        _ => last.and_then(|(_, rest)| rest.split_once(">=")).and_then(|(_, bound)| number(bound)),
    };
    Ok(report)
}
