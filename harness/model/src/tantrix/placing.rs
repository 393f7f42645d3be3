//! Constraint families that place tiles: how many on each place, how often each tile is used, how edges match, how many tiles lie around
//! an empty place.

use puzzle::tantrix::Colour;

use super::builder::{Builder, minus};
use crate::family::{FULL, Family, Role, Rows, SPARSE};

const SLIDES: &str = "Kino & Uno, slides, bounded boards";
const SLIDES_AND_REPORT: &str = "Kino & Uno, slides, bounded boards; Bindhu & Varkey 2024, section 5.1";

/// Of boards with room.
pub(crate) static BOUNDED: [Family; 10] = [
    Family::new("B1", &SPARSE, &[Role::Placing], Rows::Tantrix(b1))
        .demanding("at most one tile on each place")
        .from(SLIDES),
    Family::new("B2", &SPARSE, &[Role::Strengthening], Rows::Tantrix(b2)).demanding("n tiles in all").from(SLIDES),
    Family::new("B3", &SPARSE, &[Role::Counting], Rows::Tantrix(b3))
        .demanding("each sort of tile is used as often as the challenge says")
        .from(SLIDES),
    Family::new("B4", &SPARSE, &[Role::Boundary], Rows::Tantrix(b4))
        .demanding("an edge beside no tile is not designated (on y)")
        .from("Kino & Uno, slides, bounded boards; rows of ours"),
    Family::new("B5", &SPARSE, &[Role::Matching], Rows::Tantrix(b5))
        .demanding("touching edges of two tiles have the same colour number (on y)")
        .from("Kino & Uno, slides, bounded boards; rows of ours"),
    Family::new("B4+B5", &SPARSE, &[Role::Boundary, Role::Matching], Rows::Tantrix(b45))
        .demanding("both in one, by u = exactly one of two adjacent places has a tile (on y)")
        .from("Kino & Uno, slides, bounded boards; Bindhu & Varkey 2024, section 3.2"),
    Family::new("B45c", &SPARSE, &[Role::Boundary, Role::Matching], Rows::Tantrix(b45_colour))
        .demanding("B4 and B5 colour by colour (on x)")
        .from("tilebench; B4 and B5 of Kino & Uno, disaggregated by colour"),
    Family::new("B6", &SPARSE, &[Role::Strengthening], Rows::Tantrix(|b| b6(b, "B6", 5)))
        .demanding("at most 5 tiles around an empty place: no hole of one place")
        .from(SLIDES_AND_REPORT),
    Family::new("B6'", &SPARSE, &[Role::Restricting], Rows::Tantrix(|b| b6(b, "B6'", 4)))
        .demanding("at most 4 tiles around an empty place: forbids some solutions too")
        .from(SLIDES_AND_REPORT),
    Family::new("B6''", &SPARSE, &[Role::Restricting], Rows::Tantrix(|b| b6(b, "B6''", 3)))
        .demanding("at most 3 tiles around an empty place: forbids some solutions too")
        .from(SLIDES_AND_REPORT),
];

/// Of fixed boards.
pub(crate) static FIXED: [Family; 9] = [
    Family::new("C1", &FULL, &[Role::Placing], Rows::Tantrix(c1))
        .demanding("exactly one tile is placed on each place")
        .from("Kino & Uno 2012, section 4.2"),
    Family::new("C2", &FULL, &[Role::Counting], Rows::Tantrix(c2))
        .demanding("each of the n distinguished tiles is used exactly once")
        .from("Kino & Uno 2012, section 4.2"),
    Family::new("C2o", &FULL, &[Role::Strengthening], Rows::Tantrix(c2_order))
        .demanding("equal tiles lie in the order of the places (with C2: breaks a symmetry)")
        .from("ours: the order of S5 for the tiles of C2")
        .beside("C2"),
    Family::new("C2'", &FULL, &[Role::Counting], Rows::Tantrix(c2_sorts))
        .demanding("each sort of tile is used as often as the challenge says")
        .from("Kino & Uno 2012, section 5.1"),
    Family::new("C3", &FULL, &[Role::Boundary], Rows::Tantrix(c3))
        .demanding("no designated line at the boundary of the board (on y)")
        .from("Kino & Uno 2012, section 4.2"),
    Family::new("C3x", &FULL, &[Role::Boundary], Rows::Tantrix(c3_x))
        .demanding("no designated line at the boundary of the board (on x)")
        .from("C3 of Kino & Uno 2012, written on x"),
    Family::new("C4", &FULL, &[Role::Matching], Rows::Tantrix(c4))
        .demanding("touching edges have the same colour number (on y)")
        .from("Kino & Uno 2012, section 4.2"),
    Family::new("C4c", &FULL, &[Role::Matching, Role::Boundary], Rows::Tantrix(c4_colour))
        .demanding("touching edges match colour by colour, boundary edges are not designated (on x)")
        .from("tilebench; C3 and C4 of Kino & Uno 2012, disaggregated by colour"),
    Family::new("C4e", &FULL, &[Role::Matching, Role::Boundary], Rows::Tantrix(c4_edges))
        .demanding("C4c with a variable for each colour of each pair of touching edges (on x and e)")
        .from("tilebench; C4c in an extended form"),
];

