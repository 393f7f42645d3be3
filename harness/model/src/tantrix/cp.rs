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

use puzzle::hex::opposite;
use puzzle::tantrix::{Arrangement, Board, BoardTantrix, Colour};
use puzzle::{Placement, Solution};

use super::builder::check_size;
use super::cut_off::CutOff;
use super::cuts::{LoopCut, edges_of};
use super::cycles::{check_cycles, cycles};
use super::holes::HoleCut;
use super::natural::OnBoard;
use crate::cp::{Literal, Model, Table, Var};
use crate::error::ModelError;
use crate::formulation::{Cp, Holes, Subloops};
use crate::problem::{Problem, Separation};
use crate::single_loop::{LoopEdge, SingleLoop};

/// A tile in an orientation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct State {
    /// Index of its sort, from 0.
    pub sort: usize,
    /// From 1.
    pub orientation: usize,
}

/// A model under construction: the puzzle, the variables, the constraints so far.
struct CpBuilder {
    /// The puzzle.
    pub puzzle: BoardTantrix,
    /// The model so far.
    pub model: Model,
    full: bool,
    /// State number k is at index k - 1.
    states: Vec<State>,
    /// Numbers of the colours, from 1, the designated last.
    colours: Vec<Colour>,
    state: Vec<Var>,
    sort: Vec<Var>,
    colour: HashMap<(usize, usize), Var>,
}

impl CpBuilder {
    /// Starts a model with all variables, matching colours and the sorts as often as the challenge says. `full`: every
    /// place has a tile.
    pub fn new(puzzle: BoardTantrix, full: bool) -> Self {
        let sorts = &puzzle.tiles.sorts;
        let states: Vec<State> =
            (0..sorts.len()).flat_map(|sort| (1..=6).map(move |orientation| State { sort, orientation })).collect();
        let used = |colour: &Colour| sorts.iter().any(|sort| sort.tile.line(1, *colour).is_some());
        let others = Colour::ALL.into_iter().filter(|colour| *colour != puzzle.colour && used(colour));
        let colours: Vec<Colour> = others.chain([puzzle.colour]).collect();
        let mut model = Model::default();
        let least = i32::from(full);
        let (last_state, last_sort) = (number(states.len()), number(sorts.len()));
        let places = puzzle.board.numbers();
        let state = places.clone().map(|j| model.add_variable(format!("s_{j}"), least, last_state)).collect();
        let sort = places.map(|j| model.add_variable(format!("t_{j}"), least, last_sort)).collect();
        let mut colour = HashMap::new();
        for (here, there) in puzzle.board.touching() {
            let var = model.add_variable(format!("c_{}_{}", here.0, here.1), 1, number(colours.len()));
            colour.insert(here, var);
            colour.insert(there, var);
        }
        let mut builder = Self { puzzle, model, full, states, colours, state, sort, colour };
        builder.tie_sorts();
        builder.tie_colours();
        builder.count_sorts();
        builder
    }

    /// The board.
    pub fn board(&self) -> &Board {
        &self.puzzle.board
    }

    /// s\[j\].
    pub fn state(&self, j: usize) -> Var {
        self.state[j - 1]
    }

    /// t\[j\].
    pub fn sort(&self, j: usize) -> Var {
        self.sort[j - 1]
    }

