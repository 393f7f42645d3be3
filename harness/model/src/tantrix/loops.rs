//! Constraint families about the designated loop: cuts against subloops, what follows from its being single, short loops.

use puzzle::hex::opposite;
use puzzle::tantrix::TANTRIX;

use super::builder::Builder;
use super::cuts::{LoopCut, edges_of};
use super::cycles::{cycles, most_edges};
use super::single;
use crate::error::ModelError;
use crate::family::{FULL, Family, Role, Rows};
use crate::ir::VarId;

/// Families about the designated loop; some also serve boards with room.
pub(crate) static FAMILIES: [Family; 11] = [
    Family::new("C5", &TANTRIX, &[Role::Cutting], Rows::Cuts(c5))
        .demanding("cuts between subloops are crossed (on z), added after each solve that shows subloops")
        .from("Kino & Uno 2012, section 4.4"),
    Family::new("C5x", &TANTRIX, &[Role::Cutting], Rows::Cuts(c5_x))
        .demanding("cuts between subloops are crossed (on x), added after each solve that shows subloops")
        .from("C5 of Kino & Uno 2012, written on x"),
    Family::new("C6", &FULL, &[Role::Strengthening], Rows::Tantrix(c6))
        .demanding("a place with exactly two neighbours is joined to both by the designated line (on y)")
        .from("Kino & Uno 2012, section 5.2"),
    Family::new("C6x", &FULL, &[Role::Strengthening], Rows::Tantrix(c6_x))
        .demanding("a place with exactly two neighbours is joined to both by the designated line (on x)")
        .from("C6 of Kino & Uno 2012, written on x"),
    Family::new("C7", &TANTRIX, &[Role::Strengthening], Rows::Tantrix(c7))
        .demanding("no designated loop of 3 tiles")
        .from("Kino & Uno 2012, section 5.3"),
    Family::new("C8", &TANTRIX, &[Role::Strengthening], Rows::Tantrix(c8))
        .demanding("no designated loop of 4 tiles")
        .from("Kino & Uno 2012, section 5.3"),
    Family::new("C9", &TANTRIX, &[Role::Strengthening], Rows::Tantrix(c9))
        .demanding("no designated loop of 5 tiles")
        .from("Kino & Uno 2012, section 5.3"),
    short("L5", "no designated loop of up to 5 tiles, by its edges (on x, or on e where a family has it)", |b| {
        all_short(b, "L5")
    }),
    short("L6", "no designated loop of up to 6 tiles, by its edges (on x, or on e where a family has it)", |b| {
        all_short(b, "L6")
    }),
    short("L7", "no designated loop of up to 7 tiles, by its edges (on x, or on e where a family has it)", |b| {
        all_short(b, "L7")
    }),
    short("L8", "no designated loop of up to 8 tiles, by its edges (on x, or on e where a family has it)", |b| {
        all_short(b, "L8")
    }),
];

/// One of L5 to L8.
const fn short(id: &'static str, summary: &'static str, add: fn(&mut Builder)) -> Family {
    Family::new(id, &TANTRIX, &[Role::Strengthening], Rows::Tantrix(add))
        .demanding(summary)
        .from("ours: subtour elimination, Dantzig, Fulkerson & Johnson 1954")
}

/// C5: designated lines cross a cut that they did not cross (Kino & Uno 2012, section 4.4).
///
/// sum over (j,l) in K of z\[j,l\] >= 2 for a cut K, with z <= y/2 - 1/2 and z >= y - 2. Nothing stands from
/// the start; a row is added for each cut after a solve that shows subloops.
///
/// On a bounded board a part may also stay empty, so the printed row would forbid solutions: there is one row for
/// each place p of the part, sum of z >= 2 o\[p\]; and z <= y/3, as y may be 0.
///
/// The sum could be written once, as sum of z >= t and t >= 2 o\[p\] with a variable t in 0..=2. The relaxation is the
/// same and the rows are shorter; HiGHS was no faster with it, and on boards with holes to cut off slower.
fn c5(b: &mut Builder, cut: &LoopCut) {
    let crossing: Vec<_> = cut.cut.iter().map(|&(j, l)| (b.z("C5", j, l), 1.0)).collect();
    demand_crossings(b, "C5", &cut.part, &crossing);
}

