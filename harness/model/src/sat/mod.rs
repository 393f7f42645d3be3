//! Models as clauses over Boolean variables.

mod cardinality;
mod cnf;

pub use cardinality::exactly;
pub use cnf::{Clause, Cnf, Legend, Lit, Var};
