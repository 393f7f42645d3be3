//! `tilebench solve`: a plan of one run, whose row is printed.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context;
use model::{Formulation, FormulationKind, Objective, Strategy};
use puzzle::{Instance, Puzzle, Solution};
use record::{
    CPU_LIMIT, Category, HARD_LIMIT, Lays, MEMORY_LIMIT, NO_OTHER_PLACES, RunRow, SOFT_LIMIT, SolveStatus, Status,
    counted_in, counted_until_limit_in, proof_files,
};
use runner::protocol::Event;
use runner::{Interrupt, Limits, PlannedRun, RunFiles, RunOutput, SingleRun, SolverInfo, count, run_single};
use serde::Serialize;
use solve::search::MOST_PROPAGATED;

use super::instance;
use crate::args::{FailOn, Solve};
use crate::output::{BAD_INPUT, CHECK_FAILED, INTERRUPTED, check_outputs, json, note, say, spinner};
use crate::solvers;

const PICTURE_WIDTH: u32 = 1200;

/// A run as `--json` shows it: the columns of `runs.csv`, those of `iterations.csv` for each solve, and the solution.
#[derive(Serialize)]
struct Outcome<'a> {
    #[serde(flatten)]
    row: &'a RunRow,
    /// What verification says of the solution beside its verdict.
    remarks: &'a [String],
    solves: Vec<&'a record::Solve>,
    solution: Option<&'a Solution>,
}

/// Solves, verifies, prints; exit code 1 if the answer is wrong or the solve failed, 2 if the solver cannot do what was asked.
pub fn solve(args: &Solve) -> anyhow::Result<ExitCode> {
    let run = plan(args)?;
    let instance = &run.instance.instance;
    args.picture.as_deref().map(|path| super::show::check_ending(instance, path)).transpose()?;
    let outputs = [&args.solution, &args.log, &args.picture, &args.proof];
    check_outputs(&[&args.instance], &outputs.into_iter().flatten().map(PathBuf::as_path).collect::<Vec<_>>())?;
    args.proof.as_deref().map(check_proof).transpose()?;
    args.solution.as_deref().map(check_solution).transpose()?;
    if !args.json {
        let formulation = described(&run.formulation, &instance.puzzle);
        note!("{}: {formulation} on {} {}", instance.name, run.solver.name, run.solver.version);
        if let Some(obstacle) = instance.obstacle() {
            let board = if instance.puzzle.has_loops() { " on any board" } else { "" };
            note!("note: this has no solution{board}: {obstacle}");
        }
    }
    let files = RunFiles { log: args.log.clone(), proof: args.proof.clone() };
    let interrupt = Interrupt::on_signals().context("cannot watch for Ctrl-C")?;
    let output = observed(&run, files, !args.no_cgroup, !args.json, &interrupt)?;
    let RunOutput { row, solves, solution, .. } = &output;
    // Before anything is printed, so that a closed pipe takes no file away.
    let written = write_files(args, instance, solution.as_ref());
    let remarks = solution.as_ref().map(|solution| puzzle::verify(instance, solution).remarks).unwrap_or_default();
    if args.json {
        let solves = solves.iter().map(|row| &row.solve).collect();
        let outcome = Outcome { row, remarks: &remarks, solves, solution: solution.as_ref() };
        json(&outcome)?;
    } else {
        say!("{}", in_words(&run, row, &remarks));
    }
    written?;
    if let Some(proof) = &args.proof {
        let [proof, formula, _] = proof_files(proof);
        match proof.exists() {
            true => note!("proof in {}, the formula that it refutes in {}", proof.display(), formula.display()),
            false => note!("no proof: nothing is shown to be infeasible, so {} is not written", proof.display()),
        }
    }
    let gates = args.fail_on.iter().filter(|gate| gate.strikes(row.status, row.category)).count();
    let is_end = row.status == Status::Interrupted || row.claims_infeasible();
    if gates == 0 && !args.json && !is_end && FailOn::Unsolved.strikes(row.status, row.category) {
        note!("note: a solve without an answer ends with exit code 0; --fail-on unsolved makes it 1");
    }
    let is_propagate = run.formulation.strategy().is_ok_and(|strategy| strategy == Strategy::Propagate);
    let are_many = instance.puzzle.has_loops() && row.challenge.is_some_and(|tiles| tiles as usize > MOST_PROPAGATED);
    if row.status == Status::Timeout && is_propagate && are_many && !args.json {
        note!("note: --strategy parts is made for more than {MOST_PROPAGATED} tiles");
    }
    Ok(match (row.status, row.category) {
        (Status::Interrupted, _) => ExitCode::from(INTERRUPTED),
        _ if gates > 0 => ExitCode::from(CHECK_FAILED),
        (Status::Unsupported, _) => ExitCode::from(BAD_INPUT),
        (_, Category::Wrong | Category::Error) => ExitCode::from(CHECK_FAILED),
        _ => ExitCode::SUCCESS,
    })
}

