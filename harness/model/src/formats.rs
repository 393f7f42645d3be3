//! Files of models: CPLEX LP, free-format MPS, OPB, DIMACS.

use std::io::{self, Write};

use crate::error::ModelError;
use crate::ir::{Domain, Model, Term, VarId, Variable};
use crate::linear::Whole;
use crate::sat::{Cnf, Legend};

const TERMS_PER_LINE: usize = 12;

/// Writes a model in the LP format.
pub fn lp(model: &Model, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "Minimize\n obj:")?;
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

fn terms(model: &Model, terms: &[Term], out: &mut dyn Write) -> io::Result<()> {
    // Readers take no sum of nothing.
    let nothing = [(VarId(0), 0.0)];
    let terms = if terms.is_empty() { &nothing } else { terms };
    for line in terms.chunks(TERMS_PER_LINE) {
        for &(var, coefficient) in line {
            let sign = if coefficient < 0.0 { '-' } else { '+' };
            write!(out, " {sign} {} {}", coefficient.abs(), model.variables()[var.0].name)?;
        }
        writeln!(out)?;
    }
    Ok(())
}

/// Writes a model in the free MPS format; white space in `name` becomes underscores. Lines of columns and sides begin in column 5: CBC
/// tells the formats apart line by line, and after one blank took some lines for the fixed format, where a second name stands in column 15.
pub fn mps(model: &Model, name: &str, out: &mut dyn Write) -> io::Result<()> {
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
            writeln!(out, "    RHS {} {side}", row.name)?;
        }
    }
    let mut ranges = model.rows().iter().filter(|r| r.lower != r.upper && (r.upper - r.lower).is_finite()).peekable();
    if ranges.peek().is_some() {
        writeln!(out, "RANGES")?;
    }
    for row in ranges {
        writeln!(out, "    RNG {} {}", row.name, row.upper - row.lower)?;
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
    writeln!(out, "COLUMNS\n    MARKER 'MARKER' 'INTORG'")?;
    for (variable, entries) in model.variables().iter().zip(by_column) {
        if entries.is_empty() {
            writeln!(out, "    {} obj 0", variable.name)?;
        }
        for (row, coefficient) in entries {
            writeln!(out, "    {} {row} {coefficient}", variable.name)?;
        }
    }
    writeln!(out, "    MARKER 'MARKER' 'INTEND'")
}

/// A model in the OPB format: rows of 0-1 variables and whole numbers, as the competitions of pseudo-Boolean solvers take them (O. Roussel
/// and V. Manquinho, *Input/output format and solver requirements for the competitions of pseudo-Boolean solvers*, 2012). A row with two
/// sides becomes two, a fixed variable a row. Behind the header come comments: those given, one or more lines each, and a line for each
/// variable with its name.
/// Errors: a variable that is not 0-1, a coefficient or bound that is no whole number.
pub fn opb(model: &Model, comments: &[&str]) -> Result<String, ModelError> {
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
            (Some(lower), Some(upper)) if lower == upper => rows.push(format!("{}= {lower} ;\n", sum(&terms))),
            _ => {
                let negated = || terms.iter().map(|&(factor, var)| (-factor, var)).collect::<Vec<_>>();
                rows.extend(upper.map(|upper| format!("{}>= {} ;\n", sum(&negated()), -upper)));
                rows.extend(lower.map(|lower| format!("{}>= {lower} ;\n", sum(&terms))));
            }
        }
    }
    let fixed = model.variables().iter().enumerate().filter(|(_, variable)| variable.lower == variable.upper);
    rows.extend(
        fixed.map(|(index, fixed)| format!("{}= {} ;\n", sum(&[(1, VarId(index))]), i64::from(fixed.lower > 0.5))),
    );
    let mut text = format!("* #variable= {} #constraint= {}\n", model.variables().len(), rows.len());
    text.extend(comments.iter().flat_map(|comment| comment.lines()).map(|line| format!("* {line}\n")));
    let names = (1..).zip(model.variables());
    text.extend(names.map(|(number, variable)| format!("* x{number} is {}\n", variable.name)));
    let objective = Whole::terms("the objective", model.objective())?;
    if !objective.is_empty() {
        text += &format!("min: {};\n", sum(&objective));
    }
    text.extend(rows);
    Ok(text)
}

fn sum(terms: &[(i64, VarId)]) -> String {
    if terms.is_empty() {
        // Readers take no sum of nothing.
        return "+0 x1 ".to_owned();
    }
    terms.iter().map(|(factor, var)| format!("{factor:+} x{} ", var.0 + 1)).collect()
}

/// Writes a formula in the DIMACS format. Comments come first: those given, one or more lines each, and one for each
/// group of variables with a meaning.
pub fn dimacs(cnf: &Cnf, comments: &[&str], out: &mut dyn Write) -> io::Result<()> {
    for line in comments.iter().flat_map(|comment| comment.lines()) {
        writeln!(out, "c {line}")?;
    }
    if cnf.single_loop().is_some() {
        writeln!(out, "c in no clause: that the designated edges form one loop")?;
    }
    for group in cnf.legend() {
        let Legend { meaning, first, last } = group;
        if first == last {
            writeln!(out, "c {meaning} = {first}")?;
        } else {
            writeln!(out, "c {meaning} = {first} to {last}")?;
        }
    }
    writeln!(out, "p cnf {} {}", cnf.variables(), cnf.len())?;
    for clause in cnf.clauses() {
        for literal in clause.literals {
            write!(out, "{} ", literal.dimacs())?;
        }
        writeln!(out, "0")?;
    }
    Ok(())
}
