//! One attempt at a run, from its worker to its rows: a part of a session, or all that is asked for.

use std::fs;
use std::path::PathBuf;
use std::time::SystemTime;

use puzzle::Solution;
use record::{IterationRow, RunRow, SCHEMA_VERSION, SessionFacts, Solve, Status, discard_proof};

use crate::host::{engine_facts, host_facts};
use crate::judge::{judge, message_of};
use crate::plan::{PlannedRun, options_text};
use crate::protocol::{Event, Iteration, Job, Relaxed};
use crate::worker::sys::System;
use crate::worker::{Ended, Guard, Worker, Workplace, WorkplaceOptions, Workplaces, execute, runner};
use crate::{Interrupt, RunnerError};

#[derive(Debug)]
pub(super) struct Outcome {
    pub row: RunRow,
    pub iterations: Vec<IterationRow>,
    /// Solutions with the number of the iteration that found them.
    pub solutions: Vec<(u64, Solution)>,
}

/// Files of a run beside its rows.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RunFiles {
    /// Where the solver's chatter is appended to.
    pub log: Option<PathBuf>,
    /// Where a proof goes, if the solver is to write one.
    pub proof: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Context<'a> {
    pub experiment: &'a str,
    pub worker: &'a Worker,
    pub place: &'a Workplace,
    pub session: &'a SessionFacts,
    pub interrupt: &'a Interrupt,
    /// Whether a run is done again during which this process was stopped.
    pub again: bool,
}

/// How often a run is done during which this process is stopped each time.
const TRIES: usize = 3;

/// The termination reason of a run that was disturbed as often as that.
const SUSPENDED: &str = "suspended";

/// What programs and the system say of a disk that is full.
const DISK_FULL: &str = "No space left on device";

/// Does a run, judges its answer and makes its rows.
pub(super) fn attempt(
    context: Context<'_>,
    run: &PlannedRun,
    number: u32,
    files: RunFiles,
    observer: &mut dyn FnMut(&Event),
) -> Result<Outcome, String> {
    let RunFiles { log, proof } = files;
    let job = Job { proof, ..run.job(&context.worker.git_commit, log) };
    let mut stops = Vec::new();
    let (started_at, mut ended) = loop {
        let started_at = now();
        let ended = match &run.solver.available {
            Ok(()) => execute(context.worker, &job, context.place, observer, context.interrupt),
            Err(lack) => Ended::without_worker(Status::Unsupported, lack.reason(), lack.message.clone()),
        };
        stops.extend(ended.stopped_s);
        let is_over = ended.stopped_s.is_none() || stops.len() == TRIES || context.interrupt.is_set();
        if is_over || !context.again {
            break (started_at, ended);
        }
    };
    let message = ended.message.as_deref().unwrap_or_default();
    if ended.is_not_started() || (ended.status == Status::Error && message.contains(DISK_FULL)) {
        return Err(message.to_owned());
    }
    if ended.stopped_s.is_some() && context.again {
        (ended.status, ended.termination_reason) = (Status::Interrupted, SUSPENDED.to_owned());
    }
    let remark = stopped(&stops, context.again && ended.stopped_s.is_none());
    ended.message = message_of([remark, ended.message.take()]);
    Ok(outcome(context, run, number, started_at, ended))
}

/// That this process was stopped, the machine asleep or its clock set anew, by so many seconds in each attempt.
fn stopped(stops: &[f64], measured_again: bool) -> Option<String> {
    let each = stops.iter().map(|seconds| format!("{seconds:.1} s")).collect::<Vec<_>>().join(" and ");
    let then = if measured_again { "measured again" } else { "its times say nothing" };
    (!stops.is_empty()).then(|| {
        format!("tilebench was stopped, the machine asleep or its clock set anew, by {each} during this run: {then}")
    })
}

/// What a single run came to.
#[derive(Debug, Clone, PartialEq)]
pub struct RunOutput {
    /// Its row, as `runs.csv` would have it.
    pub row: RunRow,
    /// Its solves, as `iterations.csv` would have them.
    pub solves: Vec<IterationRow>,
    /// The solution of the answer, which was verified.
    pub solution: Option<Solution>,
    /// What disturbed it.
    pub warnings: Vec<String>,
}

