//! Cuts against holes: some place of the ring around it stays empty, or some place of it gets a tile.

use std::collections::{BTreeSet, HashSet};

use puzzle::hex::Axial;
use puzzle::tantrix::Board;

use super::Builder;

/// A hole at one position of the board, by place numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HoleCut {
    /// The empty places.
    pub hole: Vec<usize>,
    /// All places beside them.
    pub ring: Vec<usize>,
}

impl HoleCut {
    /// Adds the row that forbids it: sum of o over the ring - sum of o over the hole <= size of the ring - 1.
    pub fn add(&self, b: &mut Builder) {
        let row = b.model.rows().len();
        let ring: Vec<_> = self.ring.iter().map(|&j| (b.o(j), 1.0)).collect();
        let terms: Vec<_> = ring.into_iter().chain(self.hole.iter().map(|&j| (b.o(j), -1.0))).collect();
        let most = self.ring.len() as f64 - 1.0;
        b.model.add_row("holes", format!("holes_{row}"), terms, f64::NEG_INFINITY, most);
    }

    /// Whether a solution that fills these places has this hole.
    pub fn forbids(&self, filled: &HashSet<usize>) -> bool {
        self.ring.iter().all(|j| filled.contains(j)) && !self.hole.iter().any(|j| filled.contains(j))
    }
}

/// A hole wherever it can lie on the board, turned and mirrored in every way: no solution has any of these, and a
/// solver that is shown one only would come back with the next.
pub fn everywhere(board: &Board, hole: &[Axial]) -> Vec<HoleCut> {
    let mut seen = HashSet::new();
    let mut cuts = Vec::new();
    for turned in symmetries(hole) {
        for &to in board.places() {
            let from = turned[0];
            let moved: BTreeSet<Axial> =
                turned.iter().map(|at| Axial { q: at.q - from.q + to.q, r: at.r - from.r + to.r }).collect();
            let ring: BTreeSet<Axial> =
                moved.iter().flat_map(|at| at.neighbours()).filter(|at| !moved.contains(at)).collect();
            let numbers = |of: &BTreeSet<Axial>| of.iter().map(|&at| board.number(at)).collect::<Option<Vec<_>>>();
            if let (Some(hole), Some(ring)) = (numbers(&moved), numbers(&ring))
                && seen.insert(moved)
            {
                cuts.push(HoleCut { hole, ring });
            }
        }
    }
    cuts
}

/// The twelve images of a set of places under turns and reflections.
fn symmetries(places: &[Axial]) -> Vec<Vec<Axial>> {
    let turn = |at: &Axial| Axial { q: -at.r, r: at.q + at.r };
    let mut images = Vec::new();
    let mut image = places.to_vec();
    for _ in 0..6 {
        images.push(image.iter().map(|at| Axial { q: at.r, r: at.q }).collect());
        images.push(image.clone());
        image = image.iter().map(turn).collect();
    }
    images
}
