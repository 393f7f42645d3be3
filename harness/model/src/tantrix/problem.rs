//! A board under a formulation, ready to be solved, and the open plane as boards that grow: what models of every form have in common, and
//! what clauses say of loops and holes.

use std::ops::Not;

use puzzle::tantrix::{Arrangement, Board, BoardTantrix, BoardType, Line, NaturalTantrix, Numbering};
use puzzle::{Placement, Solution};

use super::builder::check_size;
use super::cuts::{CutOff, Found, HoleCut, edges_of};
use super::cycles::{check_cycles, cycles};
use crate::error::ModelError;
use crate::formulation::keys::StartBy;
use crate::formulation::{Formulation, Subloops};
use crate::problem::{Problem, Separation};
use crate::representation::{Representation, Values};
use crate::single_loop::{LoopEdge, SingleLoop};

/// A model of a board, of any form: what its values mean, and what is added to it against subloops and holes.
pub(crate) trait OnBoard: Sized {
    type Form: Representation;

    /// Builds the model under a formulation of its kind. `full`: every place has a tile.
    fn new(formulation: &Formulation, puzzle: &BoardTantrix, full: bool) -> Result<Self, ModelError>;

    fn puzzle(&self) -> &BoardTantrix;

    fn model(&self) -> &Self::Form;

    /// The tiles that lie according to a solver's values, of which there is one for each variable.
    fn read(&self, values: &Values<Self::Form>) -> Result<Vec<Placement>, ModelError>;

    /// The values where these tiles lie on places that there are; the opposite of [`OnBoard::read`].
    fn write(&self, lying: &[Placement], arrangement: &Arrangement) -> Vec<<Self::Form as Representation>::Value>;

    fn cut(&mut self, found: &Found);

    /// See [`Problem::start`].
    fn start(&mut self, _by: StartBy, _placements: Vec<Placement>) {}

    /// See [`Problem::follow`].
    fn follow(&mut self, _lines: &[(usize, Line)]) {}

    /// See [`Problem::avoid`].
    fn avoid(&mut self, _lines: &[(usize, Line)]) {}

    /// Frees the tiles that were fixed; false if none were.
    fn free(&mut self) -> bool {
        false
    }
}

/// See [`Problem`]. Places of solutions have the numbers by which users know them ([`Board::label`]).
///
/// The open plane is a bounded board that grows until it serves. The boards are hexagons around a place or a corner, each within the next:
/// 3, 7, 12, 19, 27, 37, ... places. The first has at least 1.2 n places, but is never larger than the last; when it turns out to hold no
/// solution, the next one is tried. The last one holds every loop of n tiles: halve the loop at two of its places; each place of it is
/// within ceil(n/2)/2 of the point midway between the two, and that point within 1/2 of a place. What is infeasible there has no solution,
/// unless a family forbids more than the rules do.
pub(crate) struct BoardProblem<M> {
    instance: String,
    formulation: Formulation,
    /// The plane, where the board is a part of it.
    plane: Option<NaturalTantrix>,
    on_board: M,
    cut_off: CutOff,
}

impl<M: OnBoard> BoardProblem<M> {
    /// `full`: every place has a tile.
    pub fn new(
        formulation: &Formulation,
        instance: &str,
        puzzle: &BoardTantrix,
        full: bool,
    ) -> Result<Self, ModelError> {
        Ok(Self {
            instance: instance.to_owned(),
            formulation: formulation.clone(),
            plane: None,
            on_board: M::new(formulation, puzzle, full)?,
            cut_off: CutOff::new(formulation.subloops().cuts(), formulation.holes()),
        })
    }

    /// Begins with the first board of the plane.
    pub fn on_plane(formulation: &Formulation, instance: &str, puzzle: &NaturalTantrix) -> Result<Self, ModelError> {
        let last = (BoardType::A, last_board(puzzle));
        let first = BoardType::at_least((6 * puzzle.challenge).div_ceil(5));
        Self::on_part(formulation, instance, puzzle, if first.1 < last.1 { first } else { last })
    }

    fn on_part(
        formulation: &Formulation,
        instance: &str,
        puzzle: &NaturalTantrix,
        (kind, size): (BoardType, usize),
    ) -> Result<Self, ModelError> {
        // The board alone may be beyond all memory.
        check_size(puzzle.tiles.sorts.len(), size)?;
        let places = kind.places(size, Numbering::Rings).map_err(ModelError::Impossible)?;
        let board = Self::new(formulation, instance, &puzzle.on(Board::of_plane(places)), false)?;
        Ok(Self { plane: Some(puzzle.clone()), ..board })
    }

    fn board(&self) -> &Board {
        &self.on_board.puzzle().board
    }

    /// The placements on places of the board and in orientations that there are, by the board's numbers.
    fn there(&self, placements: &[Placement]) -> Vec<Placement> {
        let there = placements.iter().filter(|p| (1..=6).contains(&p.orientation));
        there.filter_map(|p| Some(Placement { place: self.board().labelled(p.place)?, ..*p })).collect()
    }
}