/// B1: sum over i, k of x\[i,j,k\] <= 1 for every place j (Bindhu & Varkey 2024, C1).
fn b1(b: &mut Builder) {
    for j in b.board().numbers() {
        let terms = b.lying(j);
        b.model.at_most("B1", format!("B1_{j}"), terms, 1.0);
    }
}

/// B2: sum over i, j, k of x\[i,j,k\] = n (Bindhu & Varkey 2024, C2). The rows of B3 add up to it.
fn b2(b: &mut Builder) {
    let terms: Vec<_> = (1..=b.tiles()).flat_map(|i| b.uses(i)).collect();
    b.model.equal("B2", "B2".to_owned(), terms, b.puzzle.challenge as f64);
}

/// B3: sum over j, k of x\[i,j,k\] = ceil((n + 1 - i) / 10) for i = 1..=min(n, 10); for a set of distinct tiles each count
/// is 1. Bindhu and Varkey (2024, C3) print a floor, with which the counts would not add up to n.
fn b3(b: &mut Builder) {
    b.each_sort("B3", "B3");
}

/// C1: sum over i, k of x\[i,j,k\] = 1 for all j.
fn c1(b: &mut Builder) {
    for j in b.board().numbers() {
        let terms = b.lying(j);
        b.model.equal("C1", format!("C1_{j}"), terms, 1.0);
    }
}

/// C2: sum over j, k of x\[i,j,k\] = 1 for i = 1..=n.
fn c2(b: &mut Builder) {
    for i in 1..=b.tiles() {
        let terms = b.uses(i);
        b.model.equal("C2", format!("C2_{i}"), terms, 1.0);
    }
}

/// C2o: for equal tiles i < i', i' the next after i, with p\[i,j\] = sum over k of x\[i,j,k\]:
/// sum over q <= j of p\[i',q\] <= sum over q < j of p\[i,q\] for all j ([`crate::ir::Model::add_order`]).
///
/// One is left of all solutions that are the same but for equal tiles. It takes away the symmetry that C2' takes away, and keeps the
/// variables of C2.
fn c2_order(b: &mut Builder) {
    for (first, next) in b.equal_tiles() {
        let lying = |j| [first, next].map(|i| (1..=6).map(|k| (b.x(i, j, k), 1.0)).collect());
        let places: Vec<_> = b.board().numbers().map(lying).collect();
        b.model.add_order("C2o", &format!("C2o_{next}"), &places);
    }
}

/// C2': sum over j, k of x\[i,j,k\] = ceil((n + 1 - i) / 10) for i = 1..=min(n, 10); for a
/// set of distinct tiles each count is 1, and the family is the same as C2.
fn c2_sorts(b: &mut Builder) {
    b.each_sort("C2'", "C2p");
}

/// B4: y\[j,l\] <= 2 on the rim of the board, and y\[j,l\] <= 2 + o\[j'\] where edge l of place j touches place j'. The
/// sources (Bindhu & Varkey 2024, C4) print only the combination of B4 and B5, which is the family `B4+B5`.
fn b4(b: &mut Builder) {
    let below = b.designated() - 1.0;
    b.rim_not_designated("B4", "B4_rim", f64::NEG_INFINITY);
    for j in b.board().numbers() {
        for (l, next) in b.board().inner_edges(j).collect::<Vec<_>>() {
            let terms = [(b.y(j, l), 1.0), (b.o(next), -1.0)];
            b.model.at_most("B4", format!("B4_{j}_{l}"), terms, below);
        }
    }
}

