//! Behaviour of the solve crate through its public interface.

mod again;
mod agreement;
mod arrangements;
mod bounded;
mod common;
mod conformance;
mod cp;
mod cuts;
mod drat;
mod external;
mod formulas;
mod natural;
mod options;
mod relax;
mod resolve;
mod sat;
mod sat_loops;
mod sat_proofs;
mod script;
mod search;
mod search_backend;
mod search_figures;
mod search_walk;
mod soku;
mod subjects;
mod weighted;
