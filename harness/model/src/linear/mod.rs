//! A linear model said in another form, for solvers of constraints ([`ToConstraints`]) and of clauses ([`ToClauses`]).
//!
//! Nothing is rounded: bounds of variables, coefficients and bounds of rows that are no whole numbers, or too large for the form,
//! are refused.

mod clauses;

pub use clauses::ToClauses;

use crate::cp;
use crate::error::ModelError;
use crate::ir::{Model, Row, Term, VarId};
use crate::representation::{Representation, Values};

/// A linear model in another form, which grows as the model does.
pub trait Translation: Default {
    /// The other form.
    type Form: Representation;

    /// Adds the variables and rows that the model has now and had not before.
    /// Errors: a variable or row that this form cannot have.
    fn extend(&mut self, model: &Model) -> Result<(), ModelError>;

    /// What there is so far.
    fn form(&self) -> &Self::Form;

    /// Demands that whole coefficients times variables add up to `most` at most. This stays: for a lower bound that holds for a
    /// while only, the translation is thrown away afterwards.
    /// Errors: as [`Translation::extend`].
    fn at_most(&mut self, terms: &[(VarId, i64)], most: i64) -> Result<(), ModelError>;

    /// The values of the model's variables, from a solver's values of the form.
    fn read(&self, values: &Values<Self::Form>) -> Vec<f64>;
}

/// Most that a whole number here may be, so that sums over a row stay exact.
const GREATEST: f64 = 1e9;

/// A row of whole numbers.
pub(crate) struct Whole {
    pub terms: Vec<(i64, VarId)>,
    /// Least sum, if there is one.
    pub lower: Option<i64>,
    /// Greatest sum, if there is one.
    pub upper: Option<i64>,
}

fn refused(name: &str, what: &str, value: f64) -> ModelError {
    ModelError::Impossible(format!(
        "{name} has the {what} {value}: only whole numbers up to {GREATEST:e} can be said in this form, and nothing is rounded"
    ))
}

fn whole(value: f64) -> Option<i64> {
    #[expect(clippy::cast_possible_truncation, reason = "whole, and below the greatest")]
    (value.fract() == 0.0 && value.abs() <= GREATEST).then_some(value as i64)
}

impl Whole {
    /// A sum of whole numbers is between two bounds where it is between the whole numbers within them.
    pub fn of(row: &Row) -> Result<Self, ModelError> {
        let bound = |value: f64| match value {
            value if value.is_infinite() => Ok(None),
            value => whole(value).map(Some).ok_or_else(|| refused(&row.name, "bound", value)),
        };
        let terms = Self::terms(&row.name, &row.terms)?;
        Ok(Self { terms, lower: bound(row.lower.ceil())?, upper: bound(row.upper.floor())? })
    }

    /// Terms with whole coefficients; `name` says in errors whose they are.
    pub fn terms(name: &str, terms: &[Term]) -> Result<Vec<(i64, VarId)>, ModelError> {
        let term = |&(var, factor): &Term| {
            whole(factor).map(|factor| (factor, var)).ok_or_else(|| refused(name, "coefficient", factor))
        };
        terms.iter().map(term).collect()
    }
}

/// The bounds of a variable as whole numbers.
fn bounds(model: &Model, index: usize) -> Result<(i64, i64), ModelError> {
    let variable = &model.variables()[index];
    let bound = |value: f64| whole(value).ok_or_else(|| refused(&variable.name, "bound", value));
    Ok((bound(variable.lower.ceil())?, bound(variable.upper.floor())?))
}

/// A linear model as constraints. A row that demands that one of some binary variables is 1, or 0, is a clause.
#[derive(Debug, Default)]
pub struct ToConstraints {
    form: cp::Model,
    rows: usize,
}

impl Translation for ToConstraints {
    type Form = cp::Model;

