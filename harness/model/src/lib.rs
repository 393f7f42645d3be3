//! From puzzles to solver-neutral models: constraint families, formulations, file formats.
//!
//! A [`Formulation`] is data: a list of constraint families, an objective, a treatment of subloops and of holes.
//! Together with an instance it builds a [`Problem`], whose [`ir::Model`] any MIP backend can solve, which turns the
//! solver's values back into a solution in puzzle terms, cuts off the subloops and holes that it shows, and on the open
//! plane goes on to a larger board.

mod choices;
mod error;
mod family;
mod formulation;
pub mod ir;
mod kinds;
pub mod lp;
pub mod mps;
mod presets;
mod problem;
pub mod tantrix;

pub use choices::{CutChoice, Holes, Objective, Subloops};
pub use error::ModelError;
pub use family::{FamilyInfo, Role};
pub use formulation::{Caveats, Formulation, NormalisedFormulation, families};
pub use presets::{Preset, default_preset, presets};
pub use problem::{Problem, Separation, build};
