//! The statistics that comparisons of solvers are made with, as functions of plain numbers: they know no runs and no tables.
//!
//! The unit is the instance. METHODOLOGY.md says how the rows of an experiment become the numbers here, and why.

mod best;
mod bootstrap;
mod holm;
mod mcnemar;
mod means;
mod profile;
mod quartiles;
mod score;
mod survival;
mod wilcoxon;

pub use best::{Contribution, contributions, virtual_best};
pub use bootstrap::{LEAST_UNITS, RESAMPLES, bootstrap};
pub use holm::holm;
pub use mcnemar::mcnemar;
pub use means::{geometric_mean, par, shifted_geometric_mean};
pub use profile::profile;
pub use quartiles::quartiles;
pub use score::{SHORTEST_S, Score, log_ratio};
pub use survival::survival;
pub use wilcoxon::{SignedRank, wilcoxon};
