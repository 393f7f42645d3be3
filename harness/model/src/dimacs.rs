//! DIMACS files of formulas.

use std::io::{self, Write};

use crate::sat::Cnf;

/// Writes a formula in the DIMACS format. Comments come first: those given, one or more lines each, and one for each
/// group of variables with a meaning.
pub fn write(cnf: &Cnf, comments: &[&str], out: &mut dyn Write) -> io::Result<()> {
    for line in comments.iter().flat_map(|comment| comment.lines()) {
        writeln!(out, "c {line}")?;
    }
    if cnf.single_loop().is_some() {
        writeln!(out, "c in no clause: that the designated edges form one loop")?;
    }
    for group in cnf.legend() {
        let (first, last) = (group.first.number(), group.last.number());
        if first == last {
            writeln!(out, "c {} = {first}", group.meaning)?;
        } else {
            writeln!(out, "c {} = {first} to {last}", group.meaning)?;
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
