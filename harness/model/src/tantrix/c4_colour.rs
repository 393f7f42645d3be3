//! C4c: matching and boundary colour by colour, on x alone.
//!
//! For each pair of touching edges and each colour, the sum of the x that show the colour on one side equals
//! the sum on the other. Where a(j,l) = 0, every x\[i,j,k\] that shows the designated colour on edge l is
//! fixed to 0. A tighter relaxation than C4, where colours 1 and 3 average to 2.

use super::{Builder, FULL, Family};
use crate::{FamilyInfo, Role};

pub struct C4Colour;

impl Family for C4Colour {
    fn info(&self) -> FamilyInfo {
        FamilyInfo {
            id: "C4c",
            summary: "touching edges match colour by colour, boundary edges are not designated (on x)",
            source: "tilebench; C3 and C4 of Kino & Uno 2012, disaggregated by colour",
            kinds: &FULL,
            roles: &[Role::Matching, Role::Boundary],
        }
    }

    fn add(&self, b: &mut Builder) {
        let boundary: Vec<_> = b.board().boundary().collect();
        for (j, l) in boundary {
            for (var, _) in b.showing(j, l, b.puzzle.colour) {
                b.model.fix(var, 0.0);
            }
        }
        let touching: Vec<_> = b.board().touching().collect();
        for ((j, l), (j2, l2)) in touching {
            for colour in b.colours() {
                let there = b.showing(j2, l2, colour).into_iter().map(|(var, _)| (var, -1.0));
                let terms: Vec<_> = b.showing(j, l, colour).into_iter().chain(there).collect();
                b.model.add_row("C4c", format!("C4c_{j}_{l}_{colour}"), terms, 0.0, 0.0);
            }
        }
    }
}
