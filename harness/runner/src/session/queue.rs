//! The runs still to be done, and the threads that take them one by one.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::SyncSender;

use record::{ResultsDir, Status};

use super::rows::{Leavings, Surroundings, leavings};
use super::store::now;
use crate::Interrupt;
use crate::plan::{ExperimentPlan, PlannedRun};
use crate::protocol::Event;
use crate::worker::{Ended, NOT_STARTED, Worker, Workplaces, execute};

/// A run to be done, in a few bytes: a session may have a million of them.
#[derive(Debug, Clone, Copy)]
pub(super) struct Task {
    /// Index of the experiment in the session.
    pub experiment: u32,
    /// Index of the run in its plan.
    pub run: u32,
    /// Number of this attempt.
    pub attempt: u32,
}

/// What a slot has to tell.
#[derive(Debug)]
pub(super) enum Notice {
    /// A run begins.
    Begun { slot: usize, label: String, limit_s: Option<f64> },
    /// A solve of the run begins.
    Solving { slot: usize, iteration: u64 },
    /// The run ended.
    Done { slot: usize, experiment: usize, leavings: Box<Leavings> },
    /// The worker could not be started or is of another build; the slot gives up.
    NotStarted { experiment: usize, reason: String },
}

/// An experiment as the slots see it.
#[derive(Debug)]
pub(super) struct Queued {
    pub plan: ExperimentPlan,
    pub dir: ResultsDir,
}

/// What the slots share.
#[derive(Debug)]
pub(super) struct Queue<'a> {
    pub experiments: &'a [Queued],
    pub tasks: &'a [Task],
    pub next: AtomicUsize,
    pub worker: &'a Worker,
    pub places: &'a Workplaces,
    pub around: &'a Surroundings,
    pub interrupt: &'a Interrupt,
}

impl Queue<'_> {
    /// Works on tasks until there are none or the session is interrupted.
    pub fn work(&self, slot: usize, sender: &SyncSender<Notice>) {
        while !self.interrupt.is_set() {
            let Some(task) = self.tasks.get(self.next.fetch_add(1, Ordering::Relaxed)) else {
                return;
            };
            let experiment = task.experiment as usize;
            let Queued { plan, dir } = &self.experiments[experiment];
            let run = plan.run(task.run as usize);
            let label = format!("{} {}", plan.experiment, run.label());
            let begun = Notice::Begun { slot, label, limit_s: run.limits.time_s };
            if sender.send(begun).is_err() {
                return;
            }
            let started_at = now();
            let ended = self.execute(slot, &run, dir, sender);
            let failed = ended.termination_reason == NOT_STARTED;
            let notice = if failed {
                Notice::NotStarted { experiment, reason: ended.message.unwrap_or_default() }
            } else {
                let leavings = leavings(&plan.experiment, &run, task.attempt, started_at, ended, self.around);
                Notice::Done { slot, experiment, leavings: Box::new(leavings) }
            };
            if sender.send(notice).is_err() || failed {
                return;
            }
        }
    }

    fn execute(&self, slot: usize, run: &PlannedRun, dir: &ResultsDir, sender: &SyncSender<Notice>) -> Ended {
        if let Err(reason) = &run.solver.available {
            return Ended::without_worker(Status::Unsupported, "unavailable", reason.clone());
        }
        let job = run.job(&self.worker.git_commit, Some(dir.log(&run.run_id.to_string())));
        let mut observer = |event: &Event| {
            if let Event::Solving(solving) = event {
                // Only the progress bar wants to know; a receiver that is gone is seen at the end of the run.
                let _ = sender.send(Notice::Solving { slot, iteration: solving.iteration });
            }
        };
        execute(self.worker, &job, self.places.slot(slot), &mut observer, self.interrupt)
    }
}
