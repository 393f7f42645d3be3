//! The runs still to be done, and the slots: threads that take them one by one.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::SyncSender;

use record::{ResultsDir, SessionFacts, Status, discard_proof};

use super::attempt::{Context, Outcome, RunFiles, attempt};
use super::progress::Activity;
use crate::Interrupt;
use crate::plan::{ExperimentPlan, PlannedRun};
use crate::protocol::Event;
use crate::worker::{Worker, Workplaces, execute};

/// Seconds of a warm-up run at most.
const WARMUP_S: f64 = 5.0;

/// A run to be done.
#[derive(Debug, Clone, Copy)]
pub(super) struct Task {
    /// Index of the experiment in the session.
    pub experiment: usize,
    /// Index of the run in its plan.
    pub run: usize,
    /// Number of this attempt.
    pub attempt: u32,
}

/// What a slot has to tell.
#[derive(Debug)]
pub(super) enum Notice {
    /// A warm-up run failed, which harms nobody.
    WarmupFailed { solver: String, reason: String },
    /// The run ended.
    Done { experiment: usize, outcome: Box<Outcome> },
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
            worker: self.worker,
            place: self.places.slot(slot),
            session: self.session,
            interrupt: self.interrupt,
            again: true,
        };
        let files = RunFiles { log: Some(queued.dir.log(&run_id)), proof: proof.clone() };
        let mut observer = |event: &Event| {
            if let Event::Solving(solving) = event {
                self.activity.solving(slot, solving.iteration);
            }
        };
        let attempted = attempt(context, &queued.plan.config.experiment, run, number, files, &mut observer);
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
