//! Solutions in twelve bytes each, and what they become under symmetries.

use std::array::from_fn;

use puzzle::soku::{ICOSAHEDRON, ICOSOKU_TILES, Sorts, named};

use super::rank::{Capacities, Classes};

/// Bytes of a solution.
pub const RECORD: usize = 12;

const FACES: usize = 20;

/// Faces of which a record does not say what they show.
const CLOSING: usize = 4;

const NONE: u8 = u8::MAX;

type Wrong = String;

/// Writes and reads solutions of boards of IcoSoKu as records.
///
/// What a face shows is the index of its weights among [`Sorts::options`] of the tiles of IcoSoKu (0 to 33), in six bits. Four faces without a common vertex
/// touch all twelve vertices, so that what they show follows from the capacities and the other faces: a record has what
/// those sixteen show, in the order of the faces, the first in the lowest bits of the first bytes.
#[derive(Debug, Clone)]
pub struct Records {
    faces: Vec<[usize; 3]>,
    /// The sixteen faces whose options are written.
    written: Vec<usize>,
    closing: Vec<usize>,
    /// Of each option: sort and weights.
    options: Vec<(usize, [u8; 3])>,
    /// By weights: the option.
    of_weights: [[[u8; 4]; 4]; 4],
    /// Number of tiles of each sort.
    counts: Vec<u8>,
}

impl Default for Records {
    fn default() -> Self {
        Self::new()
    }
}

impl Records {
    /// Makes the tables.
    pub fn new() -> Self {
        let faces = named(ICOSAHEDRON).map_or_else(|_| Vec::new(), |field| field.faces().to_vec());
        let closing = disjoint(&faces, &mut Vec::new()).unwrap_or_default();
        let sorts = Sorts::of(&ICOSOKU_TILES);
        let options: Vec<(usize, [u8; 3])> =
            sorts.options().map(|(sort, weights)| (sort, weights.map(|weight| weight as u8))).collect();
        let mut of_weights = [[[NONE; 4]; 4]; 4];
        for (index, (_, [a, b, c])) in options.iter().enumerate() {
            of_weights[usize::from(*a)][usize::from(*b)][usize::from(*c)] = index as u8;
        }
        Self {
            written: (0..faces.len()).filter(|face| !closing.contains(face)).collect(),
            counts: sorts.all().iter().map(|sort| sort.tiles.len() as u8).collect(),
            faces,
            closing,
            options,
            of_weights,
        }
    }

    /// The weights of every option, in the order of their indices.
    pub fn weights(&self) -> impl Iterator<Item = &[u8; 3]> {
        self.options.iter().map(|(_, weights)| weights)
    }

    /// The option that shows these weights.
    pub fn option(&self, [a, b, c]: [u8; 3]) -> Option<u8> {
        let option = self.of_weights.get(usize::from(a))?.get(usize::from(b))?.get(usize::from(c))?;
        (*option != NONE).then_some(*option)
    }

    /// The record of a solution: for each face the index of its option.
    #[inline]
    pub fn record(&self, options: &[u8; FACES]) -> [u8; RECORD] {
        let mut bits = 0_u128;
        for &face in self.written.iter().rev() {
            bits = bits << 6 | u128::from(options[face]);
        }
        let bytes = bits.to_le_bytes();
        from_fn(|index| bytes[index])
    }

    /// The options of the faces that a record of a board says.
    /// Errors: an option that there is not, weights around a vertex that exceed its capacity, weights that no tile has.
    pub fn options(&self, board: &Capacities, record: &[u8; RECORD]) -> Result<[u8; FACES], Wrong> {
        let mut bytes = [0; 16];
        bytes[..RECORD].copy_from_slice(record);
        let mut bits = u128::from_le_bytes(bytes);
        let mut shown = [NONE; FACES];
        let mut lacking = *board;
        for &face in &self.written {
            let option = (bits & 63) as u8;
            bits >>= 6;
            let Some((_, weights)) = self.options.get(usize::from(option)) else {
                return Err(format!("face {} has option {option}, and there are {}", face + 1, self.options.len()));
            };
            for (&vertex, weight) in self.faces[face].iter().zip(weights) {
                let less = lacking[vertex].checked_sub(*weight);
                lacking[vertex] = less.ok_or_else(|| {
                    format!("the weights around {} exceed its capacity {}", name(vertex), board[vertex])
                })?;
            }
            shown[face] = option;
        }
        for &face in &self.closing {
            let weights = self.faces[face].map(|vertex| lacking[vertex]);
            let missing = || format!("face {} would have to show {weights:?}, which no tile does", face + 1);
            shown[face] = self.option(weights).ok_or_else(missing)?;
        }
        Ok(shown)
    }