/// At least two crossings of the border of a part: always where every place has a tile, else if any of them has.
pub(super) fn demand_crossings(b: &mut Builder, family: &'static str, part: &[usize], crossing: &[(VarId, f64)]) {
    let row = b.model.rows().len();
    if b.full {
        b.model.add_row(family, format!("{family}_{row}"), crossing.iter().copied(), 2.0, f64::INFINITY);
        return;
    }
    for &place in part {
        let terms: Vec<_> = crossing.iter().copied().chain([(b.o(place), -2.0)]).collect();
        b.model.add_row(family, format!("{family}_{row}_{place}"), terms, 0.0, f64::INFINITY);
    }
}

/// C5x: C5 on x, for formulations without y.
///
/// The sum of the x\[i,j,k\] that show the designated colour on an edge of the cut is at least 2; a tile both
/// of whose designated edges lie on the cut counts twice. On a bounded board: >= 2 o\[p\] for each place p of the part.
fn c5_x(b: &mut Builder, cut: &LoopCut) {
    let crossing: Vec<_> = cut.cut.iter().flat_map(|&(j, l)| b.crossing(j, l)).collect();
    demand_crossings(b, "C5x", &cut.part, &crossing);
}

/// C6: around a place with just two neighbours the four touching edges are designated (Kino & Uno 2012,
/// section 5.2).
///
/// y\[j,l\] = y\[a(j,l),l'\] = 3 for both edges l of such a place j that lead to a neighbour.
fn c6(b: &mut Builder) {
    for (j, l) in forced_edges(b) {
        let (y, designated) = (b.y(j, l), b.designated());
        b.model.add_row("C6", format!("C6_{j}_{l}"), [(y, 1.0)], designated, designated);
    }
}

/// The edges that C6 makes designated, on both sides, each once: two neighbouring places with just two
/// neighbours each force the edge between them twice.
pub(super) fn forced_edges(b: &Builder) -> Vec<(usize, usize)> {
    let board = b.board();
    let mut edges: Vec<_> = board
        .numbers()
        .filter(|&j| board.inner_edges(j).count() == 2)
        .flat_map(|j| board.inner_edges(j).flat_map(move |(l, next)| [(j, l), (next, opposite(l))]))
        .collect();
    edges.sort_unstable();
    edges.dedup();
    edges
}

/// C6x: C6 on x, for formulations without y.
///
/// The sum of the x\[i,j,k\] that show the designated colour on a forced edge is 1.
fn c6_x(b: &mut Builder) {
    for (j, l) in forced_edges(b) {
        let terms = b.crossing(j, l);
        b.model.add_row("C6x", format!("C6x_{j}_{l}"), terms, 1.0, 1.0);
    }
}

/// The pairs of touching edges, unless the loop that is looked for may be as short as those that C7 to C9 forbid.
fn touching_where_short(b: &Builder) -> Vec<((usize, usize), (usize, usize))> {
    b.board().touching().filter(|_| b.puzzle.challenge > 5).collect()
}

/// C7: no designated loop of 3 tiles (Kino & Uno 2012, section 5.3, Figure 13a).
///
/// On two adjacent places at most one carries the 120-degree line around a corner that both share: the two
/// together would close a loop of 3 with the third place at that corner. Two rows for each pair of touching
/// edges, one a shared corner; only for challenges of more than 5 tiles.
fn c7(b: &mut Builder) {
    for ((j, l), (j2, l2)) in touching_where_short(b) {
        // The corner ahead (counterclockwise) of edge l, then the one behind it.
        for (side, here, there) in [("a", l % 6 + 1, (l2 + 4) % 6 + 1), ("b", (l + 4) % 6 + 1, l2 % 6 + 1)] {
            let terms: Vec<_> = b.joining(j, (l, here)).into_iter().chain(b.joining(j2, (l2, there))).collect();
            b.model.add_row("C7", format!("C7_{j}_{l}_{side}"), terms, f64::NEG_INFINITY, 1.0);
        }
    }
}

