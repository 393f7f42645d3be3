//! 3SoKu, and IcoSoKu, which is 3SoKu on the icosahedron: triangular tiles with weights at their corners go onto the
//! triangular faces of a playing field, so that the weights around each vertex add up to its capacity (N. Rizzo, CSP Modeling
//! of IcoSoKu, University of Udine 2020, sections 1 and 2).
//!
//! Faces and tiles are numbered from 1, rotations from 0. Corners of faces and tiles go clockwise and are counted from 0.
//! Rotation r puts weight i of a tile on corner (i + r) mod 3 of the face.

mod draw;
mod field;
mod file;
mod game;
mod net;
mod verify;

pub use draw::{directions, draw, draw_stages};
pub use field::{Field, ICOSAHEDRON, MOST_FACES, least_rotation, named};
pub(crate) use file::SokuFile;
pub use file::{SOKU, file_text};
pub use game::{
    GREATEST_WEIGHT, ICOSOKU, ICOSOKU_TILES, Soku, Sort, Sorts, arranged, placements, placements_so_far, rotated,
};
pub use net::{LatticePoint, unfold};
pub use verify::verify;