fn plan(args: &Solve) -> anyhow::Result<PlannedRun> {
    let instance = instance::planned(&args.instance)?;
    let mut options = BTreeMap::new();
    for (name, value) in &args.options {
        let twice = options.insert(name.clone(), value.clone()).is_some();
        anyhow::ensure!(!twice, "--option {name}: given twice; leave one of them out");
    }
    let known = solvers::known();
    args.solver.as_deref().map(|name| SolverInfo::find(&known, name)).transpose().map_err(anyhow::Error::msg)?;
    let usual = args.solver.as_deref().map(|solver| solvers::usual_kind(solver, &options)).transpose()?;
    let mut formulation = args.model.formulation(instance.instance.puzzle.kind(), usual)?;
    if args.root_bound {
        anyhow::ensure!(
            formulation.kind() == FormulationKind::Mip,
            "--root-bound: only a linear model (kind mip) has a linear relaxation, and this is kind {}",
            formulation.kind()
        );
        formulation = formulation.with("root-bound", true)?;
    }
    let solver = args.solver.as_deref().map_or_else(|| solvers::default_for(formulation.kind()), Ok)?;
    let limits = Limits { time_s: args.time_limit.0, cpu_s: args.cpu_limit, memory_b: args.memory_limit };
    let run = SingleRun {
        instance,
        formulation,
        solver,
        options,
        threads: u32::try_from(args.threads)?,
        proof: args.proof.is_some(),
        seed: args.seed,
        limits,
    };
    let planned = run.plan(&known);
    // Whoever did not ask for the kind is told where it comes from.
    Ok(match args.model.implied() {
        Some((option, kind)) => planned.with_context(|| format!("--{option} makes this kind {kind}"))?,
        None => planned?,
    })
}

/// Refuses to write a solution over a file that holds something else.
fn check_solution(path: &Path) -> anyhow::Result<()> {
    anyhow::ensure!(!path.is_dir(), "--solution {}: this is a folder; add the name of a file", path.display());
    let holds_other =
        path.metadata().is_ok_and(|there| there.is_file() && there.len() > 0) && Solution::load(path).is_err();
    anyhow::ensure!(
        !holds_other,
        "--solution {}: this file is there and is no solution; choose another name, which ends in .json, or remove it",
        path.display()
    );
    Ok(())
}

/// Whether a proof can have this name: what it refutes goes beside it.
fn check_proof(path: &Path) -> anyhow::Result<()> {
    let [_, formula, _] = proof_files(path);
    anyhow::ensure!(
        formula != path,
        "--proof {}: the formula that it refutes goes to this file: give the proof another ending, such as .drat",
        path.display()
    );
    // Proof and formula take their places once both are whole.
    anyhow::ensure!(path.is_file() || !path.exists(), "--proof {}: this is no regular file", path.display());
    Ok(())
}

/// A formulation in a line: its families, or its kind and what it chooses instead. What is about loops is left out where there are none.
fn described(formulation: &Formulation, puzzle: &Puzzle) -> String {
    let normal = formulation.columns().about(puzzle);
    let is_mip = normal.kind == FormulationKind::Mip;
    let kind = if is_mip { String::new() } else { format!("{} ", normal.kind) };
    let tells_loops = puzzle.has_loops() && (!is_mip || normal.subloops.starts_with("lazy"));
    let loops = if tells_loops { format!(" subloops={}", normal.subloops) } else { String::new() };
    let options: String = formulation.options().iter().map(|(key, value)| format!(" {key}={value}")).collect();
    kind + &normal.families + &loops + &options
}

fn write_files(args: &Solve, instance: &Instance, solution: Option<&Solution>) -> anyhow::Result<()> {
    if let Some(path) = &args.solution {
        match solution {
            Some(solution) => record::write_whole(path, solution.to_json().as_bytes())?,
            None => note!("no solution, so {} is not written", path.display()),
        }
    }
    if let Some(path) = &args.picture {
        match solution {
            Some(_) => super::show::write(instance, solution, path, PICTURE_WIDTH)?,
            None => note!("no solution, so {} is not drawn", path.display()),
        }
    }
    Ok(())
}

