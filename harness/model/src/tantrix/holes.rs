//! Cuts against holes: some place of the ring around it stays empty, or some place of it gets a tile.

use std::collections::{BTreeSet, HashSet};

use puzzle::hex::Axial;
use puzzle::tantrix::Board;

use super::Builder;

/// A hole at one position of the board, by place numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct HoleCut {
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

/// The cuts against some holes wherever they can lie on the board, turned and mirrored in every way: no solution has
/// any of these, and a solver that is shown one only would come back with the next. Holes of one shape have the same
/// cuts.
pub(super) fn cuts_everywhere(board: &Board, holes: &[Vec<Axial>]) -> Vec<HoleCut> {
    let mut seen = HashSet::new();
    let images = holes.iter().flat_map(|hole| symmetries(hole)).filter(|image| seen.insert(to_origin(image)));
    images.flat_map(|image| cuts_moved(board, &image)).collect()
}

/// The cuts against a hole moved by every step that keeps it and the places beside it on the board.
fn cuts_moved(board: &Board, hole: &[Axial]) -> Vec<HoleCut> {
    let Some(&from) = hole.first() else { return Vec::new() };
    let hole: BTreeSet<Axial> = hole.iter().copied().collect();
    let ring: BTreeSet<Axial> = hole.iter().flat_map(|at| at.neighbours()).filter(|at| !hole.contains(at)).collect();
    let numbers = |of: &BTreeSet<Axial>, to: &Axial| {
        let moved = of.iter().map(|at| at.moved((to.q - from.q, to.r - from.r)));
        // Ends with the first place that is not on the board.
        moved.map(|at| board.number(at)).collect::<Option<Vec<_>>>()
    };
    board
        .places()
        .iter()
        .filter_map(|to| Some(HoleCut { hole: numbers(&hole, to)?, ring: numbers(&ring, to)? }))
        .collect()
}

/// A set of places moved so that the least lies at the origin: equal for sets that differ by a move.
fn to_origin(places: &[Axial]) -> Vec<Axial> {
    let mut places = places.to_vec();
    places.sort_unstable();
    let Some(&least) = places.first() else { return places };
    places.into_iter().map(|at| at.moved((-least.q, -least.r))).collect()
}

/// The twelve images of some places, in their order, under turns and reflections.
pub(super) fn symmetries(places: &[Axial]) -> Vec<Vec<Axial>> {
    let mirrored = places.iter().map(|at| Axial { q: at.r, r: at.q }).collect();
    let turned = |image: &[Axial], steps| image.iter().map(|at| at.turned(steps)).collect();
    [places.to_vec(), mirrored].iter().flat_map(|image| (0..6).map(|steps| turned(image, steps))).collect()
}
