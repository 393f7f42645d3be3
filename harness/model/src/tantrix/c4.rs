//! C4: touching edges match (Kino & Uno 2012, section 4.2).
//!
//! y\[j,l\] = y\[j',l'\] where edge l of place j touches edge l' of place j'.

use super::{Builder, FULL, Family};
use crate::{FamilyInfo, Role};

pub struct C4;

impl Family for C4 {
    fn info(&self) -> FamilyInfo {
        FamilyInfo {
            id: "C4",
            summary: "touching edges have the same colour number (on y)",
            source: "Kino & Uno 2012, section 4.2",
            kinds: &FULL,
            roles: &[Role::Matching],
        }
    }

    fn add(&self, b: &mut Builder) {
        let touching: Vec<_> = b.board().touching().collect();
        for ((j, l), (j2, l2)) in touching {
            let terms = [(b.y(j, l), 1.0), (b.y(j2, l2), -1.0)];
            b.model.add_row("C4", format!("C4_{j}_{l}"), terms, 0.0, 0.0);
        }
    }
}
