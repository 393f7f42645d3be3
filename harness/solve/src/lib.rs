//! Solver backends of all kinds behind one trait, and the loop that solves again after cutting off subloops and holes, and on a
//! larger board where one turned out too small (open plane).
//!
//! The only crate that links solvers. Adding a backend: one file, one line in [`BACKENDS`].

mod backend;
mod batsat;
mod cadical;
mod cbc;
mod cpsat;
mod error;
mod external;
mod highs;
mod microlp;
mod own;
mod pumpkin;
mod relax;
mod resolve;
pub mod search;
mod task;

pub use backend::{
    Backend, BackendInfo, Opened, Prepared, ProgramSolver, Reports, Searcher, Session, SessionOptions, Solve,
    SolveStatus, Solved,
};
pub use error::SolveError;
pub use resolve::{Answer, Iteration, Limits, Step, resolve};
pub use task::{Task, fits};

/// Every backend, in the order in which listings show them.
pub static BACKENDS: &[&dyn Backend] = &[
    &highs::Highs,
    &cbc::Cbc,
    &microlp::Microlp,
    &cadical::Cadical,
    &batsat::Batsat,
    &pumpkin::Pumpkin,
    &cpsat::CpSat,
    &search::Search,
    &external::GUROBI,
    &external::CPLEX,
    &external::SCIP,
    &external::HIGHS,
    &external::CBC,
    &external::GLPK,
    &external::KISSAT,
    &external::CADICAL,
    &external::CRYPTOMINISAT,
    &external::MINISAT,
    &external::Minizinc,
    &external::Clingo,
    &external::External,
];

/// The backend of a name.
///
/// # Errors
/// A name that no backend has.
pub fn backend(name: &str) -> Result<&'static dyn Backend, SolveError> {
    BACKENDS.iter().copied().find(|b| b.info().name == name).ok_or_else(|| {
        let known: Vec<&str> = BACKENDS.iter().map(|b| b.info().name).collect();
        SolveError::Unknown { name: name.to_owned(), known: known.join(", ") }
    })
}
