//! A board as a constraint model of its own: what lies on each place, which colour each touching edge shows.
//!
//! - s\[j\], the state of place j: 0 = empty, else a sort of tile in an orientation.
//! - t\[j\], its sort: 0 = empty. A table of s\[j\] and t\[j\] ties them; on the rim of the board it lacks the states that
//!   show the designated colour off the board.
//! - c\[j,l\], the colour between place j and the place beyond its edge l, one variable for both: 1, 2, ... with the
//!   designated colour last. A table of s\[j\] and c\[j,l\] for each direction l ties them. Beside an empty place it is any
//!   colour but the designated.
//!
//! As each table names s\[j\] and all of them together are a tree, they propagate as much as one table of all would.

use std::collections::HashMap;

use puzzle::Placement;
use puzzle::hex::{EDGES, opposite};
use puzzle::tantrix::{Arrangement, Board, BoardTantrix, Colour};

use super::builder::check_size;
use super::cuts::{Found, LoopCut};
use super::problem::{Clauses, OnBoard};
use crate::cp::{Literal, Model, Table, Var, number};
use crate::error::ModelError;
use crate::formulation::{Approach, Formulation, FormulationKind, Subloops};

/// A model under construction: the puzzle, the variables, the constraints so far.
pub(crate) struct CpBuilder {
    puzzle: BoardTantrix,
    model: Model,
    full: bool,
    /// Numbers of the colours, from 1, the designated last.
    colours: Vec<Colour>,
    colour: HashMap<(usize, usize), Var>,
}

impl CpBuilder {
    /// Starts a model with all variables, matching colours and the sorts as often as the challenge says. `full`: every
    /// place has a tile.
    fn of(puzzle: BoardTantrix, full: bool) -> Self {
        let sorts = &puzzle.tiles.sorts;
        let others = puzzle.tiles.colours().into_iter().filter(|colour| *colour != puzzle.colour);
        let colours: Vec<Colour> = others.chain([puzzle.colour]).collect();
        let (mut model, mut colour) = (Model::default(), HashMap::new());
        for (letter, last) in [('s', 6 * sorts.len()), ('t', sorts.len())] {
            for j in puzzle.board.numbers() {
                model.add_variable(format!("{letter}_{j}"), i32::from(full), number(last));
            }
        }
        for (here, there) in puzzle.board.touching() {
            let var = model.add_variable(format!("c_{}_{}", here.0, here.1), 1, number(colours.len()));
            colour.extend([(here, var), (there, var)]);
        }
        let mut builder = Self { puzzle, model, full, colours, colour };
        builder.tie_sorts();
        builder.tie_colours();
        builder.count_sorts();
        builder
    }

    fn board(&self) -> &Board {
        &self.puzzle.board
    }

    /// s\[j\].
    fn state(&self, j: usize) -> Var {
        Var(j - 1)
    }

    /// t\[j\].
    fn sort(&self, j: usize) -> Var {
        Var(self.board().len() + j - 1)
    }

    /// Every c\[j,l\] once, with one of the two edges that it belongs to.
    fn edges(&self) -> impl Iterator<Item = ((usize, usize), Var)> + '_ {
        self.board().touching().map(|(here, _)| (here, self.colour[&here]))
    }

    fn empty(&self, j: usize) -> Literal {
        self.sort(j).is(0)
    }

    /// Holds where touching edge l of place j is designated.
    fn designated(&self, edge: (usize, usize)) -> Literal {
        self.colour[&edge].is(number(self.colours.len()))
    }

    fn colour_number(&self, colour: Colour) -> i32 {
        number(self.colours.iter().take_while(|c| **c != colour).count() + 1)
    }

    /// The states but 0: their numbers, the numbers of their sorts, and the colours that they show on the edges.
    fn states(&self) -> impl Iterator<Item = (i32, i32, [Colour; 6])> + '_ {
        let sorts = (1..).zip(&self.puzzle.tiles.sorts);
        let all = sorts.flat_map(|(i, sort)| (1..=6).map(move |k| (i, EDGES.map(|l| sort.tile.colour(k, l)))));
        (1..).zip(all).map(|(state, (sort, shown))| (state, sort, shown))
    }

    fn tie_sorts(&mut self) {
        // One table for all places that have the rim on the same sides.
        let mut tables: HashMap<Vec<usize>, Table> = HashMap::new();
        for j in self.puzzle.board.numbers() {
            let rim: Vec<usize> = EDGES.into_iter().filter(|&l| self.board().neighbour(j, l).is_none()).collect();
            let fits = |shown: [Colour; 6]| !rim.iter().any(|&l| shown[l - 1] == self.puzzle.colour);
            let empty = (!self.full).then(|| vec![0, 0]);
            let tiles = self.states().filter(|&(.., shown)| fits(shown)).map(|(state, sort, _)| vec![state, sort]);
            let rows = empty.into_iter().chain(tiles).collect::<Vec<_>>();
            let table = *tables.entry(rim).or_insert_with(|| self.model.add_table(rows));
            self.model.add_table_constraint("tiles", vec![self.state(j), self.sort(j)], table);
        }
    }

    fn tie_colours(&mut self) {
        let others = 1..number(self.colours.len());
        for l in EDGES {
            let empty = others.clone().filter(|_| !self.full).map(|colour| vec![0, colour]);
            let tiles = self.states().map(|(state, _, shown)| vec![state, self.colour_number(shown[l - 1])]);
            let table = self.model.add_table(empty.chain(tiles).collect());
            for j in self.puzzle.board.numbers() {
                if let Some(&colour) = self.colour.get(&(j, l)) {
                    self.model.add_table_constraint("edges", vec![self.state(j), colour], table);
                }
            }
        }
    }

    fn count_sorts(&mut self) {
        let counts: Vec<i32> = self.puzzle.tiles.sorts.iter().map(|sort| number(sort.count)).collect();
        let empty = number(self.board().len()) - counts.iter().sum::<i32>();
        let counts = (1..).zip(counts).chain((!self.full).then_some((0, empty)));
        for (sort, count) in counts {
            let terms = self.board().numbers().map(|j| (1, self.sort(j).is(sort))).collect();
            self.model.add_sum("counts", terms, count, count);
        }
    }

    /// At most so many tiles lie around an empty place (B6, B6', B6'').
    fn limit_around_empty(&mut self, most: usize) {
        for j in self.puzzle.board.numbers() {
            let around: Vec<usize> = self.board().inner_edges(j).map(|(_, next)| next).collect();
            let Some(over) = around.len().checked_sub(most).filter(|over| *over > 0) else { continue };
            let empty = around.iter().map(|&next| (1, self.empty(next)));
            let here = (number(over), !self.empty(j));
            self.model.add_sum("around empty", empty.chain([here]).collect(), number(over), i32::MAX);
        }
    }

    /// At least two crossings of the border of a part: always where every place has a tile, else if any of them has.
    fn cut_part(&mut self, LoopCut { part, cut }: &LoopCut) {
        let crossing: Vec<_> = cut.iter().map(|&edge| (1, self.designated(edge))).collect();
        if self.full {
            return self.model.add_sum("crossings", crossing, 2, i32::MAX);
        }
        for &place in part {
            let terms = crossing.iter().copied().chain([(2, self.empty(place))]).collect();
            self.model.add_sum("crossings", terms, 2, i32::MAX);
        }
    }
}

