//! C8: no designated loop of 4 tiles (Kino & Uno 2012, section 5.3, Figure 13b).
//!
//! On two adjacent places at most one carries the 60-degree line that joins the two edges beside the shared
//! one: the two together would close a loop of 4 with the two places beside. One row for each pair of touching
//! edges; only for challenges of more than 5 tiles.

use super::{ANY, Builder, Family};
use crate::{FamilyInfo, Role};

pub struct C8;

impl Family for C8 {
    fn info(&self) -> FamilyInfo {
        FamilyInfo {
            id: "C8",
            summary: "no designated loop of 4 tiles",
            source: "Kino & Uno 2012, section 5.3",
            kinds: &ANY,
            roles: &[Role::Strengthening],
        }
    }

    fn add(&self, b: &mut Builder) {
        if b.puzzle.challenge <= 5 {
            return;
        }
        let touching: Vec<_> = b.board().touching().collect();
        for ((j, l), (j2, l2)) in touching {
            let beside = |edge: usize| ((edge + 4) % 6 + 1, edge % 6 + 1);
            let terms: Vec<_> = b.joining(j, beside(l)).into_iter().chain(b.joining(j2, beside(l2))).collect();
            b.model.add_row("C8", format!("C8_{j}_{l}"), terms, f64::NEG_INFINITY, 1.0);
        }
    }
}
