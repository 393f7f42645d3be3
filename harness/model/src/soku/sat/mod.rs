//! A game as clauses: variables with what defines them, rules by family, its [`Problem`](crate::Problem).

mod problem;
mod rules;
mod variables;

pub(crate) use problem::SatProblem;
