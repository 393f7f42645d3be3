//! Constraint families about the designated loop: cuts against subloops, what follows from its being single, short loops; and those that
//! demand a single loop by themselves, so that nothing is cut off and the model is solved once.
//!
//! The latter are the known formulations of the travelling salesman whose tour is the designated loop. All use e, 1 where the designated
//! line crosses an edge; the loop begins at place 1. An arc leads from a place over one of its inner edges.

use puzzle::hex::opposite;
use puzzle::tantrix::{Arrangement, TANTRIX, trace};

use super::builder::{Builder, Derived, minus};
use super::cuts::{LoopCut, edges_of};
use super::cycles::{cycles, most_edges};
use crate::error::ModelError;
use crate::family::{FULL, Family, Role, Rows};
use crate::ir::{Term, VarId};

/// One of L5 to L8.
macro_rules! short {
    ($id:literal, $longest:literal) => {
        Family::new($id, &TANTRIX, &[Role::Strengthening], Rows::Tantrix(|b| all_short(b, $id, $longest)))
            .demanding(concat!(
                "no designated loop of up to ",
                $longest,
                " tiles, by its edges (on x, or on e where a family has it)"
            ))
            .from("ours: subtour elimination, Dantzig, Fulkerson & Johnson 1954")
    };
}

/// Families about the designated loop; some also serve boards with room. Those that add e stand before those that use it where it
/// is there ([`Builder::crossing`]).
pub(crate) static FAMILIES: [Family; 14] = [
    Family::new("SCF", &FULL, &[Role::Strengthening, Role::SingleLoop], Rows::Tantrix(scf))
        .demanding("the loop is single: a flow from place 1 leaves a unit at every other place (on e)")
        .from("Gavish & Graves 1978, for the travelling salesman"),
    Family::new("MCF", &FULL, &[Role::Strengthening, Role::SingleLoop], Rows::Tantrix(mcf))
        .demanding("the loop is single: two units flow from place 1 to each other place (on e)")
        .from("Wong 1980 and Claus 1984, for the travelling salesman"),
    Family::new("MTZ", &FULL, &[Role::Strengthening, Role::SingleLoop], Rows::Tantrix(mtz))
        .demanding("the loop is single: places are numbered along it (on e)")
        .from("Miller, Tucker & Zemlin 1960, for the travelling salesman"),
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
    short!("L5", 5),
    short!("L6", 6),
    short!("L7", 7),
    short!("L8", 8),
];

/// C5: sum over (j,l) in K of z\[j,l\] >= 2 for a cut K, with z <= y/2 - 1/2 and z >= y - 2. Nothing stands from
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
fn demand_crossings(b: &mut Builder, family: &'static str, part: &[usize], crossing: &[Term]) {
    let row = b.model.rows().len();
    if b.full {
        return b.model.add_row(family, format!("{family}_{row}"), crossing.iter().copied(), 2.0, f64::INFINITY);
    }
    for &place in part {
        let terms: Vec<_> = crossing.iter().copied().chain([(b.o(place), -2.0)]).collect();
        b.model.add_row(family, format!("{family}_{row}_{place}"), terms, 0.0, f64::INFINITY);
    }
}

/// C5x: the sum of the x\[i,j,k\] that show the designated colour on an edge of the cut is at least 2; a tile both
/// of whose designated edges lie on the cut counts twice. On a bounded board: >= 2 o\[p\] for each place p of the part.
fn c5_x(b: &mut Builder, cut: &LoopCut) {
    let crossing: Vec<_> = cut.cut.iter().flat_map(|&(j, l)| b.crossing(j, l)).collect();
    demand_crossings(b, "C5x", &cut.part, &crossing);
}

/// C6: y\[j,l\] = y\[a(j,l),l'\] = 3 for each place j with exactly two neighbours and both edges l that lead to them.
fn c6(b: &mut Builder) {
    for (j, l) in forced_edges(b) {
        let (y, designated) = (b.y(j, l), b.designated());
        b.model.equal("C6", format!("C6_{j}_{l}"), [(y, 1.0)], designated);
    }
}

