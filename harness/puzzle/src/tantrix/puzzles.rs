//! The three settings of the puzzle: fixed boards (as many places as tiles; Kino & Uno 2012), bounded boards (more
//! places than tiles; the same authors' slides) and the natural setting (the open plane).

use serde::Deserialize;

use super::board::Board;
use super::tiles::{Colour, Line, MOST_TILES, TileSet, TileSetKind, default_colour};
use crate::hex::Axial;
use crate::input::{FieldError, Known};
use crate::solution::Placement;

/// The `kind` of a fixed-board instance file.
pub const FIXED: &str = "tantrix-fixed";
/// The `kind` of a bounded-board instance file.
pub const BOUNDED: &str = "tantrix-bounded";
/// The `kind` of an instance file without a board.
pub const NATURAL: &str = "tantrix-natural";
/// All kinds of Tantrix.
pub const TANTRIX: [&str; 3] = [FIXED, BOUNDED, NATURAL];

/// An instance file of one of these kinds.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct TantrixFile {
    kind: String,
    challenge: usize,
    tiles: TileSetKind,
    /// Designated colour, if not the one that the challenge number says.
    #[serde(default)]
    colour: Option<Colour>,
    /// In the order of the place numbers; boards have them.
    #[serde(default)]
    places: Option<Vec<Axial>>,
    #[serde(default)]
    pub known: Known,
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
    /// Makes the puzzle on a fixed or a bounded board that a file describes.
    /// Errors: the field at fault: a challenge that no tiles are known for, a colour that a tile lacks, no places, another number of them
    /// than tiles (fixed boards), fewer or more than [`MOST_TILES`] (bounded boards), a board that [`Board::new`] refuses.
    pub(crate) fn new(file: &TantrixFile) -> Result<Self, FieldError> {
        let puzzle = NaturalTantrix::of(file)?;
        let wrong = |reason: String| FieldError::new("places", reason);
        let at = file.places.as_ref().ok_or_else(|| wrong("missing; a board needs them".to_owned()))?;
        let (places, tiles, fixed) = (at.len(), file.challenge, file.kind == FIXED);
        if fixed && places != tiles {
            return Err(wrong(format!("{places} places for {tiles} tiles; a fixed board has one for each")));
        }
        if places < tiles {
            return Err(wrong(format!(
                "{places} places for {tiles} tiles; a bounded board has at least one for each, and usually more"
            )));
        }
        if places > MOST_TILES {
            return Err(wrong(format!("{places} places are more than the {MOST_TILES} that a board may have here")));
        }
        let board = Board::new(at).map_err(|(index, reason)| {
            FieldError::new(index.map_or_else(|| "places".to_owned(), |i| format!("places, entry {}", i + 1)), reason)
        })?;
        Ok(puzzle.on(board))
    }

    /// See [`crate::Instance::canonical`]; the kind is not in it.
    pub(crate) fn canonical(&self) -> String {
        let places: Vec<String> = self.board.places().iter().map(|a| format!("{},{}", a.q, a.r)).collect();
        format!("{} {} {} {}", self.challenge, self.tiles.kind.name(), self.colour, places.join(" "))
    }
}

impl BoardTantrix {
    /// The puzzle of the designated lines alone ([`TileSet::lines`]). Those of a solution of this puzzle solve that one; for those of a
    /// solution of that one there may be no tiles.
    #[must_use]
    pub fn lines(&self) -> Self {
        Self { tiles: self.tiles.lines(self.colour), ..self.clone() }
    }

    /// The designated lines of tiles that lie on the board, by place.
    pub fn lines_of(&self, placements: &[Placement]) -> Vec<(usize, Line)> {
        let line = |p: &Placement| Some((p.place, self.tiles.sort(p.tile)?.tile.line(p.orientation, self.colour)?));
        placements.iter().filter_map(line).collect()
    }
}

impl NaturalTantrix {
    /// Makes the puzzle on the open plane that a file describes.
    /// Errors: the field at fault: a challenge that no tiles are known for, a colour that a tile lacks, places.
    pub(crate) fn new(file: &TantrixFile) -> Result<Self, FieldError> {
        match file.places {
            None => Self::of(file),
            Some(_) => Err(FieldError::new("places", "the open plane has no board; leave them out")),
        }
    }

    fn of(file: &TantrixFile) -> Result<Self, FieldError> {
        let challenge = file.challenge;
        let tiles = TileSet::new(file.tiles, challenge).map_err(|reason| FieldError::new("challenge", reason))?;
        let colour = file.colour.unwrap_or_else(|| default_colour(challenge));
        let Some(tile) = tiles.lacking(colour) else { return Ok(Self { challenge, tiles, colour }) };
        let common = Colour::ALL.into_iter().filter(|&c| tiles.lacking(c).is_none());
        let rule = if file.colour.is_none() { " (the colour that the challenge number says)" } else { "" };
        Err(FieldError::new(
            "colour",
            format!(
                "tile {} has no {colour} line, so it cannot be part of a {colour} loop{rule}; \
                 colours that all its tiles have: {}",
                tile.number,
                common.map(Colour::name).collect::<Vec<_>>().join(", ")
            ),
        ))
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
