//! DIMACS files.

use std::io::{self, Write};

use model::sat::Cnf;

/// Writes a formula in the DIMACS format.
pub(super) fn write(cnf: &Cnf, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "p cnf {} {}", cnf.variables(), cnf.len())?;
    for clause in cnf.clauses() {
        for literal in clause.literals {
            write!(out, "{} ", literal.dimacs())?;
        }
        writeln!(out, "0")?;
    }
    Ok(())
}
