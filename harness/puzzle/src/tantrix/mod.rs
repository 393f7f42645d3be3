//! Tantrix Discovery: one loop of the designated colour through all tiles (Kino & Uno 2012, section 2).
//!
//! Places, tiles, orientations and edges are numbered from 1 throughout, as in the papers.

mod arrangement;
mod board;
mod canvas;
mod colour;
mod draw;
mod layouts;
mod loops;
mod patch;
mod puzzles;
mod record_rule;
mod tiles;
mod tileset;
mod verify;

pub use arrangement::Arrangement;
pub use board::Board;
pub use colour::Colour;
pub use draw::{draw, draw_natural, draw_natural_stages};
pub use layouts::{BoardType, Numbering};
pub use loops::{Lines, trace};
pub use patch::patch;
pub use puzzles::{BOUNDED, BoardFile, BoardTantrix, FIXED, NATURAL, NaturalFile, NaturalTantrix};
pub use record_rule::{RecordRule, record_rule};
pub use tiles::{Line, Tile, tile};
pub use tileset::{MOST_TILES, Sort, TileSet, TileSetKind, default_colour};
pub use verify::{verify, verify_natural};
