//! Tile data.
//!
//! Tiles 1..=10 in the orientation 1 of Kino & Uno (2012, Figure 1): the printed C7 and C8 for red fix it for
//! all tiles but 5 and 9, which look the same when turned by 180 degrees as far as those formulas go.
//! Tiles 11..=30 as public tile lists give them (clockwise strings); their orientation 1 is ours: the first
//! letter on edge 1.

use super::Colour;
use crate::hex::EDGES;

/// How a line of one colour runs through a tile.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Line {
    /// The two edges it joins, the smaller number first.
    pub edges: (usize, usize),
}

impl Line {
    /// The paper's angle of the line in degrees: 0 is straight, 60 a wide arc, 120 joins adjacent edges.
    #[must_use]
    pub fn angle(self) -> u32 {
        match (self.edges.1 + 6 - self.edges.0) % 6 {
            3 => 0,
            2 | 4 => 60,
            _ => 120,
        }
    }
}

/// A tile: its number, the colour of each edge in orientation 1, and the colour of the number on its back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tile {
    /// Number on the back.
    pub number: usize,
    /// Colour in which the number is printed.
    pub back: Colour,
    edges: [Colour; 6],
}

impl Tile {
    /// Colour shown on an edge (1..=6) when the tile lies in an orientation (1..=6).
    ///
    /// One step of orientation turns the tile by 60 degrees clockwise.
    #[must_use]
    pub fn colour(&self, orientation: usize, edge: usize) -> Colour {
        self.edges[(edge + orientation - 2) % 6]
    }

    /// The line of a colour in an orientation, if the tile has that colour.
    #[must_use]
    pub fn line(&self, orientation: usize, colour: Colour) -> Option<Line> {
        let mut ends = EDGES.into_iter().filter(|&edge| self.colour(orientation, edge) == colour);
        Some(Line { edges: (ends.next()?, ends.next()?) })
    }
}

/// A tile of the 56-tile game by its number; tiles 1 to 30 are known here.
#[must_use]
pub fn tile(number: usize) -> Option<Tile> {
    let (text, back) = *TILES.get(number.checked_sub(1)?)?;
    let mut edges = [Colour::Red; 6];
    for (edge, letter) in edges.iter_mut().zip(text.bytes()) {
        *edge = Colour::from_letter(letter)?;
    }
    Some(Tile { number, back: Colour::from_letter(back)?, edges })
}

/// Number of tiles that [`tile`] knows.
pub(super) const KNOWN_TILES: usize = TILES.len();

/// Colours on edges 1..=6 (counterclockwise) in orientation 1, and the back.
const TILES: [(&str, u8); 30] = [
    ("RBRBYY", b'Y'),
    ("BRRBYY", b'Y'),
    ("YBBRRY", b'Y'),
    ("BRYBYR", b'R'),
    ("YYRBBR", b'R'),
    ("RYRBYB", b'B'),
    ("BRYRYB", b'B'),
    ("BYRYRB", b'B'),
    ("BYRYBR", b'Y'),
    ("BRBRYY", b'R'),
    ("YBYBRR", b'R'),
    ("BYBYRR", b'Y'),
    ("YBBYRR", b'B'),
    ("RRBBYY", b'B'),
    ("RYYRGG", b'R'),
    ("YGGYRR", b'R'),
    ("RGRGYY", b'Y'),
    ("GRGRYY", b'R'),
    ("YGYGRR", b'R'),
    ("GYGYRR", b'Y'),
    ("YYRRGG", b'Y'),
    ("GRRGYY", b'Y'),
    ("GGRRYY", b'Y'),
    ("BRRBGG", b'R'),
    ("BBGGRR", b'R'),
    ("GBBGRR", b'R'),
    ("GBGBRR", b'R'),
    ("RRGGBB", b'R'),
    ("BGBGRR", b'R'),
    ("RGGRBB", b'R'),
];
