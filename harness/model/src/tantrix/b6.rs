//! B6, B6', B6'': around an empty place lie at most 5, 4 or 3 tiles (Kino & Uno, slides; Bindhu & Varkey 2024, C6a to
//! C6c).
//!
//! sum over the neighbours j' of j of o\[j'\] <= b + (6 - b) o\[j\] with b = 5, 4, 3, for places with more than b
//! neighbours on the board. B6 forbids holes of one place and nothing else; B6' and B6'' forbid bays too.
//!
//! Bindhu and Varkey print 1 o\[j\] instead of (6 - b) o\[j\], which agrees for b = 5 and else would forbid a tile
//! with six neighbours.

use super::{Builder, Family, SPARSE};
use crate::{FamilyInfo, Role};

/// The three families, by the number of tiles allowed.
pub struct B6 {
    most: usize,
    id: &'static str,
    summary: &'static str,
    roles: &'static [Role],
}

impl B6 {
    pub const FIVE: Self = Self {
        most: 5,
        id: "B6",
        summary: "at most 5 tiles around an empty place: no hole of one place",
        roles: &[Role::Strengthening],
    };
    pub const FOUR: Self = Self {
        most: 4,
        id: "B6'",
        summary: "at most 4 tiles around an empty place: forbids some solutions too",
        roles: &[Role::Restricting],
    };
    pub const THREE: Self = Self {
        most: 3,
        id: "B6''",
        summary: "at most 3 tiles around an empty place: forbids some solutions too",
        roles: &[Role::Restricting],
    };
}

impl Family for B6 {
    fn info(&self) -> FamilyInfo {
        FamilyInfo {
            id: self.id,
            summary: self.summary,
            source: "Kino & Uno, slides, bounded boards; Bindhu & Varkey 2024, section 5.1",
            kinds: &SPARSE,
            roles: self.roles,
        }
    }

    fn add(&self, b: &mut Builder) {
        for j in b.board().numbers() {
            let around: Vec<_> = b.board().inner_edges(j).map(|(_, next)| next).collect();
            if around.len() <= self.most {
                continue;
            }
            let here = (b.o(j), -((6 - self.most) as f64));
            let terms: Vec<_> = around.into_iter().map(|next| (b.o(next), 1.0)).chain([here]).collect();
            let name = format!("B6_{}_{j}", self.most);
            b.model.add_row(self.id, name, terms, f64::NEG_INFINITY, self.most as f64);
        }
    }
}
