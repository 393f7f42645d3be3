//! A board as clauses: the direct encoding with a variable for each colour of each touching edge.
//!
//! Indices are the papers': sort i, place j, orientation k, edge l, all from 1.
//!
//! | variable | holds where |
//! |---|---|
//! | x\[i,j,k\] | a tile of sort i lies on place j in orientation k |
//! | lies\[i,j\] | a tile of sort i lies on place j |
//! | filled\[j\] | a tile lies on place j; only on boards with room |
//! | edge\[j,l,c\] | the edge l of place j shows colour c on its one side or on its other; one variable for both sides |
//!
//! The clauses of the rules, by families; those named like a variable define it by the x:
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

use std::ops::RangeInclusive;

use puzzle::Placement;
use puzzle::hex::EDGES;
use puzzle::tantrix::{Arrangement, Board, BoardTantrix, Colour, Tile};

use super::builder;
use super::cuts::{Found, LoopCut, small_holes};
use super::problem::{Clauses, OnBoard};
use crate::error::ModelError;
use crate::formulation::{Approach, Cardinality, Formulation, FormulationKind, Holes, Subloops};
use crate::sat::{Cnf, Lit, exactly};

/// Holes of up to so many places are forbidden in advance where holes are cut off.
const SMALL_HOLES: usize = 3;

/// A formula under construction: the puzzle, the variables by their indices, the clauses so far.
pub(crate) struct Variables {
    puzzle: BoardTantrix,
    cnf: Cnf,
    /// Whether every place has a tile.
    full: bool,
    colours: Vec<Colour>,
    /// By sort, place and orientation.
    x: Vec<Vec<Lit>>,
    lies: Vec<Vec<Lit>>,
    filled: Vec<Lit>,
    /// By place and edge, where a place of the board lies beyond; by colour.
    edges: Vec<[Vec<Lit>; 6]>,
}

impl Variables {
    /// Starts a formula with all variables and their definitions.
    fn of(puzzle: BoardTantrix, full: bool) -> Self {
        let mut all = Self {
            cnf: Cnf::default(),
            full,
            colours: puzzle.tiles.colours(),
            x: Vec::new(),
            lies: Vec::new(),
            filled: Vec::new(),
            edges: vec![Default::default(); puzzle.board.len()],
            puzzle,
        };
        all.add_x();
        all.add_lies();
        if !full {
            all.add_filled();
        }
        all.add_edges();
        all
    }

    fn board(&self) -> &Board {
        &self.puzzle.board
    }

    /// The sorts, by i.
    fn sorts(&self) -> RangeInclusive<usize> {
        1..=self.puzzle.tiles.sorts.len()
    }

    fn tile(&self, i: usize) -> &Tile {
        &self.puzzle.tiles.sorts[i - 1].tile
    }

    /// x\[i,j,k\] for all k.
    fn x(&self, i: usize, j: usize) -> &[Lit] {
        &self.x[i - 1][(j - 1) * 6..j * 6]
    }

    /// The x of place j whose tile in its orientation satisfies a condition.
    fn turned(&self, j: usize, condition: impl Fn(&Tile, usize) -> bool) -> Vec<Lit> {
        let all = self.sorts().flat_map(|i| (1..).zip(self.x(i, j)).map(move |(k, &x)| (i, k, x)));
        all.filter(|&(i, k, _)| condition(self.tile(i), k)).map(|(_, _, x)| x).collect()
    }

    /// The x of place j that show a colour on edge l.
    fn showing(&self, j: usize, l: usize, colour: Colour) -> Vec<Lit> {
        self.turned(j, |tile, k| tile.colour(k, l) == colour)
    }

    /// lies\[i,j\].
    fn lies(&self, i: usize, j: usize) -> Lit {
        self.lies[i - 1][j - 1]
    }

    /// lies\[i,j\] for all j.
    fn lies_anywhere(&self, i: usize) -> &[Lit] {
        &self.lies[i - 1]
    }

    /// filled\[j\], negated; nothing where every place has a tile. In front of a clause it means: if a tile lies there.
    fn if_filled(&self, j: usize) -> Option<Lit> {
        self.filled.get(j - 1).map(|&filled| !filled)
    }

    /// filled\[j\].
    fn filled(&self, j: usize) -> Option<Lit> {
        self.filled.get(j - 1).copied()
    }

    /// edge\[j,l,c\] for all c in the order of the colours; none at the rim of the board.
    fn edge(&self, j: usize, l: usize) -> &[Lit] {
        &self.edges[j - 1][l - 1]
    }

    /// edge\[j,l,c\] for the designated colour c; `None` at the rim of the board.
    fn designated(&self, j: usize, l: usize) -> Option<Lit> {
        let index = self.colours.iter().position(|&c| c == self.puzzle.colour)?;
        self.edge(j, l).get(index).copied()
    }

    fn designated_around(&self, j: usize) -> Vec<Lit> {
        EDGES.into_iter().filter_map(|l| self.designated(j, l)).collect()
    }

