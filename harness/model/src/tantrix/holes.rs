//! Holes: constraint families against them, and cuts: some place of the ring around one stays empty, or some place of it gets a tile.

use std::collections::{BTreeSet, HashSet};

use puzzle::hex::Axial;
use puzzle::tantrix::Board;

use super::builder::Builder;
use crate::family::{Family, Role, Rows, SPARSE};

const SOURCE: &str = "Kino & Uno, slides, bounded boards; Bindhu & Varkey 2024, section 5.1";

/// Families that keep holes small or away.
pub(crate) static FAMILIES: [Family; 3] = [
    Family::new("B6", &SPARSE, &[Role::Strengthening], Rows::Tantrix(|b| b6(b, "B6", 5)))
        .demanding("at most 5 tiles around an empty place: no hole of one place")
        .from(SOURCE),
    Family::new("B6'", &SPARSE, &[Role::Restricting], Rows::Tantrix(|b| b6(b, "B6'", 4)))
        .demanding("at most 4 tiles around an empty place: forbids some solutions too")
        .from(SOURCE),
    Family::new("B6''", &SPARSE, &[Role::Restricting], Rows::Tantrix(|b| b6(b, "B6''", 3)))
        .demanding("at most 3 tiles around an empty place: forbids some solutions too")
        .from(SOURCE),
];

/// B6, B6', B6'': around an empty place lie at most 5, 4 or 3 tiles (Kino & Uno, slides; Bindhu & Varkey 2024, C6a to
/// C6c).
///
/// sum over the neighbours j' of j of o\[j'\] <= b + (6 - b) o\[j\] with b = 5, 4, 3, for places with more than b
/// neighbours on the board. B6 forbids holes of one place and nothing else; B6' and B6'' forbid bays too.
///
/// Bindhu and Varkey print 1 o\[j\] instead of (6 - b) o\[j\], which agrees for b = 5 and else would forbid a tile
/// with six neighbours.
fn b6(b: &mut Builder, family: &'static str, most: usize) {
    for j in b.board().numbers() {
        let around: Vec<_> = b.board().inner_edges(j).map(|(_, next)| next).collect();
        if around.len() <= most {
            continue;
        }
        let here = (b.o(j), -((6 - most) as f64));
        let terms: Vec<_> = around.into_iter().map(|next| (b.o(next), 1.0)).chain([here]).collect();
        b.model.add_row(family, format!("B6_{most}_{j}"), terms, f64::NEG_INFINITY, most as f64);
    }
}

/// A hole at one position of the board, by place numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct HoleCut {
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

/// The cuts against all holes of up to `most` places.
pub(super) fn small_holes(board: &Board, most: usize) -> Vec<HoleCut> {
    let mut cuts = Vec::new();
    // Only places with six neighbours on the board can be part of a hole; larger ones grow from smaller ones.
    let inner = |j: usize| board.inner_edges(j).count() == 6;
    let mut holes: BTreeSet<Vec<usize>> = board.numbers().filter(|&j| inner(j)).map(|j| vec![j]).collect();
    for size in 1..=most {
        let mut larger = BTreeSet::new();
        for hole in holes {
            let beside = hole.iter().flat_map(|&j| board.inner_edges(j).map(|(_, next)| next));
            let ring: BTreeSet<usize> = beside.filter(|next| !hole.contains(next)).collect();
            for &more in ring.iter().filter(|&&next| size < most && inner(next)) {
                let mut grown = hole.clone();
                grown.push(more);
                grown.sort_unstable();
                larger.insert(grown);
            }
            cuts.push(HoleCut { hole, ring: ring.into_iter().collect() });
        }
        holes = larger;
    }
    cuts
}

/// The cuts against a hole moved by every step that keeps it and the places beside it on the board.
fn cuts_moved(board: &Board, hole: &[Axial]) -> Vec<HoleCut> {
    let Some(&from) = hole.first() else { return Vec::new() };
    let hole: BTreeSet<Axial> = hole.iter().copied().collect();
    let ring: BTreeSet<Axial> = hole.iter().flat_map(|at| at.neighbours()).filter(|at| !hole.contains(at)).collect();
    let cut = |to| Some(HoleCut { hole: moved(board, &hole, from, to)?, ring: moved(board, &ring, from, to)? });
    board.places().iter().filter_map(|&to| cut(to)).collect()
}

/// The numbers of places that are moved as one place is to another; `None` where one of them leaves the board.
pub(super) fn moved<'a>(
    board: &Board,
    places: impl IntoIterator<Item = &'a Axial>,
    from: Axial,
    to: Axial,
) -> Option<Vec<usize>> {
    places.into_iter().map(|at| board.number(at.moved((to.q - from.q, to.r - from.r)))).collect()
}

/// A set of places moved so that the least lies at the origin: equal for sets that differ by a move.
pub(super) fn to_origin(places: &[Axial]) -> Vec<Axial> {
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
