//! Running plans: opens the results directories, feeds the slots, keeps every row.

use std::collections::HashSet;
use std::sync::atomic::AtomicUsize;
use std::sync::mpsc::{Receiver, sync_channel};
use std::thread;
use std::time::Instant;

use super::claims::Claims;
use super::describe::describe;
use super::progress::Reporter;
use super::queue::{Notice, Queue, Queued, Task};
use super::rows::Surroundings;
use super::store::{Store, now};
use super::{RunOptions, Summary};
use crate::host::host_facts;
use crate::plan::{ExperimentPlan, RunId};
use crate::worker::{Worker, WorkplaceOptions, Workplaces};
use crate::{Interrupt, RunnerError};
use record::SessionFacts;

/// Runs plans: one worker process a run, `options.jobs` at a time, all experiments through one queue.
///
/// Each run's row is on disk before the run counts as done. When `options.interrupt` is set, the workers are
/// killed and the summary says so.
///
/// # Errors
/// A results directory that must not be written to, before anything is started; later, results that cannot
/// be kept or a worker that cannot be started. Rows that are done stay in any case.
pub fn run(plans: Vec<ExperimentPlan>, options: &RunOptions, worker: &Worker) -> Result<Summary, RunnerError> {
    let planned: usize = plans.iter().map(ExperimentPlan::len).sum();
    let threads = plans.iter().map(ExperimentPlan::threads).max().unwrap_or(1) as usize;
    let using = WorkplaceOptions { pin: options.pin, cgroups: options.cgroups, ..WorkplaceOptions::default() };
    let places = Workplaces::prepare(options.jobs.min(planned), threads, &using);
    let around = Surroundings::new(
        worker,
        SessionFacts {
            started_at: now(),
            git_commit: worker.git_commit.clone(),
            jobs: u32::try_from(options.jobs).unwrap_or(u32::MAX),
            pinned: places.pinned(),
            isolation: places.isolation().to_owned(),
            host: host_facts(),
            solvers: plans.first().map(|plan| plan.known_solvers.clone()).unwrap_or_default(),
            ..SessionFacts::default()
        },
    );
    let mut session = Session {
        experiments: Vec::new(),
        summary: Summary { warnings: places.warnings().to_vec(), ..Summary::default() },
        claims: Claims::default(),
        interrupt: &options.interrupt,
    };
    let (mut queued, mut tasks) = (Vec::with_capacity(plans.len()), Vec::new());
    for plan in plans {
        queued.push(session.open(plan, options, &around, &mut tasks)?);
    }
    session.summary.planned = session.summary.skipped + tasks.len();
    let jobs = options.jobs.clamp(1, tasks.len().max(1));
    let mut reporter = Reporter::new(
        options.progress,
        jobs,
        tasks.iter().map(|task| queued[task.experiment as usize].plan.limits(task.run as usize).time_s),
    );
    reporter.skipped(session.summary.skipped);
    if !tasks.is_empty() {
        places.warnings().iter().for_each(|warning| reporter.warn(warning));
    }

    let start = Instant::now();
    let queue = Queue {
        experiments: &queued,
        tasks: &tasks,
        next: AtomicUsize::new(0),
        worker,
        places: &places,
        around: &around,
        interrupt: &options.interrupt,
    };
    // Bounded: slots wait for the disk rather than pile up results in memory.
    let (sender, receiver) = sync_channel(4 * jobs);
    let outcome = thread::scope(|scope| {
        for slot in 0..jobs {
            let (queue, sender) = (&queue, sender.clone());
            scope.spawn(move || queue.work(slot, &sender));
        }
        drop(sender);
        session.keep(&receiver, &mut reporter)
    });
    reporter.finish();
    session.summary.wall_time_s = start.elapsed().as_secs_f64();
    outcome?;
    session.summary.contradictions = session.claims.contradictions();
    session.summary.interrupted = session.summary.remaining() > 0 && options.interrupt.is_set();
    Ok(session.summary)
}

struct Experiment {
    store: Store,
    planned: usize,
    kept: usize,
}

struct Session<'a> {
    experiments: Vec<Experiment>,
    summary: Summary,
    claims: Claims,
    interrupt: &'a Interrupt,
}

impl Session<'_> {
    /// Opens the directory of an experiment and queues what is still to be done.
    fn open(
        &mut self,
        plan: ExperimentPlan,
        options: &RunOptions,
        around: &Surroundings,
        tasks: &mut Vec<Task>,
    ) -> Result<Queued, RunnerError> {
        let (store, earlier) = Store::open(&options.out, &plan, options.resume)?;
        let to_do = plan.run_ids().filter(|run_id| !earlier.is_final(*run_id)).count();
        describe(store.dir(), &plan, &earlier, around, to_do)?;
        let experiment = self.experiments.len() as u32;
        let first = tasks.len();
        for (run, run_id) in (0..).zip(plan.run_ids()) {
            if !earlier.is_final(run_id) {
                tasks.push(Task { experiment, run, attempt: earlier.attempts(run_id) + 1 });
            }
        }
        let kept = plan.len() - (tasks.len() - first);
        self.summary.skipped += kept;
        if !earlier.is_empty() {
            // Filters choose what to run; they do not make runs of the plan agree.
            let asked: HashSet<RunId> = plan.asked_ids().collect();
            let to_be_kept: HashSet<RunId> = plan.run_ids().filter(|run_id| earlier.is_final(*run_id)).collect();
            earlier.each_final(store.dir(), &mut |run_id, row| {
                if asked.contains(&run_id) {
                    self.claims.note(row);
                }
                if to_be_kept.contains(&run_id) {
                    self.summary.note_wrong(row);
                }
            })?;
        }
        self.summary.dirs.push(store.dir().root().to_owned());
        let dir = store.dir().clone();
        self.experiments.push(Experiment { store, planned: plan.len(), kept });
        Ok(Queued { plan, dir })
    }

    /// Takes what the slots report until the last of them is done. The first failure stops the session;
    /// what had ended by then is still written if that is possible.
    fn keep(&mut self, receiver: &Receiver<Notice>, reporter: &mut Reporter) -> Result<(), RunnerError> {
        let mut failure: Option<(usize, String)> = None;
        for notice in receiver {
            match notice {
                Notice::Begun { slot, label, limit_s } => reporter.begun(slot, label, limit_s),
                Notice::Solving { slot, iteration } => reporter.solving(slot, iteration),
                Notice::NotStarted { experiment, reason } => {
                    failure.get_or_insert((experiment, reason));
                    self.interrupt.trigger();
                }
                Notice::Done { slot, experiment, leavings } => {
                    let target = &mut self.experiments[experiment];
                    match target.store.write(&leavings) {
                        Ok(()) => {
                            target.kept += usize::from(leavings.row.status.is_final());
                            self.summary.add(&leavings.row);
                            self.claims.note(&leavings.row);
                            reporter.done(slot, &leavings.row);
                        }
                        Err(error) => {
                            failure.get_or_insert((experiment, format!("a result could not be kept: {error}")));
                            self.interrupt.trigger();
                        }
                    }
                }
            }
        }
        match failure {
            None => Ok(()),
            Some((experiment, cause)) => {
                let Experiment { store, planned, kept } = &self.experiments[experiment];
                let dir = store.dir().root().to_owned();
                Err(RunnerError::Stopped { cause, kept: *kept, planned: *planned, dir })
            }
        }
    }
}
