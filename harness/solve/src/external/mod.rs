//! Solvers that are programs of their own: the model goes to them in a file, and what they find comes back in one.
//!
//! A program that reads models is a [`program::Program`], whose description stands in a file of [`programs`]: adding one takes
//! that file, its line in the list there, and its row in the documents. [`External`] runs a command line that a config gives, read
//! as one of the programs is. [`Minizinc`] and [`Clingo`] have languages of their own; they are called twice, once to compile or
//! ground a program and once to solve what came of that, so that both are timed.

mod call;
mod clingo;
mod custom;
mod minizinc;
mod models;
mod output;
mod process;
mod program;
mod programs;
mod session;

pub(crate) use clingo::Clingo;
pub(crate) use custom::External;
pub(crate) use minizinc::Minizinc;
pub(crate) use process::ask;
pub use process::{Heard, be_told, heard};
pub(crate) use programs::PROGRAMS;
