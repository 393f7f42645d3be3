//! Solver backends of all kinds behind one trait, and the loop that solves again after cutting off subloops and holes, and on a
//! larger board where one turned out too small (open plane).
//!
//! The only crate that links solvers. `docs/contributing.md` says how to add one.

use std::sync::LazyLock;

mod backend;
mod batsat;
#[cfg(feature = "cadical")]
mod cadical;
#[cfg(feature = "cbc")]
mod cbc;
mod cpsat;
mod error;
mod external;
#[cfg(feature = "highs")]
mod highs;
mod linear;
mod linked;
mod loop_first;
mod microlp;
mod options;
mod places_first;
mod portfolio;
#[cfg(feature = "pumpkin")]
mod pumpkin;
mod pyscipopt;
mod python;
mod resolve;
pub mod search;
mod start;
mod task;
mod windows;

pub use backend::{
    Backend, BackendInfo, Deadline, Growing, Listen, Opened, Prepared, ProgramSolver, Reports, Searcher, Session,
    SessionOptions, Solve, SolveStatus, Solved, Takes,
};
pub use error::SolveError;
pub use external::{Heard, be_told, heard};
pub use record::{Answer, Iteration};
pub use resolve::{Step, resolve};
pub use task::{Task, fits};

use linked::linked;

/// Every backend, those that this build leaves out too, in the order in which listings show them.
pub static BACKENDS: LazyLock<Vec<&dyn Backend>> = LazyLock::new(|| {
    let linked: [&dyn Backend; 10] = [
        linked!("highs", highs::Highs, linked::HIGHS),
        linked!("cbc", cbc::Cbc, linked::CBC),
        &microlp::Microlp,
        linked!("cadical", cadical::Cadical, linked::CADICAL),
        &batsat::Batsat,
        linked!("pumpkin", pumpkin::Pumpkin, linked::PUMPKIN),
        &cpsat::CpSat,
        &pyscipopt::PyScipOpt,
        &search::Search,
        &portfolio::Portfolio,
    ];
    let programs = external::programs().map(|program| program as &dyn Backend);
    let others: [&dyn Backend; 3] = [&external::Minizinc, &external::Clingo, &external::External];
    linked.into_iter().chain(programs).chain(others).collect()
});

/// The backend of a name.
pub fn backend(name: &str) -> Result<&'static dyn Backend, SolveError> {
    BACKENDS.iter().copied().find(|b| b.info().name == name).ok_or_else(|| {
        let known: Vec<&str> = BACKENDS.iter().map(|b| b.info().name).collect();
        SolveError::Unknown { name: name.to_owned(), known: known.join(", ") }
    })
}
