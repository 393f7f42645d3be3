//! Behaviour of the model crate through its public interface.

mod bounded_counts;
mod bounded_cuts;
mod bounded_meaning;
mod bounded_solutions;
mod cardinality;
mod clauses;
mod common;
mod counts;
mod cp;
mod dimacs;
mod errata;
mod formulations;
mod kinds;
mod lines;
mod meaning;
mod names;
mod natural;
mod printed_rows;
mod programs;
mod sat_agreement;
mod sat_counts;
mod sat_cuts;
mod sat_meaning;
mod scatter;
mod soku;
mod weights;
