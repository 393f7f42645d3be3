//! The crate through its public interface: results directories in, files out.
//!
//! One binary for all of it, since each would link polars anew.

mod big;
mod bounded;
mod comparisons;
mod drawing;
mod errors;
mod films;
mod fixture;
mod health;
mod kinds;
mod mixing;
mod names;
mod pictures;
mod plots;
mod tables;
mod warnings;