/// C8: no designated loop of 4 tiles (Kino & Uno 2012, section 5.3, Figure 13b).
///
/// On two adjacent places at most one carries the 60-degree line that joins the two edges beside the shared
/// one: the two together would close a loop of 4 with the two places beside. One row for each pair of touching
/// edges; only for challenges of more than 5 tiles.
fn c8(b: &mut Builder) {
    for ((j, l), (j2, l2)) in touching_where_short(b) {
        let beside = |edge: usize| ((edge + 4) % 6 + 1, edge % 6 + 1);
        let terms: Vec<_> = b.joining(j, beside(l)).into_iter().chain(b.joining(j2, beside(l2))).collect();
        b.model.add_row("C8", format!("C8_{j}_{l}"), terms, f64::NEG_INFINITY, 1.0);
    }
}

/// C9: no designated loop of 5 tiles (Kino & Uno 2012, section 5.3, Figure 13c; the paper omits the formulas).
///
/// A loop of 5 runs through a trapezoid: three places in a row and two beside them. Its middle three places
/// are mutually adjacent; one carries a straight line parallel to the side that the other two share, those two
/// carry 60-degree lines joined to each other, and all open towards the two places at the ends of the row. At
/// most two of the three may hold. Six rows a place, less where the places at the ends are not on the board;
/// only for challenges of more than 5 tiles.
fn c9(b: &mut Builder) {
    let step = |edge: usize, by: usize| (edge + by - 1) % 6 + 1;
    for ((left, l), (right, l2)) in touching_where_short(b) {
        // The straight place lies ahead (counterclockwise) of edge l, or behind it; `towards` turns to it.
        for (side, ahead, behind) in [("a", 1, 5), ("b", 5, 1)] {
            let Some(straight) = b.board().neighbour(left, step(l, ahead)) else { continue };
            let (left_out, right_out) = (step(step(l, ahead), ahead), step(step(l2, behind), behind));
            let ends = [b.board().neighbour(left, left_out), b.board().neighbour(right, right_out)];
            if ends.contains(&None) {
                continue;
            }
            let terms: Vec<_> = b
                .joining(left, (l, left_out))
                .into_iter()
                .chain(b.joining(right, (l2, right_out)))
                .chain(b.joining(straight, (l, opposite(l))))
                .collect();
            b.model.add_row("C9", format!("C9_{left}_{l}_{side}"), terms, f64::NEG_INFINITY, 2.0);
        }
    }
}

/// The length of the longest loops that L5 to L8 forbid, which their names say; none of other families.
fn longest(id: &str) -> Option<usize> {
    id.strip_prefix('L')?.parse().ok()
}

/// Most terms of the rows of L5 to L8: a gigabyte or two.
const MOST_TERMS: usize = 50_000_000;

/// Whether the rows of L5 to L8 that are listed are few enough, asked before they are added.
pub(super) fn check_short(listed: &[&Family], b: &Builder) -> Result<(), ModelError> {
    let by_edge = listed.iter().any(|f| f.id == "C4e" || single::FAMILIES.contains(f));
    // Of its six orientations a tile shows each of its colours on an edge in two.
    let on_edge = if by_edge { 1 } else { 2 * b.tiles() };
    for (id, longest) in listed.iter().filter_map(|family| Some((family.id, longest(family.id)?))) {
        let terms = most_edges(b.board(), longest).saturating_mul(on_edge);
        if terms > MOST_TERMS {
            return Err(ModelError::Impossible(format!(
                "{id}: the loops of up to {longest} places on a board of {} make up to {terms} terms, of which there may be \
                 {MOST_TERMS}; C4e makes their rows short, and there are families of shorter loops",
                b.board().len()
            )));
        }
    }
    Ok(())
}

/// L5 to L8: no designated loop of up to so many tiles, but for one of all tiles.
///
/// For every cycle of 3 to so many places that is shorter than the challenge: the designated line crosses at most all but one of the
/// edges between places that follow each other.
fn all_short(b: &mut Builder, family: &'static str) {
    let Some(longest) = longest(family) else { unreachable!("{family} is L and a number") };
    let mut courses = Vec::new();
    cycles(b.board(), longest.min(b.puzzle.challenge - 1), &mut |course| courses.push(course.to_vec()));
    for course in courses {
        let edges = edges_of(b.board(), &course);
        let terms: Vec<_> = edges.iter().flat_map(|&(j, l)| b.crossing(j, l)).collect();
        let places: Vec<_> = course.iter().map(usize::to_string).collect();
        let name = format!("{family}_{}", places.join("_"));
        b.model.add_row(family, name, terms, f64::NEG_INFINITY, (course.len() - 1) as f64);
    }
}
