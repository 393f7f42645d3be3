//! C9: no designated loop of 5 tiles (Kino & Uno 2012, section 5.3, Figure 13c; the paper omits the formulas).
//!
//! A loop of 5 runs through a trapezoid: three places in a row and two beside them. Its middle three places
//! are mutually adjacent; one carries a straight line parallel to the side that the other two share, those two
//! carry 60-degree lines joined to each other, and all open towards the two places at the ends of the row. At
//! most two of the three may hold. Six rows a place, less where the places at the ends are not on the board;
//! only for challenges of more than 5 tiles.

use puzzle::hex::opposite;

use super::{ANY, Builder, Family};
use crate::{FamilyInfo, Role};

pub struct C9;

impl Family for C9 {
    fn info(&self) -> FamilyInfo {
        FamilyInfo {
            id: "C9",
            summary: "no designated loop of 5 tiles",
            source: "Kino & Uno 2012, section 5.3",
            kinds: &ANY,
            roles: &[Role::Strengthening],
        }
    }

    fn add(&self, b: &mut Builder) {
        if b.puzzle.challenge <= 5 {
            return;
        }
        let step = |edge: usize, by: usize| (edge + by - 1) % 6 + 1;
        let touching: Vec<_> = b.board().touching().collect();
        for ((left, l), (right, l2)) in touching {
            // The straight place lies ahead (counterclockwise) of edge l, or behind it; `towards` turns to it.
            for (side, ahead, behind) in [("a", 1, 5), ("b", 5, 1)] {
                let Some(straight) = b.board().neighbour(left, step(l, ahead)) else { continue };
                let (left_out, right_out) = (step(step(l, ahead), ahead), step(step(l2, behind), behind));
                let ends = [b.board().neighbour(left, left_out), b.board().neighbour(right, right_out)];
                if ends.contains(&None) {
                    continue;
                }
                let terms: Vec<_> = b
                    .joining(left, (l, left_out))
                    .into_iter()
                    .chain(b.joining(right, (l2, right_out)))
                    .chain(b.joining(straight, (l, opposite(l))))
                    .collect();
                b.model.add_row("C9", format!("C9_{left}_{l}_{side}"), terms, f64::NEG_INFINITY, 2.0);
            }
        }
    }
}
