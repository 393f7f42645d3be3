//! Constraint families that demand a single loop by themselves, so that nothing is cut off and the model is solved once: the known
//! formulations of the travelling salesman whose tour is the designated loop.
//!
//! All use e, 1 where the designated line crosses an edge; the loop begins at place 1. An arc leads from a place over one of its
//! inner edges.

use std::collections::HashMap;

use puzzle::hex::opposite;
use puzzle::tantrix::{Arrangement, trace};

use super::builder::{Builder, Derived};
use crate::error::ModelError;
use crate::family::{FULL, Family, Role, Rows};
use crate::ir::VarId;

/// On boards that the loop fills.
pub(crate) static FAMILIES: [Family; 3] = [
    Family::new("SCF", &FULL, &[Role::Strengthening], Rows::Tantrix(scf))
        .demanding("the loop is single: a flow from place 1 leaves a unit at every other place (on e)")
        .from("Gavish & Graves 1978, for the travelling salesman"),
    Family::new("MCF", &FULL, &[Role::Strengthening], Rows::Tantrix(mcf))
        .demanding("the loop is single: two units flow from place 1 to each other place (on e)")
        .from("Wong 1980 and Claus 1984, for the travelling salesman"),
    Family::new("MTZ", &FULL, &[Role::Strengthening], Rows::Tantrix(mtz))
        .demanding("the loop is single: places are numbered along it (on e)")
        .from("Miller, Tucker & Zemlin 1960, for the travelling salesman"),
];

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

/// SCF: one flow of n - 1 units along the designated line (Gavish & Graves 1978).
///
/// f\[j,l\] in 0..=n-1 flows from place j over its inner edge l; each place but the first keeps a unit, inflow - outflow = 1; and
/// f\[j,l\] + f\[j',l'\] <= (n - 1) e\[j,l\]. So the line joins every place to the first.
fn scf(b: &mut Builder) {
    let all = (b.board().len() - 1) as f64;
    flow(b, "SCF", None, all);
}

/// MCF: a flow for each place (Wong 1980, Claus 1984), of two units, because a loop leads from place 1 to any other in two ways.
///
/// For every place k but the first: f\[k,j,l\] in {0,1}; inflow - outflow is 2 at k and 0 at the others but the first; and
/// f\[k,j,l\] + f\[k,j',l'\] <= e\[j,l\]. A maximal flow is a minimal cut, so the relaxation meets C5 for every part of the board.
fn mcf(b: &mut Builder) {
    for k in 2..=b.board().len() {
        flow(b, "MCF", Some(k), 1.0);
    }
}

/// MTZ: the places are numbered along the loop (Miller, Tucker & Zemlin 1960).
///
/// a\[j,l\] in {0,1} is 1 where the loop leaves place j by its inner edge l: a\[j,l\] + a\[j',l'\] = e\[j,l\], and one arc leaves each
/// place and one enters it. t\[j\] in 1..=n with t\[1\] = 1, and t\[j\] + 1 <= t\[j'\] + n (1 - a\[j,l\]) for every arc to a place j' but
/// the first.
fn mtz(b: &mut Builder) {
    let n = b.board().len() as f64;
    let bounds = |j| (1.0, if j == 1 { 1.0 } else { n });
    let ranks: Vec<VarId> =
        b.board().numbers().map(|j| b.derived(Derived::Rank(j), format!("t_{j}"), bounds(j))).collect();
    let arcs = arcs(b, |j, l| (Derived::Arc(j, l), format!("a_{j}_{l}")), 1.0);
    for ((j, l), (j2, l2), e) in edges(b, "MTZ") {
        let terms = [(arcs[&(j, l)], 1.0), (arcs[&(j2, l2)], 1.0), (e, -1.0)];
        b.model.add_row("MTZ", format!("MTZ_{j}_{l}_arc"), terms, 0.0, 0.0);
        for (from, to, arc) in [(j, j2, arcs[&(j, l)]), (j2, j, arcs[&(j2, l2)])] {
            if to > 1 {
                let terms = [(ranks[from - 1], 1.0), (ranks[to - 1], -1.0), (arc, n)];
                b.model.add_row("MTZ", format!("MTZ_{from}_{to}_next"), terms, f64::NEG_INFINITY, n - 1.0);
            }
        }
    }
    for j in b.board().numbers() {
        let [outwards, inwards] = at(b, &arcs, j);
        b.model.add_row("MTZ", format!("MTZ_{j}_out"), outwards, 1.0, 1.0);
        b.model.add_row("MTZ", format!("MTZ_{j}_in"), inwards, 1.0, 1.0);
    }
}

/// A variable for each arc.
type Arcs = HashMap<(usize, usize), VarId>;

fn arcs(b: &mut Builder, of: impl Fn(usize, usize) -> (Derived, String), most: f64) -> Arcs {
    let ends: Vec<_> = b.board().touching().flat_map(|(here, there)| [here, there]).collect();
    let add = |(j, l)| {
        let (derived, name) = of(j, l);
        ((j, l), b.derived(derived, name, (0.0, most)))
    };
    ends.into_iter().map(add).collect()
}

/// Terms of the arcs that leave a place, and of those that enter it.
fn at(b: &Builder, arcs: &Arcs, j: usize) -> [Vec<(VarId, f64)>; 2] {
    let inner = || b.board().inner_edges(j);
    let leaving = inner().map(|(l, _)| (arcs[&(j, l)], 1.0)).collect();
    [leaving, inner().map(|(l, next)| (arcs[&(next, opposite(l))], 1.0)).collect()]
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
    let flows = arcs(b, |j, l| (Derived::Flow(towards, j, l), format!("f_{stem}{j}_{l}")), most);
    for ((j, l), (j2, l2), e) in edges(b, family) {
        let terms = [(flows[&(j, l)], 1.0), (flows[&(j2, l2)], 1.0), (e, -most)];
        b.model.add_row(family, format!("{family}_{stem}{j}_{l}_open"), terms, f64::NEG_INFINITY, 0.0);
    }
    for j in 2..=b.board().len() {
        let [outwards, inwards] = at(b, &flows, j);
        let terms: Vec<_> = inwards.into_iter().chain(outwards.into_iter().map(|(var, _)| (var, -1.0))).collect();
        let kept = towards.map_or(1.0, |k| if k == j { 2.0 } else { 0.0 });
        b.model.add_row(family, format!("{family}_{stem}{j}_kept"), terms, kept, kept);
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
