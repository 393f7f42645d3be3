//! Behaviour of the solve crate through its public interface.

mod again;
mod agreement;
mod arrangements;
mod bounded;
mod common;
mod conformance;
mod cuts;
mod external;
mod natural;
mod options;
mod resolve;
mod script;
mod search;
mod subjects;
mod weighted;
