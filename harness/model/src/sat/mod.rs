//! Models as clauses over Boolean variables.

mod cardinality;
mod cnf;
mod number;

pub use cardinality::exactly;
pub use cnf::{Clause, Cnf, Legend, Lit, Var};
pub use number::{Levels, add_between, add_up};
