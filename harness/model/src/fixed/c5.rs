//! C5: designated lines cross a cut that they did not cross (Kino & Uno 2012, section 4.4).
//!
//! sum over (j,l) in K of z\[j,l\] >= 2 for a cut K, with z <= y/2 - 1/2 and z >= y - 2. Nothing stands from
//! the start; a row is added for each cut after a solve that shows subloops.

use puzzle::Cut;

use super::{Builder, Family};
use crate::{FamilyInfo, Role};

pub struct C5;

impl Family for C5 {
    fn info(&self) -> FamilyInfo {
        FamilyInfo {
            id: "C5",
            summary: "cuts between subloops are crossed (on z), added after each solve that shows subloops",
            source: "Kino & Uno 2012, section 4.4",
            roles: &[Role::Cutting],
        }
    }

    fn add(&self, _: &mut Builder) {}

    fn add_cut(&self, b: &mut Builder, cut: &Cut) {
        let terms: Vec<_> = cut.iter().map(|&(j, l)| (b.z("C5", j, l), 1.0)).collect();
        let row = b.model.rows().len();
        b.model.add_row("C5", format!("C5_{row}"), terms, 2.0, f64::INFINITY);
    }
}
