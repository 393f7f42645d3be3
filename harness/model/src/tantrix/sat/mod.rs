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

use puzzle::Placement;
use puzzle::tantrix::{Arrangement, BoardTantrix};

pub(crate) use self::variables::Variables;
use super::clauses::Clauses;
use super::cut_off::Found;
use super::cuts::LoopCut;
use super::problem::OnBoard;
use super::{builder, holes};
use crate::error::ModelError;
use crate::formulation::{Cardinality, CutChoice, Holes, Sat, Subloops};
use crate::sat::{Cnf, Lit, exactly};

impl OnBoard for Variables {
    type Form = Cnf;
    type Choices = Sat;
    const UNIT: &'static str = "clause";

    fn new(sat: &Sat, puzzle: &BoardTantrix, full: bool) -> Result<Self, ModelError> {
        builder::check_size(puzzle.tiles.sorts.len(), puzzle.board.len())?;
        let mut variables = Self::of(puzzle.clone(), full);
        add_rules(&mut variables, sat)?;
        if sat.board.subloops == Subloops::Propagate {
            let rule = variables.rule_of_one_loop();
            variables.cnf.set_single_loop(rule);
        }
        Ok(variables)
    }

    fn cuts(sat: &Sat) -> (Option<CutChoice>, Holes) {
        (sat.board.subloops.cuts(), sat.board.holes)
    }

    fn puzzle(&self) -> &BoardTantrix {
        &self.puzzle
    }

    fn model(&self) -> &Cnf {
        &self.cnf
    }

    fn read(&self, values: &[bool]) -> Result<Vec<Placement>, ModelError> {
        let mut placements = Vec::new();
        for (place, i) in self.board().numbers().flat_map(|j| self.sorts().map(move |i| (j, i))) {
            let lying = (1..).zip(self.x(i, place)).filter(|(_, x)| x.holds(values));
            let tile = self.tile(i).number;
            placements.extend(lying.map(|(orientation, _)| Placement { place, tile, orientation }));
        }
        Ok(placements)
    }

    fn write<'a>(&self, lying: impl Iterator<Item = &'a Placement>, _: &Arrangement) -> Vec<bool> {
        let mut x = vec![false; 6 * self.board().len() * self.puzzle.tiles.sorts.len()];
        for p in lying {
            if let Some(i) = self.sorts().find(|&i| self.tile(i).number == p.tile) {
                x[self.x(i, p.place)[p.orientation - 1].var().number() - 1] = true;
            }
        }
        self.cnf.complete(&x)
    }

    fn cut(&mut self, found: &Found) {
        found.loops.iter().for_each(|edges| self.forbid_loop("loops", edges));
        found.parts.iter().for_each(|cut| cut_around(self, cut));
        found.holes.iter().for_each(|cut| self.forbid_hole("holes", cut));
    }
}

impl Clauses for Variables {
    type Literal = Lit;
    const KIND: &'static str = "sat";

    fn line(&self, (j, l): (usize, usize)) -> Option<Lit> {
        self.designated(j, l)
    }

    fn empty(&self, place: usize) -> Option<Lit> {
        self.if_filled(place)
    }

    fn add(&mut self, family: &'static str, clause: Vec<Lit>) {
        self.cnf.add_clause(family, clause);
    }
}

/// Around a part that the loop cannot stay within: if a tile lies in it, an edge that leads out is designated.
fn cut_around(v: &mut Variables, LoopCut { part, cut }: &LoopCut) {
    let border: Vec<Lit> = cut.iter().filter_map(|&(j, l)| v.designated(j, l)).collect();
    if v.full {
        v.cnf.add_clause("loops", border);
    } else {
        for &j in part {
            v.cnf.add_clause("loops", border.iter().copied().chain(v.if_filled(j)));
        }
    }
}

/// Holes of up to so many places are forbidden in advance where holes are cut off.
const SMALL_HOLES: usize = 3;

/// Adds all clauses that stand from the start.
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
        holes::small_holes(&v.puzzle.board, SMALL_HOLES).iter().for_each(|cut| v.forbid_hole("small-holes", cut));
    }
    v.forbid_short_loops("short-loops", sat.board.short_loops)
}

fn place(v: &mut Variables) {
    for j in v.puzzle.board.numbers() {
        let lies: Vec<Lit> = v.sorts().map(|i| v.lies(i, j)).collect();
        if v.full {
            v.cnf.add_clause("place", lies.iter().copied());
        }
        v.cnf.at_most_one("place", &lies);
        for i in v.sorts() {
            let x = v.x(i, j).to_vec();
            v.cnf.at_most_one("place", &x);
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
        v.cnf.at_most_one("colours", &edge);
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

fn check_size(v: &Variables) -> Result<(), ModelError> {
    let (tiles, places) = (v.puzzle.challenge, v.board().len());
    v.cnf.check_size(|| format!("{tiles} tiles on {places} places"), "\"network\" or \"adder\"")
}
