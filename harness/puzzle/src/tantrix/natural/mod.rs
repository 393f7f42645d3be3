//! All solutions on the open plane, where no board says which places the tiles take.
//!
//! A solution is a closed line over n places ([`angles`]) that leaves no hole ([`outline`]) and tiles for
//! them ([`fill`]). Solutions that translation and rotation carry into each other are one; copies of a sort
//! are interchangeable.

mod angles;
mod count;
mod enumerate;
mod fill;
mod options;
mod outline;
mod supply;

pub use count::{Count, count_natural};
pub use enumerate::{Laid, enumerate, enumerate_on_board};

/// Most tiles that the search takes. What can be counted in reasonable time is far less.
pub const MOST_NATURAL: usize = 30;
