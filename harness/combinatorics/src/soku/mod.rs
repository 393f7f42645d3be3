//! 3SoKu: symmetries of fields, exact counts, classes of boards, games from seeds.

pub mod classes;
mod count;
pub mod generate;
mod symmetries;

pub use count::{Count, CountError, Counting, Figures, Progress, count, ending, first};
pub use symmetries::{Symmetry, symmetries};
