//! B45c: B4 and B5 colour by colour, on x alone.
//!
//! Let s(j,l,c) be the sum of the x that show colour c on edge l of place j. For each pair of touching edges
//!
//! - designated colour d: s(j,l,d) = s(j',l',d), so that a designated line goes on, or neither shows it;
//! - every other colour c: s(j,l,c) + sum over c' other than c of s(j',l',c') <= 1, so that two tiles match. With more
//!   than two other colours also seen from j'; with two, the rows from j' say the same.
//!
//! On the rim every x\[i,j,k\] that shows the designated colour is fixed to 0. A tighter relaxation than B4+B5.

use super::{Builder, Family, SPARSE};
use crate::{FamilyInfo, Role};

pub struct B45Colour;

impl Family for B45Colour {
    fn info(&self) -> FamilyInfo {
        FamilyInfo {
            id: "B45c",
            summary: "B4 and B5 colour by colour (on x)",
            source: "tilebench; B4 and B5 of Kino & Uno, disaggregated by colour",
            kinds: &SPARSE,
            roles: &[Role::Boundary, Role::Matching],
        }
    }

    fn add(&self, b: &mut Builder) {
        let designated = b.puzzle.colour;
        b.forbid_on_rim();
        let others: Vec<_> = b.colours().into_iter().filter(|&c| c != designated).collect();
        let touching: Vec<_> = b.board().touching().collect();
        for ((j, l), (j2, l2)) in touching {
            b.same_colour("B45c", format!("B45c_{j}_{l}_{designated}"), (j, l), (j2, l2), designated);
            let sides = if others.len() > 2 { 2 } else { 1 };
            for (side, here, there) in [("a", (j, l), (j2, l2)), ("b", (j2, l2), (j, l))].into_iter().take(sides) {
                for &colour in &others {
                    let clash = b.turned(|tile, k| tile.colour(k, there.1) != colour);
                    let clash = clash.into_iter().map(|(i, k)| (b.x(i, there.0, k), 1.0));
                    let terms: Vec<_> = b.showing(here.0, here.1, colour).into_iter().chain(clash).collect();
                    let name = format!("B45c_{j}_{l}_{colour}_{side}");
                    b.model.add_row("B45c", name, terms, f64::NEG_INFINITY, 1.0);
                }
            }
        }
    }
}
