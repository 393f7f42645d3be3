//! The programs that the harness knows by name, a file each, the SAT solvers together.

mod cbc;
mod cplex;
mod glpk;
mod gurobi;
mod highs;
mod sat;
mod scip;

use super::call::{Call, Part, SETTINGS};
use super::models::Format;
use super::output::{
    Counts, Left, Reader, Report, Values, after, count, count_before, line_with, named, number, solution, value,
};
use super::program::Program;
use crate::backend::*;

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

/// What most solvers of linear models have in common. Their exit codes and time limits are as one would expect.
const MIP_READER: Reader = Reader {
    name: "",
    kind: FormulationKind::Mip,
    wants_file: true,
    codes: &[0],
    licence: &[],
    refusals: &[],
    read: |_| Err("nothing reads it".to_owned()),
};

/// What most programs have in common.
const COMMON: Program = Program {
    name: "",
    executable: "",
    interface: "",
    reports: Reports::MIP,
    install: "",
    formats: &[Format::Lp, Format::Mps],
    version: &["--version"],
    version_after: None,
    own: "",
    abbreviations: false,
    most_seed: i32::MAX as u64,
    heeds_interrupt: false,
    arguments: &[],
    settings: &[],
    reader: &MIP_READER,
};
