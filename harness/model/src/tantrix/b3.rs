//! B3: each sort of tile as often as the challenge says (Kino & Uno, slides; Bindhu & Varkey 2024, C3).
//!
//! sum over j, k of x\[i,j,k\] = ceil((n + 1 - i) / 10) for i = 1..=min(n, 10); for a set of distinct tiles each count
//! is 1. Bindhu and Varkey print a floor, with which the counts would not add up to n.

use super::{Builder, Family, SPARSE};
use crate::{FamilyInfo, Role};

pub struct B3;

impl Family for B3 {
    fn info(&self) -> FamilyInfo {
        FamilyInfo {
            id: "B3",
            summary: "each sort of tile is used as often as the challenge says",
            source: "Kino & Uno, slides, bounded boards",
            kinds: &SPARSE,
            roles: &[Role::Counting],
        }
    }

    fn add(&self, b: &mut Builder) {
        b.each_sort("B3", "B3");
    }
}
