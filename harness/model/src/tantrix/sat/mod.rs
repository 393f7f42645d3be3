//! A board as clauses: the direct encoding with a variable for each colour of each touching edge.
//!
//! The clauses of the rules, by families:
//!
//! | family | what it demands |
//! |---|---|
//! | place | one tile on each place, or at most one; in one orientation |
//! | rim | designated lines do not leave the board |
//! | colours | an edge shows one colour |
//! | lines | two designated edges at a place, none at an empty one: follows from the others, and shows at once what lines can do |
//! | turns | where two edges of a place show one colour, a line of the tile joins them: follows too |
//! | count | every sort as often as the challenge says |
//! | around-empty | at most 5, 4 or 3 tiles around an empty place (B6, B6', B6'') |
//! | small-holes | no hole of up to 3 places, where holes are cut off |
//! | short-loops | no designated loop of up to L places, if the challenge has more tiles |

mod variables;

use puzzle::tantrix::BoardTantrix;
use puzzle::{Placement, Solution};

use self::variables::Variables;
use super::builder;
use super::cut_off::CutOff;
use super::cuts::{LoopCut, edges_of};
use super::cycles::{check_cycles, cycles};
use super::holes::{self, HoleCut};
use super::natural::OnBoard;
use crate::error::ModelError;
use crate::formulation::{Cardinality, Holes, Sat, Subloops};
use crate::problem::{Problem, Separation};
use crate::sat::{Cnf, Lit, exactly};
use crate::single_loop::{LoopEdge, SingleLoop};

/// See [`Problem`].
pub(crate) struct SatProblem {
    instance: String,
    variables: Variables,
    cut_off: CutOff,
}

impl OnBoard for SatProblem {
    type Form = Cnf;
    type Choices = Sat;

    fn new(sat: &Sat, instance: &str, puzzle: &BoardTantrix, full: bool) -> Result<Self, ModelError> {
        builder::check_size(puzzle.tiles.sorts.len(), puzzle.board.len())?;
        let mut variables = Variables::new(puzzle.clone(), full);
        add_rules(&mut variables, sat)?;
        if sat.board.subloops == Subloops::Propagate {
            let rule = single_loop(&variables);
            variables.cnf.set_single_loop(rule);
        }
        let cut_off = CutOff::new(sat.board.subloops.cuts(), sat.board.holes == Holes::Resolve, "clause");
        Ok(Self { instance: instance.to_owned(), variables, cut_off })
    }

    fn puzzle(&self) -> &BoardTantrix {
        &self.variables.puzzle
    }
}

impl SatProblem {
    /// Around a part that the loop cannot stay within: if a tile lies in it, an edge that leads out is designated.
    fn cut_around(&mut self, LoopCut { part, cut }: &LoopCut) {
        let v = &mut self.variables;
        let border: Vec<Lit> = cut.iter().filter_map(|&(j, l)| v.designated(j, l)).collect();
        if v.full {
            v.cnf.add_clause("loops", border);
        } else {
            for &j in part {
                v.cnf.add_clause("loops", border.iter().copied().chain(v.if_filled(j)));
            }
        }
    }
}

impl Problem<Cnf> for SatProblem {
    fn model(&self) -> &Cnf {
        &self.variables.cnf
    }

    fn decode(&self, values: &[bool]) -> Result<Solution, ModelError> {
        let v = &self.variables;
        let expected = v.cnf.variables();
        if values.len() != expected {
            return Err(ModelError::Length { found: values.len(), expected });
        }
        let mut placements = Vec::new();
        for j in v.board().numbers() {
            for i in v.sorts() {
                let lying = (1..).zip(v.x(i, j)).filter(|(_, x)| x.holds(values));
                let tile = v.tile(i).number;
                placements.extend(lying.map(|(orientation, _)| Placement { place: j, tile, orientation }));
            }
        }
        Ok(Solution::on_places(&self.instance, placements))
    }

    fn encode(&self, solution: &Solution) -> Vec<bool> {
        let v = &self.variables;
        let mut x = vec![false; v.number_of_x()];
        let there_is = |p: &&Placement| v.board().numbers().contains(&p.place) && (1..=6).contains(&p.orientation);
        for p in solution.placements.iter().filter(there_is) {
            if let Some(i) = v.sorts().find(|&i| v.tile(i).number == p.tile) {
                x[v.x(i, p.place)[p.orientation - 1].var().number() - 1] = true;
            }
        }
        v.cnf.complete(&x)
    }

