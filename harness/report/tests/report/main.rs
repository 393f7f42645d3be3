//! The crate through its public interface: results directories in, files out.
//!
//! One binary for all of it, since each would link polars anew.

mod big;
mod bounded;
mod errors;
mod films;
mod fixture;
mod health;
mod kinds;
mod latex;
mod markdown;
mod mixing;
mod names;
mod pictures;
mod plots;
mod programs;
mod splice;
mod tables;
mod warnings;
