//! C1: one tile on each place (Kino & Uno 2012, section 4.2).
//!
//! sum over i, k of x\[i,j,k\] = 1 for all j.

use super::{Builder, FULL, Family};
use crate::{FamilyInfo, Role};

pub struct C1;

impl Family for C1 {
    fn info(&self) -> FamilyInfo {
        FamilyInfo {
            id: "C1",
            summary: "exactly one tile is placed on each place",
            source: "Kino & Uno 2012, section 4.2",
            kinds: &FULL,
            roles: &[Role::Placing],
        }
    }

    fn add(&self, b: &mut Builder) {
        for j in b.board().numbers() {
            let terms = b.lying(j);
            b.model.add_row("C1", format!("C1_{j}"), terms, 1.0, 1.0);
        }
    }
}
