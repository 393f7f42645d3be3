//! Tiles: colours, lines, the 30 known tiles, and the sets of tiles that challenges use.

use serde::{Deserialize, Serialize};

use crate::hex::EDGES;
use crate::text::count;
use crate::words;

/// Colour of a line, or in which a tile's number is printed on its back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Colour {
    /// R
    Red,
    /// B
    Blue,
    /// Y
    Yellow,
    /// G (tiles from 15 on)
    Green,
}

words!(Colour, a "colour": Red "red", Blue "blue", Yellow "yellow", Green "green");

impl Colour {
    /// The letter used in tile lists.
    pub fn letter(self) -> char {
        match self {
            Self::Red => 'R',
            Self::Blue => 'B',
            Self::Yellow => 'Y',
            Self::Green => 'G',
        }
    }

    fn from_letter(letter: char) -> Option<Self> {
        Self::ALL.into_iter().find(|colour| colour.letter() == letter)
    }
}

/// How a line of one colour runs through a tile.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Line {
    /// The two edges it joins, the smaller number first.
    pub edges: (usize, usize),
}

impl Line {
    /// The paper's angle of the line in degrees: 0 is straight, 60 a wide arc, 120 joins adjacent edges.
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
    pub fn colour(&self, orientation: usize, edge: usize) -> Colour {
        self.edges[(edge + orientation - 2) % 6]
    }

    /// The line of a colour in an orientation, if the tile has that colour.
    pub fn line(&self, orientation: usize, colour: Colour) -> Option<Line> {
        let mut ends = EDGES.into_iter().filter(|&edge| self.colour(orientation, edge) == colour);
        Some(Line { edges: (ends.next()?, ends.next()?) })
    }
}

/// A tile of the 56-tile game by its number; tiles 1 to 30 are known here.
pub fn tile(number: usize) -> Option<Tile> {
    let (text, back) = *TILES.get(number.checked_sub(1)?)?;
    let mut edges = [Colour::Red; 6];
    for (edge, letter) in edges.iter_mut().zip(text.chars()) {
        *edge = Colour::from_letter(letter)?;
    }
    Some(Tile { number, back: Colour::from_letter(back)?, edges })
}

/// Number of tiles that [`tile`] knows.
const KNOWN_TILES: usize = TILES.len();

/// Colours on edges 1..=6 (counterclockwise) in orientation 1, and the back.
///
/// Tiles 1..=10 in the orientation 1 of Kino & Uno (2012, Figure 1): the printed C7 and C8 for red fix it for
/// all tiles but 5 and 9, which look the same when turned by 180 degrees as far as those formulas go.
/// Tiles 11..=30 as public tile lists give them (clockwise strings); their orientation 1 is ours: the first
/// letter on edge 1.
const TILES: [(&str, char); 30] = [
    ("RBRBYY", 'Y'),
    ("BRRBYY", 'Y'),
    ("YBBRRY", 'Y'),
    ("BRYBYR", 'R'),
    ("YYRBBR", 'R'),
    ("RYRBYB", 'B'),
    ("BRYRYB", 'B'),
    ("BYRYRB", 'B'),
    ("BYRYBR", 'Y'),
    ("BRBRYY", 'R'),
    ("YBYBRR", 'R'),
    ("BYBYRR", 'Y'),
    ("YBBYRR", 'B'),
    ("RRBBYY", 'B'),
    ("RYYRGG", 'R'),
    ("YGGYRR", 'R'),
    ("RGRGYY", 'Y'),
    ("GRGRYY", 'R'),
    ("YGYGRR", 'R'),
    ("GYGYRR", 'Y'),
    ("YYRRGG", 'Y'),
    ("GRRGYY", 'Y'),
    ("GGRRYY", 'Y'),
    ("BRRBGG", 'R'),
    ("BBGGRR", 'R'),
    ("GBBGRR", 'R'),
    ("GBGBRR", 'R'),
    ("RRGGBB", 'R'),
    ("BGBGRR", 'R'),
    ("RGGRBB", 'R'),
];

/// The two ways to make up n tiles.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TileSetKind {
    /// Ten sorts, used again and again: tile i is used ceil((n + 1 - i) / 10) times (Kino & Uno).
    Repeated,
    /// Tiles 1..=n of the 56-tile game, each once.
    Distinct,
}

