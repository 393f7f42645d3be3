//! The natural setting: the bounded board grows until it serves.
//!
//! The boards are hexagons around a place or a corner, each within the next: 3, 7, 12, 19, 27, 37, ... places. The
//! first has at least 1.2 n places, as the smallest that Kino & Uno use for n, but is never larger than the last; when
//! it turns out to hold no solution, the next one is tried. The last one holds every loop of n tiles: halve the loop at
//! two of its places; each place of it is within ceil(n/2)/2 of the point midway between the two, and that point within
//! 1/2 of a place. What is infeasible there has no solution, unless a family forbids more than the rules do.

use puzzle::tantrix::{Board, BoardTantrix, BoardType, NaturalTantrix, Numbering};
use puzzle::{Placement, Solution};

use super::builder::check_size;
use crate::error::ModelError;
use crate::problem::{Problem, Separation};
use crate::representation::Representation;

/// A problem on a board, of any form of models.
pub(crate) trait OnBoard: Problem<Self::Form> + Sized {
    /// The form of the model.
    type Form: Representation;

    /// What a formulation of its kind chooses.
    type Choices: Clone;

    /// Builds the model. `full`: every place has a tile.
    ///
    /// # Errors
    /// A model that would be too large.
    fn new(choices: &Self::Choices, instance: &str, puzzle: &BoardTantrix, full: bool) -> Result<Self, ModelError>;

    /// The puzzle with its board.
    fn puzzle(&self) -> &BoardTantrix;
}

/// See [`Problem`]. Places of solutions are numbered as on the plane.
pub(crate) struct NaturalProblem<P: OnBoard> {
    instance: String,
    choices: P::Choices,
    puzzle: NaturalTantrix,
    size: usize,
    on_board: P,
}

impl<P: OnBoard> NaturalProblem<P> {
    /// Builds the model on the first board.
    ///
    /// # Errors
    /// As [`OnBoard::new`], or the board would have more places than a board may have.
    pub fn new(choices: &P::Choices, instance: &str, puzzle: &NaturalTantrix) -> Result<Self, ModelError> {
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

    fn to_plane(&self, mut solution: Solution) -> Solution {
        let board = &self.on_board.puzzle().board;
        for p in &mut solution.placements {
            p.place = board.label(p.place);
        }
        solution
    }

    /// What of a solution lies on the present board, by its numbers.
    fn to_board(&self, solution: &Solution) -> Solution {
        let board = &self.on_board.puzzle().board;
        let on_board = |p: &Placement| Some(Placement { place: board.labelled(p.place)?, ..*p });
        Solution { placements: solution.placements.iter().filter_map(on_board).collect(), ..solution.clone() }
    }
}

/// Size of the board of type A that holds every loop of n tiles.
fn last_board(challenge: usize) -> usize {
    BoardType::A.size(challenge.div_ceil(2).div_ceil(2))
}

fn on<P: OnBoard>(
    choices: &P::Choices,
    instance: &str,
    puzzle: &NaturalTantrix,
    kind: BoardType,
    size: usize,
) -> Result<P, ModelError> {
    // The board alone may be beyond all memory.
    check_size(puzzle.tiles.sorts.len(), size)?;
    let places = kind.places(size, Numbering::Rings).map_err(|reason| ModelError::Board { reason })?;
    P::new(choices, instance, &puzzle.on(Board::of_plane(places)), false)
}

impl<P: OnBoard> Problem<P::Form> for NaturalProblem<P> {
    fn model(&self) -> &P::Form {
        self.on_board.model()
    }

    fn decode(&self, values: &[<P::Form as Representation>::Value]) -> Result<Solution, ModelError> {
        self.on_board.decode(values).map(|solution| self.to_plane(solution))
    }

    fn encode(&self, solution: &Solution) -> Vec<<P::Form as Representation>::Value> {
        self.on_board.encode(&self.to_board(solution))
    }

    fn separate(&mut self, solution: &Solution) -> Separation {
        let mut separation = self.on_board.separate(&self.to_board(solution));
        let board = &self.on_board.puzzle().board;
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
