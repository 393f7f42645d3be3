//! A game as a constraint model of its own.

mod builder;
mod problem;

pub(crate) use problem::CpProblem;
