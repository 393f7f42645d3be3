//! What the command line says about running plans.

use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use record::Status;

use crate::text::alternatives;
use crate::worker::{WorkplaceOptions, busy};
use crate::{Filter, Interrupt, RunnerError, Setting, Shard, Vocabulary};

/// What to do about a machine that is busy with other work.
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

impl OtherWork {
    /// What leaves fewer than so many cores free, where somebody wants to know; nothing is to be measured without `needed`.
    ///
    /// # Errors
    /// There is such work, and nothing is to be measured beside it.
    pub fn beside(self, needed: Option<usize>) -> Result<Option<String>, RunnerError> {
        let Some(needed) = needed.filter(|_| self != Self::Ignore) else { return Ok(None) };
        match busy(needed) {
            Some(busy) if self == Self::Refuse => {
                let otherwise = "times would be useless: wait until they are free, or go on with --anyway";
                Err(RunnerError::Busy(format!("{busy}; {otherwise}")))
            }
            found => Ok(found),
        }
    }
}

/// What is repeated of the runs that came to their end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Retry {
    /// Runs of a status that claims nothing of the puzzle. Answers are not repeated, lest one be chosen.
    Status(Status),
    /// Runs that were measured with another version of their solver than the one that is here.
    Outdated,
}

impl FromStr for Retry {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        const OUTDATED: &str = "outdated";
        const KNOWN: [Status; 5] = [Status::Crash, Status::Error, Status::Memout, Status::Timeout, Status::Unsupported];
        match Status::of_word(text) {
            Some(status) if KNOWN.contains(&status) => Ok(Self::Status(status)),
            Some(status) if !status.is_final() => Err(format!("{status} runs are repeated by --resume alone")),
            Some(status) => Err(format!("{status} is an answer, and answers are not repeated")),
            None if text == OUTDATED => Ok(Self::Outdated),
            None => {
                let known = KNOWN.map(Status::name).into_iter().chain([OUTDATED]);
                Err(format!("no such status; {}", alternatives(text, known)))
            }
        }
    }
}

/// What the command line says about running plans.
#[derive(Debug, Clone, Default)]
pub struct RunOptions {
    /// Number of worker processes at a time; 0 counts as 1.
    pub jobs: usize,
    /// Name of the profile to apply.
    pub profile: Option<String>,
    /// Keys of the configs that are set anew.
    pub settings: Vec<Setting>,
    /// What to use of what the machine offers.
    pub places: WorkplaceOptions,
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
    /// Whether to show only failed runs and what is wrong while runs go on; else bars on a terminal, elsewhere a line for each run that
    /// ended, and one now and then while none does.
    pub quiet: bool,
    /// Names that configs may use; the solvers come with the plan.
    pub vocabulary: Vocabulary,
    /// Time without a line after which the running runs are named, where there are no bars. `None`: a minute.
    pub heartbeat: Option<Duration>,
    /// Ends the session when it is set; rows that are done are kept.
    pub interrupt: Interrupt,
}
