//! The statistics that comparisons of solvers are made with, as functions of plain numbers: they know no runs and no tables.
//!
//! Unsolved is `None` wherever a time may be missing. METHODOLOGY.md defines each with its source; the unit is the instance.

mod profile;
mod quartiles;
mod survival;

pub use profile::profile;
pub use quartiles::quartiles;
pub use survival::survival;

/// Seconds. Shorter times cannot be told apart: in quotients they count as this.
pub const SHORTEST_S: f64 = 1e-4;
