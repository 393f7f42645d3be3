//! OPB files: pseudo-Boolean models, as the competitions of their solvers take them (O. Roussel and V. Manquinho, *Input/output
//! format and solver requirements for the competitions of pseudo-Boolean solvers*, 2012): rows of 0-1 variables and whole numbers.

use std::io::{self, Write};

use crate::error::ModelError;
use crate::ir::{Domain, Model, VarId};
use crate::linear::Whole;

type Terms = Vec<(i64, VarId)>;

/// A model as OPB files say it.
pub struct Opb<'a> {
    model: &'a Model,
    objective: Terms,
    /// Terms, `>=` or `=`, and the right side.
    rows: Vec<(Terms, &'static str, i64)>,
}

impl<'a> Opb<'a> {
    /// Takes a linear model. A row with two sides becomes two, a fixed variable a row.
    /// Errors: a variable that is not 0-1, a coefficient or bound that is no whole number.
    pub fn of(model: &'a Model) -> Result<Self, ModelError> {
        if let Some(other) = model.variables().iter().find(|variable| variable.domain != Domain::Binary) {
            return Err(ModelError::Impossible(format!(
                "{} is a whole number from {} to {}, and OPB files have 0-1 variables only: formulations that match colour by \
                 colour (C4c, C4e, B45c; without SCF and MTZ) have no others",
                other.name, other.lower, other.upper
            )));
        }
        let mut rows = Vec::new();
        for row in model.rows() {
            let Whole { terms, lower, upper } = Whole::of(row)?;
            match (lower, upper) {
                (Some(lower), Some(upper)) if lower == upper => rows.push((terms, "=", lower)),
                _ => {
                    let negated = || terms.iter().map(|&(factor, var)| (-factor, var)).collect();
                    rows.extend(upper.map(|upper| (negated(), ">=", -upper)));
                    rows.extend(lower.map(|lower| (terms, ">=", lower)));
                }
            }
        }
        let fixed = model.variables().iter().enumerate().filter(|(_, variable)| variable.lower == variable.upper);
        rows.extend(fixed.map(|(index, fixed)| (vec![(1, VarId(index))], "=", i64::from(fixed.lower > 0.5))));
        Ok(Self { model, objective: Whole::terms("the objective", model.objective())?, rows })
    }

    /// Writes it. Behind the header come comments: those given, one or more lines each, and a line for each variable with its name.
    pub fn write(&self, comments: &[&str], out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "* #variable= {} #constraint= {}", self.model.variables().len(), self.rows.len())?;
        for line in comments.iter().flat_map(|comment| comment.lines()) {
            writeln!(out, "* {line}")?;
        }
        for (number, variable) in (1..).zip(self.model.variables()) {
            writeln!(out, "* x{number} is {}", variable.name)?;
        }
        if !self.objective.is_empty() {
            writeln!(out, "min: {};", sum(&self.objective))?;
        }
        self.rows.iter().try_for_each(|(terms, relation, side)| writeln!(out, "{}{relation} {side} ;", sum(terms)))
    }
}

fn sum(terms: &Terms) -> String {
    if terms.is_empty() {
        // Readers take no sum of nothing.
        return "+0 x1 ".to_owned();
    }
    terms.iter().map(|(factor, var)| format!("{factor:+} x{} ", var.0 + 1)).collect()
}
