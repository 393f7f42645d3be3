//! C2': tiles of one sort are not told apart (Kino & Uno 2012, section 5.1).
//!
//! sum over j, k of x\[i,j,k\] = ceil((n + 1 - i) / 10) for i = 1..=min(n, 10); for a
//! set of distinct tiles each count is 1, and the family is the same as C2.

use super::{Builder, FULL, Family};
use crate::{FamilyInfo, Role};

pub struct C2Sorts;

impl Family for C2Sorts {
    fn info(&self) -> FamilyInfo {
        FamilyInfo {
            id: "C2'",
            summary: "each sort of tile is used as often as the challenge says",
            source: "Kino & Uno 2012, section 5.1",
            kinds: &FULL,
            roles: &[Role::Counting],
        }
    }

    fn add(&self, b: &mut Builder) {
        b.each_sort("C2'", "C2p");
    }
}
