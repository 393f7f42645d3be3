//! How many solutions a game has, exactly.
//!
//! A solution is a map from faces to weights near their corners that uses each sort of tiles as often as there are copies: equal tiles
//! (also those that are equal after a rotation) are interchangeable, and rotations of a tile with three equal weights are one.
//! [`Figures`] says how many there are where these are told apart.
//!
//! The faces are divided in two sides (`plan`). Each side is laid face by face (`sweep`): for every multiset of tiles, and every
//! sum at the vertices of which some faces have tiles and others have none, in how many ways it comes about. Then each multiset of one
//! side meets the rest of the tiles on the other (`join`). Games with too many different sums for that are laid face
//! by face from end to end (`frontier`).

mod figures;
mod frontier;
mod job;
mod join;
mod layer;
mod plan;
mod stock;
mod sums;
mod sweep;
mod whole;

pub use figures::Figures;
pub use whole::{Count, CountError, Counting, count};

#[cfg(test)]
mod tests;
