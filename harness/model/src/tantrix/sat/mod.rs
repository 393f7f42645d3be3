//! Tantrix as clauses: the direct encoding with a variable for each colour of each touching edge.

mod clauses;
mod problem;
mod variables;

pub(crate) use problem::SatProblem;
