//! C3x: C3 on x, for formulations without y.
//!
//! sum of the x\[i,j,k\] that show the designated colour on edge l = 0 where a(j,l) = 0.

use super::{Builder, FULL, Family};
use crate::{FamilyInfo, Role};

pub struct C3x;

impl Family for C3x {
    fn info(&self) -> FamilyInfo {
        FamilyInfo {
            id: "C3x",
            summary: "no designated line at the boundary of the board (on x)",
            source: "C3 of Kino & Uno 2012, written on x",
            kinds: &FULL,
            roles: &[Role::Boundary],
        }
    }

    fn add(&self, b: &mut Builder) {
        let boundary: Vec<_> = b.board().boundary().collect();
        for (j, l) in boundary {
            let terms = b.showing(j, l, b.puzzle.colour);
            b.model.add_row("C3x", format!("C3x_{j}_{l}"), terms, 0.0, 0.0);
        }
    }
}
