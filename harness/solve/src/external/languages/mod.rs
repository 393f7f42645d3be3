//! Solvers of programs in languages of their own: MiniZinc's, and logic programs. Each is called twice, once to compile or ground a
//! program and once to solve what came of that, so that both are timed.

mod aspif;
mod clingo;
mod configurations;
mod flatzinc;
mod gecode;
mod minizinc;
mod stage;

pub(crate) use clingo::Clingo;
pub(crate) use minizinc::Minizinc;
