//! CPLEX LP files.

use std::io::{self, Write};

use crate::ir::{Domain, Model, VarId, Variable};

/// Terms on one line of the file.
const TERMS_PER_LINE: usize = 12;

/// Writes a model in the LP format.
pub fn write(model: &Model, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "Minimize\n obj:")?;
    if model.objective().is_empty() {
        // An empty objective is no objective to some readers.
        terms(model, &[(VarId(0), 0.0)], out)?;
    }
    terms(model, model.objective(), out)?;
    writeln!(out, "Subject To")?;
    for row in model.rows() {
        let sides = match (row.lower == row.upper, row.lower.is_finite(), row.upper.is_finite()) {
            (true, ..) => vec![("", "=", row.upper)],
            (_, true, true) => vec![("_lo", ">=", row.lower), ("_up", "<=", row.upper)],
            (_, true, false) => vec![("", ">=", row.lower)],
            (_, false, true) => vec![("", "<=", row.upper)],
            (_, false, false) => vec![],
        };
        for (suffix, relation, bound) in sides {
            writeln!(out, " {}{suffix}:", row.name)?;
            terms(model, &row.terms, out)?;
            writeln!(out, " {relation} {bound}")?;
        }
    }
    writeln!(out, "Bounds")?;
    for variable in model.variables() {
        if variable.lower == variable.upper {
            writeln!(out, " {} = {}", variable.name, variable.lower)?;
        } else if variable.domain == Domain::Integer {
            writeln!(out, " {} <= {} <= {}", variable.lower, variable.name, variable.upper)?;
        }
    }
    for (heading, kind) in [("Generals", Domain::Integer), ("Binaries", Domain::Binary)] {
        // Some readers give a binary the bounds 0 and 1 whatever stands above, so a fixed one is a general.
        let listed = |v: &&Variable| if v.lower == v.upper { kind == Domain::Integer } else { v.domain == kind };
        let mut of_kind = model.variables().iter().filter(listed).peekable();
        if of_kind.peek().is_some() {
            writeln!(out, "{heading}")?;
        }
        for variable in of_kind {
            writeln!(out, " {}", variable.name)?;
        }
    }
    writeln!(out, "End")
}

fn terms(model: &Model, terms: &[(VarId, f64)], out: &mut dyn Write) -> io::Result<()> {
    for line in terms.chunks(TERMS_PER_LINE) {
        for &(var, coefficient) in line {
            let sign = if coefficient < 0.0 { '-' } else { '+' };
            write!(out, " {sign} {} {}", coefficient.abs(), model.variables()[var.0].name)?;
        }
        writeln!(out)?;
    }
    Ok(())
}
