//! `tilebench solve`: a plan of one run, whose row is printed.

mod text;

use std::path::Path;
use std::process::ExitCode;

use anyhow::Context;
use model::{Formulation, FormulationKind};
use puzzle::{Instance, Puzzle, Solution};
use record::{Category, RunRow, SolveStatus, Status, proof_files};
use runner::protocol::Event;
use runner::{
    Interrupt, Limits, PlannedInstance, PlannedRun, RunFiles, RunOutput, SingleRun, SolverInfo, count, run_single,
};
use serde::Serialize;

pub use self::text::parts;
use crate::args::{FailOn, Solve};
use crate::failure::{CHECK_FAILED, INTERRUPTED};
use crate::output::{check_apart, check_distinct, json, note, say, spinner};
use crate::solvers;

/// Width of a PNG picture in pixels.
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

/// Solves, verifies, prints; exit code 1 if the answer is wrong or the solve failed.
pub fn solve(args: &Solve) -> anyhow::Result<ExitCode> {
    let run = plan(args)?;
    let instance = &run.instance.instance;
    args.picture.as_deref().map(|path| super::show::check_ending(instance, path)).transpose()?;
    for path in [&args.solution, &args.log].into_iter().flatten() {
        super::show::check_folder(path)?;
    }
    args.proof.as_deref().map(check_proof).transpose()?;
    let outputs: Vec<_> = [&args.solution, &args.log, &args.picture, &args.proof].into_iter().flatten().collect();
    check_distinct(&args.instance, outputs.iter().copied())?;
    check_apart(&outputs)?;
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
        say!("{}", text::in_words(&run, row, &remarks));
    }
    written?;
    if let Some(proof) = &args.proof {
        let [proof, formula, _] = proof_files(proof);
        match proof.exists() {
            true => note!("proof in {}, the formula that it refutes in {}", proof.display(), formula.display()),
            false => note!("no proof: nothing is shown to be infeasible, so {} is not written", proof.display()),
        }
    }
    let gates = args.fail_on.iter().filter(|gate| gate.strikes(row)).count();
    if gates == 0 && !args.json && FailOn::Unsolved.strikes(row) {
        note!("note: a solve without an answer ends with exit code 0; --fail-on unsolved makes it 1");
    }
    Ok(match (row.status, row.category) {
        (Status::Interrupted, _) => ExitCode::from(INTERRUPTED),
        (_, Category::Wrong | Category::Error) => ExitCode::from(CHECK_FAILED),
        _ if gates > 0 => ExitCode::from(CHECK_FAILED),
        _ => ExitCode::SUCCESS,
    })
}

/// The run that the command line asks for.
fn plan(args: &Solve) -> anyhow::Result<PlannedRun> {
    let instance = PlannedInstance::load(&args.instance)?;
    let options = args.options.iter().cloned().collect();
    let known = solvers::known();
    args.solver.as_deref().map(|name| SolverInfo::find(&known, name)).transpose().map_err(anyhow::Error::msg)?;
    let usual = args.solver.as_deref().map(|solver| solvers::usual_kind(solver, &options)).transpose()?;
    let mut formulation = super::formulation(&args.model, instance.instance.puzzle.kind(), usual)?;
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
    Ok(match super::implied(&args.model) {
        Some((option, kind)) => planned.with_context(|| format!("--{option} makes this kind {kind}"))?,
        None => planned?,
    })
}

/// Refuses to write a solution over a file that holds something else.
fn check_solution(path: &Path) -> anyhow::Result<()> {
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
    super::show::check_folder(path)?;
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
    if normal.kind == FormulationKind::Mip {
        return normal.families;
    }
    let loops = puzzle.has_loops().then(|| format!(" subloops={}", normal.subloops));
    format!("{} {}{}", normal.kind, normal.families, loops.unwrap_or_default())
}

/// Writes the solution and draws it, where that is asked for.
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

/// Does a run, and prints each iteration to standard error if that is asked for.
fn observed(
    run: &PlannedRun,
    files: RunFiles,
    cgroups: bool,
    talk: bool,
    interrupt: &Interrupt,
) -> anyhow::Result<RunOutput> {
    let bar = spinner(talk);
    let on_plane = matches!(run.instance.instance.puzzle, Puzzle::TantrixNatural(_));
    let mut observe = |event: &Event| match event {
        Event::Solving { iteration } => bar.set_message(format!("iteration {iteration}")),
        Event::Iteration(iteration) if talk => {
            let solve = &iteration.solve;
            let found = found(solve, on_plane);
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

/// Lengths of loops that a line names.
const LENGTHS: usize = 8;

/// What one solve showed, in words.
fn found(solve: &record::Solve, on_plane: bool) -> String {
    let (Some(lengths), Some(loops)) = (&solve.loop_lengths, solve.loops) else {
        return match solve.status {
            SolveStatus::Infeasible if on_plane => "no solution on this board".to_owned(),
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