/// The edges that C6 makes designated, on both sides, each once: two neighbouring places with just two
/// neighbours each force the edge between them twice.
fn forced_edges(b: &Builder) -> Vec<(usize, usize)> {
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

/// C6x: the sum of the x\[i,j,k\] that show the designated colour on a forced edge is 1.
fn c6_x(b: &mut Builder) {
    for (j, l) in forced_edges(b) {
        let terms = b.crossing(j, l);
        b.model.equal("C6x", format!("C6x_{j}_{l}"), terms, 1.0);
    }
}

/// The pairs of touching edges, unless the loop that is looked for may be as short as those that C7 to C9 forbid.
fn touching_where_short(b: &Builder) -> Vec<((usize, usize), (usize, usize))> {
    b.board().touching().filter(|_| b.puzzle.challenge > 5).collect()
}

/// C7 (Kino & Uno 2012, Figure 13a): on two adjacent places at most one carries the 120-degree line around a corner that both share: the two
/// together would close a loop of 3 with the third place at that corner. Two rows for each pair of touching
/// edges, one a shared corner; only for challenges of more than 5 tiles.
fn c7(b: &mut Builder) {
    for ((j, l), (j2, l2)) in touching_where_short(b) {
        // The corner ahead (counterclockwise) of edge l, then the one behind it.
        for (side, here, there) in [("a", l % 6 + 1, (l2 + 4) % 6 + 1), ("b", (l + 4) % 6 + 1, l2 % 6 + 1)] {
            let terms = [b.joining(j, (l, here)), b.joining(j2, (l2, there))].concat();
            b.model.at_most("C7", format!("C7_{j}_{l}_{side}"), terms, 1.0);
        }
    }
}

/// C8 (Kino & Uno 2012, Figure 13b): on two adjacent places at most one carries the 60-degree line that joins the two edges beside the shared
/// one: the two together would close a loop of 4 with the two places beside. One row for each pair of touching
/// edges; only for challenges of more than 5 tiles.
fn c8(b: &mut Builder) {
    for ((j, l), (j2, l2)) in touching_where_short(b) {
        let beside = |edge: usize| ((edge + 4) % 6 + 1, edge % 6 + 1);
        let terms = [b.joining(j, beside(l)), b.joining(j2, beside(l2))].concat();
        b.model.at_most("C8", format!("C8_{j}_{l}"), terms, 1.0);
    }
}

/// C9 (Kino & Uno 2012, Figure 13c; the paper omits the formulas): a loop of 5 runs through a trapezoid: three places in a row and two beside them. Its middle three places
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
            let lines = [(left, (l, left_out)), (right, (l2, right_out)), (straight, (l, opposite(l)))];
            let terms = lines.map(|(j, edges)| b.joining(j, edges)).concat();
            b.model.at_most("C9", format!("C9_{left}_{l}_{side}"), terms, 2.0);
        }
    }
}

/// Most terms of the rows of L5 to L8: a gigabyte or two.
const MOST_TERMS: usize = 50_000_000;

/// Whether the rows of a family are few enough, if it is one of L5 to L8; asked before they are added.
pub(super) fn check_short(family: &Family, b: &Builder) -> Result<(), ModelError> {
    // Its name says how long the loops are that it forbids.
    let longest = family.id.strip_prefix('L').and_then(|digits| digits.parse().ok());
    // Each edge has the same number of terms.
    let (Some(longest), Some(((j, l), _))) = (longest, b.board().touching().next()) else { return Ok(()) };
    let terms = most_edges(b.board(), longest).saturating_mul(b.crossing(j, l).len());
    if terms <= MOST_TERMS {
        return Ok(());
    }
    Err(ModelError::Impossible(format!(
        "{}: the loops of up to {longest} places on a board of {} make up to {terms} terms, of which there may be {MOST_TERMS}; \
         C4e makes their rows short, and there are families of shorter loops",
        family.id,
        b.board().len()
    )))
}

/// L5 to L8: for every cycle of 3 to `longest` places that is shorter than the challenge, the designated line crosses at most all but one of the
/// edges between places that follow each other.
fn all_short(b: &mut Builder, family: &'static str, longest: usize) {
    let mut courses = Vec::new();
    cycles(b.board(), longest.min(b.puzzle.challenge - 1), &mut |course| courses.push(course.to_vec()));
    for course in courses {
        let edges = edges_of(b.board(), &course);
        let terms: Vec<_> = edges.iter().flat_map(|&(j, l)| b.crossing(j, l)).collect();
        let places: Vec<_> = course.iter().map(usize::to_string).collect();
        let name = format!("{family}_{}", places.join("_"));
        b.model.at_most(family, name, terms, (course.len() - 1) as f64);
    }
}

