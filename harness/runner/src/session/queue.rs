//! The runs still to be done, and the threads that take them one by one.

use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::SyncSender;

use record::{ResultsDir, Status, discard_proof};

use super::board::Board;
use super::rows::{Leavings, Surroundings, leavings};
use super::store::now;
use crate::Interrupt;
use crate::plan::{ExperimentPlan, PlannedRun};
use crate::protocol::Job;
use crate::worker::{Ended, Worker, Workplaces, execute};

/// Seconds of a warm-up run at most.
const WARMUP_S: f64 = 5.0;

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
    /// A warm-up run failed, which harms nobody.
    WarmupFailed { solver: String, reason: String },
    /// The run ended.
    Done { experiment: usize, leavings: Box<Leavings> },
    /// The worker could not be started or is of another build; the slot gives up.
    NotStarted { experiment: usize, reason: String },
}

/// An experiment as the slots see it.
#[derive(Debug)]
pub(super) struct Queued {
    pub plan: ExperimentPlan,
    pub dir: ResultsDir,
    /// Runs to warm up with.
    pub warmups: Vec<PlannedRun>,
}

/// What the slots share.
#[derive(Debug)]
pub(super) struct Queue<'a> {
    pub experiments: &'a [Queued],
    pub tasks: &'a [Task],
    pub next: AtomicUsize,
    pub board: &'a Board,
    pub worker: &'a Worker,
    pub places: &'a Workplaces,
    pub around: &'a Surroundings,
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
            let experiment = task.experiment as usize;
            let queued = &self.experiments[experiment];
            if warm_for.replace(experiment) != Some(experiment) {
                self.warm_up(slot, queued, sender);
                if self.interrupt.is_set() {
                    return;
                }
            }
            let run = queued.plan.run(task.run as usize);
            let label = format!("{} {}", queued.plan.experiment, run.label());
            self.board.begin(slot, label, run.limits.time_s);
            let started_at = now();
            let ended = self.run(slot, &run, &queued.dir);
            self.board.end(slot);
            let failed = ended.not_started;
            let notice = if failed {
                Notice::NotStarted { experiment, reason: ended.message.unwrap_or_default() }
            } else {
                let name = &queued.plan.experiment;
                let leavings = leavings(name, &run, task.attempt, started_at, ended, self.around);
                Notice::Done { experiment, leavings: Box::new(leavings) }
            };
            if sender.send(notice).is_err() || failed {
                return;
            }
        }
    }

    fn run(&self, slot: usize, run: &PlannedRun, dir: &ResultsDir) -> Ended {
        let run_id = run.run_id.to_string();
        let proof = run.solver.proof.then(|| dir.proof(&run_id));
        let ended = self.attempt(slot, run, dir.log(&run_id), proof.clone());
        // Also what an earlier attempt left.
        if let Some(proof) = proof.filter(|_| ended.status != Status::Infeasible) {
            discard_proof(&proof, None);
        }
        ended
    }

    fn attempt(&self, slot: usize, run: &PlannedRun, log: PathBuf, proof: Option<PathBuf>) -> Ended {
        if let Err(reason) = &run.solver.available {
            let place = self.places.slot(slot);
            return Ended::without_worker(place, Status::Unsupported, reason.reason(), reason.message.clone());
        }
        let job = Job { proof, ..run.job(&self.worker.git_commit, Some(log)) };
        self.execute(slot, &job)
    }

    fn execute(&self, slot: usize, job: &Job) -> Ended {
        let place = self.places.slot(slot);
        execute(self.worker, job, place, &mut |event| self.board.event(slot, event), self.interrupt)
    }

    /// Throw-away runs, so that programs and libraries are in memory before anything is measured.
    fn warm_up(&self, slot: usize, queued: &Queued, sender: &SyncSender<Notice>) {
        for run in queued.warmups.iter().filter(|run| run.solver.available.is_ok()) {
            let mut job = run.job(&self.worker.git_commit, None);
            let limit_s = job.time_limit_s.map_or(WARMUP_S, |limit| limit.min(WARMUP_S));
            job.time_limit_s = Some(limit_s);
            for _ in 0..queued.plan.warmup {
                if self.interrupt.is_set() {
                    return;
                }
                self.board.begin(slot, format!("warm-up: {} {}", queued.plan.experiment, run.label()), Some(limit_s));
                let ended = self.execute(slot, &job);
                self.board.end(slot);
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
