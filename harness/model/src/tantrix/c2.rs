//! C2: all n tiles are told apart, each is used once (Kino & Uno 2012, section 4.2).
//!
//! sum over j, k of x\[i,j,k\] = 1 for i = 1..=n.

use super::{Builder, FULL, Family};
use crate::{FamilyInfo, Role};

pub struct C2;

impl Family for C2 {
    fn info(&self) -> FamilyInfo {
        FamilyInfo {
            id: "C2",
            summary: "each of the n distinguished tiles is used exactly once",
            source: "Kino & Uno 2012, section 4.2",
            kinds: &FULL,
            roles: &[Role::Counting],
        }
    }

    fn add(&self, b: &mut Builder) {
        for i in 1..=b.tiles() {
            let terms = b.uses(i);
            b.model.add_row("C2", format!("C2_{i}"), terms, 1.0, 1.0);
        }
    }
}
