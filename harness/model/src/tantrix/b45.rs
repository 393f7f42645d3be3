//! B4+B5 in one: touching edges match, and an edge beside no tile is not designated (Kino & Uno, slides;
//! Bindhu & Varkey 2024, combined C4+C5).
//!
//! -2 u\[j,j'\] <= y\[j,l\] - y\[j',l'\] <= 2 u\[j,j'\], where u\[j,j'\] may be 1 only if exactly one of the two
//! places has a tile: u <= o\[j\] + o\[j'\] and u <= 2 - o\[j\] - o\[j'\]. On the rim of the board y\[j,l\] <= 2.
//!
//! Bindhu and Varkey say 'either' and elsewhere 'both' where 'exactly one' is meant: with the first, two tiles
//! would not need to match; with the second, no tile could lie beside an empty place.

use super::{Builder, Family, SPARSE};
use crate::{FamilyInfo, Role};

pub struct B45;

impl Family for B45 {
    fn info(&self) -> FamilyInfo {
        FamilyInfo {
            id: "B4+B5",
            summary: "both in one, by u = exactly one of two adjacent places has a tile (on y)",
            source: "Kino & Uno, slides, bounded boards; Bindhu & Varkey 2024, section 3.2",
            kinds: &SPARSE,
            roles: &[Role::Boundary, Role::Matching],
        }
    }

    fn add(&self, b: &mut Builder) {
        b.rim_not_designated("B4+B5", "B45_rim", f64::NEG_INFINITY);
        let (touching, below): (Vec<_>, _) = (b.board().touching().collect(), b.designated() - 1.0);
        for ((j, l), (j2, l2)) in touching {
            let (here, there, u) = (b.y(j, l), b.y(j2, l2), b.u("B4+B5", j, j2));
            for (side, sign) in [("a", 1.0), ("b", -1.0)] {
                let terms = [(here, sign), (there, -sign), (u, -below)];
                b.model.add_row("B4+B5", format!("B45_{j}_{l}_{side}"), terms, f64::NEG_INFINITY, 0.0);
            }
        }
    }
}
