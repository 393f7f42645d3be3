//! Tantrix as clauses: the direct encoding with a variable for each colour of each touching edge.

mod clauses;
pub(super) mod cycles;
mod problem;
mod variables;

pub(crate) use problem::SatProblem;
