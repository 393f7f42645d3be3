//! `tilebench solve`: one instance, in a worker process of its own, verified.

mod outcome;

use std::fs;
use std::path::Path;
use std::process::ExitCode;
use std::time::SystemTime;

use anyhow::Context;
use model::{Formulation, FormulationKind};
use puzzle::{Instance, Puzzle, Solution};
use record::{Category, SCHEMA_VERSION, SolveStatus, Status, discard_proof, proof_files};
use runner::protocol::{Event, Job};
use runner::{Ended, Guard, Interrupt, Judgement, WorkplaceOptions, Workplaces, execute, judge};

use self::outcome::Outcome;
pub use self::outcome::parts;
use crate::args::Solve;
use crate::failure::{CHECK_FAILED, INTERRUPTED, MACHINE_REFUSED};
use crate::output::{say, several, spinner};
use crate::solvers;

/// Width of a PNG picture in pixels.
const PICTURE_WIDTH: u32 = 1200;

/// Solves, verifies, prints; exit code 1 if the answer is wrong or the solve failed.
pub fn solve(args: &Solve) -> anyhow::Result<ExitCode> {
    let text =
        fs::read_to_string(&args.instance).with_context(|| format!("cannot read {}", args.instance.display()))?;
    let instance = Instance::parse(&text, &args.instance)?;
    let options = args.options.iter().cloned().collect();
    let usual = args.solver.as_deref().map(|solver| solvers::usual_kind(solver, &options)).transpose()?;
    let formulation = super::formulation(&args.model, instance.puzzle.kind(), usual)?;
    formulation.check(&instance)?;
    let solver = args.solver.as_deref().map_or_else(|| solvers::default_for(formulation.kind()), Ok)?;
    args.picture.as_deref().map(|path| super::show::check_ending(&instance, path)).transpose()?;
    args.solution.as_deref().map(super::show::check_folder).transpose()?;
    args.log.as_deref().map(super::show::check_folder).transpose()?;
    args.proof.as_deref().map(check_proof).transpose()?;
    let version = solvers::version(solver, &options)?;
    solvers::fits(solver, &formulation, &options)?;
    if args.proof.is_some() {
        solvers::proves(solver, &formulation)?;
    }
    anyhow::ensure!(
        !args.root_bound || formulation.kind() == FormulationKind::Mip,
        "--root-bound: only a linear model (kind mip) has a linear relaxation, and this is kind {}",
        formulation.kind()
    );
    solvers::check(solver, &options, args.threads, args.seed)?;
    if !args.json {
        eprintln!("{}: {} on {solver} {version}", instance.name, described(&formulation, &instance.puzzle));
        if let Some(obstacle) = instance.obstacle() {
            let board = if instance.puzzle.has_loops() { " on any board" } else { "" };
            eprintln!("note: this has no solution{board}: {obstacle}");
        }
    }
    let (ended, judgement) = solve_once(&instance, text, &formulation, &Options::of(args, solver)?)?;
    let outcome = Outcome::new(&instance, &formulation, solver, &version, &ended, &judgement)?;
    let solution = ended.answer.as_ref().and_then(|a| a.solution.as_ref());
    // Before anything is printed, so that a closed pipe takes no file away.
    let written = write_files(args, &instance, solution);
    if args.json {
        say!("{}", serde_json::to_string_pretty(&outcome)?);
    } else {
        say!("{outcome}");
    }
    written?;
    if let Some(proof) = &args.proof {
        let [proof, formula, _] = proof_files(proof);
        match proof.exists() {
            true => eprintln!("proof in {}, the formula that it refutes in {}", proof.display(), formula.display()),
            false => eprintln!("no proof: nothing is shown to be infeasible, so {} is not written", proof.display()),
        }
    }
    Ok(match (ended.status, judgement.category) {
        (Status::Interrupted, _) => ExitCode::from(INTERRUPTED),
        _ if ended.not_started => ExitCode::from(MACHINE_REFUSED),
        (_, Category::Wrong | Category::Error) => ExitCode::from(CHECK_FAILED),
        _ => ExitCode::SUCCESS,
    })
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
            None => eprintln!("no solution, so {} is not written", path.display()),
        }
    }
    if let Some(path) = &args.picture {
        match solution {
            Some(_) => super::show::write(instance, solution, path, PICTURE_WIDTH)?,
            None => eprintln!("no solution, so {} is not drawn", path.display()),
        }
    }
    Ok(())
}

