//! From what a program says to an answer that the model can be asked about.

use std::collections::HashMap;

use model::Representation;
use model::ir::Model;
use model::sat::Cnf;

use super::formats::{Format, Written, order};
use super::reader::{Report, Values};
use crate::backend::{SolveStatus, Solved};

/// How far the objective of a program may be from that of its values, relative to its size.
const OBJECTIVE: f64 = 1e-4;

/// How far values may be from whole numbers and still be a solution.
const INTEGRAL: f64 = 1e-5;

/// Forms of models that programs solve in files.
pub(super) trait External: Representation + Written {
    /// Values for all variables in their order.
    ///
    /// # Errors
    /// Values of variables that there are not, or none of some that there are.
    fn values(&self, values: Values, format: Format) -> Result<Option<Vec<Self::Value>>, String>;

    /// Whether values can be a solution at all.
    fn plausible(&self, values: &[Self::Value]) -> bool;

    /// The objective that values have.
    fn objective(&self, values: &[Self::Value]) -> Option<f64>;
}

/// An answer from a report, once the two parts of it fit together and the model was read whole.
///
/// # Errors
/// What does not fit.
pub(super) fn accept<F: External>(model: &F, report: Report, format: Format) -> Result<Solved<F::Value>, String> {
    let Report { mut outcome, without, values, counts: read } = report;
    let wrote = model.counts(format);
    for (what, read, wrote) in [("rows", read.rows, wrote.rows), ("columns", read.columns, wrote.columns)] {
        if let (Some(read), Some(wrote)) = (read, wrote)
            && read != wrote
        {
            return Err(format!("the model file has {wrote} {what}, and it read {read}"));
        }
    }
    let mut values = model.values(values, format)?;
    match outcome.status {
        // Some write the point where they stopped, solution or not.
        SolveStatus::Feasible if values.as_deref().is_some_and(|values| !model.plausible(values)) => {
            (outcome.status, outcome.objective_value, values) = (without, None, None);
        }
        SolveStatus::Optimal | SolveStatus::Feasible if values.is_none() => {
            return Err(format!("it says {:?} and gives no solution", outcome.native_status.unwrap_or_default()));
        }
        SolveStatus::Optimal | SolveStatus::Feasible => {}
        _ => values = None,
    }
    let computed = values.as_deref().and_then(|values| model.objective(values));
    if let (Some(computed), Some(said)) = (computed, outcome.objective_value)
        && (computed - said).abs() > OBJECTIVE * said.abs().max(1.0)
    {
        return Err(format!("its values have the objective {computed}, and it says {said}: some may be missing"));
    }
    outcome.objective_value = values.as_ref().and(outcome.objective_value.or(computed));
    if outcome.status == SolveStatus::Infeasible {
        outcome.bound = None;
    }
    outcome.gap = match (outcome.objective_value, outcome.bound) {
        (Some(objective), Some(bound)) if objective == bound => Some(0.0),
        (Some(objective), Some(bound)) => Some((objective - bound).abs() / objective.abs().max(1e-10)),
        _ => None,
    };
    Ok(Solved { outcome, values })
}

impl External for Model {
    fn values(&self, values: Values, format: Format) -> Result<Option<Vec<f64>>, String> {
        let count = self.variables().len();
        match values {
            Values::None => Ok(None),
            Values::Literals { .. } => Err("the solution is one of clauses".to_owned()),
            Values::Listed(listed) => {
                if listed.len() != count {
                    return Err(format!("the solution file has {} values for {count} variables", listed.len()));
                }
                let mut all = vec![0.0; count];
                for (index, value) in order(self, format).into_iter().zip(listed) {
                    all[index] = value;
                }
                Ok(Some(all))
            }
            Values::Named { values, all: complete } => {
                let index: HashMap<&str, usize> =
                    self.variables().iter().enumerate().map(|(index, v)| (v.name.as_str(), index)).collect();
                let mut all = vec![None; count];
                for (name, value) in values {
                    let index = *index.get(name.as_str()).ok_or_else(|| {
                        format!("the solution file has a value for {name}, which is no variable of the model")
                    })?;
                    if all[index].replace(value).is_some() {
                        return Err(format!("the solution file has two values for {name}"));
                    }
                }
                if let Some(first) = all.iter().position(Option::is_none).filter(|_| complete) {
                    let (missing, name) = (all.iter().filter(|v| v.is_none()).count(), &self.variables()[first].name);
                    return Err(format!("the solution file lacks the values of {missing} variables, first {name}"));
                }
                Ok(Some(all.into_iter().map(Option::unwrap_or_default).collect()))
            }
        }
    }

    fn plausible(&self, values: &[f64]) -> bool {
        values.iter().all(|value| (value - value.round()).abs() <= INTEGRAL) && self.broken_by(values).is_empty()
    }

    fn objective(&self, values: &[f64]) -> Option<f64> {
        Some(self.objective().iter().map(|&(var, coefficient)| coefficient * values[var.0]).sum())
    }
}

impl External for Cnf {
    fn values(&self, values: Values, _format: Format) -> Result<Option<Vec<bool>>, String> {
        let (literals, complete) = match values {
            Values::None => return Ok(None),
            Values::Literals { literals, all } => (literals, all),
            Values::Named { .. } | Values::Listed(_) => return Err("the solution is none of clauses".to_owned()),
        };
        let mut all = vec![None; self.variables()];
        for literal in literals {
            let value = all.get_mut(literal.unsigned_abs() as usize - 1);
            let value = value.ok_or_else(|| format!("it gives {literal}, and there is no such variable"))?;
            if value.replace(literal > 0).is_some_and(|before| before != (literal > 0)) {
                return Err(format!("it gives both {literal} and {}", -literal));
            }
        }
        if let Some(first) = all.iter().position(Option::is_none).filter(|_| complete) {
            let missing = all.iter().filter(|value| value.is_none()).count();
            return Err(format!("it gives no value to {missing} variables, first {}", first + 1));
        }
        Ok(Some(all.into_iter().map(Option::unwrap_or_default).collect()))
    }

    fn plausible(&self, _values: &[bool]) -> bool {
        true
    }

    fn objective(&self, _values: &[bool]) -> Option<f64> {
        None
    }
}
