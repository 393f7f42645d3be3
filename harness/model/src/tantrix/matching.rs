//! Constraint families on touching edges and on the rim: colours match, designated lines do not end.

use puzzle::tantrix::Colour;

use super::builder::Builder;
use crate::family::{FULL, Family, Role, Rows, SPARSE};

/// Of boards with room.
pub(crate) static BOUNDED: [Family; 4] = [
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
];

/// Of fixed boards.
pub(crate) static FIXED: [Family; 5] = [
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

/// B4: an edge beside no tile is not designated (Kino & Uno, slides; Bindhu & Varkey 2024, C4).
///
/// y\[j,l\] <= 2 on the rim of the board, and y\[j,l\] <= 2 + o\[j'\] where edge l of place j touches place j'. The
/// sources print only the combination of B4 and B5, which is the family `B4+B5`.
fn b4(b: &mut Builder) {
    let below = b.designated() - 1.0;
    b.rim_not_designated("B4", "B4_rim", f64::NEG_INFINITY);
    let board = b.board();
    let inner: Vec<_> = board.numbers().flat_map(|j| board.inner_edges(j).map(move |(l, next)| (j, l, next))).collect();
    for (j, l, next) in inner {
        let terms = [(b.y(j, l), 1.0), (b.o(next), -1.0)];
        b.model.add_row("B4", format!("B4_{j}_{l}"), terms, f64::NEG_INFINITY, below);
    }
}

/// B5: touching edges of two tiles match (Kino & Uno, slides; Bindhu & Varkey 2024, C5).
///
/// -3 (2 - o\[j\] - o\[j'\]) <= y\[j,l\] - y\[j',l'\] <= 3 (2 - o\[j\] - o\[j'\]): equal where both places have a
/// tile, free where one is empty. The sources print only the combination of B4 and B5, which is the family `B4+B5`.
fn b5(b: &mut Builder) {
    let (touching, d): (Vec<_>, _) = (b.board().touching().collect(), b.designated());
    for ((j, l), (j2, l2)) in touching {
        let (here, there, occupied) = (b.y(j, l), b.y(j2, l2), [(b.o(j), d), (b.o(j2), d)]);
        for (side, sign) in [("a", 1.0), ("b", -1.0)] {
            let terms = [(here, sign), (there, -sign)].into_iter().chain(occupied);
            b.model.add_row("B5", format!("B5_{j}_{l}_{side}"), terms, f64::NEG_INFINITY, 2.0 * d);
        }
    }
}

/// B4+B5 in one: touching edges match, and an edge beside no tile is not designated (Kino & Uno, slides;
/// Bindhu & Varkey 2024, combined C4+C5).
///
/// -2 u\[j,j'\] <= y\[j,l\] - y\[j',l'\] <= 2 u\[j,j'\], where u\[j,j'\] may be 1 only if exactly one of the two
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
            b.model.add_row("B4+B5", format!("B45_{j}_{l}_{side}"), terms, f64::NEG_INFINITY, 0.0);
        }
    }
}

/// B45c: B4 and B5 colour by colour, on x alone.
///
/// Let s(j,l,c) be the sum of the x that show colour c on edge l of place j. For each pair of touching edges
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
                let clash = b.turned(|tile, k| tile.colour(k, there.1) != colour);
                let clash = clash.into_iter().map(|(i, k)| (b.x(i, there.0, k), 1.0));
                let terms: Vec<_> = b.showing(here.0, here.1, colour).into_iter().chain(clash).collect();
                let name = format!("B45c_{j}_{l}_{colour}_{side}");
                b.model.add_row("B45c", name, terms, f64::NEG_INFINITY, 1.0);
            }
        }
    }
}

/// C3: edges on the boundary are not designated (Kino & Uno 2012, section 4.2).
///
/// 1 <= y\[j,l\] <= 2 where a(j,l) = 0.
fn c3(b: &mut Builder) {
    b.rim_not_designated("C3", "C3", 1.0);
}

/// C3x: C3 on x, for formulations without y.
///
/// sum of the x\[i,j,k\] that show the designated colour on edge l = 0 where a(j,l) = 0.
fn c3_x(b: &mut Builder) {
    let boundary: Vec<_> = b.board().boundary().collect();
    for (j, l) in boundary {
        let terms = b.showing(j, l, b.puzzle.colour);
        b.model.add_row("C3x", format!("C3x_{j}_{l}"), terms, 0.0, 0.0);
    }
}

/// C4: touching edges match (Kino & Uno 2012, section 4.2).
///
/// y\[j,l\] = y\[j',l'\] where edge l of place j touches edge l' of place j'.
fn c4(b: &mut Builder) {
    let touching: Vec<_> = b.board().touching().collect();
    for ((j, l), (j2, l2)) in touching {
        let terms = [(b.y(j, l), 1.0), (b.y(j2, l2), -1.0)];
        b.model.add_row("C4", format!("C4_{j}_{l}"), terms, 0.0, 0.0);
    }
}

/// C4c: matching and boundary colour by colour, on x alone.
///
/// For each pair of touching edges and each colour, the sum of the x that show the colour on one side equals
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

/// C4e: C4c by a variable for each pair of touching edges and each colour.
///
/// e\[j,l,c\] = the sum of the x that show the colour on edge l of place j = the sum of those that show it on the edge beyond. The bounds
/// are those of C4c and the relaxation is the same. A solver can branch on the edges, and rows about the line (C5x, C6x, L5 to L8, SCF,
/// MCF, MTZ) are short.
fn c4_edges(b: &mut Builder) {
    b.forbid_on_rim();
    let touching: Vec<_> = b.board().touching().collect();
    for ((j, l), (j2, l2)) in touching {
        for colour in b.colours() {
            let e = b.e("C4e", j, l, colour);
            let terms: Vec<_> = b.showing(j2, l2, colour).into_iter().chain([(e, -1.0)]).collect();
            b.model.add_row("C4e", format!("C4e_{j}_{l}_{colour}"), terms, 0.0, 0.0);
        }
    }
}

/// Rows and bounds that several of the families share.
impl Builder {
    /// Rows `stem_j_l`: lower <= y\[j,l\] <= d - 1 where edge l of place j lies on the rim of the board (C3, B4,
    /// B4+B5).
    pub fn rim_not_designated(&mut self, family: &'static str, stem: &str, lower: f64) {
        let (boundary, below): (Vec<_>, _) = (self.board().boundary().collect(), self.designated() - 1.0);
        for (j, l) in boundary {
            let y = self.y(j, l);
            self.model.add_row(family, format!("{stem}_{j}_{l}"), [(y, 1.0)], lower, below);
        }
    }

    /// Fixes to 0 every x\[i,j,k\] that shows the designated colour on the rim of the board (C4c, B45c).
    pub fn forbid_on_rim(&mut self) {
        let boundary: Vec<_> = self.board().boundary().collect();
        for (j, l) in boundary {
            for (var, _) in self.showing(j, l, self.puzzle.colour) {
                self.model.fix(var, 0.0);
            }
        }
    }

    /// A row: two touching edges (j, l) both show a colour, or neither does (C4c, B45c).
    pub fn same_colour(
        &mut self,
        family: &'static str,
        name: String,
        here: (usize, usize),
        there: (usize, usize),
        colour: Colour,
    ) {
        let beyond = self.showing(there.0, there.1, colour).into_iter().map(|(var, _)| (var, -1.0));
        let terms: Vec<_> = self.showing(here.0, here.1, colour).into_iter().chain(beyond).collect();
        self.model.add_row(family, name, terms, 0.0, 0.0);
    }
}
