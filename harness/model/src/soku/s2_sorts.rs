//! S2': tiles of one sort (equal, or equal after a rotation) are not told apart (Rizzo 2020, section 1.1, gives the tiles of
//! IcoSoKu by sorts; as C2' of Kino & Uno 2012).
//!
//! sum over f, r of x\[s,f,r\] = number of tiles of sort s.

use super::{Builder, Family, KINDS};
use crate::{FamilyInfo, Role};

pub struct S2Sorts;

impl Family for S2Sorts {
    fn info(&self) -> FamilyInfo {
        FamilyInfo {
            id: "S2'",
            summary: "each sort of tile lies as often as there are copies of it",
            source: "Rizzo 2020, section 1.1; as C2' of Kino & Uno 2012",
            kinds: &KINDS,
            roles: &[Role::Counting],
        }
    }

    fn add(&self, b: &mut Builder) {
        for sort in 0..b.options.items().len() {
            let (terms, copies) = (b.uses(sort), b.options.items()[sort].tiles.len() as f64);
            b.model.add_row("S2'", format!("S2p_{}", sort + 1), terms, copies, copies);
        }
    }
}
