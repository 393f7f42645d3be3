//! B1: at most one tile on each place (Kino & Uno, slides; Bindhu & Varkey 2024, C1).
//!
//! sum over i, k of x\[i,j,k\] <= 1 for every place j.

use super::{Builder, Family, SPARSE};
use crate::{FamilyInfo, Role};

pub struct B1;

impl Family for B1 {
    fn info(&self) -> FamilyInfo {
        FamilyInfo {
            id: "B1",
            summary: "at most one tile on each place",
            source: "Kino & Uno, slides, bounded boards",
            kinds: &SPARSE,
            roles: &[Role::Placing],
        }
    }

    fn add(&self, b: &mut Builder) {
        for j in b.board().numbers() {
            let terms = b.lying(j);
            b.model.add_row("B1", format!("B1_{j}"), terms, f64::NEG_INFINITY, 1.0);
        }
    }
}
