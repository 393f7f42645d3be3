//! Solvers that are programs of their own: the model goes to them in a file, and what they find comes back in one.
//!
//! A program that reads models is described by a [`Program`], in [`mip`] or [`sat`], with the function that reads its answer. [`External`]
//! runs a command line that a config gives, read as one of the programs is. [`Minizinc`] and [`Clingo`] have languages of their own; they
//! are called twice, once to compile or ground a program and once to solve what came of that, so that both are timed.

mod call;
mod clingo;
mod custom;
mod files;
mod minizinc;
mod mip;
mod process;
mod program;
mod sat;
mod session;

pub(crate) use clingo::Clingo;
pub(crate) use custom::External;
pub(crate) use minizinc::Minizinc;
pub(crate) use process::ask;
pub use process::{Heard, be_told, heard};
pub(crate) use program::Program;

use files::Reader;

/// Every program that is known by name, in the order in which listings show them.
pub(crate) fn programs() -> impl Iterator<Item = &'static Program> {
    mip::PROGRAMS.iter().chain(&sat::PROGRAMS)
}

/// The readers of these programs, each once.
fn readers() -> Vec<&'static Reader> {
    let mut readers: Vec<&Reader> = Vec::new();
    for reader in programs().map(|program| program.reader) {
        if readers.iter().all(|known| known.name != reader.name) {
            readers.push(reader);
        }
    }
    readers
}
