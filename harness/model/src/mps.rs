//! Free-format MPS files.

use std::io::{self, Write};

use crate::ir::{Domain, Model};

/// Writes a model in the free MPS format; white space in `name` becomes underscores.
pub fn write(model: &Model, name: &str, out: &mut dyn Write) -> io::Result<()> {
    let name = name.split_whitespace().collect::<Vec<_>>().join("_");
    writeln!(out, "NAME {name}\nROWS\n N obj")?;
    for row in model.rows() {
        let sense = match (row.lower == row.upper, row.lower.is_finite(), row.upper.is_finite()) {
            (true, ..) => 'E',
            (_, true, _) => 'G',
            (_, false, true) => 'L',
            (_, false, false) => 'N',
        };
        writeln!(out, " {sense} {}", row.name)?;
    }
    columns(model, out)?;
    writeln!(out, "RHS")?;
    for row in model.rows() {
        let side = if row.lower.is_finite() { row.lower } else { row.upper };
        if side.is_finite() && side != 0.0 {
            writeln!(out, " RHS {} {side}", row.name)?;
        }
    }
    let mut ranges = model.rows().iter().filter(|r| r.lower != r.upper && (r.upper - r.lower).is_finite()).peekable();
    if ranges.peek().is_some() {
        writeln!(out, "RANGES")?;
    }
    for row in ranges {
        writeln!(out, " RNG {} {}", row.name, row.upper - row.lower)?;
    }
    writeln!(out, "BOUNDS")?;
    for variable in model.variables() {
        if variable.lower == variable.upper {
            writeln!(out, " FX BND {} {}", variable.name, variable.lower)?;
        } else if variable.domain == Domain::Binary {
            writeln!(out, " BV BND {}", variable.name)?;
        } else {
            writeln!(out, " LO BND {} {}", variable.name, variable.lower)?;
            writeln!(out, " UP BND {} {}", variable.name, variable.upper)?;
        }
    }
    writeln!(out, "ENDATA")
}

/// All variables are integral, so one pair of markers encloses them all.
fn columns(model: &Model, out: &mut dyn Write) -> io::Result<()> {
    let mut by_column: Vec<Vec<(&str, f64)>> = vec![Vec::new(); model.variables().len()];
    for &(var, coefficient) in model.objective() {
        by_column[var.0].push(("obj", coefficient));
    }
    for row in model.rows() {
        for &(var, coefficient) in &row.terms {
            by_column[var.0].push((&row.name, coefficient));
        }
    }
    writeln!(out, "COLUMNS\n MARKER 'MARKER' 'INTORG'")?;
    for (variable, entries) in model.variables().iter().zip(by_column) {
        if entries.is_empty() {
            writeln!(out, " {} obj 0", variable.name)?;
        }
        for (row, coefficient) in entries {
            writeln!(out, " {} {row} {coefficient}", variable.name)?;
        }
    }
    writeln!(out, " MARKER 'MARKER' 'INTEND'")
}
