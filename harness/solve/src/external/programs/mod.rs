//! How each program is called and read: one file a program, the SAT solvers together.

pub mod cbc;
pub mod cplex;
pub mod glpk;
pub mod gurobi;
pub mod highs;
pub mod sat;
pub mod scip;
