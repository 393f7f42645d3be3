//! What the other crates need to know of the solvers and of this binary.

use std::collections::BTreeMap;
use std::fs::File;
use std::sync::OnceLock;

use anyhow::Context;
use model::{Formulation, FormulationKind};
use runner::protocol::{Answer, Event, Job};
use runner::{Lack, SolverInfo, Unavailable, Worker};
use solve::{SessionOptions, SolveError, Takes};

use crate::output::printed;

/// Git revision that this program was built from, with `-dirty` for changed files.
pub const GIT_COMMIT: &str = env!("TILEBENCH_GIT_COMMIT");

/// A solver beside the backends, by which tests try what becomes of workers that fail. It is no backend: it has the whole
/// worker to itself.
#[derive(Debug)]
pub struct TestSolver {
    /// The name used in configs and on the command line.
    pub name: &'static str,
    /// What it says when it is asked for its version.
    pub version: &'static str,
    /// Tells what is wrong with options.
    pub check_options: fn(&BTreeMap<String, String>) -> Result<(), String>,
    /// Does a job up to its answer; standard output for events is given.
    pub solve: fn(&Job, &mut File) -> anyhow::Result<Answer>,
    /// What it does after its answer.
    pub after_answer: fn(&Job, &mut File, &Event) -> anyhow::Result<()>,
}

static TEST_SOLVER: OnceLock<TestSolver> = OnceLock::new();

/// Makes a solver known, once in a process.
pub fn register(solver: Option<TestSolver>) {
    if let Some(solver) = solver {
        TEST_SOLVER.get_or_init(|| solver);
    }
}

/// The solver of that name, if it is none of the backends.
pub fn test_solver(name: &str) -> Option<&'static TestSolver> {
    TEST_SOLVER.get().filter(|solver| solver.name == name)
}

/// Every solver there is, for plans.
pub fn known() -> Vec<SolverInfo> {
    let backends = solve::BACKENDS.iter().map(|backend| backend.info());
    let backends = backends.map(|info| (info.name, info.runs));
    let solver = |(name, runs): (&str, _)| SolverInfo {
        name: name.to_owned(),
        runs,
        version: |name, options| {
            let probed = version(name, options).and_then(|version| rehearse(name, options).map(|()| version));
            probed.map_err(|error| Unavailable { lack: lack(&error), message: explained(name, &error) })
        },
        check_options: |name, options, threads, seed| check(name, options, threads, seed).map_err(|e| e.to_string()),
        check_formulation: |name, formulation, options, proof| {
            fits(name, formulation, options).map_err(|e| e.to_string())?;
            if proof { proves(name, formulation).map_err(|e| e.to_string()) } else { Ok(()) }
        },
    };
    backends.chain(TEST_SOLVER.get().map(|solver| (solver.name, &[][..]))).map(solver).collect()
}

/// The solvers that are part of this build, each with its version.
pub fn built_in() -> impl Iterator<Item = (&'static str, String)> {
    let infos =
        solve::BACKENDS.iter().map(|backend| (backend, backend.info())).filter(|(_, info)| info.install.is_none());
    infos.filter_map(|(backend, info)| Some((info.name, backend.version(&BTreeMap::new()).ok()?)))
}

/// The version of a solver, with options that may say which program it is.
pub fn version(name: &str, options: &BTreeMap<String, String>) -> Result<String, SolveError> {
    match test_solver(name) {
        Some(solver) => Ok(solver.version.to_owned()),
        None => solve::backend(name)?.version(options),
    }
}

/// Has a solver that tells only while it solves what options it takes read them, on a model of next to nothing: what it does not
/// take is said before anything runs.
fn rehearse(name: &str, options: &BTreeMap<String, String>) -> Result<(), SolveError> {
    let Some(backend) = solve::BACKENDS.iter().find(|backend| backend.info().name == name) else { return Ok(()) };
    if options.is_empty() {
        return Ok(());
    }
    let session = SessionOptions { threads: 1, options: options.clone(), ..SessionOptions::default() };
    match backend.rehearse(&session, &printed) {
        // Whatever else goes wrong is for the runs to show.
        Err(error) if lack(&error) == Lack::Options => Err(error),
        _ => Ok(()),
    }
}

/// The kind of formulations that a solver is there for: the first of those that it solves with these options.
pub fn usual_kind(name: &str, options: &BTreeMap<String, String>) -> Result<FormulationKind, SolveError> {
    if test_solver(name).is_some() {
        return Ok(FormulationKind::default());
    }
    let backend = solve::backend(name)?;
    // Options that make no sense are refused elsewhere (`check`).
    let kinds = backend.kinds(options).unwrap_or(backend.info().kinds);
    Ok(kinds.first().copied().unwrap_or_default())
}