    fn add_x(&mut self) {
        for i in self.sorts() {
            let x =
                self.puzzle.board.numbers().flat_map(|j| self.cnf.add_named(6, format!("x_{i}_{j}_1 to x_{i}_{j}_6")));
            self.x.push(x.collect());
        }
    }

    fn add_lies(&mut self) {
        let places = self.puzzle.board.len();
        for i in self.sorts() {
            let lies = self.cnf.add_named(places, format!("lies_{i}_1 to lies_{i}_{places}"));
            for (j, &lies) in (1..).zip(&lies) {
                self.cnf.define_any("lies", lies, &self.x[i - 1][(j - 1) * 6..j * 6]);
            }
            self.lies.push(lies);
        }
    }

    fn add_filled(&mut self) {
        let places = self.puzzle.board.len();
        self.filled = self.cnf.add_named(places, format!("filled_1 to filled_{places}"));
        for j in self.puzzle.board.numbers() {
            let lies: Vec<Lit> = self.sorts().map(|i| self.lies(i, j)).collect();
            self.cnf.define_any("filled", self.filled[j - 1], &lies);
        }
    }

    /// Each side shows what the edge shows, so that touching edges match; a side without a tile shows nothing, and
    /// there the edge shows what the other does. The designated colour needs both sides.
    fn add_edges(&mut self) {
        let pairs: Vec<_> = self.puzzle.board.touching().collect();
        let names: Vec<&str> = self.colours.iter().map(|c| c.name()).collect();
        for ((j, l), (next, opposite)) in pairs {
            let meaning = format!("edge_{j}_{l} (edge_{next}_{opposite}) {}", names.join(" "));
            let edge = self.cnf.add_named(self.colours.len(), meaning);
            for (&shown, colour) in edge.iter().zip(self.colours.clone()) {
                let designated = colour == self.puzzle.colour;
                for (j, l) in [(j, l), (next, opposite)] {
                    let showing = self.showing(j, l, colour);
                    for &x in &showing {
                        self.cnf.add_clause("edges", [!x, shown]);
                    }
                    let if_filled = self.if_filled(j).filter(|_| !designated);
                    self.cnf.add_clause("edges", showing.into_iter().chain(if_filled).chain([!shown]));
                }
                if let (Some(here), Some(there), false) = (self.filled(j), self.filled(next), designated) {
                    self.cnf.add_clause("edges", [here, there, !shown]);
                }
            }
            self.edges[j - 1][l - 1].clone_from(&edge);
            self.edges[next - 1][opposite - 1] = edge;
        }
    }

    /// Around a part that the loop cannot stay within: if a tile lies in it, an edge that leads out is designated.
    fn cut_around(&mut self, LoopCut { part, cut }: &LoopCut) {
        let border: Vec<Lit> = cut.iter().filter_map(|&(j, l)| self.designated(j, l)).collect();
        if self.full {
            self.cnf.add_clause("loops", border);
        } else {
            for &j in part {
                self.cnf.add_clause("loops", border.iter().copied().chain(self.if_filled(j)));
            }
        }
    }

    /// Adds the clauses of the rules.
    fn add_rules(&mut self, encoding: Cardinality) -> Result<(), ModelError> {
        for rule in [Self::place, Self::rim, Self::colours, Self::lines, Self::turns] {
            rule(self);
            self.check_size()?;
        }
        self.count(encoding)
    }

    fn place(&mut self) {
        for j in self.puzzle.board.numbers() {
            let lies: Vec<Lit> = self.sorts().map(|i| self.lies(i, j)).collect();
            if self.full {
                self.cnf.add_clause("place", lies.iter().copied());
            }
            self.cnf.at_most_one("place", &lies);
            for i in self.sorts() {
                let x = self.x(i, j).to_vec();
                self.cnf.at_most_one("place", &x);
            }
        }
    }

    fn rim(&mut self) {
        let boundary: Vec<_> = self.board().boundary().collect();
        for (j, l) in boundary {
            for x in self.showing(j, l, self.puzzle.colour) {
                self.cnf.add_clause("rim", [!x]);
            }
        }
    }

    fn colours(&mut self) {
        let pairs: Vec<_> = self.board().touching().collect();
        for ((j, l), (next, _)) in pairs {
            let edge = self.edge(j, l).to_vec();
            self.cnf.at_most_one("colours", &edge);
            // Some colour, where a tile lies on one of the sides.
            if self.full {
                self.cnf.add_clause("colours", edge);
            } else {
                for side in [j, next] {
                    self.cnf.add_clause("colours", self.if_filled(side).into_iter().chain(edge.iter().copied()));
                }
            }
        }
    }

