//! Linear models for solvers of constraints and of clauses: each row is said in the solver's form (`model::linear`), and the objective
//! is minimised by solving again with a lower bound on it, for solvers that do not minimise themselves.

use std::collections::HashMap;

use model::Representation as _;
use model::ir::{Model, VarId};
use model::linear::{ToConstraints, Translation};

use crate::backend::*;

/// A session for linear models by constraints.
#[cfg(feature = "pumpkin")]
pub(crate) fn by_constraints(session: Box<dyn Session<model::cp::Model>>) -> Opened {
    Opened::Mip(Box::new(Translated::<ToConstraints>::new(session, |_, _| Ok(false))))
}

/// The same, of a solver that minimises.
pub(crate) fn by_minimising(session: Box<dyn Session<model::cp::Model>>) -> Opened {
    Opened::Mip(Box::new(Translated::<ToConstraints>::new(session, |form, terms| {
        form.minimise(terms)?;
        Ok(true)
    })))
}

/// A session for linear models by clauses.
#[cfg(feature = "cadical")]
pub(crate) fn by_clauses(session: Box<dyn Session<model::sat::Cnf>>) -> Opened {
    Opened::Mip(Box::new(Translated::<model::linear::ToClauses>::new(session, |_, _| Ok(false))))
}

/// Leaves it to the solver to minimise; false where it cannot.
type Minimise<T> = fn(&mut T, &[(VarId, i64)]) -> Result<bool, SolveError>;

struct Translated<T: Translation> {
    session: Box<dyn Session<T::Form>>,
    minimise: Minimise<T>,
    /// What the session was given so far.
    translation: Option<T>,
    /// The least that the objective can be in this model and in those that it grows to, in whole units.
    least: Option<i64>,
}

/// An objective of whole numbers. Weights that are none are taken in units of a millionth, or larger ones where there are very many.
struct Objective {
    terms: Vec<(VarId, i64)>,
    /// Units of one.
    scale: f64,
    /// What it is at least, by bounds and rows that let one variable be 1.
    least: i64,
}

/// Units of one where weights are no whole numbers.
const MILLIONTHS: f64 = 1e6;

/// Greatest sum of weights in units, which solvers of constraints can add up.
const MOST: f64 = 1e9;

/// How far a solver's bound may be above what it means.
const ROUNDING: f64 = 1e-6;

impl Objective {
    fn of(model: &Model) -> Self {
        let weights = || model.objective().iter().map(|&(_, weight)| weight);
        let is_whole = weights().all(|weight| weight.fract() == 0.0);
        let scale = if is_whole { 1.0 } else { MILLIONTHS.min(MOST / weights().map(f64::abs).sum::<f64>()) };
        #[expect(clippy::cast_possible_truncation, reason = "far below 2^40")]
        let whole = |value: f64| (value * scale).round() as i64;
        let terms: Vec<_> = model.objective().iter().map(|&(var, weight)| (var, whole(weight))).collect();
        Self { least: least(model, &terms), terms, scale }
    }

    fn value(&self, values: &[f64]) -> i64 {
        #[expect(clippy::cast_possible_truncation, reason = "whole numbers")]
        self.terms.iter().map(|&(var, weight)| weight * values[var.0] as i64).sum()
    }

    fn said(&self, value: i64) -> f64 {
        value as f64 / self.scale
    }
}

/// What a sum is at least: of binary variables of which a row lets one be 1 only the least counts.
fn least(model: &Model, terms: &[(VarId, i64)]) -> i64 {
    if terms.len() < 2 {
        return terms.iter().map(|term| extreme(model, term)).sum();
    }
    let mut row_of = vec![None; model.variables().len()];
    for (number, row) in model.rows().iter().enumerate().filter(|(_, row)| model.lets_one(row)) {
        row.terms.iter().for_each(|(var, _)| row_of[var.0] = row_of[var.0].or(Some(number)));
    }
    let mut by_row: HashMap<usize, i64> = HashMap::new();
    let mut alone = 0;
    for term in terms {
        let extreme = extreme(model, term);
        match row_of[term.0.0] {
            Some(row) => by_row.entry(row).and_modify(|least| *least = extreme.min(*least)).or_insert(extreme.min(0)),
            None => {
                alone += extreme;
                continue;
            }
        };
    }
    alone + by_row.values().sum::<i64>()
}

