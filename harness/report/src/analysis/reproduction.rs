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

    fn is_faster(&self) -> bool {
        self.speedup().is_some_and(|ratio| ratio > 1.0)
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

/// How many published results there are, how many of them were reproduced, and so on: a number for each of [`Self::COUNTS`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Scoreboard(pub [u64; 11]);

impl Scoreboard {
    /// What is counted. Faster and with the puzzle solved (one loop and no hole in some answer): of the reproduced. By MIP: by solvers of
    /// integer programs alone, which neither make clauses nor constraints of the rows. Solved here only: not in the source.
    pub const COUNTS: [&'static str; 11] = [
        "results",
        "reproduced",
        "faster than published",
        "puzzle solved",
        "reproduced by MIP",
        "faster by MIP",
        "solved here only",
        "not proven",
        "at the limit",
        "failed or not solved",
        "not run",
    ];

    /// That of an experiment; none where it has no published results.
    pub fn of(analysis: &Analysis) -> Option<Self> {
        let mut board = Self::default();
        let (solvers, formulations) =
            (&analysis.experiment.manifest().solvers, &analysis.experiment.catalog.formulations);
        let is_mip = |outcome: &&Outcome| {
            formulations.iter().any(|f| f.name == outcome.key.formulation && f.kind == "mip")
                && !solvers.iter().any(|solver| solver.name == outcome.key.solver && solver.takes_rows().is_some())
        };
        for reproduction in reproductions(analysis) {
            let by_mip = reproduction.outcomes.iter().copied().filter(is_mip).collect();
            let by_mip = Reproduction { published: reproduction.published, outcomes: by_mip };
            let standing = reproduction.standing();
            let is = |wanted: Standing| standing == wanted;
            let is_known = reproduction.published.solved;
            board += Self(
                [
                    true,
                    is(Standing::Reproduced) && is_known,
                    reproduction.is_faster(),
                    is(Standing::Reproduced) && is_known && reproduction.reproduced().any(Outcome::is_solved),
                    by_mip.standing() == Standing::Reproduced && is_known,
                    by_mip.is_faster(),
                    is(Standing::Reproduced) && !is_known,
                    is(Standing::Unproven),
                    is(Standing::Timeout),
                    is(Standing::Other),
                    is(Standing::NotRun),
                ]
                .map(u64::from),
            );
        }
        (board != Self::default()).then_some(board)
    }

    /// In words: `reproduced 61 of 78 published results, 47 of them faster than published, 50 with the puzzle solved; by solvers of integer
    /// programs alone 44, 12 of them faster; 12 at the limit; 5 not run`.
    pub fn text(&self) -> String {
        let [results, reproduced, faster, whole, by_mip, faster_by_mip, others @ ..] = &self.0;
        let mut text = format!(
            "reproduced {reproduced} of {results} published results, {faster} of them faster than published, {whole} with the puzzle solved"
        );
        if (by_mip, faster_by_mip) != (reproduced, faster) {
            text += &format!("; by solvers of integer programs alone {by_mip}, {faster_by_mip} of them faster");
        }
        let words = ["more solved here only", "not proven", "at the limit", "failed or not solved", "not run"];
        for (count, what) in others.iter().zip(words).filter(|(count, _)| **count > 0) {
            text += &format!("; {count} {what}");
        }
        text
    }
}

impl AddAssign for Scoreboard {
    fn add_assign(&mut self, other: Self) {
        self.0.iter_mut().zip(other.0).for_each(|(count, more)| *count += more);
    }
}

/// What was reproduced of all published results of some experiments, in words; none where there are none.
#[must_use]
pub fn reproduced(analyses: &[Analysis]) -> Option<String> {
    let mut all = Scoreboard::default();
    analyses.iter().filter_map(Scoreboard::of).for_each(|board| all += board);
    (all != Scoreboard::default()).then(|| all.text())
}
