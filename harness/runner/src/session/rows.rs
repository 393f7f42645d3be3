//! What one run leaves behind: its rows and its solutions.

use puzzle::Solution;
use record::{IterationRow, RunRow, SCHEMA_VERSION, SessionFacts, Solve};

use crate::judge::{Judgement, judge};
use crate::plan::{PlannedRun, options_text};
use crate::protocol::{Iteration, Relaxed};
use crate::worker::{Ended, Worker};

/// Everything of a run that goes to disk.
#[derive(Debug)]
pub(super) struct Leavings {
    pub row: RunRow,
    pub iterations: Vec<IterationRow>,
    /// Solutions with the number of the iteration that found them.
    pub solutions: Vec<(u64, Solution)>,
}

/// What all runs of a session have in common.
#[derive(Debug)]
pub(super) struct Surroundings {
    /// For the manifest.
    pub session: SessionFacts,
    /// Git revision without `-dirty`.
    pub git_commit: String,
    pub git_dirty: Option<bool>,
}

impl Surroundings {
    pub fn new(worker: &Worker, session: SessionFacts) -> Self {
        let (commit, dirty) = match worker.git_commit.strip_suffix("-dirty") {
            Some(commit) => (commit, Some(true)),
            None if matches!(worker.git_commit.as_str(), "" | "unknown") => (worker.git_commit.as_str(), None),
            None => (worker.git_commit.as_str(), Some(false)),
        };
        Self { session, git_commit: commit.to_owned(), git_dirty: dirty }
    }
}

/// Judges a run and puts its rows together.
pub(super) fn leavings(
    experiment: &str,
    run: &PlannedRun,
    attempt: u32,
    started_at: String,
    ended: Ended,
    around: &Surroundings,
) -> Leavings {
    let judgement = judge(&run.instance.instance, &run.formulation.caveats, &ended);
    let row = run_row(experiment, run, attempt, started_at, &ended, judgement, around);
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
    Leavings { row, iterations, solutions }
}

fn run_row(
    experiment: &str,
    run: &PlannedRun,
    attempt: u32,
    started_at: String,
    ended: &Ended,
    judgement: Judgement,
    around: &Surroundings,
) -> RunRow {
    let facts = &run.instance.facts;
    let solves: Vec<&Solve> = ended.iterations.iter().map(|iteration| &iteration.solve).collect();
    let of_solves = |figure: fn(&Solve) -> Option<u64>| sum(solves.iter().map(|solve| figure(solve)));
    // A run that failed in its middle still says how far it came.
    let built = ended.built.as_ref();
    let last = solves.last();
    let answered = ended.answer.as_ref().and_then(|answer| answer.last.as_ref());
    let formulation = run.formulation.about(&run.instance.instance.puzzle);
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
        formulation: run.formulation.formulation.name().to_owned(),
        kind: run.formulation.kind().to_owned(),
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
        jobs: around.session.jobs,
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
        memory_source: ended.memory_source.clone(),
        isolation: ended.isolation.clone(),
        nodes: of_solves(|i| i.nodes),
        simplex_iterations: of_solves(|i| i.simplex_iterations),
        conflicts: of_solves(|i| i.conflicts),
        propagations: of_solves(|i| i.propagations),
        host: around.session.host.host.clone(),
        cpu_model: around.session.host.cpu_model.clone(),
        git_commit: around.git_commit.clone(),
        git_dirty: around.git_dirty,
        started_at,
        // The judge's word first: it is the weightier one.
        message: message([judgement.message, other_version(run, ended), no_root_bound(ended), ended.message.clone()]),
    }
}

/// Remarks on a run, in one cell.
fn message(remarks: [Option<String>; 4]) -> Option<String> {
    let remarks: Vec<String> = remarks.into_iter().flatten().collect();
    (!remarks.is_empty()).then(|| remarks.join("; "))
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
