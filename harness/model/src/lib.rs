//! From puzzles to solver-neutral models: constraint families, formulations, file formats.
//!
//! A [`Formulation`] is data: a kind, for kind `mip` a list of constraint families and an objective, a treatment of
//! subloops and of holes. Together with an instance it builds a [`Problem`], whose model ([`ir::Model`], [`sat::Cnf`], [`cp::Model`])
//! any backend of that kind can solve, which turns the solver's values back into a solution in puzzle terms, cuts off the
//! subloops and holes that it shows, and on the open plane goes on to a larger board.

mod build;
pub mod cp;
pub mod dimacs;
mod error;
mod family;
mod formulation;
pub mod ir;
pub mod linear;
pub mod lp;
pub mod mps;
pub mod opb;
mod problem;
mod program;
mod registry;
mod representation;
pub mod sat;
mod single_loop;
mod soku;
pub mod tantrix;

pub use build::{build_cp, build_mip, build_program, build_sat};
pub use error::ModelError;
pub use family::{Family, Role};
pub use formulation::{
    Approach, Asp, BoardRules, Cardinality, Caveats, CutChoice, Exploration, Formulation, FormulationColumns,
    FormulationKeys, FormulationKind, Holes, KEYS, Key, MOST_SEARCHED, MOST_SHORT_LOOPS, Minizinc, Mip, Objective,
    PRESETS, Preset, ProgramRules, SHORT_LOOPS, START_FEWER, Sat, Search, Start, StartBy, Strategy, Subloops, Values,
    default_preset,
};
pub use problem::{Problem, Separation};
pub use program::{Fact, Program};
pub use registry::{families, listed_families};
pub use representation::{Representation, Size};
pub use single_loop::{LoopEdge, SingleLoop};