impl Clauses for CpBuilder {
    type Literal = Literal;

    fn line(&self, edge: (usize, usize)) -> Option<Literal> {
        Some(self.designated(edge))
    }

    fn empty(&self, place: usize) -> Option<Literal> {
        Some(self.empty(place))
    }

    fn add(&mut self, family: &'static str, clause: Vec<Literal>) {
        self.model.add_clause(family, clause);
    }
}

impl OnBoard for CpBuilder {
    type Form = Model;

    fn new(formulation: &Formulation, puzzle: &BoardTantrix, full: bool) -> Result<Self, ModelError> {
        let Approach::Cp(rules) = formulation.approach() else { return Err(formulation.not_of(FormulationKind::Cp)) };
        check_size(puzzle.tiles.sorts.len(), puzzle.board.len())?;
        let mut builder = Self::of(puzzle.clone(), full);
        builder.forbid_short_loops("short loops", rules.short_loops)?;
        if let Some(most) = rules.around_empty {
            builder.limit_around_empty(most);
        }
        if formulation.subloops() == Subloops::Propagate {
            let rule = builder.rule_of_one_loop();
            builder.model.set_single_loop(rule);
        }
        Ok(builder)
    }

    fn puzzle(&self) -> &BoardTantrix {
        &self.puzzle
    }

    fn model(&self) -> &Model {
        &self.model
    }

    fn read(&self, values: &[i32]) -> Result<Vec<Placement>, ModelError> {
        let lying = |place: usize| {
            // 0 is an empty place.
            let state = usize::try_from(values[self.state(place).0]).ok()?.checked_sub(1)?;
            let sort = self.puzzle.tiles.sorts.get(state / 6)?;
            Some(Placement { place, tile: sort.tile.number, orientation: state % 6 + 1 })
        };
        Ok(self.board().numbers().filter_map(lying).collect())
    }

    fn write(&self, lying: &[Placement], arrangement: &Arrangement) -> Vec<i32> {
        // States and sorts of empty places are 0; an edge beside no tile may have any colour but the designated.
        let mut values = vec![0; self.model.variables().len()];
        self.edges().for_each(|(_, var)| values[var.0] = 1);
        for p in lying {
            if let Some(sort) = self.puzzle.tiles.sorts.iter().position(|sort| sort.tile.number == p.tile) {
                values[self.state(p.place).0] = number(6 * sort + p.orientation);
                values[self.sort(p.place).0] = number(sort + 1);
            }
        }
        for ((j, l), var) in self.edges() {
            let beyond = self.board().neighbour(j, l).and_then(|next| arrangement.colour(next, opposite(l)));
            if let Some(colour) = arrangement.colour(j, l).or(beyond) {
                values[var.0] = self.colour_number(colour);
            }
        }
        values
    }

    fn cut(&mut self, found: &Found) {
        found.loops.iter().for_each(|edges| self.forbid_loop("loops", edges));
        found.parts.iter().for_each(|cut| self.cut_part(cut));
        found.holes.iter().for_each(|cut| self.forbid_hole("holes", cut));
    }
}
