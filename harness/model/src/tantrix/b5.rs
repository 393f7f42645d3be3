//! B5: touching edges of two tiles match (Kino & Uno, slides; Bindhu & Varkey 2024, C5).
//!
//! -3 (2 - o\[j\] - o\[j'\]) <= y\[j,l\] - y\[j',l'\] <= 3 (2 - o\[j\] - o\[j'\]): equal where both places have a
//! tile, free where one is empty. The sources print only the combination of B4 and B5, which is the family `B4+B5`.

use super::{Builder, Family, SPARSE};
use crate::{FamilyInfo, Role};

pub struct B5;

impl Family for B5 {
    fn info(&self) -> FamilyInfo {
        FamilyInfo {
            id: "B5",
            summary: "touching edges of two tiles have the same colour number (on y)",
            source: "Kino & Uno, slides, bounded boards; rows of ours",
            kinds: &SPARSE,
            roles: &[Role::Matching],
        }
    }

    fn add(&self, b: &mut Builder) {
        let (touching, d): (Vec<_>, _) = (b.board().touching().collect(), b.designated());
        for ((j, l), (j2, l2)) in touching {
            let (here, there, occupied) = (b.y(j, l), b.y(j2, l2), [(b.o(j), d), (b.o(j2), d)]);
            for (side, sign) in [("a", 1.0), ("b", -1.0)] {
                let terms = [(here, sign), (there, -sign)].into_iter().chain(occupied);
                b.model.add_row("B5", format!("B5_{j}_{l}_{side}"), terms, f64::NEG_INFINITY, 2.0 * d);
            }
        }
    }
}