words!(TileSetKind: Repeated "repeated", Distinct "distinct");

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
    /// Errors: no tiles at all, or more distinct tiles than are known here.
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
                     take repeated tiles or a challenge of at most {KNOWN_TILES}"
                ));
            }
        };
        let sorts = (1..=sorts)
            .map(|i| tile(i).map(|tile| Sort { tile, count: count(challenge, i) }))
            .collect::<Option<_>>()
            .ok_or_else(|| "tile data are incomplete".to_owned())?;
        Ok(Self { kind, sorts })
    }

    /// The same tiles with nothing but their line of a colour, which each has: tiles on which it is straight, a wide arc, or joins
    /// adjacent edges are one sort each. All other edges show one other colour.
    #[must_use]
    pub fn lines(&self, colour: Colour) -> Self {
        let other = if colour == Colour::Red { Colour::Blue } else { Colour::Red };
        let mut sorts: Vec<Sort> = Vec::new();
        for (angle, ends) in [(0, [1, 4]), (60, [1, 3]), (120, [1, 2])] {
            let turns = |sort: &&Sort| sort.tile.line(1, colour).is_some_and(|line| line.angle() == angle);
            let count = self.sorts.iter().filter(turns).map(|sort| sort.count).sum();
            if count > 0 {
                let edges = EDGES.map(|edge| if ends.contains(&edge) { colour } else { other });
                sorts.push(Sort { tile: Tile { number: sorts.len() + 1, back: colour, edges }, count });
            }
        }
        Self { kind: self.kind, sorts }
    }

    /// The sort of a tile number (1-based).
    pub fn sort(&self, number: usize) -> Option<&Sort> {
        self.sorts.get(number.checked_sub(1)?)
    }

    /// A tile of the set that has no line of this colour.
    pub fn lacking(&self, colour: Colour) -> Option<&Tile> {
        self.sorts.iter().map(|s| &s.tile).find(|t| t.line(1, colour).is_none())
    }

    /// The colours that appear on the tiles, in the order of [`Colour::ALL`].
    pub fn colours(&self) -> Vec<Colour> {
        let is_used = |&colour: &Colour| self.sorts.iter().any(|sort| sort.tile.line(1, colour).is_some());
        Colour::ALL.into_iter().filter(is_used).collect()
    }

    /// Why no loop of this colour can pass through all the tiles, if that follows from their turns.
    ///
    /// Along a loop the line turns by 360 degrees in all: by 120 to one side or the other on a tile whose line joins
    /// adjacent edges, by 60 on one whose edges differ by 2, not at all on a straight one. So with a of the first and
    /// b of the second kind some choice of signs must make 2 (+-1 +-1 ...) + (+-1 +-1 ...) = 6, and b must be even. Of
    /// the repeated set that leaves only the colour that the rules designate, but for n ending in 0 or 7.
    pub fn obstacle(&self, colour: Colour) -> Option<String> {
        let with = |angle| {
            let sorts = self.sorts.iter().filter(|s| s.tile.line(1, colour).is_some_and(|line| line.angle() == angle));
            sorts.map(|sort| sort.count).sum::<usize>()
        };
        let (sharp, wide) = (with(120), with(60));
        if !wide.is_multiple_of(2) {
            let tiles = count(wide, "tile");
            return Some(format!("the {colour} line turns by 60 degrees on {tiles}, and a loop needs an even number"));
        }
        // All other choices lie in steps of 2 in between.
        let most = 2 * sharp + wide;
        if most < 6 {
            return Some(format!("the {colour} lines turn by {} degrees at most, and a loop by 360", 60 * most));
        }
        // With no wide turn the sum is 2 times a number as odd as the number of sharp ones.
        (wide == 0 && sharp.is_multiple_of(2))
            .then(|| format!("{sharp} turns by 120 degrees cannot add up to 360, an odd number could"))
    }
}

/// Designated colour of challenge n by the rules: the back of the tile with n's last digit (0: tile 10).
pub fn default_colour(challenge: usize) -> Colour {
    let digit = if challenge.is_multiple_of(10) { 10 } else { challenge % 10 };
    tile(digit).map_or(Colour::Red, |t| t.back)
}
