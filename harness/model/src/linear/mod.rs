//! A linear model said in another form, for solvers of constraints ([`ToConstraints`]) and of clauses ([`ToClauses`]).
//!
//! Nothing is rounded: bounds of variables, coefficients and bounds of rows that are no whole numbers, or too large for the form,
//! are refused.

mod clauses;
mod constraints;

pub use clauses::ToClauses;
pub use constraints::ToConstraints;

use crate::error::ModelError;
use crate::ir::{Model, Row, VarId};
use crate::representation::Representation;

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
    fn read(&self, values: &[<Self::Form as Representation>::Value]) -> Vec<f64>;
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

/// A number as a whole one, if it is.
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
    pub fn terms(name: &str, terms: &[(VarId, f64)]) -> Result<Vec<(i64, VarId)>, ModelError> {
        let term = |&(var, factor): &(VarId, f64)| {
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
