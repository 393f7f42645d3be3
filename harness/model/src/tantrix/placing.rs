//! Constraint families that place tiles: how many on each place, how often each tile is used.

use super::builder::Builder;
use crate::family::{FULL, Family, Role, Rows, SPARSE};

/// Of boards with room.
pub(crate) static BOUNDED: [Family; 3] = [
    Family::new("B1", &SPARSE, &[Role::Placing], Rows::Tantrix(b1))
        .demanding("at most one tile on each place")
        .from("Kino & Uno, slides, bounded boards"),
    Family::new("B2", &SPARSE, &[Role::Strengthening], Rows::Tantrix(b2))
        .demanding("n tiles in all")
        .from("Kino & Uno, slides, bounded boards"),
    Family::new("B3", &SPARSE, &[Role::Counting], Rows::Tantrix(b3))
        .demanding("each sort of tile is used as often as the challenge says")
        .from("Kino & Uno, slides, bounded boards"),
];

/// Of fixed boards.
pub(crate) static FIXED: [Family; 4] = [
    Family::new("C1", &FULL, &[Role::Placing], Rows::Tantrix(c1))
        .demanding("exactly one tile is placed on each place")
        .from("Kino & Uno 2012, section 4.2"),
    Family::new("C2", &FULL, &[Role::Counting], Rows::Tantrix(c2))
        .demanding("each of the n distinguished tiles is used exactly once")
        .from("Kino & Uno 2012, section 4.2"),
    Family::new("C2o", &FULL, &[Role::Strengthening], Rows::Tantrix(c2_order))
        .demanding("equal tiles lie in the order of the places (with C2: breaks a symmetry)")
        .from("ours: the order of S5 for the tiles of C2")
        .beside("C2"),
    Family::new("C2'", &FULL, &[Role::Counting], Rows::Tantrix(c2_sorts))
        .demanding("each sort of tile is used as often as the challenge says")
        .from("Kino & Uno 2012, section 5.1"),
];

/// B1: at most one tile on each place (Kino & Uno, slides; Bindhu & Varkey 2024, C1).
///
/// sum over i, k of x\[i,j,k\] <= 1 for every place j.
fn b1(b: &mut Builder) {
    for j in b.board().numbers() {
        let terms = b.lying(j);
        b.model.add_row("B1", format!("B1_{j}"), terms, f64::NEG_INFINITY, 1.0);
    }
}

/// B2: as many tiles as the challenge says (Kino & Uno, slides; Bindhu & Varkey 2024, C2).
///
/// sum over i, j, k of x\[i,j,k\] = n. The rows of B3 add up to it.
fn b2(b: &mut Builder) {
    let terms: Vec<_> = (1..=b.tiles()).flat_map(|i| b.uses(i)).collect();
    let n = b.puzzle.challenge as f64;
    b.model.add_row("B2", "B2".to_owned(), terms, n, n);
}

/// B3: each sort of tile as often as the challenge says (Kino & Uno, slides; Bindhu & Varkey 2024, C3).
///
/// sum over j, k of x\[i,j,k\] = ceil((n + 1 - i) / 10) for i = 1..=min(n, 10); for a set of distinct tiles each count
/// is 1. Bindhu and Varkey print a floor, with which the counts would not add up to n.
fn b3(b: &mut Builder) {
    b.each_sort("B3", "B3");
}

/// C1: one tile on each place (Kino & Uno 2012, section 4.2).
///
/// sum over i, k of x\[i,j,k\] = 1 for all j.
fn c1(b: &mut Builder) {
    for j in b.board().numbers() {
        let terms = b.lying(j);
        b.model.add_row("C1", format!("C1_{j}"), terms, 1.0, 1.0);
    }
}

/// C2: all n tiles are told apart, each is used once (Kino & Uno 2012, section 4.2).
///
/// sum over j, k of x\[i,j,k\] = 1 for i = 1..=n.
fn c2(b: &mut Builder) {
    for i in 1..=b.tiles() {
        let terms = b.uses(i);
        b.model.add_row("C2", format!("C2_{i}"), terms, 1.0, 1.0);
    }
}

/// C2o: equal tiles of C2 lie in the order of the places (ours), so that one is left of all solutions that are the same but for
/// equal tiles. It takes away the symmetry that C2' takes away, and keeps the variables of C2.
///
/// For equal tiles i < i', i' the next after i, with p\[i,j\] = sum over k of x\[i,j,k\]:
/// sum over q <= j of p\[i',q\] <= sum over q < j of p\[i,q\] for all j ([`crate::ir::Model::add_order`]).
fn c2_order(b: &mut Builder) {
    for (first, next) in b.equal_tiles() {
        let lying = |j| [first, next].map(|i| (1..=6).map(|k| (b.x(i, j, k), 1.0)).collect());
        let places: Vec<_> = b.board().numbers().map(lying).collect();
        b.model.add_order("C2o", &format!("C2o_{next}"), &places);
    }
}

/// C2': tiles of one sort are not told apart (Kino & Uno 2012, section 5.1).
///
/// sum over j, k of x\[i,j,k\] = ceil((n + 1 - i) / 10) for i = 1..=min(n, 10); for a
/// set of distinct tiles each count is 1, and the family is the same as C2.
fn c2_sorts(b: &mut Builder) {
    b.each_sort("C2'", "C2p");
}

impl Builder {
    /// Numbers of equal tiles that follow each other, where tiles are told apart.
    pub fn equal_tiles(&self) -> Vec<(usize, usize)> {
        let next = |i: usize| (i + 1..=self.tiles()).find(|&other| self.tile(other).number == self.tile(i).number);
        (1..=self.tiles()).filter_map(|i| Some((i, next(i)?))).collect()
    }

    /// Rows `stem_i`: each sort of tile is used as often as the challenge says (C2', B3).
    pub fn each_sort(&mut self, family: &'static str, stem: &str) {
        for i in 1..=self.tiles() {
            let terms = self.uses(i);
            let count = self.puzzle.tiles.sorts[i - 1].count as f64;
            self.model.add_row(family, format!("{stem}_{i}"), terms, count, count);
        }
    }
}