/// The least that a term can be, by the bounds of its variable.
fn extreme(model: &Model, &(var, weight): &(VarId, i64)) -> i64 {
    let variable = &model.variables()[var.0];
    #[expect(clippy::cast_possible_truncation, reason = "whole numbers")]
    let ends = [variable.lower, variable.upper].map(|bound| weight * bound as i64);
    ends[0].min(ends[1])
}

impl<T: Translation> Translated<T> {
    fn new(session: Box<dyn Session<T::Form>>, minimise: Minimise<T>) -> Self {
        Self { session, minimise, translation: None, least: None }
    }

    /// Forgets what was demanded for a while only.
    fn begin_anew(&mut self) {
        self.translation = None;
        self.session.restart();
    }
}

impl<T: Translation> Session for Translated<T> {
    fn solve(&mut self, model: &Model, deadline: &Deadline) -> Result<Solved, SolveError> {
        let objective = Objective::of(model);
        let mut translation = self.translation.take().unwrap_or_default();
        translation.extend(model)?;
        let minimises = !objective.terms.is_empty() && (self.minimise)(&mut translation, &objective.terms)?;
        let mut least = self.least.unwrap_or(objective.least).max(objective.least);
        let mut best: Option<(i64, Vec<f64>)> = None;
        let mut total: Option<Solve> = None;
        let mut bounded = false;
        loop {
            let Solved { outcome, values } = self.session.solve(translation.form(), deadline)?;
            let status = outcome.status;
            let so_far = total.take();
            let bound = outcome.bound;
            total = Some(added(so_far, outcome));
            if let Some(values) = values {
                let values = translation.read(&values);
                let cost = objective.value(&values);
                best = Some((cost, values));
                if !minimises && cost > least {
                    translation.at_most(&objective.terms, cost - 1)?;
                    bounded = true;
                    continue;
                }
            }
            let has_ended = match status {
                SolveStatus::Optimal | SolveStatus::Infeasible => true,
                SolveStatus::Feasible | SolveStatus::Timeout | SolveStatus::Memout | SolveStatus::Limit => false,
            };
            // A solver that minimises says in whole units how far it came.
            #[expect(clippy::cast_possible_truncation, reason = "a sum of whole numbers")]
            let bound = bound.filter(|_| minimises).map(|bound| (bound - ROUNDING).ceil() as i64);
            let mut outcome = total.unwrap_or_else(|| Solve::of(status, ""));
            let Some((cost, values)) = best else {
                outcome.bound = bound.filter(|_| !has_ended).map(|bound| objective.said(bound));
                self.translation = Some(translation);
                return Ok(Solved::without_values(outcome));
            };
            least = match bound {
                // It may call optimal what lies within a gap that its options allow.
                Some(bound) => least.max(bound).min(cost),
                None if has_ended => cost,
                None => least,
            };
            self.least = Some(least);
            outcome.status = if has_ended { SolveStatus::Optimal } else { SolveStatus::Feasible };
            outcome.objective_value = model.objective_of(&values);
            outcome.bound = if least < cost { Some(objective.said(least)) } else { outcome.objective_value };
            if bounded {
                self.begin_anew();
            } else {
                self.translation = Some(translation);
            }
            return Ok(Solved { outcome, values: Some(values) });
        }
    }

    fn restart(&mut self) {
        self.least = None;
        self.begin_anew();
    }
}

/// One record of several solves.
pub(crate) fn added(before: Option<Solve>, now: Solve) -> Solve {
    let Some(before) = before else { return now };
    let sum = |a: Option<u64>, b: Option<u64>| a.zip(b).map(|(a, b)| a + b);
    let (first, last) = (before.native_status.unwrap_or_default(), now.native_status.unwrap_or_default());
    // The first of all, and the last.
    let first = first.split(", then ").next().unwrap_or_default();
    let native = if first == last { last } else { format!("{first}, then {last}") };
    Solve {
        native_status: Some(native),
        nodes: sum(before.nodes, now.nodes),
        simplex_iterations: sum(before.simplex_iterations, now.simplex_iterations),
        conflicts: sum(before.conflicts, now.conflicts),
        propagations: sum(before.propagations, now.propagations),
        ..now
    }
}