/// Size of the board of type A that holds every loop of all tiles.
fn last_board(puzzle: &NaturalTantrix) -> usize {
    BoardType::A.size(puzzle.challenge.div_ceil(2).div_ceil(2))
}

impl<M: OnBoard> Problem<M::Form> for BoardProblem<M> {
    fn model(&self) -> &M::Form {
        self.on_board.model()
    }

    fn decode(&self, values: &Values<M::Form>) -> Result<Solution, ModelError> {
        self.model().check_length(values)?;
        let mut placements = self.on_board.read(values)?;
        placements.iter_mut().for_each(|p| p.place = self.board().label(p.place));
        Ok(Solution::on_places(&self.instance, placements))
    }

    fn encode(&self, solution: &Solution) -> Vec<<M::Form as Representation>::Value> {
        let placements = self.there(&solution.placements);
        let arrangement = Arrangement::new(self.board(), &self.on_board.puzzle().tiles, &placements);
        self.on_board.write(&placements, &arrangement)
    }

    fn start(&mut self, by: StartBy, placements: &[Placement]) {
        let there = self.there(placements);
        self.on_board.start(by, there);
    }

    fn follow(&mut self, lines: &[(usize, Line)]) {
        self.on_board.follow(lines);
    }

    fn avoid(&mut self, lines: &[(usize, Line)]) {
        self.on_board.avoid(lines);
    }

    fn has_loops(&self) -> bool {
        true
    }

    fn cuts_lazily(&self) -> bool {
        matches!(self.formulation.subloops(), Subloops::Lazy(_))
    }

    fn separate(&mut self, solution: &Solution) -> Separation {
        let placements = self.there(&solution.placements);
        let found = self.cut_off.separate(self.on_board.puzzle(), &placements);
        self.on_board.cut(&found);
        let mut separation = found.separation;
        for (place, _) in separation.cuts.iter_mut().flatten() {
            *place = self.on_board.puzzle().board.label(*place);
        }
        separation
    }

    fn forbidden_by(&self, solution: &Solution) -> Option<String> {
        self.cut_off.forbids(self.on_board.puzzle(), &self.there(&solution.placements))
    }

    fn enlarge(&mut self) -> Result<bool, ModelError> {
        let Some(plane) = &self.plane else { return Ok(self.on_board.free()) };
        let size = self.board().len();
        if size >= last_board(plane) {
            return Ok(false);
        }
        *self = Self::on_part(&self.formulation, &self.instance, plane, BoardType::at_least(size + 1))?;
        Ok(true)
    }
}

/// A model that has clauses over such literals.
pub(super) trait Clauses: OnBoard {
    type Literal: Copy + Not<Output = Self::Literal>;

    /// Holds where a touching edge is designated.
    fn line(&self, edge: (usize, usize)) -> Option<Self::Literal>;

    /// Holds where no tile lies on a place, if there need not be one.
    fn empty(&self, place: usize) -> Option<Self::Literal>;

    fn add(&mut self, family: &'static str, clause: Vec<Self::Literal>);

    /// Some of the edges of a loop is not designated.
    fn forbid_loop(&mut self, family: &'static str, edges: &[(usize, usize)]) {
        let clause = edges.iter().filter_map(|&edge| self.line(edge)).map(|designated| !designated).collect();
        self.add(family, clause);
    }

    /// Forbids loops of up to `longest` places, and fewer than the challenge has.
    fn forbid_short_loops(&mut self, family: &'static str, longest: usize) -> Result<(), ModelError> {
        let board = self.puzzle().board.clone();
        let longest = longest.min(self.puzzle().challenge - 1);
        check_cycles(&board, longest)?;
        cycles(&board, longest, &mut |course| self.forbid_loop(family, &edges_of(&board, course)));
        Ok(())
    }

    /// Some place of the ring around a hole is empty, or some place of it has a tile.
    fn forbid_hole(&mut self, family: &'static str, HoleCut { hole, ring }: &HoleCut) {
        let ring = ring.iter().filter_map(|&j| self.empty(j));
        let clause = ring.chain(hole.iter().filter_map(|&j| self.empty(j)).map(|empty| !empty)).collect();
        self.add(family, clause);
    }

    /// The rule of the single loop over the designated edges, for solvers that keep it while they search.
    fn rule_of_one_loop(&self) -> SingleLoop<Self::Literal> {
        let puzzle = self.puzzle();
        let edge = |(here, there): ((usize, usize), (usize, usize))| {
            Some(LoopEdge { ends: [here.0 - 1, there.0 - 1], designated: self.line(here)? })
        };
        let edges = puzzle.board.touching().filter_map(edge).collect();
        SingleLoop { nodes: puzzle.board.len(), length: puzzle.challenge, edges }
    }
}
