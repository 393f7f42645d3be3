//! Tantrix Discovery: one loop of the designated colour through all tiles (Kino & Uno 2012, section 2).
//!
//! Places, tiles, orientations and edges are numbered from 1 throughout, as in the papers.

mod arrangement;
mod board;
mod draw;
mod puzzles;
mod tiles;
mod verify;

pub use arrangement::{Arrangement, Lines, trace};
pub use board::{Board, BoardType, Numbering};
pub use draw::{draw, draw_natural, draw_natural_stages};
pub(crate) use puzzles::TantrixFile;
pub use puzzles::{BOUNDED, BoardTantrix, FIXED, NATURAL, NaturalTantrix, TANTRIX};
pub use tiles::{Colour, Line, MOST_TILES, Sort, Tile, TileSet, TileSetKind, default_colour, tile};
pub use verify::{RecordRule, record_rule, verify, verify_natural};