fn observed(
    run: &PlannedRun,
    files: RunFiles,
    cgroups: bool,
    talk: bool,
    interrupt: &Interrupt,
) -> anyhow::Result<RunOutput> {
    let bar = spinner(talk);
    // What follows if a solve shows that there is no solution may be another one.
    let none = |lays: Option<Lays>| match (lays, &run.instance.instance.puzzle) {
        (Some(Lays::Tiles), _) => "no tiles for these lines",
        (Some(Lays::Lines), _) => "no lines on these places",
        _ if run.formulation.places_first() => "no solution on these places",
        (None, Puzzle::TantrixNatural(_)) => "no solution on this board",
        (None, _) => "infeasible",
    };
    let mut observe = |event: &Event| match event {
        Event::Solving { iteration } => bar.set_message(format!("iteration {iteration}")),
        Event::Iteration(iteration) if talk => {
            let solve = &iteration.solve;
            let of_lines = solve.lays == Some(Lays::Lines) && solve.loops.is_some();
            let is_whole = solve.loops == Some(1) && solve.holes.unwrap_or(0) == 0;
            let refuted = if is_whole && solve.cuts_added > 0 { ", which no tiles have" } else { "" };
            let note = if of_lines { format!(" (designated lines alone{refuted})") } else { String::new() };
            let choice = solve.choice.map_or_else(String::new, |choice| format!("; choice of places: {choice}"));
            let found = found(solve, none(solve.lays)) + &note + &choice;
            bar.suspend(|| note!("  iteration {}: {:.2} s, {found}", solve.iteration, solve.time_s));
        }
        _ => {}
    };
    let output = run_single(run, files, cgroups, &solvers::worker()?, &mut observe, interrupt);
    bar.finish_and_clear();
    let output = output?;
    for warning in output.warnings.iter().filter(|_| talk) {
        note!("note: {warning}");
    }
    Ok(output)
}

const LENGTHS: usize = 8;

fn found(solve: &record::Solve, none: &str) -> String {
    let (Some(lengths), Some(loops)) = (&solve.loop_lengths, solve.loops) else {
        return match solve.status {
            SolveStatus::Infeasible => none.to_owned(),
            status => Status::from(status).to_string(),
        };
    };
    let mut lengths: Vec<&str> = lengths.split(' ').collect();
    if lengths.len() > LENGTHS + 1 {
        lengths.truncate(LENGTHS);
        lengths.push("...");
    }
    let mut found = format!("{} of {} tiles", count(loops, "loop"), lengths.join(" and "));
    if let Some(holes) = solve.holes.filter(|&holes| holes > 0) {
        found += &format!(", {}", count(holes, "hole"));
    }
    if solve.parts.is_some() {
        found += &format!("; {}", solve.native_status.as_deref().unwrap_or_default());
    }
    let counts = [
        ("parts", solve.parts),
        ("loops merged", solve.loops_merged),
        ("patches", solve.patches),
        ("restarts", solve.restarts),
    ];
    for (name, count) in counts {
        found.extend(count.filter(|&count| count > 0).map(|count| format!("; {name}: {count}")));
    }
    found
}

/// What constraints of a kind of model are called, and what they consist of.
pub fn parts(kind: FormulationKind) -> (&'static str, &'static str) {
    match kind {
        FormulationKind::Mip => ("rows", "nonzeros"),
        FormulationKind::Sat => ("clauses", "literals"),
        FormulationKind::Asp => ("rules", "literals"),
        FormulationKind::Cp | FormulationKind::Search | FormulationKind::Minizinc => {
            ("constraints", "variables in them")
        }
    }
}

/// A row in some lines: the verdict, messages and remarks, the size of the model, times, memory.
fn in_words(run: &PlannedRun, row: &RunRow, remarks: &[String]) -> String {
    let puzzle = &run.instance.instance.puzzle;
    let mut text = verdict(puzzle, row);
    let mut line = |line: String| text += &format!("\n  {line}");
    row.message.iter().chain(remarks).for_each(|remark| line(remark.clone()));
    if let (Some(variables), Some(constraints), Some(nonzeros)) = (row.variables, row.constraints, row.nonzeros) {
        let (rows, entries) = parts(run.formulation.kind());
        let model = if on_plane(puzzle) { "model of the first board" } else { "model" };
        let built = row.build_time_s.unwrap_or_default();
        line(format!(
            "{model}: {variables} variables, {constraints} {rows}, {nonzeros} {entries}, built in {built:.3} s"
        ));
    }
    if let Some(value) = row.objective_value.filter(|_| row.objective != Objective::None.name()) {
        let short = |value: f64| (value * 1e6).round() / 1e6;
        let bound = row.bound.map_or_else(String::new, |bound| format!(", bound {}", short(bound)));
        line(format!("objective ({}): {}{bound}", row.objective, short(value)));
    }
    match row.root_bound {
        Some(bound) if bound.is_infinite() => line("the linear relaxation has no solution".to_owned()),
        Some(bound) => line(format!("root bound (linear relaxation): {bound}")),
        None => {}
    }
    let mut figures = match (row.iterations, row.solve_time_s) {
        (Some(stages), Some(time)) if row.parts.is_some() => format!("{time:.2} s in {}", count(stages, "stage")),
        (Some(solves), Some(time)) => format!("{time:.2} s in {}", count(solves, "solve")),
        _ => "no solve".to_owned(),
    };
    if let Some(wall) = row.wall_time_s {
        figures += &format!(", {wall:.2} s in all");
    }
    if let Some(peak) = row.peak_memory_b {
        figures += &format!(", {:.0} MiB", peak as f64 / f64::from(1 << 20));
    }
    line(figures);
    text
}

