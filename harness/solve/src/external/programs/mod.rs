//! The programs that the harness knows by name, a file each, the SAT solvers together.

mod cbc;
mod cplex;
mod glpk;
mod gurobi;
mod highs;
mod sat;
mod scip;

use super::output::Reader;
use super::program::Program;
use crate::backend::Reports;

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
    let mut readers: Vec<&Reader> = PROGRAMS.iter().map(|program| program.reader).collect();
    readers.dedup_by_key(|reader| reader.name);
    readers
}

/// What programs for linear models report.
const MIP: Reports = Reports {
    nodes: true,
    simplex_iterations: true,
    bound: true,
    conflicts: false,
    propagations: false,
    seed: true,
    threads: false,
    single_loop: false,
    proof: false,
};

/// What SAT solvers report.
const SAT: Reports = Reports { simplex_iterations: false, bound: false, conflicts: true, propagations: true, ..MIP };
