//! S1: one tile in one rotation on each face (Rizzo 2020, definition 3: an arrangement is a bijection of tiles and faces).
//!
//! sum over t, r of x\[t,f,r\] = 1 for all f.

use super::{Builder, Family, KINDS};
use crate::{FamilyInfo, Role};

pub struct S1;

impl Family for S1 {
    fn info(&self) -> FamilyInfo {
        FamilyInfo {
            id: "S1",
            summary: "exactly one tile lies on each face, in one rotation",
            source: "Rizzo 2020, definition 3",
            kinds: &KINDS,
            roles: &[Role::Placing],
        }
    }

    fn add(&self, b: &mut Builder) {
        for face in b.faces() {
            let terms = b.lying(face);
            b.model.add_row("S1", format!("S1_{}", face + 1), terms, 1.0, 1.0);
        }
    }
}
