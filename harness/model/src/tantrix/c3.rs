//! C3: edges on the boundary are not designated (Kino & Uno 2012, section 4.2).
//!
//! 1 <= y\[j,l\] <= 2 where a(j,l) = 0.

use super::{Builder, FULL, Family};
use crate::{FamilyInfo, Role};

pub struct C3;

impl Family for C3 {
    fn info(&self) -> FamilyInfo {
        FamilyInfo {
            id: "C3",
            summary: "no designated line at the boundary of the board (on y)",
            source: "Kino & Uno 2012, section 4.2",
            kinds: &FULL,
            roles: &[Role::Boundary],
        }
    }

    fn add(&self, b: &mut Builder) {
        let boundary: Vec<_> = b.board().boundary().collect();
        for (j, l) in boundary {
            let y = b.y(j, l);
            b.model.add_row("C3", format!("C3_{j}_{l}"), [(y, 1.0)], 1.0, b.designated() - 1.0);
        }
    }
}
