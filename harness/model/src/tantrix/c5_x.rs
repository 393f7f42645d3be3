//! C5x: C5 on x, for formulations without y.
//!
//! The sum of the x\[i,j,k\] that show the designated colour on an edge of the cut is at least 2; a tile both
//! of whose designated edges lie on the cut counts twice. On a bounded board: >= 2 o\[p\] for each place p of the part.

use super::c5::demand_crossings;
use super::cuts::LoopCut;
use super::{ANY, Builder, Family};
use crate::{FamilyInfo, Role};

pub struct C5x;

impl Family for C5x {
    fn info(&self) -> FamilyInfo {
        FamilyInfo {
            id: "C5x",
            summary: "cuts between subloops are crossed (on x), added after each solve that shows subloops",
            source: "C5 of Kino & Uno 2012, written on x",
            kinds: &ANY,
            roles: &[Role::Cutting],
        }
    }

    fn add(&self, _: &mut Builder) {}

    fn add_cut(&self, b: &mut Builder, cut: &LoopCut) {
        let crossing: Vec<_> = cut.cut.iter().flat_map(|&(j, l)| b.showing(j, l, b.puzzle.colour)).collect();
        demand_crossings(b, "C5x", &cut.part, &crossing);
    }
}
