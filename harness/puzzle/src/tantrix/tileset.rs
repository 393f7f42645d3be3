//! Which tiles a challenge uses, and its designated colour.

use serde::{Deserialize, Serialize};

use super::tiles::KNOWN_TILES;
use super::{Colour, Tile, tile};

/// The two ways to make up n tiles.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TileSetKind {
    /// Ten sorts, used again and again: tile i is used ceil((n + 1 - i) / 10) times (Kino & Uno).
    Repeated,
    /// Tiles 1..=n of the 56-tile game, each once.
    Distinct,
}

impl TileSetKind {
    /// The word used in instance files.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Repeated => "repeated",
            Self::Distinct => "distinct",
        }
    }
}

/// Greatest challenge number: far above what can be solved, and small enough for any board to be looked at.
pub const MOST_TILES: usize = 10_000;

/// A tile and how often it is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sort {
    /// The tile.
    pub tile: Tile,
    /// Number of copies.
    pub count: usize,
}

/// The tiles of a challenge.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TileSet {
    /// Which way they are made up.
    pub kind: TileSetKind,
    /// Sort i is tile i, for i = 1, 2, ... (at index i - 1).
    pub sorts: Vec<Sort>,
}

impl TileSet {
    /// The tiles of challenge n.
    ///
    /// # Errors
    /// No tiles at all, or more distinct tiles than are known here.
    pub fn new(kind: TileSetKind, challenge: usize) -> Result<Self, String> {
        if challenge < 3 {
            return Err(format!("{challenge} tiles cannot form a loop; a challenge has at least 3"));
        }
        if challenge > MOST_TILES {
            return Err(format!("{challenge} tiles are more than the {MOST_TILES} that a challenge may have here"));
        }
        let (sorts, count): (usize, fn(usize, usize) -> usize) = match kind {
            TileSetKind::Repeated => (challenge.min(10), |n, i| (n + 1 - i).div_ceil(10)),
            TileSetKind::Distinct if challenge <= KNOWN_TILES => (challenge, |_, _| 1),
            TileSetKind::Distinct => {
                return Err(format!(
                    "{challenge} distinct tiles, but only tiles 1 to {KNOWN_TILES} are known; \
                     use tiles = \"repeated\" or a challenge of at most {KNOWN_TILES}"
                ));
            }
        };
        let sorts = (1..=sorts)
            .map(|i| tile(i).map(|tile| Sort { tile, count: count(challenge, i) }))
            .collect::<Option<_>>()
            .ok_or_else(|| "tile data are incomplete".to_owned())?;
        Ok(Self { kind, sorts })
    }

    /// The sort of a tile number (1-based).
    #[must_use]
    pub fn sort(&self, number: usize) -> Option<&Sort> {
        self.sorts.get(number.checked_sub(1)?)
    }

    /// A tile of the set that has no line of this colour.
    #[must_use]
    pub fn lacking(&self, colour: Colour) -> Option<&Tile> {
        self.sorts.iter().map(|s| &s.tile).find(|t| t.line(1, colour).is_none())
    }
}

/// Designated colour of challenge n by the rules: the back of the tile with n's last digit (0: tile 10).
#[must_use]
pub fn default_colour(challenge: usize) -> Colour {
    let digit = if challenge.is_multiple_of(10) { 10 } else { challenge % 10 };
    tile(digit).map_or(Colour::Red, |t| t.back)
}
