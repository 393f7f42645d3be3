//! B2: as many tiles as the challenge says (Kino & Uno, slides; Bindhu & Varkey 2024, C2).
//!
//! sum over i, j, k of x\[i,j,k\] = n. The rows of B3 add up to it.

use super::{Builder, Family, SPARSE};
use crate::{FamilyInfo, Role};

pub struct B2;

impl Family for B2 {
    fn info(&self) -> FamilyInfo {
        FamilyInfo {
            id: "B2",
            summary: "n tiles in all",
            source: "Kino & Uno, slides, bounded boards",
            kinds: &SPARSE,
            roles: &[Role::Strengthening],
        }
    }

    fn add(&self, b: &mut Builder) {
        let terms: Vec<_> = (1..=b.tiles()).flat_map(|i| b.uses(i)).collect();
        let n = b.puzzle.challenge as f64;
        b.model.add_row("B2", "B2".to_owned(), terms, n, n);
    }
}