/// Does a run by itself. Nothing is kept but its files; the observer sees each event as it comes.
///
/// # Errors
/// A worker that cannot be started.
pub fn run_single(
    run: &PlannedRun,
    files: RunFiles,
    cgroups: bool,
    worker: &Worker,
    observer: &mut dyn FnMut(&Event),
    interrupt: &Interrupt,
) -> Result<RunOutput, RunnerError> {
    // Not pinned: a single run is watched by its user, who may do other things meanwhile.
    let using = WorkplaceOptions { pin: false, cgroups, ..WorkplaceOptions::default() };
    let places = Workplaces::prepare(1, 1, &using);
    let mut warnings = Vec::new();
    let guard = Guard::start(worker).unwrap_or_else(|error| {
        warnings.push(no_guard(&error));
        None
    });
    let session = session_facts(worker, 1, &places);
    let (experiment, place) = ("", places.slot(0));
    let context = Context { experiment, worker, place, session: &session, interrupt, again: false };
    let (begun, proof) = (SystemTime::now(), files.proof.clone());
    let output = attempt(context, run, 1, files, observer).map_err(RunnerError::NotStarted)?;
    drop(guard);
    if let Some(proof) = proof.filter(|_| output.row.status != Status::Infeasible) {
        discard_proof(&proof, Some(begun));
    }
    let Outcome { row, iterations, mut solutions } = output;
    // That of the answer stands last.
    let solution = solutions.pop().filter(|_| row.status.has_solution()).map(|(_, solution)| solution);
    Ok(RunOutput { row, solves: iterations, solution, warnings })
}

/// What all runs of a session have in common, which begins now.
pub(super) fn session_facts(worker: &Worker, jobs: usize, places: &Workplaces) -> SessionFacts {
    let host = host_facts();
    SessionFacts {
        id: session_id(&host.host),
        started_at: now(),
        git_commit: worker.git_commit.clone(),
        program: program_of(worker),
        jobs: u32::try_from(jobs).unwrap_or(u32::MAX),
        pinned: places.pinned,
        isolation: places.isolation.to_owned(),
        host,
        engine: engine_facts(),
        ..SessionFacts::default()
    }
}

/// What no other session has, on this machine or another: the beginning of a hash of host, start of the machine, process and time.
fn session_id(host: &str) -> String {
    let boot = System::default().read("/proc/sys/kernel/random/boot_id");
    let now = jiff::Timestamp::now().as_nanosecond();
    blake3::hash(format!("{host}\n{boot}\n{}\n{now}", runner()).as_bytes()).to_hex()[..12].to_owned()
}

/// What tells the program from others where the revision does not: the beginning of the hash of its file.
fn program_of(worker: &Worker) -> String {
    if !worker.git_commit.is_empty() && !worker.git_commit.ends_with("-dirty") {
        return String::new();
    }
    let bytes = fs::read(&worker.command).ok();
    bytes.map(|bytes| blake3::hash(&bytes).to_hex()[..12].to_owned()).unwrap_or_default()
}

pub(super) fn no_guard(error: &std::io::Error) -> String {
    format!("no guard ({error}): if this process is killed, what its workers started lives on")
}

fn now() -> String {
    format!("{:.3}", jiff::Timestamp::now())
}

fn outcome(context: Context<'_>, run: &PlannedRun, attempt: u32, started_at: String, ended: Ended) -> Outcome {
    let row = run_row(context, run, attempt, started_at, &ended);
    let row_of = |i: &Iteration| IterationRow { run_id: run.run_id.to_string(), attempt, solve: i.solve.clone() };
    let iterations = ended.iterations.iter().map(row_of).collect();
    let last = ended.iterations.last().map_or(0, |iteration| iteration.solve.iteration);
    let answered = ended.answer.and_then(|answer| answer.solution);
    let mut solutions: Vec<(u64, Solution)> =
        ended.iterations.into_iter().filter_map(|i| i.solution.map(|s| (i.solve.iteration, s))).collect();
    // The answer is what was judged; it takes the place of the last solve's solution (the same one, normally).
    if let Some(solution) = answered {
        solutions.retain(|(iteration, _)| *iteration != last);
        solutions.push((last, solution));
    }
    Outcome { row, iterations, solutions }
}

