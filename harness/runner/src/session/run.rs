//! Running plans: opens the results directories, feeds the slots (threads that take the runs one by one), sums up.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread;
use std::time::Instant;

use record::{Category, ResultsDir, SessionFacts, Status, discard_proof, in_the_way, table_has_rows};

use super::attempt::{Context, Outcome, RunFiles, attempt, no_guard, session_facts};
use super::collect::{BATCH, Collector, Experiment, Notice};
use super::earlier::{Dropped, Earlier, Outdated};
use super::options::RunOptions;
use super::progress::{Activity, Reporter};
use super::store::{Store, check, describe, refuse_inside, refuse_rows};
use super::summary::Summary;
use super::verdicts::Verdicts;
use crate::host::host_facts;
use crate::plan::{ExperimentPlan, PlannedRun, RunId};
use crate::protocol::Event;
use crate::text::{count, duration};
use crate::worker::{Guard, Worker, WorkplaceOptions, Workplaces, execute};
use crate::{Interrupt, RunnerError};

/// Runs plans: one worker process a run, `options.jobs` at a time, all experiments through one queue. Each has a results directory
/// in `out`.
///
/// Each run's row is on disk before the run counts as done. When `options.interrupt` is set, the workers are
/// killed and the summary says so.
///
/// # Errors
/// A results directory that must not be written to, before anything is started; later, results that cannot
/// be kept or a worker that cannot be started. Rows that are done stay in any case.
pub fn run(
    plans: Vec<ExperimentPlan>,
    out: &Path,
    options: &RunOptions,
    worker: &Worker,
) -> Result<Summary, RunnerError> {
    check_out(out)?;
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
        queued.push(collector.open(plan, out, options, &mut tasks, &mut outdated)?);
    }
    collector.summary.warnings.extend(outdated.notes());
    let runs = || tasks.iter().map(|task: &Task| queued[task.experiment].plan.run(task.run));
    if has_earlier {
        other_work = self::other_work(options, tasks.len(), runs())?;
    }
    collector.summary.warnings.extend(other_work.iter().map(|busy| format!("when this session began: {busy}")));
    // No more at a time than there are: rows say what was beside them.
    let jobs = options.jobs.clamp(1, tasks.len().max(1));
    // Nothing is measured without tasks that could be disturbed.
    let WorkplaceOptions { pin, cgroups, .. } = options.places;
    let needed = |asked| asked && !tasks.is_empty();
    let using = WorkplaceOptions { pin: needed(pin), cgroups: needed(cgroups), ..options.places.clone() };
    let places = Workplaces::prepare(jobs, most_threads(runs()).unwrap_or(1), &using);
    collector.summary.warnings.extend_from_slice(&places.warnings);
    collector.summary.warnings.extend(queued.iter().flat_map(|queued| queued.plan.remarks()));
    let busy = other_work.unwrap_or_default();
    let session = SessionFacts { busy, ..session_facts(worker, jobs, &places) };
    // Not before every plan has passed: no manifest is to list a session that never was.
    let experiments = queued.iter().zip(&mut collector.experiments);
    for (Queued { plan, dir, judge_again, .. }, Experiment { store, planned, kept }) in experiments {
        let to_do = *planned - *kept;
        if *judge_again || to_do > 0 {
            store.claim()?;
        }
        if *judge_again {
            store.judge_again(plan)?;
        }
        collector.summary.warnings.extend(describe(dir, plan, &session, to_do)?);
    }
    collector.summary.planned = collector.summary.skipped + tasks.len();
    let activity = Activity::new(jobs);
    let mut reporter = Reporter::new(options, jobs, tasks.len(), &activity);
    for warning in &collector.summary.warnings {
        reporter.remark(warning);
    }
    let is_limited = |run: &PlannedRun| run.limits.memory_b.is_some() || run.limits.cpu_s.is_some();
    if places.without_cgroups.is_some() && runs().any(is_limited) {
        reporter.remark("without control groups: memory and CPU time are polled (see Machines in the book)");
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
    fn open(
        &mut self,
        plan: ExperimentPlan,
        out: &Path,
        options: &RunOptions,
        tasks: &mut Vec<Task>,
        outdated: &mut Outdated,
    ) -> Result<Queued, RunnerError> {
        let store = Store::open(out, &plan, options.resume)?;
        let dir = store.dir().clone();
        let (mut earlier, judge_again) = self.read_earlier(&store, &plan)?;
        self.summary.warnings.extend(earlier.add_elsewhere(&options.done, &plan)?);
        check(&dir, &plan, !store.is_new())?;
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
        Ok(Queued { plan, dir, warmups, judge_again })
    }

    /// What earlier sessions left, and whether some verdict of theirs is another one now.
    fn read_earlier(&mut self, store: &Store, plan: &ExperimentPlan) -> Result<(Earlier, bool), RunnerError> {
        if store.is_new() {
            return Ok((Earlier::default(), false));
        }
        let (mut dropped, mut verdicts) = (Dropped::new(plan), Verdicts::new(plan));
        let chosen: HashSet<RunId> = plan.runs().map(|run| run.run_id).collect();
        let mut earlier = Earlier::read(store.dir(), &mut |run_id, row| {
            verdicts.judge(run_id, row);
            dropped.add(run_id, row);
            if dropped.is_asked(run_id) {
                // Whatever the filters choose, runs of the plan must agree. The summary will say it.
                self.claims.note(row);
            }
            if row.category == Category::Wrong && chosen.contains(&run_id) {
                self.summary.note_wrong(row, store.dir());
            }
        })?;
        self.summary.warnings.extend(dropped.note(store.dir()).into_iter().chain(verdicts.notes()));
        earlier.add_unfinished(store.dir())?;
        Ok((earlier, verdicts.are_others()))
    }
}

