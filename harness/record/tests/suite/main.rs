//! Behaviour of the record crate through its public interface.

mod columns;
mod merge;
mod names;
mod whole;
