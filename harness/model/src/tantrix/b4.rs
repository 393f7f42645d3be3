//! B4: an edge beside no tile is not designated (Kino & Uno, slides; Bindhu & Varkey 2024, C4).
//!
//! y\[j,l\] <= 2 on the rim of the board, and y\[j,l\] <= 2 + o\[j'\] where edge l of place j touches place j'. The
//! sources print only the combination of B4 and B5, which is the family `B4+B5`.

use super::{Builder, Family, SPARSE};
use crate::{FamilyInfo, Role};

pub struct B4;

impl Family for B4 {
    fn info(&self) -> FamilyInfo {
        FamilyInfo {
            id: "B4",
            summary: "an edge beside no tile is not designated (on y)",
            source: "Kino & Uno, slides, bounded boards; rows of ours",
            kinds: &SPARSE,
            roles: &[Role::Boundary],
        }
    }

    fn add(&self, b: &mut Builder) {
        let below = b.designated() - 1.0;
        b.rim_not_designated("B4", "B4_rim", f64::NEG_INFINITY);
        let board = b.board();
        let inner: Vec<_> =
            board.numbers().flat_map(|j| board.inner_edges(j).map(move |(l, next)| (j, l, next))).collect();
        for (j, l, next) in inner {
            let terms = [(b.y(j, l), 1.0), (b.o(next), -1.0)];
            b.model.add_row("B4", format!("B4_{j}_{l}"), terms, f64::NEG_INFINITY, below);
        }
    }
}