fn on_plane(puzzle: &Puzzle) -> bool {
    matches!(puzzle, Puzzle::TantrixNatural(_))
}

fn verdict(puzzle: &Puzzle, row: &RunRow) -> String {
    let colour = row.colour.as_deref().unwrap_or("designated");
    match (row.status, row.category) {
        (_, Category::Wrong) => "WRONG: the answer does not stand".to_owned(),
        (Status::Optimal | Status::Feasible, Category::Correct) => {
            if let Some(counted) = row.native_status.as_deref().filter(|said| counted_in(said).is_some()) {
                return format!("{counted}; the one that is shown is verified");
            }
            let unproven = row.status == Status::Feasible && row.objective != Objective::None.name();
            let best = if unproven { "; a limit struck before it was proven to be the best" } else { "" };
            match row.challenge {
                Some(n) if !puzzle.has_loops() => format!("solved and verified: {n} tiles, {}{best}", puzzle.aim()),
                Some(n) => format!("solved and verified: one {colour} loop through {n} tiles{best}"),
                None => format!("solved and verified{best}"),
            }
        }
        (Status::Optimal | Status::Feasible, Category::Unknown) => left_over(row, colour),
        (Status::Infeasible, Category::Correct) => "infeasible, as is known: no solution exists".to_owned(),
        (Status::Infeasible, _) if !row.claims_infeasible() => {
            "infeasible under this formulation, which proves nothing".to_owned()
        }
        (Status::Infeasible, _) => {
            let plane =
                if on_plane(puzzle) { ", on a part of the plane that holds every loop of these tiles" } else { "" };
            format!("infeasible: the solver proved that no solution exists{plane}")
        }
        (Status::Timeout | Status::Memout, _) => limit(row) + &so_far(row),
        (Status::Interrupted, _) => "interrupted".to_owned(),
        (status, _) => format!("{status}: no answer"),
    }
}

fn limit(row: &RunRow) -> String {
    let (status, reason) = (row.status, row.termination_reason.as_str());
    let limit = match (reason, status) {
        (CPU_LIMIT, _) => "no answer within the limit of CPU time",
        (HARD_LIMIT, _) => "no answer within the time limit and its grace",
        (SOFT_LIMIT, _) => "no answer within the time limit",
        (MEMORY_LIMIT, _) => "no answer within the memory limit",
        (_, Status::Memout) => "the solver gave up for want of memory",
        _ if row.native_status.as_deref() == Some(NO_OTHER_PLACES) => {
            "no other places were found to choose, which proves nothing"
        }
        _ => "the solver gave up by a limit of its own",
    };
    match reason == status.name() {
        true => format!("{status}: {limit}"),
        false => format!("{status} ({reason}): {limit}"),
    }
}

/// What a limit left of a count: how many solutions there are at least; of any run, why its memory is too little.
fn so_far(row: &RunRow) -> String {
    let said = row.native_status.as_deref().unwrap_or_default();
    match counted_until_limit_in(said) {
        Some(0) => String::new(),
        Some(number) => format!("; at least {}", count(number, "solution")),
        None if row.status == Status::Memout && !said.is_empty() => format!(": {said}"),
        None => String::new(),
    }
}

fn left_over(row: &RunRow, colour: &str) -> String {
    let (loops, holes) = (row.loops.unwrap_or_default(), row.holes.unwrap_or_default());
    let mut found = count(loops, &format!("{colour} loop"));
    let mut remedies = Vec::new();
    if loops > 1 {
        remedies.push(match row.kind.as_str() {
            "mip" => "C5 or C5x cuts off subloops",
            _ => "leave out --subloops report: then subloops are cut off",
        });
    }
    if holes > 0 {
        found += &format!(" and {}", count(holes, "hole"));
        remedies.push("--holes resolve cuts off holes");
    }
    format!("not solved: {found}, which this formulation only reports ({})", remedies.join("; "))
}
