//! Answers of runs against each other. Of two that contradict each other one is wrong: a solver, a model or the verification.

use std::collections::BTreeMap;
use std::fmt;

use puzzle::count;

use crate::{Category, RunRow, counted_in};

/// Relative difference of objective values that is none here: solvers keep to bounds and integers within 1e-6 in each row, and those
/// by clauses round the coefficients of the objective.
const TOLERANCE: f64 = 1e-4;

/// What the runs of one instance say of it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Answers {
    /// Those with a verified solution.
    solved: Runs,
    /// Those that claim that there is none. Such a claim that is wrong by what is known of the instance is not among them.
    infeasible: Runs,
    /// Those that counted the solutions, by the number.
    counts: BTreeMap<u128, Runs>,
    /// By model. Models minimise.
    models: BTreeMap<String, Sides>,
}

/// The first of some runs, and how many there are.
#[derive(Debug, Clone, PartialEq, Default)]
struct Runs {
    first: String,
    number: usize,
}

/// The highest bound that a run proved, and the lowest objective value of a verified solution, each with its run.
#[derive(Debug, Clone, PartialEq, Default)]
struct Sides {
    proven: Option<(f64, String)>,
    found: Option<(f64, String)>,
}

/// What determines the model and its objective, as the columns say it. What cuts off subloops and holes takes no solution of the
/// puzzle away, so these choices make no other model here.
#[derive(Debug, Clone, Copy)]
pub struct ModelColumns<'a> {
    /// Column `kind`.
    pub kind: &'a str,
    /// Column `families`.
    pub families: &'a str,
    /// Column `objective`.
    pub objective: &'a str,
    /// Column `options`.
    pub options: &'a str,
    /// Column `places`.
    pub places: Option<u64>,
}

/// Whether a run solved the whole model, as its column `options` says it: tiles that a start fixes make it smaller, and its bound is
/// none of the whole.
#[must_use]
pub fn is_whole_model(options: &str) -> bool {
    !options.split("; ").any(|option| option == "start=fix")
}

/// Whether a value of an objective that is minimised lies below a bound on it by more than solvers err.
#[must_use]
pub fn is_below(value: f64, bound: f64) -> bool {
    value < bound - TOLERANCE * bound.abs().max(value.abs()).max(1.0)
}

impl Answers {
    /// Takes note of a run of which `label` tells.
    pub fn note(&mut self, row: &RunRow, model: ModelColumns<'_>, label: impl Fn() -> String) {
        if row.category != Category::Wrong && row.claims_infeasible() {
            self.infeasible.add(&label);
        }
        let ModelColumns { kind, families, objective, options, places } = model;
        let is_solved = row.is_solved();
        if is_solved {
            self.solved.add(&label);
            let number = row.native_status.as_deref().and_then(counted_in);
            if let Some(number) = number.filter(|_| RunRow::counts(families)) {
                self.counts.entry(number).or_default().add(&label);
            }
        }
        // Values compare between linear models with an objective that is the same for every seed.
        if kind != "mip" || !["virtual", "weighted"].contains(&objective) {
            return;
        }
        let Sides { proven, found } = self.models.entry(format!("{objective} {families}")).or_default();
        let value = row.objective_value.filter(|_| is_solved);
        if let Some(value) = value.filter(|value| found.as_ref().is_none_or(|(least, _)| value < least)) {
            *found = Some((value, label()));
        }
        // On the open plane a run without a solution may have ended on a smaller board.
        let is_of_puzzle = is_solved || places.is_some() && row.category == Category::Unknown;
        let bound = row.bound.filter(|_| is_of_puzzle && is_whole_model(options));
        if let Some(bound) = bound.filter(|bound| proven.as_ref().is_none_or(|(most, _)| bound > most)) {
            *proven = Some((bound, label()));
        }
    }

    /// How two of them contradict each other, in words: different counts, a verified solution below what another run of the same model
    /// proved, or one where another run claims that there is none.
    #[must_use]
    pub fn contradiction(&self) -> Option<String> {
        if self.counts.len() > 1 {
            let counts = self.counts.iter().map(|(number, runs)| format!("{} by {runs}", count(*number, "solution")));
            return Some(counts.collect::<Vec<_>>().join(", and "));
        }
        let refuted =
            || (self.solved.number > 0 && self.infeasible.number > 0).then_some((&self.solved, &self.infeasible));
        let in_words =
            |(solved, infeasible): (&Runs, &Runs)| format!("solved by {solved}, and infeasible by {infeasible}");
        self.models.values().find_map(Sides::contradiction).or_else(|| refuted().map(in_words))
    }
}

impl Sides {
    fn contradiction(&self) -> Option<String> {
        let ((bound, prover), (value, finder)) = self.proven.as_ref().zip(self.found.as_ref())?;
        is_below(*value, *bound)
            .then(|| format!("objective {value} found by {finder}, and proven to be at least {bound} by {prover}"))
    }
}

impl Runs {
    fn add(&mut self, label: impl Fn() -> String) {
        if self.number == 0 {
            self.first = label();
        }
        self.number += 1;
    }
}

impl fmt::Display for Runs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.number {
            ..=1 => f.write_str(&self.first),
            number => write!(f, "{} and {} more", self.first, number - 1),
        }
    }
}
