//! The boards of Kino & Uno's slides: hexagons around a place (type A) and around a corner (type B).

use std::collections::HashSet;
use std::fmt;
use std::str::FromStr;

use super::MOST_TILES;
use crate::hex::Axial;

/// What a regular board is centred on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BoardType {
    /// A place: 7, 19, 37, 61, 91, ... places.
    A,
    /// A corner where three places meet: 3, 12, 27, 48, 75, 108, ... places.
    B,
}

/// In which order the places of a regular board are numbered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Numbering {
    /// From the centre outwards, each ring counterclockwise from the right; on type A the ring numbers of the plane.
    #[default]
    Rings,
    /// Row by row from the top, each from left to right.
    Rows,
}

impl BoardType {
    /// Number of places with so many rings: 3 k (k + 1) + 1 with k rings around a place, 3 k^2 with k rings around a
    /// corner. More than a number can hold are the greatest number.
    #[must_use]
    pub fn size(self, rings: usize) -> usize {
        let places = match self {
            Self::A => rings.checked_add(1).and_then(|next| rings.checked_mul(next)?.checked_mul(3)?.checked_add(1)),
            Self::B => rings.checked_mul(rings).and_then(|square| square.checked_mul(3)),
        };
        places.unwrap_or(usize::MAX)
    }

    /// The board of so many places.
    ///
    /// # Errors
    /// More than [`MOST_TILES`] places; the sizes nearest to a number that no board of the type has.
    pub fn places(self, size: usize, numbering: Numbering) -> Result<Vec<Axial>, String> {
        // Before any place is laid out: a board of a billion places would take all memory.
        if size > MOST_TILES {
            return Err(format!("{size} places are more than the {MOST_TILES} that a board may have here"));
        }
        let rings = self.rings_within(size);
        if rings == 0 {
            return Err(format!("type {self} boards have at least {} places, not {size}", self.size(1)));
        }
        if self.size(rings) != size {
            return Err(format!(
                "no type {self} board has {size} places; the nearest have {} and {}",
                self.size(rings),
                self.size(rings + 1)
            ));
        }
        let mut places = self.within(size);
        if numbering == Numbering::Rows {
            places.sort_by_key(|at| (std::cmp::Reverse(at.r), at.q));
        }
        Ok(places)
    }

    /// Number of rings of the largest board of at most so many places; 0 where that is none.
    fn rings_within(self, size: usize) -> usize {
        // 3 k^2 is at most the size of either type.
        let most = (size / 3).isqrt();
        (1..=most).rev().find(|&k| self.size(k) <= size).unwrap_or(0)
    }

    /// The places of the largest board of at most so many places, ring by ring.
    pub(super) fn within(self, size: usize) -> Vec<Axial> {
        let start: &[(i32, i32)] = match self {
            Self::A => &[(0, 0)],
            Self::B => &[(0, 0), (1, 0), (0, 1)],
        };
        // The centre of the three places of type B is (1/3, 1/3).
        let third = if self == Self::B { 1.0 / 3.0 } else { 0.0 };
        let angle = |at: &Axial| {
            let (q, r) = (f64::from(at.q) - third, f64::from(at.r) - third);
            // Rounding would put a place just below the axis or on it.
            let turn = (r * 3f64.sqrt() / 2.0).atan2(q + r / 2.0).rem_euclid(std::f64::consts::TAU);
            if turn > std::f64::consts::TAU - 1e-9 { 0.0 } else { turn }
        };
        let places = self.size(self.rings_within(size));
        let mut all: Vec<Axial> = start.iter().map(|&at| at.into()).collect();
        let (mut before, mut last) = (HashSet::new(), all.iter().copied().collect::<HashSet<Axial>>());
        while all.len() < places {
            let around = last.iter().flat_map(|at| at.neighbours());
            let next: HashSet<Axial> = around.filter(|at| !last.contains(at) && !before.contains(at)).collect();
            let mut ring: Vec<Axial> = next.iter().copied().collect();
            ring.sort_by(|a, b| angle(a).total_cmp(&angle(b)));
            all.extend(ring);
            (before, last) = (last, next);
        }
        all
    }

    /// The smallest board of either type with at least so many places.
    #[must_use]
    pub fn at_least(size: usize) -> (Self, usize) {
        let smallest = |kind: Self| {
            let rings = kind.rings_within(size).max(1);
            kind.size(if kind.size(rings) < size { rings + 1 } else { rings })
        };
        let (a, b) = (smallest(Self::A), smallest(Self::B));
        if a < b { (Self::A, a) } else { (Self::B, b) }
    }
}

impl fmt::Display for BoardType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::A => "A",
            Self::B => "B",
        })
    }
}

impl FromStr for BoardType {
    type Err = String;

    fn from_str(word: &str) -> Result<Self, String> {
        match word {
            "A" | "a" => Ok(Self::A),
            "B" | "b" => Ok(Self::B),
            _ => Err(format!("unknown board type {word:?}; types: A (around a place), B (around a corner)")),
        }
    }
}

impl FromStr for Numbering {
    type Err = String;

    fn from_str(word: &str) -> Result<Self, String> {
        match word {
            "rings" => Ok(Self::Rings),
            "rows" => Ok(Self::Rows),
            _ => Err(format!("unknown numbering {word:?}; numberings: rings, rows")),
        }
    }
}