    /// Whether these options are a solution of a board: each tile once, and around each vertex weights that add up to its capacity.
    pub fn verify(&self, board: &Capacities, shown: &[u8; FACES]) -> Result<(), Wrong> {
        let (mut sums, mut used) = ([0; 12], [0; FACES]);
        for (corners, &option) in self.faces.iter().zip(shown) {
            let (sort, weights) = self.options[usize::from(option)];
            used[sort] += 1;
            for (&vertex, weight) in corners.iter().zip(weights) {
                sums[vertex] += weight;
            }
        }
        if let Some(vertex) = (0..12).find(|&vertex| sums[vertex] != board[vertex]) {
            let (sum, capacity) = (sums[vertex], board[vertex]);
            return Err(format!("the weights around {} add up to {sum} instead of {capacity}", name(vertex)));
        }
        if let Some(sort) = (0..self.counts.len()).find(|&sort| used[sort] != self.counts[sort]) {
            let weights = self.options.iter().find(|(other, _)| *other == sort).map(|(_, weights)| *weights);
            let (used, count) = (used[sort], self.counts[sort]);
            return Err(format!("tile {:?} lies {used} times instead of {count}", weights.unwrap_or_default()));
        }
        Ok(())
    }
}

fn name(vertex: usize) -> char {
    char::from(b'A' + vertex as u8)
}

/// Faces without a common vertex, the first ones that there are.
fn disjoint(faces: &[[usize; 3]], chosen: &mut Vec<usize>) -> Option<Vec<usize>> {
    if chosen.len() == CLOSING {
        return Some(chosen.clone());
    }
    let from = chosen.last().map_or(0, |last| last + 1);
    for face in from..faces.len() {
        let is_free = chosen.iter().all(|&other| faces[other].iter().all(|vertex| !faces[face].contains(vertex)));
        if is_free {
            chosen.push(face);
            if let Some(found) = disjoint(faces, chosen) {
                return Some(found);
            }
            chosen.pop();
        }
    }
    None
}

/// Orders of the corners of a face: its rotations, and those of its mirror image.
const ORDERS: [[usize; 3]; 6] = [[0, 1, 2], [1, 2, 0], [2, 0, 1], [0, 2, 1], [2, 1, 0], [1, 0, 2]];

/// Knows what a solution of a board becomes under each symmetry.
#[derive(Debug, Clone)]
pub struct Images {
    /// By symmetry and face: which face comes to lie there, and in which order its corners.
    faces: Vec<[(u8, u8); 20]>,
    /// By order and option: the option.
    options: [Vec<u8>; 6],
}

impl Images {
    /// Makes the tables.
    pub fn new(classes: &Classes, records: &Records) -> Self {
        let order = |corners: &[usize; 3]| ORDERS.iter().position(|order| order == corners).unwrap_or(0) as u8;
        let faces = classes
            .symmetries()
            .iter()
            .map(|symmetry| from_fn(|face| (symmetry.faces[face] as u8, order(&symmetry.corners[face]))));
        let turned = |order: [usize; 3]| {
            let of = |weights: &[u8; 3]| records.option(order.map(|corner| weights[corner])).unwrap_or(0);
            records.weights().map(of).collect()
        };
        Self { faces: faces.collect(), options: ORDERS.map(turned) }
    }

    /// What lies on each face under a symmetry, by the number that [`Classes::canonical`] gives: options before and after.
    /// Panics: a symmetry or an option that there is not.
    #[inline]
    pub fn image(&self, symmetry: usize, options: &[u8; 20]) -> [u8; 20] {
        self.faces[symmetry]
            .map(|(face, order)| self.options[usize::from(order)][usize::from(options[usize::from(face)])])
    }
}