/// The solver that is used where none is asked for: the first one of the kind that is on this machine.
pub fn default_for(kind: FormulationKind) -> anyhow::Result<&'static str> {
    let none = BTreeMap::new();
    let mut backends = solve::BACKENDS.iter().filter(|backend| backend.info().kinds.contains(&kind));
    let found = backends.find(|backend| backend.version(&none).is_ok());
    Ok(found
        .with_context(|| format!("no solver here is for formulations of kind {kind}; see tilebench solvers"))?
        .info()
        .name)
}

/// What a solver takes that cannot be used.
fn lack(error: &SolveError) -> Lack {
    match error {
        SolveError::Licence { .. } => Lack::Licence,
        SolveError::Option { .. }
        | SolveError::OwnOption { .. }
        | SolveError::Unsupported { .. }
        | SolveError::Kind { .. } => Lack::Options,
        _ => Lack::Solver,
    }
}

/// Whether a solver solves formulations like this one.
pub fn fits(name: &str, formulation: &Formulation, options: &BTreeMap<String, String>) -> Result<(), SolveError> {
    if test_solver(name).is_some() {
        return Ok(());
    }
    solve::fits(solve::backend(name)?, formulation, options)
}

/// Whether a solver can write a proof that such a formulation has no solution.
pub fn proves(name: &str, formulation: &Formulation) -> anyhow::Result<()> {
    anyhow::ensure!(
        !formulation.places_first(),
        "places-first: chosen places are not all, so that nothing is proven of the puzzle"
    );
    let able = test_solver(name).is_none() && solve::backend(name)?.info().reports.proof;
    match able && formulation.kind() == FormulationKind::Sat {
        true => Ok(()),
        false => anyhow::bail!("{name} writes no proofs for formulations of kind {}", formulation.kind()),
    }
}

/// Whether a solver exists and takes these options, threads and seed, as far as it can tell before a solve; one that is
/// not on this machine may not be able to.
pub fn check(name: &str, options: &BTreeMap<String, String>, threads: u32, seed: u64) -> anyhow::Result<()> {
    if let Some(solver) = test_solver(name) {
        return (solver.check_options)(options).map_err(anyhow::Error::msg);
    }
    let session = SessionOptions { seed, threads, options: options.clone(), ..SessionOptions::default() };
    let backend = solve::backend(name)?;
    // Options may say for which of several kinds it is: one that it opens for will do.
    let mut opened = backend.info().kinds.iter().map(|&kind| backend.open(kind, &session).map(drop));
    let first = opened.next().unwrap_or(Ok(()));
    match first.or_else(|error| if opened.any(|other| other.is_ok()) { Ok(()) } else { Err(error) }) {
        Err(SolveError::Missing { .. } | SolveError::Licence { .. }) | Ok(()) => Ok(()),
        Err(error) => {
            let of_seed = matches!(&error, SolveError::Option { option, value, .. }
                if !options.contains_key(option) && *value == seed.to_string());
            let what = if of_seed { format!("seed {seed}: ") } else { String::new() };
            Err(anyhow::Error::msg(what + &explained(name, &error)))
        }
    }
}

/// What a solver says, and of an option that it refuses what would be right, where it can tell.
fn explained(name: &str, error: &SolveError) -> String {
    let (SolveError::Option { option, value, .. }, Ok(backend)) = (error, solve::backend(name)) else {
        return error.to_string();
    };
    // A whole command line: what the solver says of it is all that is known.
    if option == "arguments" {
        return error.to_string();
    }
    let instead = |wrong: &str, known: &[String]| runner::alternatives(wrong, known.iter().map(String::as_str));
    let right = match (backend.takes(option, &printed), backend.options(&printed)) {
        (Some(Takes::Words(words)), _) => format!(": {}", instead(value, &words)),
        (Some(Takes::Such(takes)), _) => format!(": it takes {takes}"),
        (None, Some(known)) if known.contains(option) => ": it has this option, and takes other values".to_owned(),
        (None, Some(known)) if known.is_empty() => format!(": {name} has no options"),
        (None, Some(known)) => format!(": no such option; {}", instead(option, &known)),
        (None, None) => String::new(),
    };
    format!("{error}{right}")
}

/// This binary as a worker, which is told what programs have said so far.
pub fn worker() -> anyhow::Result<Worker> {
    let command = system::running_program().context("cannot find the running program, which the workers are to run")?;
    let (args, guard) = (vec!["worker".to_owned()], Some("guard".to_owned()));
    Ok(Worker { command, args, guard, git_commit: GIT_COMMIT.to_owned(), heard: solve::heard() })
}

/// The version and the revision, in one line.
pub fn short_version() -> String {
    let revision = if GIT_COMMIT.is_empty() { "built outside of git" } else { GIT_COMMIT };
    format!("{} ({revision})", env!("CARGO_PKG_VERSION"))
}