/// Most flows of MCF, each with a row of its own.
const MOST_FLOWS: usize = 2_000_000;

/// Whether the flows of MCF are few enough, asked before they are added.
pub(super) fn check_flows(b: &Builder) -> Result<(), ModelError> {
    let (places, arcs) = (b.board().len(), 2 * b.board().touching().count());
    let flows = places.saturating_sub(1) * arcs;
    if flows <= MOST_FLOWS {
        return Ok(());
    }
    Err(ModelError::Impossible(format!(
        "MCF: {} flows on each of {arcs} arcs make {flows} variables, of which there may be {MOST_FLOWS}; SCF has one flow",
        places - 1
    )))
}

/// SCF: one flow of n - 1 units along the designated line. f\[j,l\] in 0..=n-1 flows from place j over its inner edge l; each place but the first keeps a unit, inflow - outflow = 1; and
/// f\[j,l\] + f\[j',l'\] <= (n - 1) e\[j,l\]. So the line joins every place to the first.
fn scf(b: &mut Builder) {
    let all = (b.board().len() - 1) as f64;
    flow(b, "SCF", None, all);
}

/// MCF: a flow for each place, of two units, because a loop leads from place 1 to any other in two ways. For every place k but the first: f\[k,j,l\] in {0,1}; inflow - outflow is 2 at k and 0 at the others but the first; and
/// f\[k,j,l\] + f\[k,j',l'\] <= e\[j,l\]. A maximal flow is a minimal cut, so the relaxation meets C5 for every part of the board.
fn mcf(b: &mut Builder) {
    for k in 2..=b.board().len() {
        flow(b, "MCF", Some(k), 1.0);
    }
}

/// MTZ: a\[j,l\] in {0,1} is 1 where the loop leaves place j by its inner edge l: a\[j,l\] + a\[j',l'\] = e\[j,l\], and one arc leaves each
/// place and one enters it. t\[j\] in 1..=n with t\[1\] = 1, and t\[j\] + 1 <= t\[j'\] + n (1 - a\[j,l\]) for every arc to a place j' but
/// the first.
fn mtz(b: &mut Builder) {
    let n = b.board().len() as f64;
    for j in b.board().numbers() {
        b.add(Derived::Rank(j), format!("t_{j}"), (1.0, if j == 1 { 1.0 } else { n }));
    }
    add_arcs(b, |j, l| (Derived::Arc(j, l), format!("a_{j}_{l}")), 1.0);
    for ((j, l), (j2, l2), e) in edges(b, "MTZ") {
        let [out, back] = [b.derived[&Derived::Arc(j, l)], b.derived[&Derived::Arc(j2, l2)]];
        b.model.equal("MTZ", format!("MTZ_{j}_{l}_arc"), [(out, 1.0), (back, 1.0), (e, -1.0)], 0.0);
        for (from, to, arc) in [(j, j2, out), (j2, j, back)] {
            if to > 1 {
                let rank = |j| b.derived[&Derived::Rank(j)];
                let terms = [(rank(from), 1.0), (rank(to), -1.0), (arc, n)];
                b.model.at_most("MTZ", format!("MTZ_{from}_{to}_next"), terms, n - 1.0);
            }
        }
    }
    for j in b.board().numbers() {
        let [outwards, inwards] = arcs_at(b, j, Derived::Arc);
        b.model.equal("MTZ", format!("MTZ_{j}_out"), outwards, 1.0);
        b.model.equal("MTZ", format!("MTZ_{j}_in"), inwards, 1.0);
    }
}

/// Adds a variable for each arc.
fn add_arcs(b: &mut Builder, of: impl Fn(usize, usize) -> (Derived, String), most: f64) {
    let ends: Vec<_> = b.board().touching().flat_map(|(here, there)| [here, there]).collect();
    for (j, l) in ends {
        let (derived, name) = of(j, l);
        b.add(derived, name, (0.0, most));
    }
}

