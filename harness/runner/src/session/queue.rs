//! The runs still to be done, and the threads that take them one by one.

use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::mpsc::SyncSender;
use std::sync::{Mutex, PoisonError};

use record::Status;

use super::rows::{Leavings, Surroundings, leavings};
use super::store::now;
use crate::Interrupt;
use crate::plan::PlannedRun;
use crate::protocol::Event;
use crate::worker::{Ended, NOT_STARTED, Worker, execute};

/// A run to be done.
#[derive(Debug)]
pub(super) struct Task {
    /// Index of the experiment in the session.
    pub experiment: usize,
    /// Name of the experiment.
    pub name: String,
    pub run: PlannedRun,
    pub attempt: u32,
    pub log: PathBuf,
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

/// What the slots share.
#[derive(Debug)]
pub(super) struct Queue<'a> {
    pub tasks: Mutex<VecDeque<Task>>,
    pub worker: &'a Worker,
    pub around: &'a Surroundings,
    pub interrupt: &'a Interrupt,
}

impl Queue<'_> {
    /// Works on tasks until there are none or the session is interrupted.
    pub fn work(&self, slot: usize, sender: &SyncSender<Notice>) {
        while !self.interrupt.is_set() {
            let Some(task) = self.tasks.lock().unwrap_or_else(PoisonError::into_inner).pop_front() else {
                return;
            };
            let label = format!("{} {}", task.name, task.run.label());
            let begun = Notice::Begun { slot, label, limit_s: task.run.limits.time_s };
            if sender.send(begun).is_err() {
                return;
            }
            let started_at = now();
            let ended = self.execute(slot, &task, sender);
            let failed = ended.termination_reason == NOT_STARTED;
            let notice = if failed {
                let reason = ended.message.unwrap_or_default();
                Notice::NotStarted { experiment: task.experiment, reason }
            } else {
                let leavings = leavings(&task.name, &task.run, task.attempt, started_at, ended, self.around);
                Notice::Done { slot, experiment: task.experiment, leavings: Box::new(leavings) }
            };
            if sender.send(notice).is_err() || failed {
                return;
            }
        }
    }

    fn execute(&self, slot: usize, task: &Task, sender: &SyncSender<Notice>) -> Ended {
        if let Err(reason) = &task.run.solver.available {
            return Ended::without_worker(Status::Unsupported, "unavailable", reason.clone());
        }
        let job = task.run.job(&self.worker.git_commit, Some(task.log.clone()));
        let mut observer = |event: &Event| {
            if let Event::Solving(solving) = event {
                // Only the progress bar wants to know; a receiver that is gone is seen at the end of the run.
                let _ = sender.send(Notice::Solving { slot, iteration: solving.iteration });
            }
        };
        execute(self.worker, &job, &mut observer, self.interrupt)
    }
}
