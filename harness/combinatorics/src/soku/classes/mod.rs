//! All boards of IcoSoKu: every way to put the capacities 1 to 12 on the vertices of the icosahedron, up to its symmetries.
//!
//! The icosahedron has 120 symmetries, half of them reflections. A reflection makes a solution one of the reflected board
//! with reflected tiles, and the tiles of IcoSoKu are their own mirror images as a set, so that 12! / 120 = 3,991,680
//! boards stand for all (Rizzo, section 5.2). Here the one that stands for its class has capacity 1 at vertex A, at B the
//! least capacity of A's neighbours B to F, and a lesser one at C than at F; classes are numbered from 0.
//!
//! [`write`] and [`check`] are about files with a solution of every class. The check knows the field, the tiles and the
//! numbering of the classes, and nothing of how solutions are found.

mod check;
mod file;
mod image;
mod rank;
mod record;
mod symmetry;

use puzzle::FieldError;
use puzzle::soku::{ICOSAHEDRON, ICOSOKU_TILES, Soku, named};

pub use check::{Flaw, check, check_records};
pub use file::{Header, read, write};
pub use image::Images;
pub use rank::{CLASSES, Capacities, Classes};
pub use record::{RECORD, Records};
pub use symmetry::Symmetry;
use symmetry::symmetries;

/// IcoSoKu with these capacities.
///
/// # Errors
/// None: the field is there.
pub fn game(board: &Capacities) -> Result<Soku, FieldError> {
    let field = named(ICOSAHEDRON)?;
    Ok(Soku { field, capacity: board.map(u32::from).to_vec(), tiles: ICOSOKU_TILES.to_vec(), placed: Vec::new() })
}
