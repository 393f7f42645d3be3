//! Models as clauses over Boolean variables.

mod cnf;

pub use cnf::{Clause, Cnf, Lit, Var};