    /// Every c\[j,l\] once, with one of the two edges that it belongs to.
    pub fn edges(&self) -> impl Iterator<Item = ((usize, usize), Var)> + '_ {
        self.board().touching().map(|(here, _)| (here, self.colour[&here]))
    }

    /// Holds where no tile lies on place j.
    pub fn empty(&self, j: usize) -> Literal {
        self.sort(j).is(0)
    }

    /// Holds where touching edge l of place j is designated.
    pub fn designated(&self, edge: (usize, usize)) -> Literal {
        self.colour[&edge].is(number(self.colours.len()))
    }

    /// The state of a number, unless it is 0 (empty) or there is none of that number.
    pub fn state_of(&self, value: i32) -> Option<State> {
        self.states.get(usize::try_from(value).ok()?.checked_sub(1)?).copied()
    }

    /// The number of a sort in an orientation.
    pub fn state_number(&self, sort: usize, orientation: usize) -> i32 {
        number(6 * sort + orientation)
    }

    /// The number of a colour.
    pub fn colour_number(&self, colour: Colour) -> i32 {
        number(self.colours.iter().take_while(|c| **c != colour).count() + 1)
    }

    fn is_designated(&self, state: State, edge: usize) -> bool {
        self.shown(state, edge) == self.puzzle.colour
    }

    fn shown(&self, state: State, edge: usize) -> Colour {
        self.puzzle.tiles.sorts[state.sort].tile.colour(state.orientation, edge)
    }

    /// Numbered states, without 0.
    fn numbered(&self) -> impl Iterator<Item = (i32, State)> + '_ {
        self.states.iter().enumerate().map(|(index, state)| (number(index + 1), *state))
    }

    fn tie_sorts(&mut self) {
        // One table for all places that have the rim on the same sides.
        let mut tables: HashMap<Vec<usize>, Table> = HashMap::new();
        for j in self.puzzle.board.numbers() {
            let rim: Vec<usize> = (1..=6).filter(|&l| self.board().neighbour(j, l).is_none()).collect();
            let table = if let Some(table) = tables.get(&rim) {
                *table
            } else {
                let fits = |state: State| !rim.iter().any(|&l| self.is_designated(state, l));
                let empty = (!self.full).then(|| vec![0, 0]);
                let tiles = self.numbered().filter(|(_, state)| fits(*state));
                let rows = empty.into_iter().chain(tiles.map(|(value, state)| vec![value, number(state.sort + 1)]));
                let table = self.model.add_table(rows.collect());
                tables.insert(rim, table);
                table
            };
            self.model.add_table_constraint("tiles", vec![self.state(j), self.sort(j)], table);
        }
    }

    fn tie_colours(&mut self) {
        let others = 1..number(self.colours.len());
        for l in 1..=6 {
            let empty = others.clone().filter(|_| !self.full).map(|colour| vec![0, colour]);
            let tiles = self.numbered().map(|(value, state)| vec![value, self.colour_number(self.shown(state, l))]);
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

    /// Forbids loops of up to `longest` places, and fewer than the challenge has.
    ///
    /// # Errors
    /// More of them than any solver here could be given.
    pub fn forbid_short_loops(&mut self, longest: usize) -> Result<(), ModelError> {
        let longest = longest.min(self.puzzle.challenge.saturating_sub(1));
        check_cycles("cp", self.board(), longest)?;
        let mut clauses = Vec::new();
        cycles(self.board(), longest, &mut |course| clauses.push(self.against(&edges_of(self.board(), course))));
        for clause in clauses {
            self.model.add_clause("short loops", clause);
        }
        Ok(())
    }

    /// Some of these edges is not designated.
    pub fn against(&self, edges: &[(usize, usize)]) -> Vec<Literal> {
        edges.iter().map(|&edge| !self.designated(edge)).collect()
    }

    /// At most so many tiles lie around an empty place (B6, B6', B6'').
    pub fn limit_around_empty(&mut self, most: usize) {
        for j in self.puzzle.board.numbers() {
            let around: Vec<usize> = self.board().inner_edges(j).map(|(_, next)| next).collect();
            let Some(over) = around.len().checked_sub(most).filter(|over| *over > 0) else { continue };
            let empty = around.iter().map(|&next| (1, self.empty(next)));
            let here = (number(over), !self.empty(j));
            self.model.add_sum("around empty", empty.chain([here]).collect(), number(over), i32::MAX);
        }
    }

    /// Leaves it to the solver that there is one loop.
    pub fn leave_single_loop(&mut self) {
        let edges = self.board().touching();
        let edges =
            edges.map(|(here, there)| LoopEdge { ends: [here.0 - 1, there.0 - 1], designated: self.designated(here) });
        let rule = SingleLoop { nodes: self.board().len(), length: self.puzzle.challenge, edges: edges.collect() };
        self.model.set_single_loop(rule);
    }
}

/// See [`Problem`].
pub(crate) struct CpProblem {
    instance: String,
    builder: CpBuilder,
    full: bool,
    cut_off: CutOff,
}

impl CpProblem {
    /// At least two crossings of the border of a part: always where every place has a tile, else if any of them has.
    fn cut_part(&mut self, LoopCut { part, cut }: &LoopCut) {
        let b = &mut self.builder;
        let crossing: Vec<_> = cut.iter().map(|&edge| (1, b.designated(edge))).collect();
        if self.full {
            b.model.add_sum("crossings", crossing, 2, i32::MAX);
            return;
        }
        for &place in part {
            let terms = crossing.iter().copied().chain([(2, b.empty(place))]).collect();
            b.model.add_sum("crossings", terms, 2, i32::MAX);
        }
    }

    /// Some place of the ring around a hole is empty, or some place of it has a tile.
    fn cut_hole(&mut self, cut: &HoleCut) {
        let b = &mut self.builder;
        let ring = cut.ring.iter().map(|&j| b.empty(j));
        let clause = ring.chain(cut.hole.iter().map(|&j| !b.empty(j))).collect();
        b.model.add_clause("holes", clause);
    }
}

impl OnBoard for CpProblem {
    type Form = Model;
    type Choices = Cp;

    fn new(Cp { board: rules }: &Cp, instance: &str, puzzle: &BoardTantrix, full: bool) -> Result<Self, ModelError> {
        check_size(puzzle.tiles.sorts.len(), puzzle.board.len())?;
        let mut builder = CpBuilder::new(puzzle.clone(), full);
        builder.forbid_short_loops(rules.short_loops)?;
        if let Some(most) = rules.around_empty {
            builder.limit_around_empty(most);
        }
        if rules.subloops == Subloops::Propagate {
            builder.leave_single_loop();
        }
        let cut_off = CutOff::new(rules.subloops.cuts(), rules.holes == Holes::Resolve, "clause");
        Ok(Self { instance: instance.to_owned(), builder, full, cut_off })
    }

    fn puzzle(&self) -> &BoardTantrix {
        &self.builder.puzzle
    }
}

impl Problem<Model> for CpProblem {
    fn model(&self) -> &Model {
        &self.builder.model
    }

    fn decode(&self, values: &[i32]) -> Result<Solution, ModelError> {
        let expected = self.builder.model.variables().len();
        if values.len() != expected {
            return Err(ModelError::Length { found: values.len(), expected });
        }
        let b = &self.builder;
        let lying = |j: usize| Some((j, b.state_of(values[b.state(j).0])?));
        let placements = b.board().numbers().filter_map(lying).map(|(place, state)| Placement {
            place,
            tile: b.puzzle.tiles.sorts[state.sort].tile.number,
            orientation: state.orientation,
        });
        Ok(Solution::on_places(&self.instance, placements.collect()))
    }

    fn encode(&self, solution: &Solution) -> Vec<i32> {
        let b = &self.builder;
        // States and sorts of empty places are 0; an edge beside no tile may have any colour but the designated.
        let mut values = vec![0; b.model.variables().len()];
        b.edges().for_each(|(_, var)| values[var.0] = 1);
        let there_is = |p: &&Placement| b.board().numbers().contains(&p.place) && (1..=6).contains(&p.orientation);
        for p in solution.placements.iter().filter(there_is) {
            let sort = b.puzzle.tiles.sorts.iter().position(|sort| sort.tile.number == p.tile);
            if let Some(sort) = sort {
                values[b.state(p.place).0] = b.state_number(sort, p.orientation);
                values[b.sort(p.place).0] = i32::try_from(sort + 1).unwrap_or(i32::MAX);
            }
        }
        let arrangement = Arrangement::new(b.board(), &b.puzzle.tiles, &solution.placements);
        for ((j, l), var) in b.edges() {
            let beyond = b.board().neighbour(j, l).and_then(|next| arrangement.colour(next, opposite(l)));
            if let Some(colour) = arrangement.colour(j, l).or(beyond) {
                values[var.0] = b.colour_number(colour);
            }
        }
        values
    }

    fn separate(&mut self, solution: &Solution) -> Separation {
        let found = self.cut_off.separate(&self.builder.puzzle, solution);
        for edges in &found.loops {
            let clause = self.builder.against(edges);
            self.builder.model.add_clause("loops", clause);
        }
        found.parts.iter().for_each(|cut| self.cut_part(cut));
        found.holes.iter().for_each(|cut| self.cut_hole(cut));
        found.separation
    }

    fn forbidden_by(&self, solution: &Solution) -> Option<String> {
        self.cut_off.forbids(self.puzzle(), solution)
    }
}

/// Numbers here are of places, tiles and colours: `check_size` keeps them far below the limit.
fn number(number: usize) -> i32 {
    i32::try_from(number).unwrap_or(i32::MAX)
}
