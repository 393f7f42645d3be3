//! C5: designated lines cross a cut that they did not cross (Kino & Uno 2012, section 4.4).
//!
//! sum over (j,l) in K of z\[j,l\] >= 2 for a cut K, with z <= y/2 - 1/2 and z >= y - 2. Nothing stands from
//! the start; a row is added for each cut after a solve that shows subloops.
//!
//! On a bounded board a part may also stay empty, so the printed row would forbid solutions: there is one row for
//! each place p of the part, sum of z >= 2 o\[p\]; and z <= y/3, as y may be 0.
//!
//! The sum could be written once, as sum of z >= t and t >= 2 o\[p\] with a variable t in 0..=2. The relaxation is the
//! same and the rows are shorter; HiGHS was no faster with it, and on boards with holes to cut off slower.

use super::cuts::LoopCut;
use super::{ANY, Builder, Family};
use crate::ir::VarId;
use crate::{FamilyInfo, Role};

pub struct C5;

impl Family for C5 {
    fn info(&self) -> FamilyInfo {
        FamilyInfo {
            id: "C5",
            summary: "cuts between subloops are crossed (on z), added after each solve that shows subloops",
            source: "Kino & Uno 2012, section 4.4",
            kinds: &ANY,
            roles: &[Role::Cutting],
        }
    }

    fn add(&self, _: &mut Builder) {}

    fn add_cut(&self, b: &mut Builder, cut: &LoopCut) {
        let crossing: Vec<_> = cut.cut.iter().map(|&(j, l)| (b.z("C5", j, l), 1.0)).collect();
        demand_crossings(b, "C5", &cut.part, &crossing);
    }
}

/// At least two crossings of the border of a part: always where every place has a tile, else if any of them has.
pub(super) fn demand_crossings(b: &mut Builder, family: &'static str, part: &[usize], crossing: &[(VarId, f64)]) {
    let row = b.model.rows().len();
    if b.is_full() {
        b.model.add_row(family, format!("{family}_{row}"), crossing.iter().copied(), 2.0, f64::INFINITY);
        return;
    }
    for &place in part {
        let terms: Vec<_> = crossing.iter().copied().chain([(b.o(place), -2.0)]).collect();
        b.model.add_row(family, format!("{family}_{row}_{place}"), terms, 0.0, f64::INFINITY);
    }
}
