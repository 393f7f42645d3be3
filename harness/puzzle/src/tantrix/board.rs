//! Boards: numbered places of the lattice, and regular boards. Kino & Uno's slides use their sizes; the names A and B are those of
//! Bindhu & Varkey (2024).

use std::collections::{HashMap, HashSet};
use std::str::FromStr;

use super::tiles::MOST_TILES;
use crate::hex::{Axial, EDGES, components, holes};
use crate::words;

/// A set of places, numbered from 1.
///
/// Boards of instance files are connected and without holes. A part of the open plane ([`Board::of_plane`]) need
/// not be; its places have a second number each, by which the plane knows them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Board {
    places: Vec<Axial>,
    numbers: HashMap<Axial, usize>,
    neighbours: Vec<[Option<usize>; 6]>,
    on_plane: bool,
}

impl Board {
    /// Makes a board of places in the order of their numbers.
    /// Errors: index (0-based) of the place at fault, if one is, and the reason: a place listed twice, a board in
    /// several parts, a board that encloses a hole.
    pub fn new(places: &[Axial]) -> Result<Self, (Option<usize>, String)> {
        let mut numbers = HashMap::new();
        for (index, &at) in places.iter().enumerate() {
            if let Some(first) = numbers.insert(at, index + 1) {
                return Err((Some(index), format!("[{}, {}] is place {first} already", at.q, at.r)));
            }
        }
        let filled: HashSet<Axial> = places.iter().copied().collect();
        let parts = components(&filled);
        if let [first, second, ..] = parts.as_slice() {
            let (a, b) = (first[0], second[0]);
            return Err((
                None,
                format!(
                    "the board is in {} parts: no edges lead from [{}, {}] to [{}, {}]; one loop needs one part",
                    parts.len(),
                    a.q,
                    a.r,
                    b.q,
                    b.r
                ),
            ));
        }
        if let Some(hole) = holes(&filled).first() {
            return Err((
                None,
                format!(
                    "the board encloses the empty place [{}, {}], and a solution has no hole; \
                     add the place or open the ring",
                    hole[0].q, hole[0].r
                ),
            ));
        }
        Ok(Self { places: places.to_vec(), neighbours: neighbours(places, &numbers), numbers, on_plane: false })
    }

    /// A part of the open plane: its places in the order of their ring numbers, whatever its shape.
    pub fn of_plane(places: impl IntoIterator<Item = Axial>) -> Self {
        let mut places: Vec<Axial> = places.into_iter().collect();
        places.sort_unstable_by_key(|at| at.ring_number());
        places.dedup();
        let numbers = places.iter().enumerate().map(|(index, &at)| (at, index + 1)).collect();
        Self { neighbours: neighbours(&places, &numbers), places, numbers, on_plane: true }
    }

    /// The number by which users know a place: its ring number on the open plane, else its number on the board.
    /// Panics: on a part of the open plane, if there is no place of that number. Other boards have no second numbers to
    /// look up and give back the number as it is.
    pub fn label(&self, place: usize) -> usize {
        if self.on_plane { self.at(place).ring_number() } else { place }
    }

    /// The place that has a label; the opposite of [`Board::label`].
    pub fn labelled(&self, label: usize) -> Option<usize> {
        if !self.on_plane {
            return self.numbers().contains(&label).then_some(label);
        }
        Axial::from_ring_number(label).and_then(|at| self.number(at))
    }

    /// Number of places.
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Whether there is no place at all.
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// The numbers of the places.
    pub fn numbers(&self) -> std::ops::RangeInclusive<usize> {
        1..=self.len()
    }

    /// Where place j lies.
    pub fn at(&self, place: usize) -> Axial {
        self.places[place - 1]
    }

    /// Number of the place at this position, if it is on the board.
    pub fn number(&self, at: Axial) -> Option<usize> {
        self.numbers.get(&at).copied()
    }

    /// All places in the order of their numbers.
    pub fn places(&self) -> &[Axial] {
        &self.places
    }

    /// The paper's a(j, l): the place beyond edge l of place j, or `None` (its 0) off the board.
    pub fn neighbour(&self, place: usize, edge: usize) -> Option<usize> {
        self.neighbours[place - 1][edge - 1]
    }

    /// Edges of a place that lead to another place of the board, with that place.
    pub fn inner_edges(&self, place: usize) -> impl Iterator<Item = (usize, usize)> + '_ {
        EDGES.into_iter().filter_map(move |edge| Some((edge, self.neighbour(place, edge)?)))
    }

    /// Every edge off the board: (place, edge) with a(j, l) = 0.
    pub fn boundary(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        self.numbers().flat_map(|j| EDGES.map(move |l| (j, l))).filter(|&(j, l)| self.neighbour(j, l).is_none())
    }

    /// Every pair of touching edges once: ((j, l), (j', l')), seen from edges 1, 2, 3 of j.
    pub fn touching(&self) -> impl Iterator<Item = ((usize, usize), (usize, usize))> + '_ {
        self.numbers()
            .flat_map(|j| (1..=3).map(move |l| (j, l)))
            .filter_map(|(j, l)| self.neighbour(j, l).map(|other| ((j, l), (other, l + 3))))
    }
}

fn neighbours(places: &[Axial], numbers: &HashMap<Axial, usize>) -> Vec<[Option<usize>; 6]> {
    places.iter().map(|at| std::array::from_fn(|i| numbers.get(&at.neighbour(i + 1)).copied())).collect()
}

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
    /// Number of places of the board with a number of rings: 3 k (k + 1) + 1 with k rings around a place, 3 k^2 with k rings around a
    /// corner. More than a number can hold are the greatest number.
    pub fn size(self, rings: usize) -> usize {
        let places = match self {
            Self::A => rings.checked_add(1).and_then(|next| rings.checked_mul(next)?.checked_mul(3)?.checked_add(1)),
            Self::B => rings.checked_mul(rings).and_then(|square| square.checked_mul(3)),
        };
        places.unwrap_or(usize::MAX)
    }

    /// The board with this number of places.
    /// Errors: more than [`MOST_TILES`] places; the sizes nearest to a number that no board of the type has.
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

    /// Number of rings of the largest board of at most `size` places; 0 if there is none.
    fn rings_within(self, size: usize) -> usize {
        // 3 k^2 is at most the size of either type.
        let most = (size / 3).isqrt();
        (1..=most).rev().find(|&k| self.size(k) <= size).unwrap_or(0)
    }

    /// The places of the largest board of at most `size` places, ring by ring.
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

    /// The smallest board of either type with at least `size` places.
    pub fn at_least(size: usize) -> (Self, usize) {
        let smallest = |kind: Self| {
            let rings = kind.rings_within(size).max(1);
            kind.size(if kind.size(rings) < size { rings + 1 } else { rings })
        };
        let (a, b) = (smallest(Self::A), smallest(Self::B));
        if a < b { (Self::A, a) } else { (Self::B, b) }
    }
}

words!(BoardType: A "A", B "B");
words!(Numbering, a "numbering": Rings "rings", Rows "rows");

impl FromStr for BoardType {
    type Err = String;

    fn from_str(word: &str) -> Result<Self, String> {
        let types = "A (around a place), B (around a corner)";
        Self::of_word(&word.to_uppercase()).ok_or_else(|| format!("unknown board type {word:?}; types: {types}"))
    }
}
