//! C7: no designated loop of 3 tiles (Kino & Uno 2012, section 5.3, Figure 13a).
//!
//! On two adjacent places at most one carries the 120-degree line around a corner that both share: the two
//! together would close a loop of 3 with the third place at that corner. Two rows for each pair of touching
//! edges, one a shared corner; only for challenges of more than 5 tiles.

use super::{ANY, Builder, Family};
use crate::{FamilyInfo, Role};

pub struct C7;

impl Family for C7 {
    fn info(&self) -> FamilyInfo {
        FamilyInfo {
            id: "C7",
            summary: "no designated loop of 3 tiles",
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
            // The corner ahead (counterclockwise) of edge l, then the one behind it.
            for (side, here, there) in [("a", l % 6 + 1, (l2 + 4) % 6 + 1), ("b", (l + 4) % 6 + 1, l2 % 6 + 1)] {
                let terms: Vec<_> = b.joining(j, (l, here)).into_iter().chain(b.joining(j2, (l2, there))).collect();
                b.model.add_row("C7", format!("C7_{j}_{l}_{side}"), terms, f64::NEG_INFINITY, 1.0);
            }
        }
    }
}
