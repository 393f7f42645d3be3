//! Running plans: opens the results directories, feeds the slots, keeps every row.

use std::collections::VecDeque;
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, sync_channel};
use std::thread;
use std::time::Instant;

use super::claims::Claims;
use super::describe::describe;
use super::progress::Reporter;
use super::queue::{Notice, Queue, Task};
use super::rows::Surroundings;
use super::store::Store;
use super::{RunOptions, Summary};
use crate::host::host_facts;
use crate::plan::ExperimentPlan;
use crate::worker::Worker;
use crate::{Interrupt, RunnerError};

/// Runs plans: one worker process a run, `options.jobs` at a time, all experiments through one queue.
///
/// Each run's row is on disk before the run counts as done. When `options.interrupt` is set, the workers are
/// killed and the summary says so.
///
/// # Errors
/// A results directory that must not be written to, before anything is started; later, results that cannot
/// be kept or a worker that cannot be started. Rows that are done stay in any case.
pub fn run(plans: Vec<ExperimentPlan>, options: &RunOptions, worker: &Worker) -> Result<Summary, RunnerError> {
    let around = Surroundings::new(worker, host_facts());
    let mut session = Session {
        experiments: Vec::new(),
        summary: Summary::default(),
        claims: Claims::default(),
        interrupt: &options.interrupt,
    };
    let mut tasks = VecDeque::new();
    for plan in plans {
        session.open(plan, options, &around, &mut tasks)?;
    }
    session.summary.planned = session.summary.skipped + tasks.len();
    let jobs = options.jobs.clamp(1, tasks.len().max(1));
    let mut reporter = Reporter::new(options.progress, jobs, tasks.iter().map(|task| task.run.limits.time_s));
    reporter.skipped(session.summary.skipped);

    let start = Instant::now();
    let queue = Queue { tasks: Mutex::new(tasks), worker, around: &around, interrupt: &options.interrupt };
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
        tasks: &mut VecDeque<Task>,
    ) -> Result<(), RunnerError> {
        let (store, earlier) = Store::open(&options.out, &plan, options.resume)?;
        let ended = |run_id: &str| earlier.get(run_id).filter(|e| e.is_final()).and_then(|e| e.latest.as_ref());
        let idle = plan.runs.iter().all(|run| ended(&run.run_id).is_some());
        describe(store.dir(), &plan, &earlier, around, idle)?;
        // Filters choose what to run; they do not make runs of the plan agree.
        for row in plan.run_ids.iter().filter_map(|run_id| ended(run_id)) {
            self.claims.note(row);
        }
        let planned = plan.runs.len();
        let experiment = self.experiments.len();
        let mut kept = 0;
        for run in plan.runs {
            if let Some(row) = ended(&run.run_id) {
                kept += 1;
                self.summary.skip(row);
                continue;
            }
            let attempt = earlier.get(&run.run_id).map_or(1, |e| e.attempts + 1);
            let log = store.dir().log(&run.run_id);
            tasks.push_back(Task { experiment, name: plan.experiment.clone(), run, attempt, log });
        }
        self.summary.dirs.push(store.dir().root().to_owned());
        self.experiments.push(Experiment { store, planned, kept });
        Ok(())
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
