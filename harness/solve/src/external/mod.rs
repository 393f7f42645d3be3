//! Solvers that are programs of their own: the model goes to them in a file, and what they find comes back in one.
//!
//! A named program is a [`named::Program`]: how it is called, and a [`reader::Reader`] for what it leaves
//! behind. Programs in languages of their own, which are compiled or grounded before they are solved, are in [`languages`]. `external` runs a command line that a config gives, with one of the same readers.

mod command;
mod custom;
mod find;
mod formats;
mod languages;
mod named;
mod process;
mod programs;
mod reader;
mod rehearsal;
mod session;
mod sys;
mod text;
mod values;

pub(crate) use custom::External;
pub(crate) use find::ask;
pub(crate) use languages::{Clingo, Minizinc};
pub(crate) use named::{CADICAL, CBC, CPLEX, CRYPTOMINISAT, GLPK, GUROBI, HIGHS, KISSAT, MINISAT, SCIP};
