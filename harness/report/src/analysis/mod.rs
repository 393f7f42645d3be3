//! The rows of an experiment analysed: medians over repeats, what can be compared, claims and effects, and how it was measured.

pub mod caveats;
pub mod claims;
pub mod comparison;
pub mod effect;
mod outcome;
pub mod reproduction;

use std::collections::HashMap;
use std::path::Path;

use crate::ReportError;
use crate::results::{Experiment, Run};
pub use outcome::{
    Outcome, PublishedOutcome, Step, Tally, has_ended, is_final, is_restricted, is_unproven, repeats, total_s,
};

/// Where each outcome is. Tables and plots look for outcomes hundreds of thousands of times: none but the wanted one is touched.
#[derive(Debug, Clone, Default)]
struct OutcomeIndex {
    /// A number for each name of an instance, a formulation or a solver; equal names share one.
    numbers: HashMap<String, usize>,
    /// By the numbers of instance, formulation and solver.
    by_cell: HashMap<[usize; 3], usize>,
}

impl OutcomeIndex {
    fn of(outcomes: &[Outcome]) -> Self {
        let mut index = Self::default();
        for (place, outcome) in outcomes.iter().enumerate() {
            let numbers = outcome.key.names().map(|name| {
                let next = index.numbers.len();
                *index.numbers.entry(name.to_owned()).or_insert(next)
            });
            index.by_cell.insert(numbers, place);
        }
        index
    }

    fn find(&self, names: [&str; 3]) -> Option<usize> {
        let [instance, formulation, solver] = names.map(|name| self.numbers.get(name).copied());
        self.by_cell.get(&[instance?, formulation?, solver?]).copied()
    }
}

/// An experiment with the medians over the repeats of its runs.
#[derive(Debug, Clone)]
pub struct Analysis {
    /// What was recorded.
    pub experiment: Experiment,
    /// One for each instance, formulation and solver, by key.
    pub(crate) outcomes: Vec<Outcome>,
    index: OutcomeIndex,
    /// One for each published board and formulation.
    pub(crate) published: Vec<PublishedOutcome>,
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
        let outcomes = outcome::outcomes(experiment.runs())?;
        let index = OutcomeIndex::of(&outcomes);
        let published = outcome::published(&experiment.published);
        Ok(Self { experiment, outcomes, index, published })
    }

    /// What a reader must know before comparing figures, whichever of the rows are shown.
    #[must_use]
    pub fn warnings(&self) -> Vec<String> {
        self.experiment.warnings.iter().cloned().chain(self.caveats()).collect()
    }

    /// The warnings of which each table and plot has its own version, of the rows that it shows.
    pub(crate) fn caveats(&self) -> Vec<String> {
        caveats::of_page(&self.outcomes)
    }

    pub(crate) fn outcome(&self, instance: &str, formulation: &str, solver: &str) -> Option<&Outcome> {
        self.index.find([instance, formulation, solver]).map(|place| &self.outcomes[place])
    }

    pub(crate) fn runs_of(&self, outcome: &Outcome) -> impl Iterator<Item = &Run> {
        outcome.members.iter().filter_map(|member| self.experiment.runs().get(*member as usize))
    }
}
