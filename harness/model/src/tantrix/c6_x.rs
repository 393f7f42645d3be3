//! C6x: C6 on x, for formulations without y.
//!
//! The sum of the x\[i,j,k\] that show the designated colour on a forced edge is 1.

use super::c6::forced_edges;
use super::{Builder, FULL, Family};
use crate::{FamilyInfo, Role};

pub struct C6x;

impl Family for C6x {
    fn info(&self) -> FamilyInfo {
        FamilyInfo {
            id: "C6x",
            summary: "a place with exactly two neighbours is joined to both by the designated line (on x)",
            source: "C6 of Kino & Uno 2012, written on x",
            kinds: &FULL,
            roles: &[Role::Strengthening],
        }
    }

    fn add(&self, b: &mut Builder) {
        for (j, l) in forced_edges(b) {
            let terms = b.showing(j, l, b.puzzle.colour);
            b.model.add_row("C6x", format!("C6x_{j}_{l}"), terms, 1.0, 1.0);
        }
    }
}