/// B5: -3 (2 - o\[j\] - o\[j'\]) <= y\[j,l\] - y\[j',l'\] <= 3 (2 - o\[j\] - o\[j'\]): equal where both places have a
/// tile, free where one is empty. The sources (Bindhu & Varkey 2024, C5) print only the combination of B4 and B5, which is the family `B4+B5`.
fn b5(b: &mut Builder) {
    let (touching, d): (Vec<_>, _) = (b.board().touching().collect(), b.designated());
    for ((j, l), (j2, l2)) in touching {
        let (here, there, occupied) = (b.y(j, l), b.y(j2, l2), [(b.o(j), d), (b.o(j2), d)]);
        for (side, sign) in [("a", 1.0), ("b", -1.0)] {
            let terms = [(here, sign), (there, -sign)].into_iter().chain(occupied);
            b.model.at_most("B5", format!("B5_{j}_{l}_{side}"), terms, 2.0 * d);
        }
    }
}

/// B4+B5 (Bindhu & Varkey 2024, combined C4+C5): -2 u\[j,j'\] <= y\[j,l\] - y\[j',l'\] <= 2 u\[j,j'\], where u\[j,j'\] may be 1 only if exactly one of the two
/// places has a tile: u <= o\[j\] + o\[j'\] and u <= 2 - o\[j\] - o\[j'\]. On the rim of the board y\[j,l\] <= 2.
///
/// Bindhu and Varkey say 'either' and elsewhere 'both' where 'exactly one' is meant: with the first, two tiles
/// would not need to match; with the second, no tile could lie beside an empty place.
fn b45(b: &mut Builder) {
    b.rim_not_designated("B4+B5", "B45_rim", f64::NEG_INFINITY);
    let (touching, below): (Vec<_>, _) = (b.board().touching().collect(), b.designated() - 1.0);
    for ((j, l), (j2, l2)) in touching {
        let (here, there, u) = (b.y(j, l), b.y(j2, l2), b.u("B4+B5", j, j2));
        for (side, sign) in [("a", 1.0), ("b", -1.0)] {
            let terms = [(here, sign), (there, -sign), (u, -below)];
            b.model.at_most("B4+B5", format!("B45_{j}_{l}_{side}"), terms, 0.0);
        }
    }
}

/// B45c: let s(j,l,c) be the sum of the x that show colour c on edge l of place j. For each pair of touching edges
///
/// - designated colour d: s(j,l,d) = s(j',l',d), so that a designated line goes on, or neither shows it;
/// - every other colour c: s(j,l,c) + sum over c' other than c of s(j',l',c') <= 1, so that two tiles match. With more
///   than two other colours also seen from j'; with two, the rows from j' say the same.
///
/// On the rim every x\[i,j,k\] that shows the designated colour is fixed to 0. A tighter relaxation than B4+B5.
fn b45_colour(b: &mut Builder) {
    let designated = b.puzzle.colour;
    b.forbid_on_rim();
    let others: Vec<_> = b.colours().into_iter().filter(|&c| c != designated).collect();
    let touching: Vec<_> = b.board().touching().collect();
    for ((j, l), (j2, l2)) in touching {
        b.same_colour("B45c", format!("B45c_{j}_{l}_{designated}"), (j, l), (j2, l2), designated);
        let sides = if others.len() > 2 { 2 } else { 1 };
        for (side, here, there) in [("a", (j, l), (j2, l2)), ("b", (j2, l2), (j, l))].into_iter().take(sides) {
            for &colour in &others {
                let clash = b.turned(there.0, |tile, k| tile.colour(k, there.1) != colour);
                let terms = [b.showing(here, colour), clash].concat();
                b.model.at_most("B45c", format!("B45c_{j}_{l}_{colour}_{side}"), terms, 1.0);
            }
        }
    }
}

/// C3: 1 <= y\[j,l\] <= 2 where a(j,l) = 0.
fn c3(b: &mut Builder) {
    b.rim_not_designated("C3", "C3", 1.0);
}

/// C3x: sum of the x\[i,j,k\] that show the designated colour on edge l = 0 where a(j,l) = 0.
fn c3_x(b: &mut Builder) {
    let boundary: Vec<_> = b.board().boundary().collect();
    for (j, l) in boundary {
        let terms = b.showing((j, l), b.puzzle.colour);
        b.model.equal("C3x", format!("C3x_{j}_{l}"), terms, 0.0);
    }
}

/// C4: y\[j,l\] = y\[j',l'\] where edge l of place j touches edge l' of place j'.
fn c4(b: &mut Builder) {
    let touching: Vec<_> = b.board().touching().collect();
    for ((j, l), (j2, l2)) in touching {
        let terms = [(b.y(j, l), 1.0), (b.y(j2, l2), -1.0)];
        b.model.equal("C4", format!("C4_{j}_{l}"), terms, 0.0);
    }
}

