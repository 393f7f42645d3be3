//! Running plans: opens the results directories, feeds the slots, sums up.

use std::collections::HashSet;
use std::sync::atomic::AtomicUsize;
use std::sync::mpsc::sync_channel;
use std::thread;
use std::time::Instant;

use record::{Category, SessionFacts, SolverFacts};

use super::attempt::{no_guard, session_facts};
use super::collect::{BATCH, Collector, Experiment};
use super::describe::{Judged, check, describe};
use super::dropped::Dropped;
use super::earlier::{Earlier, Outdated, refuse_missing};
use super::options::RunOptions;
use super::progress::{Activity, Reporter};
use super::slots::{Queue, Queued, Task};
use super::store::Store;
use super::summary::Summary;
use crate::RunnerError;
use crate::config::Limits;
use crate::host::host_facts;
use crate::plan::{ExperimentPlan, PlannedRun, RunId};
use crate::worker::{Guard, Worker, WorkplaceOptions, Workplaces};

/// Runs plans: one worker process a run, `options.jobs` at a time, all experiments through one queue.
///
/// Each run's row is on disk before the run counts as done. When `options.interrupt` is set, the workers are
/// killed and the summary says so.
///
/// # Errors
/// A results directory that must not be written to, before anything is started; later, results that cannot
/// be kept or a worker that cannot be started. Rows that are done stay in any case.
pub fn run(plans: Vec<ExperimentPlan>, options: &RunOptions, worker: &Worker) -> Result<Summary, RunnerError> {
    if options.out.exists() && !options.out.is_dir() {
        return Err(RunnerError::Usage(format!("--out {}: this is no directory", options.out.display())));
    }
    let cpu_model = host_facts().cpu_model;
    plans.iter().try_for_each(|plan| plan.config.check_cpu_model(&cpu_model))?;
    refuse_missing(&options.done)?;
    let mut collector = Collector::new(&options.interrupt);
    // Before anything is written, unless rows of earlier sessions say first what is to be done.
    let all: usize = plans.iter().map(ExperimentPlan::len).sum();
    let has_earlier = options.resume || !options.done.is_empty();
    let mut other_work = match has_earlier {
        true => None,
        false => other_work(options, all, plans.iter().flat_map(|plan| plan.runs()))?,
    };
    let (mut queued, mut tasks, mut outdated) = (Vec::with_capacity(plans.len()), Vec::new(), Outdated::default());
    for plan in plans {
        queued.push(collector.open(plan, options, &mut tasks, &mut outdated)?);
    }
    collector.summary.warnings.extend(outdated.notes());
    if has_earlier {
        let runs = tasks.iter().map(|task| queued[task.experiment].plan.run(task.run));
        other_work = self::other_work(options, tasks.len(), runs)?;
    }
    collector.summary.warnings.extend(other_work.iter().map(|busy| format!("when this session began, {busy}")));
    // No more at a time than there are: rows say what was beside them.
    let jobs = options.jobs.clamp(1, tasks.len().max(1));
    let places = workplaces(options, jobs, &queued, &tasks);
    collector.summary.warnings.extend_from_slice(&places.warnings);
    collector.summary.warnings.extend(queued.iter().flat_map(|queued| {
        let plan = &queued.plan;
        plan.without_solver().into_iter().chain(plan.without_long_runs()).chain(plan.without_runs())
    }));
    let (solvers, busy) = (known_solvers(&queued), other_work.unwrap_or_default());
    let session = SessionFacts { solvers, busy, ..session_facts(worker, jobs, &places) };
    // Not before every plan has passed: no manifest is to list a session that never was.
    for (Queued { plan, dir, .. }, Experiment { planned, kept, .. }) in queued.iter().zip(&collector.experiments) {
        collector.summary.warnings.extend(describe(dir, plan, &session, planned - kept)?);
    }
    collector.summary.planned = collector.summary.skipped + tasks.len();
    let activity = Activity::new(jobs);
    let mut reporter = Reporter::new(options, jobs, tasks.len(), &activity);
    for warning in &collector.summary.warnings {
        reporter.remark(warning);
    }
    let limits = |task: &Task| queued[task.experiment].plan.run(task.run).limits;
    let is_limited = |limits: Limits| limits.memory_b.is_some() || limits.cpu_s.is_some();
    if let Some(remark) = places.remark().filter(|_| tasks.iter().map(limits).any(is_limited)) {
        reporter.remark(remark);
    }
    reporter.begin(collector.summary.skipped);

    // Later than everything that can be refused, so that nothing is started in vain.
    let _guard = match tasks.is_empty() {
        true => None,
        false => Guard::start(worker).unwrap_or_else(|error| {
            let reason = no_guard(&error);
            reporter.remark(&reason);
            collector.summary.warnings.push(reason);
            None
        }),
    };
    let start = Instant::now();
    let queue = Queue {
        experiments: &queued,
        tasks: &tasks,
        next: AtomicUsize::new(0),
        activity: &activity,
        worker,
        places: &places,
        session: &session,
        interrupt: &options.interrupt,
    };
    // Bounded: slots wait for the disk rather than pile up results in memory.
    let (sender, receiver) = sync_channel(BATCH);
    let outcome = thread::scope(|scope| {
        for slot in 0..jobs {
            let (queue, sender) = (&queue, sender.clone());
            scope.spawn(move || queue.work(slot, &sender));
        }
        drop(sender);
        collector.collect(receiver, &mut reporter)
    });
    reporter.finish();
    collector.summary.wall_time_s = start.elapsed().as_secs_f64();
    outcome?;
    collector.summary.contradictions = collector.claims.contradictions();
    collector.summary.interrupted = collector.summary.remaining() > 0 && options.interrupt.is_set();
    Ok(collector.summary)
}

