//! What a comparison finds, and what makes it fail.

use std::collections::BTreeSet;

use puzzle::words;
use record::{Category, Status};
use serde::Serialize;

use crate::results::Experiment;

/// The sides of a comparison: each is told by its place here.
pub const SIDES: [&str; 2] = ["BASE", "NEW"];

/// What a difference is about: the words of `--fail-on`, the gravest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Aspect {
    /// An answer that is wrong, or two answers of which one must be.
    Wrong,
    /// A run that fails, or no longer solves its instance.
    Failure,
    /// Another status among those that are no failure.
    Status,
    /// Another objective value.
    Objective,
    /// Counts that are the same whenever the same program does the same work, and sizes of models.
    Count,
    /// Times of a group of runs.
    Time,
    /// Peak memory of a group of runs.
    Memory,
    /// Runs that only one side has.
    Missing,
}

words!(Aspect:
    Wrong "wrong", Failure "failure", Status "status", Objective "objective", Count "count", Time "time", Memory "memory",
    Missing "missing"
);

/// How a difference is judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// NEW is worse, and that is no chance.
    Worse,
    /// BASE has it and NEW does not: nothing is known of NEW, and the comparison is incomplete.
    Missing,
    /// What two measurements of one program may differ in: a run near its limit.
    Borderline,
    /// Another result, neither better nor worse, or not to be judged.
    Changed,
    /// NEW is better.
    Better,
}

words!(Verdict: Worse "worse", Missing "missing", Borderline "borderline", Changed "changed", Better "better");

impl Verdict {
    /// What it is when the sides change places.
    pub(super) fn reversed(self) -> Self {
        match self {
            Self::Worse => Self::Better,
            Self::Better => Self::Worse,
            other => other,
        }
    }
}

/// A group of runs: a formulation under a solver. With the experiment only: all of it; without names: all groups together.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize)]
pub struct Subject {
    /// The experiment.
    pub experiment: String,
    /// The formulation.
    pub formulation: String,
    /// The solver's label.
    pub solver: String,
}

impl Subject {
    /// `basic / highs`, behind the experiment where there are several.
    #[must_use]
    pub fn name(&self, several: bool) -> String {
        match (self.formulation.is_empty(), several) {
            (true, _) if self.experiment.is_empty() => "all groups together".to_owned(),
            (true, _) => self.experiment.clone(),
            (false, true) => format!("{} / {} / {}", self.experiment, self.formulation, self.solver),
            (false, false) => format!("{} / {}", self.formulation, self.solver),
        }
    }
}

/// A difference.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// Whether the comparison fails by it: a regression, which is worse in an aspect that fails, or a missing run.
    pub fails: bool,
    /// What it is about.
    pub aspect: Aspect,
    /// Whether it is worse or better.
    pub verdict: Verdict,
    /// The difference in words.
    pub text: String,
    /// Of which group.
    #[serde(rename = "group")]
    pub subject: Subject,
    /// Of which run, as an index of the cases of the comparison, if it is one run that differs.
    #[serde(skip)]
    pub case: Option<usize>,
}

impl Finding {
    /// A difference of a group; whether it fails is said when all are known.
    pub(super) fn new(aspect: Aspect, verdict: Verdict, subject: Subject, text: String) -> Self {
        Self { fails: false, aspect, verdict, text, subject, case: None }
    }
}

/// A run, on both sides or on one.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Case {
    /// The experiment.
    pub experiment: String,
    /// The instance.
    pub instance: String,
    /// The formulation.
    pub formulation: String,
    /// The solver's label.
    pub solver: String,
    /// The seed.
    pub seed: u64,
    /// Which repeat.
    pub repeat: u32,
    /// What BASE has of it.
    pub base: Option<Ended>,
    /// What NEW has of it.
    pub new: Option<Ended>,
}

impl Case {
    /// `n20-spur / basic / highs, seed 1`.
    #[must_use]
    pub fn name(&self) -> String {
        let repeat = if self.repeat == 1 { String::new() } else { format!(", repeat {}", self.repeat) };
        format!("{} / {} / {}, seed {}{repeat}", self.instance, self.formulation, self.solver, self.seed)
    }
}

/// How a run ended on one side.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Ended {
    /// Its id there.
    pub run_id: String,
    /// What was claimed.
    pub status: Status,
    /// What was found.
    pub category: Category,
    /// Why it ended.
    pub reason: String,
    /// Wall time in seconds.
    pub wall_time_s: Option<f64>,
    /// What the row remarks.
    pub message: Option<String>,
}

/// One side as a whole.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Side {
    /// The experiments.
    pub experiments: Vec<String>,
    /// Runs with a result.
    pub runs: usize,
    /// Runs that were interrupted: they have no result, as if they had not been begun.
    pub interrupted: usize,
    /// Runs that the other side does not have.
    pub alone: usize,
    /// Revisions of tilebench.
    pub builds: Vec<String>,
}

impl Side {
    pub(super) fn of(experiments: &[Experiment], interrupted: usize, alone: usize) -> Self {
        let runs = || experiments.iter().flat_map(Experiment::runs);
        let builds: BTreeSet<_> = runs().map(|run| &run.setting.build).filter(|build| !build.is_empty()).collect();
        Self {
            experiments: experiments.iter().map(|e| e.name().to_owned()).collect(),
            runs: runs().count() - interrupted,
            interrupted,
            alone,
            builds: builds.into_iter().cloned().collect(),
        }
    }
}

/// When a difference is a regression. `Options::default()` is what `tilebench compare` does without options.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Options {
    /// The aspects that were asked for by name; `None`: all but memory.
    pub fail_on: Option<BTreeSet<Aspect>>,
    /// Ratio from which on a group is slower (or takes more memory); more than 1.
    pub time_threshold: f64,
    /// The same for counts; more than 1.
    pub count_threshold: f64,
    /// Probability that the interval of any group leaves out its true ratio on one side; between 0 and 1.
    pub alpha: f64,
}

impl Options {
    /// Ratio of times by which two sessions of one program on one machine may differ as a whole.
    pub const DRIFT: f64 = 1.05;

    /// Of fewer instances a few disturbed runs are most, and times must differ by more than these do.
    pub const FEW: usize = 4;

    /// The same ratio for few instances: what disturbs single runs.
    pub const DRIFT_OF_FEW: f64 = 2.0;

    /// Relative difference of objective values that is none.
    pub const OBJECTIVE_TOLERANCE: f64 = 1e-6;

    /// Whether what is worse or missing in this aspect fails. Where nothing was asked for by name that is all but memory, of which too
    /// much is chance.
    #[must_use]
    pub fn fails(&self, aspect: Aspect) -> bool {
        self.fail_on.as_ref().map_or(aspect != Aspect::Memory, |asked| asked.contains(&aspect))
    }

    /// Whether the aspect was asked for by name: then times fail even where they were measured under other circumstances.
    pub(super) fn insists_on(&self, aspect: Aspect) -> bool {
        self.fail_on.as_ref().is_some_and(|asked| asked.contains(&aspect))
    }
}

impl Default for Options {
    fn default() -> Self {
        Self { fail_on: None, time_threshold: 1.25, count_threshold: 1.1, alpha: 0.01 }
    }
}
