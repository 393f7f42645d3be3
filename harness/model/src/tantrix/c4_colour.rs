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
        b.forbid_on_rim();
        let touching: Vec<_> = b.board().touching().collect();
        for ((j, l), there) in touching {
            for colour in b.colours() {
                b.same_colour("C4c", format!("C4c_{j}_{l}_{colour}"), (j, l), there, colour);
            }
        }
    }
}
