//! Answers of runs against each other. Of two that contradict each other one is wrong: a solver, a model or the verification.

use std::collections::BTreeMap;
use std::fmt;

use puzzle::count;

use crate::{Category, RunRow, Status, counted_in};

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
    /// By kind and families of the model: those that call it infeasible though it forbids some solutions, which says nothing of the puzzle,
    /// and those with a verified solution of it.
    restricted: BTreeMap<String, [Runs; 2]>,
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

/// What a run proved that the objective of its model is at least. On the open plane a run without a verified solution may have ended on a
/// smaller board.
#[must_use]
pub fn proven(row: &RunRow, model: ModelColumns<'_>) -> Option<f64> {
    let counts = row.is_solved() || row.category == Category::Unknown && model.places.is_some();
    row.bound.filter(|_| counts && is_whole_model(model.options))
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
        let is_solved = row.is_solved();
        if is_solved {
            self.solved.add(&label);
        }
        if let Some(number) = number(row, model) {
            self.counts.entry(number).or_default().add(&label);
        }
        if is_restricted(row, model) || is_solved {
            let of_model = self.restricted.entry(same_rows(model)).or_default();
            of_model[usize::from(is_solved)].add(&label);
        }
        let Some(key) = objective(model) else { return };
        let sides = self.models.entry(key).or_default();
        let value = row.objective_value.filter(|_| is_solved);
        if let Some(value) = value.filter(|value| sides.found.as_ref().is_none_or(|(least, _)| value < least)) {
            sides.found = Some((value, label()));
        }
        let bound = proven(row, model);
        if let Some(bound) = bound.filter(|bound| sides.proven.as_ref().is_none_or(|(most, _)| bound > most)) {
            sides.proven = Some((bound, label()));
        }
    }

    /// Whether what a run claims is refuted by a verified solution: that there is none, or none with so low an objective. Of different counts
    /// any may be the right one: all of them are.
    #[must_use]
    pub fn refutes(&self, row: &RunRow, model: ModelColumns<'_>) -> bool {
        let found = || objective(model).and_then(|key| self.models.get(&key)?.found.as_ref());
        let is_bound_refuted =
            || proven(row, model).zip(found()).is_some_and(|(bound, found)| is_below(found.0, bound));
        let is_solved = || self.restricted.get(&same_rows(model)).is_some_and(|[_, solved]| solved.number > 0);
        (self.solved.number > 0 && row.claims_infeasible())
            || (is_restricted(row, model) && is_solved())
            || (self.counts.len() > 1 && number(row, model).is_some())
            || is_bound_refuted()
    }

    /// How two of them contradict each other, in words: different counts, a verified solution below what another run of the same model
    /// proved, or one where another run claims that there is none.
    #[must_use]
    pub fn contradiction(&self) -> Option<String> {
        if self.counts.len() > 1 {
            let counts = self.counts.iter().map(|(number, runs)| format!("{} by {runs}", count(*number, "solution")));
            return Some(counts.collect::<Vec<_>>().join(", and "));
        }
        let of_models = self.restricted.values().map(|[infeasible, solved]| (solved, infeasible));
        let both = [(&self.solved, &self.infeasible)].into_iter().chain(of_models);
        let mut refuted = both.filter(|(solved, infeasible)| solved.number > 0 && infeasible.number > 0);
        let in_words =
            |(solved, infeasible): (&Runs, &Runs)| format!("solved by {solved}, and infeasible by {infeasible}");
        self.models.values().find_map(Sides::contradiction).or_else(|| refuted.next().map(in_words))
    }
}

/// Whether a run calls a whole model infeasible that forbids some solutions of its puzzle. On the open plane the model grows.
fn is_restricted(row: &RunRow, model: ModelColumns<'_>) -> bool {
    let is_infeasible = row.status == Status::Infeasible && !row.claims_infeasible();
    is_infeasible && model.places.is_some() && is_whole_model(model.options)
}

/// What models have in common that have the same solutions.
fn same_rows(ModelColumns { kind, families, .. }: ModelColumns<'_>) -> String {
    format!("{kind} {families}")
}

/// The solutions that a run counted, if that is what it did.
fn number(row: &RunRow, model: ModelColumns<'_>) -> Option<u128> {
    row.native_status.as_deref().filter(|_| row.is_solved() && RunRow::counts(model.families)).and_then(counted_in)
}

/// What linear models have in common whose objective values compare; `None` for other kinds, and for an objective that is another for
/// each seed.
fn objective(ModelColumns { kind, families, objective, .. }: ModelColumns<'_>) -> Option<String> {
    (kind == "mip" && ["virtual", "weighted"].contains(&objective)).then(|| format!("{objective} {families}"))
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
