//! Behaviour of the combinatorics crate through its public interface.

mod natural;
mod shapes;
mod smaller;
mod soku_classes;
mod soku_count;
mod soku_generate;
mod soku_symmetries;
mod unsolvable;
