//! Linear models for solvers of constraints: their rows as they are.

use super::{Translation, Whole, bounds};
use crate::cp;
use crate::error::ModelError;
use crate::ir::{Model, VarId};

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
