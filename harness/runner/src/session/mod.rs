//! Running plans: one worker a run, every row on disk before the run counts as done.

mod attempt;
mod collect;
mod contradictions;
mod describe;
mod dropped;
mod earlier;
mod progress;
mod run;
mod slots;
mod store;
mod summary;

use std::path::PathBuf;
use std::time::Duration;

pub use attempt::{RunFiles, RunOutput, run_single};
pub(crate) use contradictions::Claims;
pub use contradictions::Contradiction;
pub use earlier::{Retry, preview};
pub use run::run;
pub(crate) use store::Lock;
pub use summary::{Capped, FailedRun, Summary, WrongRow};
pub(crate) use summary::{report_folder, write_contradictions};

use crate::worker::DISK;
use crate::{Filter, Interrupt, Setting, Shard, Vocabulary};

/// What to show while runs go on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Progress {
    /// Bars on a terminal; else a line for each run that ended, and one now and then while none does.
    #[default]
    Auto,
    /// Failed runs and what is wrong.
    Quiet,
    /// Nothing, for callers that show the summary.
    Silent,
}

/// What to do about a machine that is busy with other work ([`crate::busy`]).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum OtherWork {
    /// Nothing: it is not looked at.
    #[default]
    Ignore,
    /// Tell of it, and go on.
    Note,
    /// Refuse to measure.
    Refuse,
}

/// What the command line says about running plans.
#[derive(Debug, Clone)]
pub struct RunOptions {
    /// Directory that holds the results directories, one for each experiment.
    pub out: PathBuf,
    /// Number of worker processes at a time, at least 1.
    pub jobs: usize,
    /// Name of the profile to apply.
    pub profile: Option<String>,
    /// Keys of the configs that are set anew.
    pub settings: Vec<Setting>,
    /// Whether each worker is to have cores of its own.
    pub pin: bool,
    /// Whether to confine workers by control groups where that is possible.
    pub cgroups: bool,
    /// Bytes of disk that the temporary files and the proof of a run may take up.
    pub disk_b: u64,
    /// What to do if too few cores are free for what is to be measured.
    pub other_work: OtherWork,
    /// Whether to do the runs too that the profile leaves out as earlier ones were too long.
    pub also_long: bool,
    /// Properties that a run must have, all of them.
    pub filters: Vec<Filter>,
    /// Part of each plan that is to be done; `None`: all of it.
    pub shard: Option<Shard>,
    /// Whether to go on where an earlier session ended.
    pub resume: bool,
    /// Folders with results of other sessions: what came to its end there is not done again.
    pub done: Vec<PathBuf>,
    /// What is repeated of the runs that earlier sessions ended, beside what never came to its end.
    pub retry: Vec<Retry>,
    /// What to show.
    pub progress: Progress,
    /// Names that configs may use; the solvers come with the plan.
    pub vocabulary: Vocabulary,
    /// Time without a line after which the running runs are named, where there are no bars.
    pub heartbeat: Duration,
    /// Ends the session when it is set; rows that are done are kept.
    pub interrupt: Interrupt,
}

impl Default for RunOptions {
    fn default() -> Self {
        Self {
            out: PathBuf::from("results"),
            jobs: 1,
            profile: None,
            settings: Vec::new(),
            pin: true,
            cgroups: true,
            disk_b: DISK,
            other_work: OtherWork::default(),
            also_long: false,
            filters: Vec::new(),
            shard: None,
            resume: false,
            done: Vec::new(),
            retry: Vec::new(),
            progress: Progress::Auto,
            vocabulary: Vocabulary::default(),
            heartbeat: Duration::from_secs(60),
            interrupt: Interrupt::new(),
        }
    }
}