/// Terms of the arcs that leave a place, and of those that enter it.
fn arcs_at(b: &Builder, j: usize, of: impl Fn(usize, usize) -> Derived) -> [Vec<Term>; 2] {
    let term = |j, l| (b.derived[&of(j, l)], 1.0);
    let inner = || b.board().inner_edges(j);
    [inner().map(|(l, _)| term(j, l)).collect(), inner().map(|(l, next)| term(next, opposite(l))).collect()]
}

/// A pair of touching edges, and e of the designated colour.
type Edge = ((usize, usize), (usize, usize), VarId);

fn edges(b: &mut Builder, family: &'static str) -> Vec<Edge> {
    let (touching, designated): (Vec<_>, _) = (b.board().touching().collect(), b.puzzle.colour);
    touching.into_iter().map(|(here, there)| (here, there, b.e(family, here.0, here.1, designated))).collect()
}

/// A flow from place 1 towards one place, or a unit for each, of at most so much on an edge of the loop.
fn flow(b: &mut Builder, family: &'static str, towards: Option<usize>, most: f64) {
    let stem = towards.map_or(String::new(), |k| format!("{k}_"));
    let arc = |j, l| Derived::Flow(towards, j, l);
    add_arcs(b, |j, l| (arc(j, l), format!("f_{stem}{j}_{l}")), most);
    for ((j, l), (j2, l2), e) in edges(b, family) {
        let terms = [(b.derived[&arc(j, l)], 1.0), (b.derived[&arc(j2, l2)], 1.0), (e, -most)];
        b.model.at_most(family, format!("{family}_{stem}{j}_{l}_open"), terms, 0.0);
    }
    for j in 2..=b.board().len() {
        let [outwards, inwards] = arcs_at(b, j, arc);
        let kept = towards.map_or(1.0, |k| if k == j { 2.0 } else { 0.0 });
        b.model.equal(family, format!("{family}_{stem}{j}_kept"), minus(inwards, outwards), kept);
    }
}

/// The loops of an arrangement as the variables of these families describe them.
pub(super) struct Tour {
    /// By place, from 1: the loop and how far along it, the loop of place 1 from there.
    along: Vec<Option<(usize, usize)>>,
    lengths: Vec<usize>,
    places: usize,
}

impl Tour {
    pub fn new(b: &Builder, arrangement: &Arrangement) -> Self {
        let loops = trace(b.board(), arrangement, b.puzzle.colour).loops;
        let mut along = vec![None; b.board().len() + 1];
        for (number, course) in loops.iter().enumerate() {
            let first = course.iter().position(|&j| j == 1).unwrap_or(0);
            for step in 0..course.len() {
                along[course[(first + step) % course.len()]] = Some((number, step));
            }
        }
        Self { along, lengths: loops.iter().map(Vec::len).collect(), places: b.board().len() }
    }

    /// How far along the loop of place 1 a place is.
    fn step(&self, j: usize) -> Option<usize> {
        let (number, step) = self.along[j]?;
        (Some(number) == self.along[1].map(|(first, _)| first)).then_some(step)
    }

    /// 1 where a loop leaves a place towards the next.
    pub fn arc(&self, j: usize, next: usize) -> f64 {
        let (Some((here, step)), Some((there, after))) = (self.along[j], self.along[next]) else { return 0.0 };
        f64::from(u8::from(here == there && (step + 1) % self.lengths[here] == after))
    }

    /// The number of a place along the loop of place 1.
    pub fn rank(&self, j: usize) -> f64 {
        self.step(j).unwrap_or(0) as f64 + 1.0
    }

    /// What flows from a place to the next.
    pub fn flow(&self, towards: Option<usize>, j: usize, next: usize) -> f64 {
        let Some(step) = self.step(j) else { return 0.0 };
        let Some(k) = towards else { return self.arc(j, next) * (self.places - 1).saturating_sub(step) as f64 };
        let Some(end) = self.step(k) else { return 0.0 };
        let (ahead, back) = (step < end, step > end || step == 0);
        if ahead && self.arc(j, next) == 1.0 || back && self.arc(next, j) == 1.0 { 1.0 } else { 0.0 }
    }
}
