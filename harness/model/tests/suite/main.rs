//! Behaviour of the model crate through its public interface.

mod common;
mod counts;
mod formulations;
mod lines;
mod meaning;
mod printed_rows;
