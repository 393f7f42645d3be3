//! Published results repeated here: whether the same formulation gave an answer on a board of the same size, and how fast.

use std::ops::AddAssign;

use record::{Category, Status};

use super::{Analysis, Outcome, PublishedOutcome};
use crate::results::Instance;

/// A published result and what was measured of it.
#[derive(Debug, Clone)]
pub struct Reproduction<'a> {
    pub published: &'a PublishedOutcome,
    /// Outcomes of the formulation, or of all with its objective where the source does not say which it was, on boards of that
    /// challenge and that many places.
    pub outcomes: Vec<&'a Outcome>,
}

/// The best of what the outcomes are; of several the last variant counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Standing {
    NotRun,
    /// Failed, or no solution was found, or a wrong one; or one with subloops or holes of what the source did not solve.
    Other,
    /// A limit struck.
    Timeout,
    /// The best solution was asked for, and a limit struck before one was proven to be that.
    Unproven,
    /// An answer that was checked; the best, where that was asked for. Where the formulation only reports subloops or holes it may have
    /// some.
    Reproduced,
}

impl Standing {
    pub fn of(outcome: &Outcome) -> Self {
        let tally = &outcome.tally;
        if tally.ended_as(Status::Unsupported) == tally.all {
            Self::NotRun
        } else if tally.judged(Category::Wrong) + tally.judged(Category::Error) > 0 {
            Self::Other
        } else if tally.unproven > 0 {
            Self::Unproven
        } else if tally.statuses.iter().all(|(status, _)| status.has_solution()) && outcome.total_s.is_some() {
            Self::Reproduced
        } else if tally.failure() == Some(Status::Timeout) {
            Self::Timeout
        } else {
            Self::Other
        }
    }
}

impl Reproduction<'_> {
    pub fn standing(&self) -> Standing {
        self.outcomes.iter().map(|outcome| self.standing_of(outcome)).max().unwrap_or(Standing::NotRun)
    }

    /// That of one outcome. What the source did not solve takes a solution of the puzzle: its own answer may have had subloops.
    pub fn standing_of(&self, outcome: &Outcome) -> Standing {
        match Standing::of(outcome) {
            Standing::Reproduced if !self.published.solved && !outcome.is_solved() => Standing::Other,
            standing => standing,
        }
    }

    fn reproduced(&self) -> impl Iterator<Item = &Outcome> {
        self.outcomes.iter().copied().filter(|outcome| self.standing_of(outcome) == Standing::Reproduced)
    }

    /// The least time in seconds, of building the model and of all solves, in which it was reproduced.
    pub fn fastest_s(&self) -> Option<f64> {
        self.reproduced().filter_map(|outcome| outcome.total_s).min_by(f64::total_cmp)
    }

    /// How many times as fast as published the fastest was, where the source came to a solution too.
    pub fn speedup(&self) -> Option<f64> {
        let fastest = self.fastest_s().filter(|_| self.published.solved)?;
        Some(self.published.total_s / fastest).filter(|ratio| ratio.is_finite())
    }
}

/// The published results of an experiment, each with what was measured of it.
pub fn reproductions(analysis: &Analysis) -> Vec<Reproduction<'_>> {
    let published = analysis.published.iter();
    published.map(|published| Reproduction { published, outcomes: outcomes(analysis, published) }).collect()
}

fn outcomes<'a>(analysis: &'a Analysis, published: &PublishedOutcome) -> Vec<&'a Outcome> {
    let (catalog, row) = (&analysis.experiment.catalog, &published.first);
    let is_unnamed = row.formulation.is_empty();
    let formulations = catalog.formulations.iter().filter(|formulation| match &row.objective {
        _ if !formulation.is_plain() => false,
        Some(objective) if is_unnamed => *objective == formulation.objective,
        None if is_unnamed => true,
        objective => formulation.is(&row.formulation, objective.as_deref()),
    });
    let of_instance = |formulation: &'a str, instance: &'a Instance| {
        let outcome = move |solver: &'a String| analysis.outcome(&instance.name, formulation, solver);
        catalog.solvers.iter().filter_map(outcome)
    };
    let boards = || catalog.instances.iter().filter(|instance| row.fits(instance));
    formulations.flat_map(|formulation| boards().flat_map(move |i| of_instance(&formulation.name, i))).collect()
}

/// How many published results were reproduced.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Scoreboard {
    pub results: u64,
    pub reproduced: u64,
    /// Of those, faster than published.
    pub faster: u64,
    /// Of those, where some answer has one loop and no hole.
    pub whole: u64,
    /// The puzzle solved here, and not in the source.
    pub beyond: u64,
    pub unproven: u64,
    pub timeout: u64,
    pub other: u64,
    pub not_run: u64,
}

impl Scoreboard {
    /// That of an experiment; none where it has no published results.
    pub fn of(analysis: &Analysis) -> Option<Self> {
        let mut board = Self::default();
        for reproduction in reproductions(analysis) {
            board.results += 1;
            match reproduction.standing() {
                Standing::NotRun => board.not_run += 1,
                Standing::Other => board.other += 1,
                Standing::Timeout => board.timeout += 1,
                Standing::Unproven => board.unproven += 1,
                Standing::Reproduced if reproduction.published.solved => {
                    board.reproduced += 1;
                    board.whole += u64::from(reproduction.reproduced().any(Outcome::is_solved));
                }
                Standing::Reproduced => board.beyond += 1,
            }
            board.faster += u64::from(reproduction.speedup().is_some_and(|ratio| ratio > 1.0));
        }
        (board.results > 0).then_some(board)
    }

    /// In words: `reproduced 61 of 78 published results, 47 of them faster than published, 50 with the puzzle solved; 12 at the limit; 5 not
    /// run`.
    pub fn text(&self) -> String {
        let Self { results, reproduced, faster, whole, .. } = self;
        let mut text = format!(
            "reproduced {reproduced} of {results} published results, {faster} of them faster than published, {whole} with the puzzle solved"
        );
        for (count, what) in [
            (self.beyond, "more solved here only"),
            (self.unproven, "not proven"),
            (self.timeout, "at the limit"),
            (self.other, "failed or not solved"),
            (self.not_run, "not run"),
        ] {
            if count > 0 {
                text += &format!("; {count} {what}");
            }
        }
        text
    }
}

/// What was reproduced of all published results of some experiments, in words; none where there are none.
#[must_use]
pub fn reproduced(analyses: &[Analysis]) -> Option<String> {
    let boards: Vec<_> = analyses.iter().filter_map(Scoreboard::of).collect();
    let mut all = Scoreboard::default();
    boards.iter().for_each(|board| all += *board);
    (!boards.is_empty()).then(|| all.text())
}

impl AddAssign for Scoreboard {
    fn add_assign(&mut self, other: Self) {
        let Self { results, reproduced, faster, whole, beyond, unproven, timeout, other: rest, not_run } = other;
        self.results += results;
        self.reproduced += reproduced;
        self.faster += faster;
        self.whole += whole;
        self.beyond += beyond;
        self.unproven += unproven;
        self.timeout += timeout;
        self.other += rest;
        self.not_run += not_run;
    }
}