fn run_row(context: Context<'_>, run: &PlannedRun, attempt: u32, started_at: String, ended: &Ended) -> RunRow {
    let judgement = judge(&run.instance.instance, &run.formulation.caveats(), ended);
    let Context { experiment, session, .. } = context;
    let facts = &run.instance.facts;
    let (git_commit, git_dirty) = match session.git_commit.as_str() {
        "" => ("", None),
        known => known.strip_suffix("-dirty").map_or((known, Some(false)), |commit| (commit, Some(true))),
    };
    let solves: Vec<&Solve> = ended.iterations.iter().map(|iteration| &iteration.solve).collect();
    let of_solves = |figure: fn(&Solve) -> Option<u64>| sum(solves.iter().map(|solve| figure(solve)));
    // A run that failed in its middle still says how far it came.
    let built = ended.built.as_ref();
    let last = solves.last();
    let answered = ended.answer.as_ref().and_then(|answer| answer.last.as_ref());
    let formulation = run.formulation.columns().about(&run.instance.instance.puzzle);
    RunRow {
        schema_version: SCHEMA_VERSION,
        run_id: run.run_id.to_string(),
        attempt,
        experiment: experiment.to_owned(),
        instance: run.instance.instance.name.clone(),
        instance_hash: run.instance.hash.clone(),
        challenge: facts.challenge,
        places: facts.places,
        colour: facts.colour.clone(),
        formulation: run.formulation.name().to_owned(),
        kind: formulation.kind.name().to_owned(),
        families: formulation.families,
        objective: formulation.objective,
        subloops: formulation.subloops,
        hole_treatment: formulation.holes,
        solver: run.solver.label.clone(),
        backend: run.solver.name.clone(),
        solver_version: run.solver.version.clone(),
        options: options_text(&run.formulation, &run.solver),
        seed: run.seed,
        repeat: run.repeat,
        threads: run.solver.threads,
        cpus: ended.cpus.clone(),
        jobs: session.jobs,
        time_limit_s: run.limits.time_s,
        cpu_limit_s: run.limits.cpu_s,
        memory_limit_b: run.limits.memory_b,
        status: ended.status,
        category: judgement.category,
        termination_reason: judgement.termination_reason.unwrap_or_else(|| ended.termination_reason.clone()),
        native_status: answered.and_then(|a| a.native_status.clone()),
        exit_code: ended.exit_code,
        exit_signal: ended.exit_signal,
        objective_value: answered.and_then(|a| a.objective_value),
        bound: answered.and_then(|a| a.bound),
        gap: answered.and_then(|a| a.gap),
        root_bound: ended.relaxed.as_ref().and_then(Relaxed::optimum),
        loops: judgement.loops,
        holes: judgement.holes,
        iterations: (built.is_some() || !solves.is_empty()).then_some(solves.len() as u64),
        cuts: (!solves.is_empty()).then(|| solves.iter().map(|i| i.cuts_added).sum()),
        variables: built.map(|b| b.size.variables as u64).or(last.and_then(|i| i.variables)),
        constraints: built.map(|b| b.size.constraints as u64).or(last.and_then(|i| i.constraints)),
        nonzeros: built.map(|b| b.size.nonzeros as u64),
        build_time_s: built.map(|b| b.build_time_s),
        solve_time_s: (!solves.is_empty()).then(|| solves.iter().map(|i| i.time_s).sum()),
        wall_time_s: ended.wall_time_s,
        cpu_time_s: ended.cpu_time_s,
        peak_memory_b: ended.peak_memory_b,
        memory_source: ended.memory_source.map(str::to_owned),
        isolation: session.isolation.clone(),
        nodes: of_solves(|i| i.nodes),
        simplex_iterations: of_solves(|i| i.simplex_iterations),
        conflicts: of_solves(|i| i.conflicts),
        propagations: of_solves(|i| i.propagations),
        parts: of_solves(|i| i.parts),
        loops_merged: of_solves(|i| i.loops_merged),
        patches: of_solves(|i| i.patches),
        restarts: of_solves(|i| i.restarts),
        session: session.id.clone(),
        host: session.host.host.clone(),
        cpu_model: session.host.cpu_model.clone(),
        git_commit: git_commit.to_owned(),
        git_dirty,
        started_at,
        // The judge's word first: it is the weightier one.
        message: message_of([
            judgement.message,
            other_version(run, ended),
            no_root_bound(ended),
            ended.message.clone(),
        ]),
    }
}

/// A remark if the solver is not of the version that the run was planned with.
fn other_version(run: &PlannedRun, ended: &Ended) -> Option<String> {
    let version = &ended.started.as_ref()?.solver_version;
    (*version != run.solver.version).then(|| format!("the worker's solver is of version {version}"))
}

/// A remark if the linear relaxation was to be solved and was not.
fn no_root_bound(ended: &Ended) -> Option<String> {
    ended.relaxed.as_ref()?.message.as_ref().map(|why| format!("no root bound: {why}"))
}

/// Sum over all solves; `None` where there are none or one lacks the figure: a sum of the others would be too low.
fn sum(figures: impl ExactSizeIterator<Item = Option<u64>>) -> Option<u64> {
    if figures.len() == 0 { None } else { figures.sum() }
}
