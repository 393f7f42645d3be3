//! Fixed boards: as many places as tiles (Kino & Uno 2012, FIXED_BOARD TANTRIX).

use serde::Deserialize;

use super::{Board, Colour, TileSet, TileSetKind, default_colour};
use crate::Known;
use crate::hex::Axial;

/// The `kind` of a fixed-board instance file.
pub const FIXED: &str = "tantrix-fixed";

/// An instance file of kind `tantrix-fixed`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FixedFile {
    /// [`FIXED`].
    pub kind: String,
    /// Number of tiles.
    pub challenge: usize,
    /// How the tiles are made up.
    pub tiles: TileSetKind,
    /// Designated colour, if not the one that the challenge number says.
    #[serde(default)]
    pub colour: Option<Colour>,
    /// Axial coordinates in the order of the place numbers.
    pub places: Vec<Axial>,
    /// What is known of the answer.
    #[serde(default)]
    pub known: Known,
    /// Where the board comes from.
    #[serde(default)]
    pub source: String,
}

/// A challenge on a board of just as many places.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FixedTantrix {
    /// Number of tiles, and of places.
    pub challenge: usize,
    /// The tiles.
    pub tiles: TileSet,
    /// Designated colour.
    pub colour: Colour,
    /// The board.
    pub board: Board,
}

/// A field of an instance file that makes no sense.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldError {
    /// The field, with its index where it is a list.
    pub field: String,
    /// What is wrong and what would be right.
    pub reason: String,
}

impl FixedTantrix {
    /// Makes the puzzle that a file describes.
    ///
    /// # Errors
    /// The field at fault: a challenge that no tiles are known for, a colour that a tile lacks, another
    /// number of places than tiles, a board that [`Board::new`] refuses.
    pub fn new(file: &FixedFile) -> Result<Self, FieldError> {
        let field = |field: &str, reason: String| FieldError { field: field.to_owned(), reason };
        let tiles = TileSet::new(file.tiles, file.challenge).map_err(|reason| field("challenge", reason))?;
        let colour = file.colour.unwrap_or_else(|| default_colour(file.challenge));
        if let Some(tile) = tiles.lacking(colour) {
            let common: Vec<&str> =
                Colour::ALL.into_iter().filter(|&c| tiles.lacking(c).is_none()).map(Colour::name).collect();
            let rule = if file.colour.is_none() { " (the colour that the challenge number says)" } else { "" };
            return Err(field(
                "colour",
                format!(
                    "tile {} has no {colour} line, so it cannot be part of a {colour} loop{rule}; \
                     colours that all its tiles have: {}",
                    tile.number,
                    common.join(", ")
                ),
            ));
        }
        if file.places.len() != file.challenge {
            return Err(field(
                "places",
                format!("{} places for {} tiles; a fixed board has one for each", file.places.len(), file.challenge),
            ));
        }
        let board = Board::new(&file.places).map_err(|(index, reason)| {
            field(&index.map_or_else(|| "places".to_owned(), |i| format!("places, entry {}", i + 1)), reason)
        })?;
        Ok(Self { challenge: file.challenge, tiles, colour, board })
    }

    /// See [`crate::Instance::canonical`].
    #[must_use]
    pub fn canonical(&self) -> String {
        let places: Vec<String> = self.board.places().iter().map(|a| format!("{},{}", a.q, a.r)).collect();
        format!("{FIXED} {} {} {} {}", self.challenge, self.tiles.kind.name(), self.colour, places.join(" "))
    }
}