    fn lines(&mut self) {
        for j in self.puzzle.board.numbers() {
            let around = self.designated_around(j);
            for (a, b, c) in triples(&around) {
                self.cnf.add_clause("lines", [!a, !b, !c]);
            }
            let filled = self.filled(j);
            for &one in &around {
                let others = around.iter().copied().filter(|&other| other != one);
                self.cnf.add_clause("lines", others.chain(self.if_filled(j)));
                if let Some(filled) = filled {
                    self.cnf.add_clause("lines", [!one, filled]);
                }
            }
        }
    }

    fn turns(&mut self) {
        let pairs = || (1..=6).flat_map(|a| (a + 1..=6).map(move |b| (a, b)));
        for (j, (a, b)) in self.puzzle.board.numbers().flat_map(|j| pairs().map(move |pair| (j, pair))) {
            for (index, colour) in self.colours.clone().into_iter().enumerate() {
                let (Some(&first), Some(&second)) = (self.edge(j, a).get(index), self.edge(j, b).get(index)) else {
                    continue;
                };
                let joining = self.turned(j, |tile, k| tile.colour(k, a) == colour && tile.colour(k, b) == colour);
                // Other colours than the designated one may be those of the neighbours of an empty place.
                let if_filled = self.if_filled(j).filter(|_| colour != self.puzzle.colour);
                self.cnf.add_clause("turns", joining.into_iter().chain(if_filled).chain([!first, !second]));
            }
        }
    }

    fn count(&mut self, encoding: Cardinality) -> Result<(), ModelError> {
        for i in self.sorts() {
            let (lies, before) = (self.lies_anywhere(i).to_vec(), self.cnf.variables());
            exactly(&mut self.cnf, "count", encoding, &lies, self.puzzle.tiles.sorts[i - 1].count);
            self.cnf.name_from(before, format!("auxiliaries ({encoding}) that count sort {i}"));
            self.check_size()?;
        }
        Ok(())
    }

    /// Of every b + 1 neighbours of an empty place one is empty.
    fn limit_around_empty(&mut self, most: usize) {
        for j in self.puzzle.board.numbers() {
            let Some(here) = self.filled(j) else { continue };
            let around: Vec<Lit> = self.board().inner_edges(j).filter_map(|(_, next)| self.if_filled(next)).collect();
            for chosen in 0..1_u32 << around.len() {
                if chosen.count_ones() as usize == most + 1 {
                    let those = around.iter().enumerate().filter(|(at, _)| chosen >> at & 1 == 1).map(|(_, &lit)| lit);
                    self.cnf.add_clause("around-empty", those.chain([here]));
                }
            }
        }
    }

    fn check_size(&self) -> Result<(), ModelError> {
        let (tiles, places) = (self.puzzle.challenge, self.board().len());
        self.cnf.check_size(|| format!("{tiles} tiles on {places} places"))
    }
}

impl OnBoard for Variables {
    type Form = Cnf;

    fn new(formulation: &Formulation, puzzle: &BoardTantrix, full: bool) -> Result<Self, ModelError> {
        let Approach::Sat(cardinality, rules) = formulation.approach() else {
            return Err(formulation.not_of(FormulationKind::Sat));
        };
        builder::check_size(puzzle.tiles.sorts.len(), puzzle.board.len())?;
        let mut variables = Self::of(puzzle.clone(), full);
        variables.add_rules(*cardinality)?;
        if let Some(most) = rules.around_empty {
            variables.limit_around_empty(most);
        }
        if formulation.holes() == Holes::Resolve {
            let small = small_holes(&puzzle.board, SMALL_HOLES);
            small.iter().for_each(|cut| variables.forbid_hole("small-holes", cut));
        }
        variables.forbid_short_loops("short-loops", rules.short_loops)?;
        if formulation.subloops() == Subloops::Propagate {
            let rule = variables.rule_of_one_loop();
            variables.cnf.set_single_loop(rule);
        }
        Ok(variables)
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

    fn write(&self, lying: &[Placement], _: &Arrangement) -> Vec<bool> {
        let mut x = vec![false; 6 * self.board().len() * self.puzzle.tiles.sorts.len()];
        for p in lying {
            if let Some(i) = self.sorts().find(|&i| self.tile(i).number == p.tile) {
                x[self.x(i, p.place)[p.orientation - 1].variable() - 1] = true;
            }
        }
        self.cnf.complete(&x)
    }

    fn cut(&mut self, found: &Found) {
        found.loops.iter().for_each(|edges| self.forbid_loop("loops", edges));
        found.parts.iter().for_each(|cut| self.cut_around(cut));
        found.holes.iter().for_each(|cut| self.forbid_hole("holes", cut));
    }
}

impl Clauses for Variables {
    type Literal = Lit;

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

fn triples(literals: &[Lit]) -> impl Iterator<Item = (Lit, Lit, Lit)> {
    let n = literals.len();
    let indices = (0..n).flat_map(move |a| (a + 1..n).flat_map(move |b| (b + 1..n).map(move |c| (a, b, c))));
    indices.map(|(a, b, c)| (literals[a], literals[b], literals[c]))
}
