//! The three settings of the puzzle: fixed boards (as many places as tiles; Kino & Uno 2012), bounded boards (more
//! places than tiles; the same authors' slides) and the natural setting (the open plane).

use serde::Deserialize;

use super::board::Board;
use super::tiles::{Colour, MOST_TILES, TileSet, TileSetKind, default_colour};
use crate::hex::Axial;
use crate::input::{FieldError, Known};

/// The `kind` of a fixed-board instance file.
pub const FIXED: &str = "tantrix-fixed";
/// The `kind` of a bounded-board instance file.
pub const BOUNDED: &str = "tantrix-bounded";
/// The `kind` of an instance file without a board.
pub const NATURAL: &str = "tantrix-natural";
/// All kinds of Tantrix.
pub const TANTRIX: [&str; 3] = [FIXED, BOUNDED, NATURAL];

/// An instance file with a board, of kind [`FIXED`] or [`BOUNDED`].
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BoardFile {
    /// [`FIXED`] or [`BOUNDED`].
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

/// An instance file of kind [`NATURAL`].
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NaturalFile {
    /// [`NATURAL`].
    pub kind: String,
    /// Number of tiles.
    pub challenge: usize,
    /// How the tiles are made up.
    pub tiles: TileSetKind,
    /// Designated colour, if not the one that the challenge number says.
    #[serde(default)]
    pub colour: Option<Colour>,
    /// What is known of the answer.
    #[serde(default)]
    pub known: Known,
    /// Where the instance comes from.
    #[serde(default)]
    pub source: String,
}

/// A challenge on a board: one tile on each place of a fixed board, at most one on each place of a bounded board.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BoardTantrix {
    /// Number of tiles.
    pub challenge: usize,
    /// The tiles.
    pub tiles: TileSet,
    /// Designated colour.
    pub colour: Colour,
    /// The board.
    pub board: Board,
}

/// A challenge on the open plane. Its places are all of the lattice, numbered in rings
/// ([`Axial::from_ring_number`]).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NaturalTantrix {
    /// Number of tiles.
    pub challenge: usize,
    /// The tiles.
    pub tiles: TileSet,
    /// Designated colour.
    pub colour: Colour,
}

impl BoardTantrix {
    /// Makes the fixed-board puzzle that a file describes.
    /// Errors: the field at fault: a challenge that no tiles are known for, a colour that a tile lacks, another number
    /// of places than tiles, a board that [`Board::new`] refuses.
    pub fn fixed(file: &BoardFile) -> Result<Self, FieldError> {
        Self::new(file, |places, tiles| {
            (places != tiles).then(|| format!("{places} places for {tiles} tiles; a fixed board has one for each"))
        })
    }

    /// Makes the bounded-board puzzle that a file describes.
    /// Errors: as [`BoardTantrix::fixed`], but for fewer places than tiles, or more than [`MOST_TILES`].
    pub fn bounded(file: &BoardFile) -> Result<Self, FieldError> {
        Self::new(file, |places, tiles| match places {
            _ if places < tiles => Some(format!(
                "{places} places for {tiles} tiles; a bounded board has at least one for each, and usually more"
            )),
            _ if places > MOST_TILES => {
                Some(format!("{places} places are more than the {MOST_TILES} that a board may have here"))
            }
            _ => None,
        })
    }

    fn new(file: &BoardFile, wrong_size: impl Fn(usize, usize) -> Option<String>) -> Result<Self, FieldError> {
        let (tiles, colour) = tiles_and_colour(file.challenge, file.tiles, file.colour)?;
        if let Some(reason) = wrong_size(file.places.len(), file.challenge) {
            return Err(FieldError::new("places", reason));
        }
        let board = Board::new(&file.places).map_err(|(index, reason)| {
            FieldError::new(index.map_or_else(|| "places".to_owned(), |i| format!("places, entry {}", i + 1)), reason)
        })?;
        Ok(Self { challenge: file.challenge, tiles, colour, board })
    }

    /// See [`crate::Instance::canonical`]; the kind is not in it.
    pub(crate) fn canonical(&self) -> String {
        let places: Vec<String> = self.board.places().iter().map(|a| format!("{},{}", a.q, a.r)).collect();
        format!("{} {} {} {}", self.challenge, self.tiles.kind.name(), self.colour, places.join(" "))
    }
}

impl NaturalTantrix {
    /// Makes the puzzle that a file describes.
    /// Errors: the field at fault: a challenge that no tiles are known for, or a colour that a tile lacks.
    pub fn new(file: &NaturalFile) -> Result<Self, FieldError> {
        let (tiles, colour) = tiles_and_colour(file.challenge, file.tiles, file.colour)?;
        Ok(Self { challenge: file.challenge, tiles, colour })
    }

    /// The same challenge on a board.
    pub fn on(&self, board: Board) -> BoardTantrix {
        BoardTantrix { challenge: self.challenge, tiles: self.tiles.clone(), colour: self.colour, board }
    }

    /// Greatest place number that a solution may use: n rings around place 1. A loop of n tiles is at most n / 2 places
    /// wide, so every solution can be moved to lie well within.
    pub fn last_place(&self) -> usize {
        3 * self.challenge * (self.challenge + 1) + 1
    }

    /// See [`crate::Instance::canonical`]; the kind is not in it.
    pub(crate) fn canonical(&self) -> String {
        format!("{} {} {}", self.challenge, self.tiles.kind.name(), self.colour)
    }
}

fn tiles_and_colour(
    challenge: usize,
    kind: TileSetKind,
    colour: Option<Colour>,
) -> Result<(TileSet, Colour), FieldError> {
    let tiles = TileSet::new(kind, challenge).map_err(|reason| FieldError::new("challenge", reason))?;
    let chosen = colour.unwrap_or_else(|| default_colour(challenge));
    let Some(tile) = tiles.lacking(chosen) else { return Ok((tiles, chosen)) };
    let common: Vec<&str> = Colour::ALL.into_iter().filter(|&c| tiles.lacking(c).is_none()).map(Colour::name).collect();
    let rule = if colour.is_none() { " (the colour that the challenge number says)" } else { "" };
    Err(FieldError::new(
        "colour",
        format!(
            "tile {} has no {chosen} line, so it cannot be part of a {chosen} loop{rule}; \
             colours that all its tiles have: {}",
            tile.number,
            common.join(", ")
        ),
    ))
}