/// How to solve one instance.
pub struct Options {
    pub solver: String,
    pub options: Vec<(String, String)>,
    /// Wall time over all iterations, in seconds.
    pub time_limit: Option<f64>,
    /// CPU time of the worker and its descendants, in seconds.
    pub cpu_limit: Option<f64>,
    pub memory_limit: Option<u64>,
    /// Whether to confine the worker by a control group where that is possible.
    pub cgroups: bool,
    pub seed: u64,
    pub threads: u32,
    pub log: Option<std::path::PathBuf>,
    pub proof: Option<std::path::PathBuf>,
    /// Whether to solve the linear relaxation of the model too.
    pub root_bound: bool,
    pub interrupt: Interrupt,
    /// Whether to print each iteration to standard error.
    pub talk: bool,
}

impl Options {
    fn of(args: &Solve, solver: &str) -> anyhow::Result<Self> {
        Ok(Self {
            solver: solver.to_owned(),
            options: args.options.clone(),
            time_limit: args.time_limit.0,
            cpu_limit: args.cpu_limit,
            memory_limit: args.memory_limit,
            cgroups: !args.no_cgroup,
            seed: args.seed,
            threads: args.threads,
            log: args.log.clone(),
            proof: args.proof.clone(),
            root_bound: args.root_bound,
            interrupt: Interrupt::on_signals().context("cannot watch for Ctrl-C")?,
            talk: !args.json,
        })
    }
}

/// Runs one worker and judges its answer.
pub fn solve_once(
    instance: &Instance,
    text: String,
    formulation: &Formulation,
    options: &Options,
) -> anyhow::Result<(Ended, Judgement)> {
    let job = Job {
        schema_version: SCHEMA_VERSION,
        git_commit: solvers::GIT_COMMIT.to_owned(),
        instance_name: instance.name.clone(),
        instance_text: text,
        formulation: formulation.clone(),
        solver: options.solver.clone(),
        options: options.options.iter().cloned().collect(),
        seed: options.seed,
        threads: options.threads,
        time_limit_s: options.time_limit,
        cpu_limit_s: options.cpu_limit,
        memory_limit_b: options.memory_limit,
        log: options.log.clone(),
        proof: options.proof.clone(),
        root_bound: options.root_bound,
    };
    let bar = spinner(options.talk);
    let on_plane = matches!(instance.puzzle, Puzzle::TantrixNatural(_));
    let mut observe = |event: &Event| match event {
        Event::Solving(solving) => bar.set_message(format!("iteration {}", solving.iteration)),
        Event::Iteration(iteration) if options.talk => {
            let solve = &iteration.solve;
            let found = found(solve, on_plane);
            bar.suspend(|| eprintln!("  iteration {}: {:.2} s, {found}", solve.iteration, solve.time_s));
        }
        _ => {}
    };
    // Not pinned: a single solve is watched by its user, who may do other things meanwhile.
    let using = WorkplaceOptions { pin: false, cgroups: options.cgroups, ..WorkplaceOptions::default() };
    let places = Workplaces::prepare(1, 1, &using);
    let worker = solvers::worker()?;
    let guard = Guard::start(&worker).unwrap_or_else(|error| {
        eprintln!("note: no guard ({error}): if this process is killed, what the worker started lives on");
        None
    });
    let begun = SystemTime::now();
    let ended = execute(&worker, &job, places.slot(0), &mut observe, &options.interrupt);
    if let Some(proof) = options.proof.as_deref().filter(|_| ended.status != Status::Infeasible) {
        discard_proof(proof, Some(begun));
    }
    bar.finish_and_clear();
    drop(guard);
    let judgement = judge(instance, &formulation.caveats(), &ended);
    Ok((ended, judgement))
}

/// What one solve showed, in words.
fn found(solve: &record::Solve, on_plane: bool) -> String {
    let (Some(lengths), Some(loops)) = (&solve.loop_lengths, solve.loops) else {
        return match solve.status {
            SolveStatus::Infeasible if on_plane => "no solution on this board".to_owned(),
            status => Status::from(status).to_string(),
        };
    };
    let loops = format!("{} of {} tiles", several(loops, "loop"), lengths.replace(' ', " and "));
    match solve.holes {
        Some(holes) if holes > 0 => format!("{loops}, {}", several(holes, "hole")),
        _ => loops,
    }
}

/// Writes a solution beside its instance file.
pub fn write_solution_beside(instance: &Path, solution: &Solution) -> anyhow::Result<std::path::PathBuf> {
    let path = instance.with_extension("solution.json");
    record::write_whole(&path, solution.to_json().as_bytes())?;
    Ok(path)
}
