//! A board under a formulation, ready to be solved: what models of every form have in common.

use puzzle::tantrix::{Arrangement, BoardTantrix};
use puzzle::{Placement, Solution};

use super::cut_off::{CutOff, Found};
use crate::error::ModelError;
use crate::formulation::keys::StartBy;
use crate::formulation::{CutChoice, Holes};
use crate::problem::{Problem, Separation};
use crate::representation::Representation;

/// A model of a board, of any form: what its values mean, and what is added to it against subloops and holes.
pub(crate) trait OnBoard: Sized {
    type Form: Representation;

    /// What a formulation of its kind chooses.
    type Choices: Clone;

    /// What the model has against a hole, in messages.
    const UNIT: &'static str;

    /// Builds the model. `full`: every place has a tile.
    fn new(choices: &Self::Choices, puzzle: &BoardTantrix, full: bool) -> Result<Self, ModelError>;

    /// Which cuts to add against subloops between solves, if any, and what to do about holes.
    fn cuts(choices: &Self::Choices) -> (Option<CutChoice>, Holes);

    fn puzzle(&self) -> &BoardTantrix;

    fn model(&self) -> &Self::Form;

    /// The tiles that lie according to a solver's values, of which there is one for each variable.
    fn read(&self, values: &[<Self::Form as Representation>::Value]) -> Result<Vec<Placement>, ModelError>;

    /// The values where these tiles lie on places that there are; the opposite of [`OnBoard::read`].
    fn write<'a>(
        &self,
        lying: impl Iterator<Item = &'a Placement>,
        arrangement: &Arrangement,
    ) -> Vec<<Self::Form as Representation>::Value>;

    fn cut(&mut self, found: &Found);

    /// See [`Problem::start`].
    fn start(&mut self, _by: StartBy, _placements: &[Placement]) {}

    /// Frees the tiles that were fixed; false if none were.
    fn free(&mut self) -> bool {
        false
    }
}

/// See [`Problem`].
pub(crate) struct BoardProblem<M> {
    instance: String,
    pub(super) on_board: M,
    cut_off: CutOff,
}

impl<M: OnBoard> BoardProblem<M> {
    pub fn new(choices: &M::Choices, instance: &str, puzzle: &BoardTantrix, full: bool) -> Result<Self, ModelError> {
        let (cuts, holes) = M::cuts(choices);
        let cut_off = CutOff::new(cuts, holes == Holes::Resolve, M::UNIT);
        Ok(Self { instance: instance.to_owned(), on_board: M::new(choices, puzzle, full)?, cut_off })
    }

    /// Whether there is such a place and orientation.
    fn has(&self, p: &Placement) -> bool {
        self.on_board.puzzle().board.numbers().contains(&p.place) && (1..=6).contains(&p.orientation)
    }
}

impl<M: OnBoard> Problem<M::Form> for BoardProblem<M> {
    fn model(&self) -> &M::Form {
        self.on_board.model()
    }

    fn decode(&self, values: &[<M::Form as Representation>::Value]) -> Result<Solution, ModelError> {
        self.model().check_length(values)?;
        Ok(Solution::on_places(&self.instance, self.on_board.read(values)?))
    }

    fn encode(&self, solution: &Solution) -> Vec<<M::Form as Representation>::Value> {
        let BoardTantrix { board, tiles, .. } = self.on_board.puzzle();
        let arrangement = Arrangement::new(board, tiles, &solution.placements);
        self.on_board.write(solution.placements.iter().filter(|p| self.has(p)), &arrangement)
    }

    fn start(&mut self, by: StartBy, placements: &[Placement]) {
        let there: Vec<Placement> = placements.iter().copied().filter(|p| self.has(p)).collect();
        self.on_board.start(by, &there);
    }

    fn enlarge(&mut self) -> Result<bool, ModelError> {
        Ok(self.on_board.free())
    }

    fn separate(&mut self, solution: &Solution) -> Separation {
        let found = self.cut_off.separate(self.on_board.puzzle(), solution);
        self.on_board.cut(&found);
        found.separation
    }

    fn forbidden_by(&self, solution: &Solution) -> Option<String> {
        self.cut_off.forbids(self.on_board.puzzle(), solution)
    }
}
