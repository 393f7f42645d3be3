//! The natural setting: the bounded board grows until it serves.
//!
//! The boards are hexagons around a place or a corner, each within the next: 3, 7, 12, 19, 27, 37, ... places. The
//! first has at least 1.2 n places, but is never larger than the last; when it turns out to hold no solution, the next
//! one is tried. The last one holds every loop of n tiles: halve the loop at
//! two of its places; each place of it is within ceil(n/2)/2 of the point midway between the two, and that point within
//! 1/2 of a place. What is infeasible there has no solution, unless a family forbids more than the rules do.

use puzzle::tantrix::{Board, BoardType, NaturalTantrix, Numbering};
use puzzle::{Placement, Solution};

use super::builder::check_size;
use super::problem::{BoardProblem, OnBoard};
use crate::error::ModelError;
use crate::problem::{Problem, Separation};
use crate::representation::Representation;

/// See [`Problem`]. Places of solutions are numbered as on the plane.
pub(crate) struct NaturalProblem<M: OnBoard> {
    instance: String,
    choices: M::Choices,
    puzzle: NaturalTantrix,
    size: usize,
    on_board: BoardProblem<M>,
}

impl<M: OnBoard> NaturalProblem<M> {
    pub fn new(choices: &M::Choices, instance: &str, puzzle: &NaturalTantrix) -> Result<Self, ModelError> {
        let (kind, size) = BoardType::at_least((6 * puzzle.challenge).div_ceil(5));
        let (kind, size) = if size < last_board(puzzle.challenge) {
            (kind, size)
        } else {
            (BoardType::A, last_board(puzzle.challenge))
        };
        Ok(Self {
            instance: instance.to_owned(),
            choices: choices.clone(),
            puzzle: puzzle.clone(),
            size,
            on_board: on(choices, instance, puzzle, kind, size)?,
        })
    }

    fn board(&self) -> &Board {
        &self.on_board.on_board.puzzle().board
    }

    /// What of a solution lies on the present board, by its numbers.
    fn to_board(&self, solution: &Solution) -> Solution {
        let on_board = |p: &Placement| Some(Placement { place: self.board().labelled(p.place)?, ..*p });
        Solution { placements: solution.placements.iter().filter_map(on_board).collect(), ..solution.clone() }
    }
}

/// Size of the board of type A that holds every loop of n tiles.
fn last_board(challenge: usize) -> usize {
    BoardType::A.size(challenge.div_ceil(2).div_ceil(2))
}

fn on<M: OnBoard>(
    choices: &M::Choices,
    instance: &str,
    puzzle: &NaturalTantrix,
    kind: BoardType,
    size: usize,
) -> Result<BoardProblem<M>, ModelError> {
    // The board alone may be beyond all memory.
    check_size(puzzle.tiles.sorts.len(), size)?;
    let places = kind.places(size, Numbering::Rings).map_err(ModelError::Impossible)?;
    BoardProblem::new(choices, instance, &puzzle.on(Board::of_plane(places)), false)
}

impl<M: OnBoard> Problem<M::Form> for NaturalProblem<M> {
    fn model(&self) -> &M::Form {
        self.on_board.model()
    }

    fn decode(&self, values: &[<M::Form as Representation>::Value]) -> Result<Solution, ModelError> {
        let mut solution = self.on_board.decode(values)?;
        solution.placements.iter_mut().for_each(|p| p.place = self.board().label(p.place));
        Ok(solution)
    }

    fn encode(&self, solution: &Solution) -> Vec<<M::Form as Representation>::Value> {
        self.on_board.encode(&self.to_board(solution))
    }

    fn separate(&mut self, solution: &Solution) -> Separation {
        let mut separation = self.on_board.separate(&self.to_board(solution));
        let board = self.board();
        for (place, _) in separation.cuts.iter_mut().flatten() {
            *place = board.label(*place);
        }
        separation
    }

    fn forbidden_by(&self, solution: &Solution) -> Option<String> {
        self.on_board.forbidden_by(&self.to_board(solution))
    }

    fn enlarge(&mut self) -> Result<bool, ModelError> {
        if self.size >= last_board(self.puzzle.challenge) {
            return Ok(false);
        }
        let (kind, size) = BoardType::at_least(self.size + 1);
        self.on_board = on(&self.choices, &self.instance, &self.puzzle, kind, size)?;
        self.size = size;
        Ok(true)
    }
}