    fn extend(&mut self, model: &Model) -> Result<(), ModelError> {
        for index in self.form.variables().len()..model.variables().len() {
            let (lower, upper) = bounds(model, index)?;
            self.form.add_variable(model.variables()[index].name.clone(), narrow(lower)?, narrow(upper)?);
        }
        for row in &model.rows()[self.rows..] {
            self.add(row.family, &Whole::of(row)?)?;
            self.rows += 1;
        }
        self.form.set_hint(model.hint().iter().map(|var| (cp::Var(var.0), 1)).collect());
        Ok(())
    }

    fn form(&self) -> &cp::Model {
        &self.form
    }

    fn at_most(&mut self, terms: &[(VarId, i64)], most: i64) -> Result<(), ModelError> {
        let terms = terms.iter().map(|&(var, factor)| (factor, var)).collect();
        self.add("objective", &Whole { terms, lower: None, upper: Some(most) })
    }

    fn read(&self, values: &[i32]) -> Vec<f64> {
        values.iter().map(|&value| f64::from(value)).collect()
    }
}

impl ToConstraints {
    /// The model that is minimised, for a solver that does that itself.
    /// Errors: as [`Translation::extend`].
    pub fn minimise(&mut self, terms: &[(VarId, i64)]) -> Result<(), ModelError> {
        let terms = terms.iter().map(|&(var, factor)| Ok((narrow(factor)?, cp::Var(var.0))));
        self.form.set_objective(terms.collect::<Result<_, ModelError>>()?);
        Ok(())
    }

    fn add(&mut self, family: &'static str, row: &Whole) -> Result<(), ModelError> {
        let variable = |var: VarId| &self.form.variables()[var.0];
        // What the row can be at all: a bound beyond that says nothing.
        let extremes = row.terms.iter().fold((0, 0), |(least, most), &(factor, var)| {
            let ends = [variable(var).lower, variable(var).upper].map(|end| factor * i64::from(end));
            (least + ends[0].min(ends[1]), most + ends[0].max(ends[1]))
        });
        let lower = row.lower.filter(|&lower| lower > extremes.0);
        let upper = row.upper.filter(|&upper| upper < extremes.1);
        if let Some(clause) = self.clause(row, lower, upper) {
            self.form.add_clause(family, clause);
        } else if lower.is_some() || upper.is_some() {
            let terms = row.terms.iter().map(|&(factor, var)| Ok((narrow(factor)?, cp::Var(var.0))));
            let terms = terms.collect::<Result<_, ModelError>>()?;
            let upper = upper.map_or(Ok(i32::MAX), narrow)?;
            self.form.add_linear(family, terms, narrow(lower.unwrap_or(extremes.0))?, upper);
        }
        Ok(())
    }

    /// The clause that says the same as a row with one bound, if there is one.
    fn clause(&self, row: &Whole, lower: Option<i64>, upper: Option<i64>) -> Option<Vec<cp::Literal>> {
        // Sum of sign * factor * variable >= bound.
        let (sign, bound) = match (lower, upper) {
            (Some(lower), None) => (1, lower),
            (None, Some(upper)) => (-1, -upper),
            _ => return None,
        };
        let is_binary = |var: VarId| (self.form.variables()[var.0].lower, self.form.variables()[var.0].upper) == (0, 1);
        let is_unit = |&(factor, var): &(i64, VarId)| factor.abs() == 1 && is_binary(var);
        let negative = row.terms.iter().filter(|(factor, _)| sign * factor < 0).count();
        let is_clause = row.terms.iter().all(is_unit) && i64::try_from(negative).is_ok_and(|count| bound == 1 - count);
        is_clause
            .then(|| row.terms.iter().map(|&(factor, var)| cp::Var(var.0).is(i32::from(sign * factor > 0))).collect())
    }
}

/// A number as constraint solvers take it.
fn narrow(number: i64) -> Result<i32, ModelError> {
    i32::try_from(number).ok().filter(|&number| number != i32::MAX).ok_or_else(|| {
        ModelError::Impossible(format!("the number {number} in a row, and this solver takes up to {}", i32::MAX - 1))
    })
}
