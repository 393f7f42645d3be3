//! Behaviour of the model crate through its public interface.

mod bounded_counts;
mod bounded_cuts;
mod bounded_meaning;
mod bounded_solutions;
mod common;
mod counts;
mod cp;
mod errata;
mod formulations;
mod lines;
mod meaning;
mod names;
mod natural;
mod printed_rows;
mod scatter;
mod weights;