    fn separate(&mut self, solution: &Solution) -> Separation {
        let found = self.cut_off.separate(&self.variables.puzzle, solution);
        let v = &mut self.variables;
        for edges in &found.loops {
            let clause = loop_clause(v, edges);
            v.cnf.add_clause("loops", clause);
        }
        found.parts.iter().for_each(|cut| self.cut_around(cut));
        for cut in &found.holes {
            let clause = hole_clause(&self.variables, cut);
            self.variables.cnf.add_clause("holes", clause);
        }
        found.separation
    }

    fn forbidden_by(&self, solution: &Solution) -> Option<String> {
        self.cut_off.forbids(self.puzzle(), solution)
    }
}

/// Bytes that the clauses of a formula may take: a solver takes several times as many.
const MOST_BYTES: usize = 1 << 30;

/// Holes of up to so many places are forbidden in advance where holes are cut off.
const SMALL_HOLES: usize = 3;

/// Adds all clauses that stand from the start.
///
/// # Errors
/// More clauses than a solver could be given.
fn add_rules(v: &mut Variables, sat: &Sat) -> Result<(), ModelError> {
    for rule in [place, rim, colours, lines, turns] {
        rule(v);
        check_size(v)?;
    }
    count(v, sat.cardinality)?;
    if let Some(most) = sat.board.around_empty {
        around_empty(v, most);
    }
    if sat.board.holes == Holes::Resolve {
        small_holes(v);
    }
    short_loops(v, sat.board.short_loops)
}

fn place(v: &mut Variables) {
    for j in v.puzzle.board.numbers() {
        let lies: Vec<Lit> = v.sorts().map(|i| v.lies(i, j)).collect();
        if v.full {
            v.cnf.add_clause("place", lies.iter().copied());
        }
        at_most_one(v, "place", &lies);
        for i in v.sorts() {
            let x = v.x(i, j).to_vec();
            at_most_one(v, "place", &x);
        }
    }
}

fn at_most_one(v: &mut Variables, family: &'static str, literals: &[Lit]) {
    for (index, &a) in literals.iter().enumerate() {
        for &b in &literals[index + 1..] {
            v.cnf.add_clause(family, [!a, !b]);
        }
    }
}

fn rim(v: &mut Variables) {
    let boundary: Vec<_> = v.board().boundary().collect();
    for (j, l) in boundary {
        for x in v.showing(j, l, v.puzzle.colour) {
            v.cnf.add_clause("rim", [!x]);
        }
    }
}

fn colours(v: &mut Variables) {
    let pairs: Vec<_> = v.board().touching().collect();
    for ((j, l), (next, _)) in pairs {
        let edge = v.edge(j, l).to_vec();
        at_most_one(v, "colours", &edge);
        // Some colour, where a tile lies on one of the sides.
        if v.full {
            v.cnf.add_clause("colours", edge);
        } else {
            for side in [j, next] {
                v.cnf.add_clause("colours", v.if_filled(side).into_iter().chain(edge.iter().copied()));
            }
        }
    }
}

fn lines(v: &mut Variables) {
    for j in v.puzzle.board.numbers() {
        let around = v.designated_around(j);
        for (a, b, c) in triples(&around) {
            v.cnf.add_clause("lines", [!a, !b, !c]);
        }
        let filled = v.filled(j);
        for &one in &around {
            let others = around.iter().copied().filter(|&other| other != one);
            v.cnf.add_clause("lines", others.chain(v.if_filled(j)));
            if let Some(filled) = filled {
                v.cnf.add_clause("lines", [!one, filled]);
            }
        }
    }
}

fn turns(v: &mut Variables) {
    let pairs = || (1..=6).flat_map(|a| (a + 1..=6).map(move |b| (a, b)));
    for (j, (a, b)) in v.puzzle.board.numbers().flat_map(|j| pairs().map(move |pair| (j, pair))) {
        for (index, colour) in v.colours.clone().into_iter().enumerate() {
            let (Some(&first), Some(&second)) = (v.edge(j, a).get(index), v.edge(j, b).get(index)) else { continue };
            let joining = v.turned(j, |tile, k| tile.colour(k, a) == colour && tile.colour(k, b) == colour);
            // Other colours than the designated one may be those of the neighbours of an empty place.
            let if_filled = v.if_filled(j).filter(|_| colour != v.puzzle.colour);
            v.cnf.add_clause("turns", joining.into_iter().chain(if_filled).chain([!first, !second]));
        }
    }
}

