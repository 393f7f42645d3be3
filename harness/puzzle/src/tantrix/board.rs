//! Boards: numbered places of the lattice.

use std::collections::{HashMap, HashSet};

use crate::hex::{Axial, EDGES, components, holes};

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
    ///
    /// # Errors
    /// Index (0-based) of the place at fault, if one is, and the reason: a place listed twice, a board in
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
    #[must_use]
    pub fn of_plane(places: impl IntoIterator<Item = Axial>) -> Self {
        let mut places: Vec<Axial> = places.into_iter().collect();
        places.sort_unstable_by_key(|at| at.ring_number());
        places.dedup();
        let numbers = places.iter().enumerate().map(|(index, &at)| (at, index + 1)).collect();
        Self { neighbours: neighbours(&places, &numbers), places, numbers, on_plane: true }
    }

    /// The number by which users know a place: its ring number on the open plane, else its number on the board.
    ///
    /// # Panics
    /// On a part of the open plane, if there is no place of that number. Other boards have no second numbers to look
    /// up and give back the number as it is.
    #[must_use]
    pub fn label(&self, place: usize) -> usize {
        if self.on_plane { self.at(place).ring_number() } else { place }
    }

    /// The place that has a label; the opposite of [`Board::label`].
    #[must_use]
    pub fn labelled(&self, label: usize) -> Option<usize> {
        if !self.on_plane {
            return self.numbers().contains(&label).then_some(label);
        }
        Axial::from_ring_number(label).and_then(|at| self.number(at))
    }

    /// Number of places.
    #[must_use]
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Whether there is no place at all.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// The numbers of the places.
    pub fn numbers(&self) -> std::ops::RangeInclusive<usize> {
        1..=self.len()
    }

    /// Where place j lies.
    ///
    /// # Panics
    /// If there is no place of that number.
    #[must_use]
    pub fn at(&self, place: usize) -> Axial {
        self.places[place - 1]
    }

    /// Number of the place at this position, if it is on the board.
    #[must_use]
    pub fn number(&self, at: Axial) -> Option<usize> {
        self.numbers.get(&at).copied()
    }

    /// All places in the order of their numbers.
    #[must_use]
    pub fn places(&self) -> &[Axial] {
        &self.places
    }

    /// The paper's a(j, l): the place beyond edge l of place j, or `None` (its 0) off the board.
    ///
    /// # Panics
    /// If there is no place or edge of that number.
    #[must_use]
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
