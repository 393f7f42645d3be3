//! All solutions on the open plane, where no board says which places the tiles take, or those that fit on a board.
//!
//! A solution is a closed line over n places ([`angles`]) that leaves no hole ([`outline`]) and tiles for
//! them ([`fill`]). On the plane solutions that translation and rotation carry into each other are one; on a
//! board each way in which the line fits ([`on_board`]) gives another. Copies of a sort are interchangeable.

mod angles;
mod count;
mod enumerate;
mod fill;
mod on_board;
mod options;
mod outline;
mod supply;

pub use count::{Count, count_natural, count_on_board};
pub use enumerate::{Laid, enumerate_natural, enumerate_on_board};

/// Most tiles that the search takes. What can be counted in reasonable time is far less.
pub const MOST_COUNTED: usize = 30;
