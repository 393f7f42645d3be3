//! From puzzles to solver-neutral models: constraint families, formulations, file formats.
//!
//! A [`Formulation`] is data: a list of constraint families, an objective, a treatment of subloops. Together
//! with an instance it builds a [`Problem`], whose [`ir::Model`] any MIP backend can solve, and which turns
//! the solver's values back into a solution in puzzle terms.

mod error;
mod family;
mod formulation;
pub mod ir;
pub mod lp;
pub mod mps;
mod presets;
mod problem;
pub mod tantrix;

pub use error::ModelError;
pub use family::{FamilyInfo, Role};
pub use formulation::{CutChoice, Formulation, Holes, NormalisedFormulation, Objective, Subloops, Terms, families};
pub use presets::{Preset, default_preset, presets};
pub use problem::{Problem, Separation, build};
