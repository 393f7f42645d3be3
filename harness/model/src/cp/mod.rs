//! Models as constraints over integer variables: tables, sums and clauses.

pub mod json;
mod model;

pub use model::{Constraint, Literal, Model, Rule, Table, Var, Variable};
