//! Behaviour of the solve crate through its public interface.

mod agreement;
mod arrangements;
mod common;
mod conformance;
mod cuts;
mod options;
mod resolve;
mod script;
