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
        b.rim_not_designated("C3", "C3", 1.0);
    }
}