/// What other work leaves too few cores for some runs, where somebody wants to know.
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

/// Seconds of a warm-up run at most.
pub const WARMUP_S: f64 = 5.0;

#[derive(Debug, Clone, Copy)]
struct Task {
    pub experiment: usize,
    pub run: usize,
    pub attempt: u32,
}

/// An experiment as the slots see it.
#[derive(Debug)]
struct Queued {
    pub plan: ExperimentPlan,
    pub dir: ResultsDir,
    /// Runs to warm up with.
    pub warmups: Vec<PlannedRun>,
    /// Whether verdicts of earlier sessions are others now.
    pub judge_again: bool,
}

#[derive(Debug)]
struct Queue<'a> {
    pub experiments: &'a [Queued],
    pub tasks: &'a [Task],
    pub next: AtomicUsize,
    pub activity: &'a Activity,
    pub worker: &'a Worker,
    pub places: &'a Workplaces,
    pub session: &'a SessionFacts,
    pub interrupt: &'a Interrupt,
}

impl Queue<'_> {
    /// Works on tasks until there are none or the session is interrupted.
    pub fn work(&self, slot: usize, sender: &SyncSender<Notice>) {
        let mut warm_for = None;
        while !self.interrupt.is_set() {
            let Some(task) = self.tasks.get(self.next.fetch_add(1, Ordering::Relaxed)) else {
                return;
            };
            let experiment = task.experiment;
            let queued = &self.experiments[experiment];
            if warm_for.replace(experiment) != Some(experiment) {
                self.warm_up(slot, queued, sender);
                if self.interrupt.is_set() {
                    return;
                }
            }
            let run = queued.plan.run(task.run);
            let label = format!("{} {}", queued.plan.config.experiment, run.label());
            self.activity.begin(slot, &label, run.limits.time_s);
            let attempted = self.attempt(slot, queued, run, task.attempt);
            self.activity.end(slot);
            let failed = attempted.is_err();
            let notice = match attempted {
                Ok(outcome) => Notice::Done { experiment, outcome: Box::new(outcome) },
                Err(reason) => Notice::NotStarted { experiment, reason },
            };
            if sender.send(notice).is_err() || failed {
                return;
            }
        }
    }

    fn attempt(&self, slot: usize, queued: &Queued, run: &PlannedRun, number: u32) -> Result<Outcome, String> {
        let run_id = run.run_id.to_string();
        let proof = run.solver.proof.then(|| queued.dir.proof(&run_id));
        let context = Context {
            experiment: &queued.plan.config.experiment,
            worker: self.worker,
            place: self.places.slot(slot),
            session: self.session,
            interrupt: self.interrupt,
            again: true,
        };
        let files = RunFiles { log: Some(queued.dir.log(&run_id)), proof: proof.clone() };
        let mut observer = |event: &Event| {
            if let Event::Solving { iteration } = event {
                self.activity.solving(slot, *iteration);
            }
        };
        let attempted = attempt(context, run, number, files, &mut observer);
        let proven = attempted.as_ref().is_ok_and(|outcome| outcome.row.status == Status::Infeasible);
        // Also what an earlier attempt left.
        if let Some(proof) = proof.filter(|_| !proven) {
            discard_proof(&proof, None);
        }
        attempted
    }

    /// Throw-away runs, so that programs and libraries are in memory before anything is measured.
    fn warm_up(&self, slot: usize, queued: &Queued, sender: &SyncSender<Notice>) {
        for run in queued.warmups.iter().filter(|run| run.solver.available.is_ok()) {
            let mut job = run.job(&self.worker.git_commit, None);
            let limit_s = job.time_limit_s.map_or(WARMUP_S, |limit| limit.min(WARMUP_S));
            job.time_limit_s = Some(limit_s);
            for _ in 0..queued.plan.config.warmup {
                if self.interrupt.is_set() {
                    return;
                }
                self.activity.begin(
                    slot,
                    &format!("warm-up: {} {}", queued.plan.config.experiment, run.label()),
                    Some(limit_s),
                );
                let place = self.places.slot(slot);
                let ended = execute(self.worker, &job, place, &mut |_| {}, self.interrupt);
                self.activity.end(slot);
                if matches!(ended.status, Status::Crash | Status::Error | Status::Lost | Status::Memout) {
                    let reason = ended.message.unwrap_or_else(|| ended.status.to_string());
                    let failed = Notice::WarmupFailed { solver: run.solver.label.clone(), reason };
                    // A receiver that is gone is seen at the end of the next run.
                    let _ = sender.send(failed);
                    break;
                }
            }
        }
    }
}

