//! The programs that the harness knows by name, a file each, the SAT solvers together.

mod cbc;
mod common;
mod cplex;
mod glpk;
mod gurobi;
mod highs;
mod sat;
mod scip;

use std::collections::HashSet;

use super::output::Reader;
use super::program::Program;

/// Every program, in the order in which listings show them.
pub(crate) static PROGRAMS: &[&Program] = &[
    &gurobi::PROGRAM,
    &cplex::PROGRAM,
    &scip::PROGRAM,
    &highs::PROGRAM,
    &cbc::PROGRAM,
    &glpk::PROGRAM,
    &sat::KISSAT,
    &sat::CADICAL,
    &sat::CRYPTOMINISAT,
    &sat::MINISAT,
];

/// The readers of these programs, each once.
pub(super) fn readers() -> Vec<&'static Reader> {
    let mut names = HashSet::new();
    PROGRAMS.iter().map(|program| program.reader).filter(|reader| names.insert(reader.name)).collect()
}