/// C4c: for each pair of touching edges and each colour, the sum of the x that show the colour on one side equals
/// the sum on the other. Where a(j,l) = 0, every x\[i,j,k\] that shows the designated colour on edge l is
/// fixed to 0. A tighter relaxation than C4, where colours 1 and 3 average to 2.
fn c4_colour(b: &mut Builder) {
    b.forbid_on_rim();
    let touching: Vec<_> = b.board().touching().collect();
    for ((j, l), there) in touching {
        for colour in b.colours() {
            b.same_colour("C4c", format!("C4c_{j}_{l}_{colour}"), (j, l), there, colour);
        }
    }
}

/// C4e: e\[j,l,c\] = the sum of the x that show the colour on edge l of place j = the sum of those that show it on the edge beyond. The bounds
/// are those of C4c and the relaxation is the same. A solver can branch on the edges, and rows about the line (C5x, C6x, L5 to L8, SCF,
/// MCF, MTZ) are short.
fn c4_edges(b: &mut Builder) {
    b.forbid_on_rim();
    let touching: Vec<_> = b.board().touching().collect();
    for ((j, l), (j2, l2)) in touching {
        for colour in b.colours() {
            let e = b.e("C4e", j, l, colour);
            let terms = minus(b.showing((j2, l2), colour), [(e, 1.0)]);
            b.model.equal("C4e", format!("C4e_{j}_{l}_{colour}"), terms, 0.0);
        }
    }
}

/// B6, B6', B6'': sum over the neighbours j' of j of o\[j'\] <= b + (6 - b) o\[j\] with b = 5, 4, 3, for places with more than b
/// neighbours on the board (Bindhu & Varkey 2024, C6a to C6c). B6 forbids holes of one place and nothing else; B6' and B6'' forbid bays
/// too.
///
/// Bindhu and Varkey print 1 o\[j\] instead of (6 - b) o\[j\], which agrees for b = 5 and else would forbid a tile
/// with six neighbours.
fn b6(b: &mut Builder, family: &'static str, most: usize) {
    for j in b.board().numbers() {
        let around: Vec<_> = b.board().inner_edges(j).map(|(_, next)| next).collect();
        if around.len() > most {
            let here = (b.o(j), -((6 - most) as f64));
            let terms: Vec<_> = around.into_iter().map(|next| (b.o(next), 1.0)).chain([here]).collect();
            b.model.at_most(family, format!("B6_{most}_{j}"), terms, most as f64);
        }
    }
}

/// What several of the families share.
impl Builder {
    /// Numbers of equal tiles that follow each other, where tiles are told apart.
    pub fn equal_tiles(&self) -> Vec<(usize, usize)> {
        let next = |i: usize| (i + 1..=self.tiles()).find(|&other| self.tile(other).number == self.tile(i).number);
        (1..=self.tiles()).filter_map(|i| Some((i, next(i)?))).collect()
    }

    /// Rows `stem_i`: each sort of tile is used as often as the challenge says (C2', B3).
    fn each_sort(&mut self, family: &'static str, stem: &str) {
        for i in 1..=self.tiles() {
            let terms = self.uses(i);
            let count = self.puzzle.tiles.sorts[i - 1].count as f64;
            self.model.equal(family, format!("{stem}_{i}"), terms, count);
        }
    }

    /// Rows `stem_j_l`: lower <= y\[j,l\] <= d - 1 where edge l of place j lies on the rim of the board (C3, B4,
    /// B4+B5).
    fn rim_not_designated(&mut self, family: &'static str, stem: &str, lower: f64) {
        let (boundary, below): (Vec<_>, _) = (self.board().boundary().collect(), self.designated() - 1.0);
        for (j, l) in boundary {
            let y = self.y(j, l);
            self.model.add_row(family, format!("{stem}_{j}_{l}"), [(y, 1.0)], lower, below);
        }
    }

    /// Fixes to 0 every x\[i,j,k\] that shows the designated colour on the rim of the board (C4c, B45c).
    fn forbid_on_rim(&mut self) {
        let boundary: Vec<_> = self.board().boundary().collect();
        for (var, _) in boundary.into_iter().flat_map(|edge| self.showing(edge, self.puzzle.colour)).collect::<Vec<_>>()
        {
            self.model.fix(var, 0.0);
        }
    }

    /// A row: two touching edges both show a colour, or neither does (C4c, B45c).
    fn same_colour(
        &mut self,
        family: &'static str,
        name: String,
        here: (usize, usize),
        there: (usize, usize),
        colour: Colour,
    ) {
        let terms = minus(self.showing(here, colour), self.showing(there, colour));
        self.model.equal(family, name, terms, 0.0);
    }
}