/// Says in words what a session would do: the runs, how many are done already, which rows that are there are not of the plan, why they
/// would be refused, and the longest that the rest may take by its limits. Nothing is started or written.
///
/// # Errors
/// Where `options.resume` or `options.done` is set: results that cannot be read.
pub fn preview(plan: &ExperimentPlan, out: &Path, options: &RunOptions) -> Result<String, RunnerError> {
    let mut text = plan.to_string();
    if plan.config.warmup > 0 {
        let warmups = count(plan.config.warmup, "warm-up run");
        text += &format!(
            "before them {warmups} of each solver in each of {} slots, neither recorded nor counted\n",
            plan.jobs
        );
    }
    check_out(out)?;
    refuse_inside(out)?;
    refuse_missing(&options.done)?;
    let dir = ResultsDir::new(out.join(&plan.config.experiment));
    dir.refuse_incomplete()?;
    dir.refuse_newer()?;
    let (mut dropped, mut verdicts, mut outdated) = (Dropped::new(plan), Verdicts::new(plan), Outdated::default());
    let found = match dir.runs().exists() {
        true => Earlier::read(&dir, &mut |run_id, row| {
            verdicts.judge(run_id, row);
            dropped.add(run_id, row);
        }),
        false => Ok(Earlier::default()),
    };
    let has_rows = table_has_rows(&dir.runs())? || table_has_rows(&dir.iterations())?;
    let check = || check(&dir, plan, has_rows);
    let (mut earlier, refused) = match options.resume {
        true => (found?, check().err()),
        false => (Earlier::default(), refuse_rows(&dir, plan).and_then(|()| check()).err()),
    };
    let damaged = earlier.add_elsewhere(&options.done, plan)?;
    outdated.add(plan, &earlier, &options.retry);
    let elsewhere = plan.config.check_cpu_model(&host_facts().cpu_model).err();
    let refused = elsewhere.into_iter().chain(refused).map(|error| error.to_string());
    let verdicts = verdicts.notes().filter(|_| options.resume);
    let notes = refused.chain(plan.remarks()).chain(dropped.note(&dir)).chain(verdicts);
    for note in notes.chain(damaged).chain(outdated.notes()) {
        text += &format!("note: {note}\n");
    }
    let left = plan.runs().filter(|run| !earlier.stays(run, &options.retry));
    let limits: Vec<Option<f64>> = left.map(|run| run.limits.time_s).collect();
    let runs = count(plan.len(), "run");
    text += &match options.resume || !options.done.is_empty() {
        true => format!("{} of {runs} done already, {} left", plan.len() - limits.len(), limits.len()),
        false => runs,
    };
    if !limits.is_empty() {
        let slots = plan.jobs.clamp(1, limits.len()) as f64;
        let sum = limits.iter().copied().sum::<Option<f64>>();
        let longest = limits.iter().flatten().copied().fold(0.0, f64::max);
        // The longest may be the last, beside which the other slots are idle.
        let most = sum.map(|sum| format!("at most about {}", duration((sum - longest) / slots + longest)));
        text += &format!(", {} at a time: {}", plan.jobs, most.as_deref().unwrap_or("no time limit"));
    }
    Ok(text + "\n")
}

/// Refuses what cannot be a folder for results: a file, what would be in a file, or a link that leads nowhere.
///
/// # Errors
/// Such a path.
pub fn check_out(out: &Path) -> Result<(), RunnerError> {
    match in_the_way(out) {
        None => Ok(()),
        Some(there) => Err(RunnerError::Usage(format!("--out {}: {} is no directory", out.display(), there.display()))),
    }
}

fn refuse_missing(folders: &[PathBuf]) -> Result<(), RunnerError> {
    match folders.iter().find(|folder| !folder.is_dir()) {
        Some(folder) => Err(RunnerError::Usage(format!("--done {}: there is no such folder", folder.display()))),
        None => Ok(()),
    }
}
