//! 3SoKu, and IcoSoKu, which is 3SoKu on the icosahedron: triangular tiles with weights at their corners go onto the
//! triangular faces of a playing field, so that the weights around each vertex add up to its capacity (N. Rizzo, CSP Modeling
//! of IcoSoKu, University of Udine 2020, sections 1 and 2).
//!
//! Faces and tiles are numbered from 1, rotations from 0. Corners of faces and tiles go clockwise and are counted from 0.
//! Rotation r puts weight i of a tile on corner (i + r) mod 3 of the face.

mod arrange;
mod directions;
mod draw;
mod field;
mod fields;
mod game;
mod geodesic;
mod sums;
mod text;
mod tiles;
mod unfold;
mod verify;

pub use arrange::{arranged, placements};
pub use directions::directions;
pub use draw::{draw, draw_stages};
pub use field::Field;
pub use fields::{ICOSAHEDRON, MOST_FACES, named, names};
pub use game::{GREATEST_WEIGHT, SOKU, Soku, SokuFile};
pub use text::file_text;
pub use tiles::{ICOSOKU, ICOSOKU_TILES, Sort, Sorts, rotated};
pub use unfold::{LatticePoint, Net, unfold};
pub use verify::verify;

use sums::{State, Sums};
