//! Behaviour of the solve crate through its public interface.

mod agreement;
mod arrangements;
mod common;
mod conformance;
mod cuts;
mod highs;
mod resolve;
mod script;