impl Collector<'_> {
    /// Opens the directory of an experiment and queues what is still to be done.
    fn open(
        &mut self,
        plan: ExperimentPlan,
        options: &RunOptions,
        tasks: &mut Vec<Task>,
        outdated: &mut Outdated,
    ) -> Result<Queued, RunnerError> {
        let store = Store::open(&options.out, &plan, options.resume)?;
        let dir = store.dir().clone();
        let (judged, mut earlier) = self.read_earlier(&store, &plan)?;
        earlier.add_elsewhere(&options.done, &plan.config.experiment)?;
        check(&dir, &plan, &judged, !store.is_new())?;
        let (experiment, before) = (self.experiments.len(), tasks.len());
        outdated.add(&plan, &earlier, &options.retry);
        for (index, run) in plan.runs().enumerate() {
            if !earlier.stays(run, &options.retry) {
                tasks.push(Task { experiment, run: index, attempt: earlier.attempts(run.run_id) + 1 });
            }
        }
        let to_do = tasks.len() - before;
        let kept = plan.len() - to_do;
        self.summary.skipped += kept;
        self.summary.dirs.push(dir.root().to_owned());
        self.experiments.push(Experiment { store, planned: plan.len(), kept });
        let warmups = if plan.config.warmup > 0 && to_do > 0 { plan.smallest_runs() } else { Vec::new() };
        Ok(Queued { plan, dir, warmups })
    }

    /// Reads what earlier sessions left, once.
    fn read_earlier(&mut self, store: &Store, plan: &ExperimentPlan) -> Result<(Judged, Earlier), RunnerError> {
        let mut judged = Judged::default();
        if store.is_new() {
            return Ok((judged, Earlier::default()));
        }
        let mut dropped = Dropped::new(plan);
        let chosen: HashSet<RunId> = plan.runs().map(|run| run.run_id).collect();
        let mut earlier = Earlier::read(store.dir(), &mut |run_id, row| {
            judged.note(row);
            dropped.add(run_id, row);
            if dropped.is_asked(run_id) {
                // Whatever the filters choose, runs of the plan must agree. The summary will say it.
                self.claims.note(row);
            }
            if row.category == Category::Wrong && chosen.contains(&run_id) {
                self.summary.note_wrong(row, store.dir());
            }
        })?;
        self.summary.warnings.extend(dropped.note(store.dir()));
        earlier.add_unfinished(store.dir())?;
        Ok((judged, earlier))
    }
}

/// The solvers that are built in, and those that some experiment uses.
fn known_solvers(queued: &[Queued]) -> Vec<SolverFacts> {
    let mut known: Vec<SolverFacts> = Vec::new();
    for facts in queued.iter().flat_map(|queued| &queued.plan.known_solvers) {
        if !known.contains(facts) {
            known.push(facts.clone());
        }
    }
    known
}

/// What other work leaves too few cores for some runs, where somebody wants to know.
///
/// # Errors
/// As [`OtherWork::beside`].
fn other_work<'a>(
    options: &RunOptions,
    number: usize,
    runs: impl Iterator<Item = &'a PlannedRun>,
) -> Result<Option<String>, RunnerError> {
    let needed = most_threads(runs).map(|threads| threads * options.jobs.clamp(1, number.max(1)));
    options.other_work.beside(needed)
}

/// The most threads of runs that something is measured of.
fn most_threads<'a>(runs: impl Iterator<Item = &'a PlannedRun>) -> Option<usize> {
    runs.filter(|run| run.solver.available.is_ok()).map(|run| run.solver.threads as usize).max()
}

/// Places for what is left to be done: for no more workers than there are runs, with no more cores than they use.
fn workplaces(options: &RunOptions, jobs: usize, queued: &[Queued], tasks: &[Task]) -> Workplaces {
    // Nothing is measured that could be disturbed.
    let needed = !tasks.is_empty();
    let using = WorkplaceOptions {
        pin: options.pin && needed,
        cgroups: options.cgroups && needed,
        disk_b: options.disk_b,
        ..WorkplaceOptions::default()
    };
    let runs = tasks.iter().map(|task| queued[task.experiment].plan.run(task.run));
    Workplaces::prepare(jobs, most_threads(runs).unwrap_or(1), &using)
}
