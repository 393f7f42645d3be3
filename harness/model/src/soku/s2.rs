//! S2: tiles are told apart, each lies on one face (Rizzo 2020, definition 3; listing 5, `alldifferent`).
//!
//! sum over f, r of x\[t,f,r\] = 1 for all t.

use super::{Builder, Family, KINDS};
use crate::{FamilyInfo, Role};

pub struct S2;

impl Family for S2 {
    fn info(&self) -> FamilyInfo {
        FamilyInfo {
            id: "S2",
            summary: "each of the distinguished tiles lies on exactly one face",
            source: "Rizzo 2020, definition 3 and listing 5",
            kinds: &KINDS,
            roles: &[Role::Counting],
        }
    }

    fn add(&self, b: &mut Builder) {
        for tile in 0..b.options.items().len() {
            let terms = b.uses(tile);
            b.model.add_row("S2", format!("S2_{}", tile + 1), terms, 1.0, 1.0);
        }
    }
}
