//! Behaviour of the solve crate through its public interface.

mod again;
mod agreement;
mod arrangements;
mod board_programs;
#[path = "../../../model/tests/suite/boards.rs"]
mod boards;
mod bounded;
mod common;
mod conformance;
mod cp;
mod cuts;
mod drat;
mod external;
mod formulas;
mod lazy;
mod loop_first;
mod natural;
mod options;
mod programs;
mod relax;
mod resolve;
mod sat;
mod sat_loops;
mod sat_proofs;
mod script;
mod search;
mod search_backend;
mod search_parts;
mod search_walk;
mod soku;
mod soku_all;
mod soku_search;
mod start;
mod subjects;
mod weighted;
mod windows;
