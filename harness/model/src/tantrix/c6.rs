//! C6: around a place with just two neighbours the four touching edges are designated (Kino & Uno 2012,
//! section 5.2).
//!
//! y\[j,l\] = y\[a(j,l),l'\] = 3 for both edges l of such a place j that lead to a neighbour.

use super::{Builder, FULL, Family};
use crate::{FamilyInfo, Role};

pub struct C6;

impl Family for C6 {
    fn info(&self) -> FamilyInfo {
        FamilyInfo {
            id: "C6",
            summary: "a place with exactly two neighbours is joined to both by the designated line (on y)",
            source: "Kino & Uno 2012, section 5.2",
            kinds: &FULL,
            roles: &[Role::Strengthening],
        }
    }

    fn add(&self, b: &mut Builder) {
        for (j, l) in forced_edges(b) {
            let (y, designated) = (b.y(j, l), b.designated());
            b.model.add_row("C6", format!("C6_{j}_{l}"), [(y, 1.0)], designated, designated);
        }
    }
}

/// The edges that C6 makes designated, on both sides, each once: two neighbouring places with just two
/// neighbours each force the edge between them twice.
pub(super) fn forced_edges(b: &Builder) -> Vec<(usize, usize)> {
    let board = b.board();
    let mut edges: Vec<_> = board
        .numbers()
        .filter(|&j| board.inner_edges(j).count() == 2)
        .flat_map(|j| board.inner_edges(j).flat_map(move |(l, next)| [(j, l), (next, puzzle::hex::opposite(l))]))
        .collect();
    edges.sort_unstable();
    edges.dedup();
    edges
}
