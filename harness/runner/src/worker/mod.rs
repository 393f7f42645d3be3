//! One worker process: started, watched, limited, ended, and what it left behind.

mod cgroup;
mod conclude;
mod conditions;
mod execute;
mod figures;
mod guard;
mod output;
mod process;
mod scratch;
pub(crate) mod sys;
mod tree;
mod workplace;

use std::path::PathBuf;

use record::Status;

pub use conclude::GRACE;
pub(crate) use conditions::busy;
pub use conditions::{Condition, conditions};
pub use execute::execute;
pub use guard::{Guard, guard};
pub(crate) use sys::{held, runner};
pub(crate) use workplace::cores;
pub use workplace::{Workplace, WorkplaceOptions, Workplaces};

use crate::protocol::{Answer, Built, Heard, Iteration, Relaxed, Started};

/// `termination_reason` of a run whose worker could not even be started, or refused the job. It says nothing
/// of the run, and a session ends with it.
const NOT_STARTED: &str = "not-started";

/// How to start a worker.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Worker {
    /// The program, usually the running one.
    pub command: PathBuf,
    /// Its arguments, usually `worker`.
    pub args: Vec<String>,
    /// Argument of the same program, before the name of the runner, that makes it call [`guard()`]. `None`: what workers
    /// start outlives a runner that is killed.
    pub guard: Option<String>,
    /// Git revision the parent was built from, with `-dirty` at its end for changed files; empty: unknown.
    pub git_commit: String,
    /// What programs have said to this process, for the workers.
    pub heard: Heard,
}

/// How a worker ended: what it said, and what the system says about it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Ended {
    /// Who the worker was.
    pub started: Option<Started>,
    /// Size of its first model.
    pub built: Option<Built>,
    /// Its linear relaxation.
    pub relaxed: Option<Relaxed>,
    /// Its solves.
    pub iterations: Vec<Iteration>,
    /// Its answer.
    pub answer: Option<Answer>,
    /// What became of the run. Not judged yet.
    pub status: Status,
    /// Why it ended, in a word.
    pub termination_reason: String,
    /// Exit code, if it exited.
    pub exit_code: Option<i32>,
    /// Signal, if it was killed.
    pub exit_signal: Option<i32>,
    /// From the start of the process to its end.
    pub wall_time_s: Option<f64>,
    /// User and system time of the process and its descendants.
    pub cpu_time_s: Option<f64>,
    /// Peak memory; [`Ended::memory_source`] says of what.
    pub peak_memory_b: Option<u64>,
    /// How the peak was measured.
    pub memory_source: Option<&'static str>,
    /// Seconds for which this process was stopped or the machine asleep, or by which its clock was set anew, while the worker ran. The
    /// wall time counts those for which the machine was awake.
    pub stopped_s: Option<f64>,
    /// CPUs that the worker alone was pinned to, for the column `cpus`.
    pub cpus: Option<String>,
    /// What a reader of the row should know.
    pub message: Option<String>,
}

impl Ended {
    /// A run that ended without a worker.
    #[must_use]
    pub fn without_worker(status: Status, reason: &str, message: String) -> Self {
        Self { status, termination_reason: reason.to_owned(), message: Some(message), ..Self::default() }
    }

    /// Whether there was no worker to do it, or one that refused it: this says nothing of the run.
    #[must_use]
    pub fn is_not_started(&self) -> bool {
        self.status == Status::Lost && self.termination_reason == NOT_STARTED
    }
}