fn triples(literals: &[Lit]) -> impl Iterator<Item = (Lit, Lit, Lit)> {
    let n = literals.len();
    let indices = (0..n).flat_map(move |a| (a + 1..n).flat_map(move |b| (b + 1..n).map(move |c| (a, b, c))));
    indices.map(|(a, b, c)| (literals[a], literals[b], literals[c]))
}

fn count(v: &mut Variables, encoding: Cardinality) -> Result<(), ModelError> {
    for i in v.sorts() {
        let (lies, before) = (v.lies_anywhere(i).to_vec(), v.cnf.variables());
        exactly(&mut v.cnf, "count", encoding, &lies, v.puzzle.tiles.sorts[i - 1].count);
        v.cnf.name_from(before, format!("auxiliaries ({encoding}) that count sort {i}"));
        check_size(v)?;
    }
    Ok(())
}

/// Of every b + 1 neighbours of an empty place one is empty.
fn around_empty(v: &mut Variables, most: usize) {
    for j in v.puzzle.board.numbers() {
        let Some(here) = v.filled(j) else { continue };
        let around: Vec<Lit> = v.board().inner_edges(j).filter_map(|(_, next)| v.if_filled(next)).collect();
        for chosen in 0..1_u32 << around.len() {
            if chosen.count_ones() as usize == most + 1 {
                let those = around.iter().enumerate().filter(|(at, _)| chosen >> at & 1 == 1).map(|(_, &lit)| lit);
                v.cnf.add_clause("around-empty", those.chain([here]));
            }
        }
    }
}

fn small_holes(v: &mut Variables) {
    for cut in holes::small_holes(&v.puzzle.board, SMALL_HOLES) {
        let clause = hole_clause(v, &cut);
        v.cnf.add_clause("small-holes", clause);
    }
}

/// The clause against a hole: some place of the ring around it is empty, or some place of it is not.
fn hole_clause(v: &Variables, HoleCut { hole, ring }: &HoleCut) -> Vec<Lit> {
    let ring = ring.iter().filter_map(|&j| v.if_filled(j));
    ring.chain(hole.iter().filter_map(|&j| v.filled(j))).collect()
}

fn short_loops(v: &mut Variables, longest: usize) -> Result<(), ModelError> {
    let longest = longest.min(v.puzzle.challenge - 1);
    let board = v.puzzle.board.clone();
    check_cycles("sat", &board, longest)?;
    cycles(&board, longest, &mut |course| {
        let clause = loop_clause(v, &edges_of(v.board(), course));
        v.cnf.add_clause("short-loops", clause);
    });
    Ok(())
}

/// The clause against a loop of these edges: one of them is not designated.
fn loop_clause(v: &Variables, edges: &[(usize, usize)]) -> Vec<Lit> {
    edges.iter().filter_map(|&(j, l)| v.designated(j, l)).map(|designated| !designated).collect()
}

/// The rule of the single loop over the designated edges, for solvers that keep it while they search.
fn single_loop(v: &Variables) -> SingleLoop<Lit> {
    let edge = |((j, l), (next, _)): ((usize, usize), (usize, usize))| {
        Some(LoopEdge { ends: [j - 1, next - 1], designated: v.designated(j, l)? })
    };
    SingleLoop {
        nodes: v.board().len(),
        length: v.puzzle.challenge,
        edges: v.board().touching().filter_map(edge).collect(),
    }
}

/// Whether the formula is still small enough.
fn check_size(v: &Variables) -> Result<(), ModelError> {
    if v.cnf.bytes() <= MOST_BYTES {
        return Ok(());
    }
    let reason = format!(
        "{} tiles on {} places make clauses of more than {} MiB, which is the most there may be here; fewer come of \
         cardinality = \"network\" or \"adder\"",
        v.puzzle.challenge,
        v.board().len(),
        MOST_BYTES >> 20
    );
    Err(ModelError::kind("sat", reason))
}
