//! The rows of an experiment analysed: medians over repeats, what can be compared, claims and effects, and how it was measured.

pub mod caveats;
pub mod claims;
pub mod comparison;
pub mod effect;
mod outcome;
pub mod reproduction;

use std::path::Path;

use crate::ReportError;
use crate::results::{Experiment, Run};
use outcome::Timed;
pub use outcome::{
    Aggregates, Outcome, PublishedOutcome, Step, Tally, has_ended, is_final, is_restricted, is_unproven, repeats,
};

/// An experiment with the medians over the repeats of its runs.
#[derive(Debug, Clone)]
pub struct Analysis {
    /// What was recorded.
    pub experiment: Experiment,
    aggregates: Aggregates,
}

impl Analysis {
    /// Reads a results directory and aggregates its rows.
    ///
    /// # Errors
    /// As [`Experiment::load`].
    pub fn load(dir: &Path) -> Result<Self, ReportError> {
        Self::of(Experiment::load(dir)?)
    }

    /// Aggregates the rows of an experiment.
    ///
    /// # Errors
    /// The aggregation failed, which is a bug.
    pub fn of(experiment: Experiment) -> Result<Self, ReportError> {
        let aggregates = Aggregates::of(&experiment)?;
        Ok(Self { experiment, aggregates })
    }

    /// What a reader must know before comparing figures, whichever of the rows are shown.
    #[must_use]
    pub fn warnings(&self) -> Vec<String> {
        self.experiment.warnings.iter().cloned().chain(self.caveats()).collect()
    }

    /// The warnings of which each table and plot has its own version, of the rows that it shows.
    pub(crate) fn caveats(&self) -> Vec<String> {
        caveats::of_page(&self.aggregates.outcomes)
    }

    pub(crate) fn runs_of(&self, outcome: &Outcome) -> impl Iterator<Item = &Run> {
        outcome.members.iter().filter_map(|member| self.experiment.runs().get(*member as usize))
    }

    /// The time of a run in seconds, of building its model and of all solves; a lower bound if it did not come to its end.
    pub(crate) fn total_s(&self, run: &Run) -> Option<f64> {
        Timed::of(run, self.experiment.solves(run)).spent_s
    }

    /// The limit of the wall time of the runs behind an outcome, in seconds.
    pub(crate) fn time_limit(&self, outcome: &Outcome) -> Option<f64> {
        self.runs_of(outcome).next()?.time_limit_s
    }

    pub(crate) fn aggregates(&self) -> &Aggregates {
        &self.aggregates
    }
}
