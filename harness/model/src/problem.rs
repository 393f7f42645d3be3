//! A model together with its meaning: what the loop that solves again needs to know, whatever the model is made of.

use puzzle::tantrix::Line;
use puzzle::{Cut, Placement, Solution};

use crate::error::ModelError;
use crate::formulation::keys::StartBy;
use crate::ir::Model;
use crate::representation::Representation;

/// What a solution shows and what was added because of it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Separation {
    /// Lengths of the designated loops, longest first.
    pub loop_lengths: Vec<usize>,
    /// Number of holes.
    pub holes: usize,
    /// The borders of the parts that were cut off: of the subloops, where each is forbidden itself. As many as there are
    /// cuts, whatever the model has against each; pictures show them.
    pub cuts: Vec<Cut>,
    /// Holes that rows were added against.
    pub holes_cut_off: usize,
}

impl Separation {
    /// How many subloops and holes were cut off; 0 when the solution stands.
    pub fn cut_off(&self) -> usize {
        self.cuts.len() + self.holes_cut_off
    }
}

/// A model together with its meaning. `F` is what the model is made of.
pub trait Problem<F: Representation = Model> {
    /// The model as it stands, with all cuts added so far.
    fn model(&self) -> &F;

    /// The solution that a solver's values describe, in puzzle terms.
    /// Errors: values that are not integral, or of another number than the model's variables.
    fn decode(&self, values: &[F::Value]) -> Result<Solution, ModelError>;

    /// Values of all variables that describe a solution; the opposite of [`Problem::decode`]. Placements that the
    /// puzzle does not have (a place, tile or orientation out of range) are left out.
    ///
    /// For windows of a full board, and for tests, which ask by it what rows demand.
    fn encode(&self, solution: &Solution) -> Vec<F::Value>;

    /// Lays tiles, as values to start from or fixed. Linear models of fixed boards can, others pass over it; tiles that the model rules
    /// out where they lie are left out.
    fn start(&mut self, _by: StartBy, _placements: &[Placement]) {}

    /// Lets tiles lie on these places alone, with these designated lines; what was said before no longer holds. Only linear models of boards
    /// need it, others pass over it.
    fn follow(&mut self, _lines: &[(usize, Line)]) {}

    /// Adds a row by which not all of these designated lines lie together again; otherwise like [`Problem::follow`].
    fn avoid(&mut self, _lines: &[(usize, Line)]) {}

    /// Whether solutions have loops and holes, of which some may have to be cut off.
    fn has_loops(&self) -> bool;

    /// Whether this is done while the solver runs, and not only after it has ended.
    fn cuts_lazily(&self) -> bool {
        false
    }

    /// Looks for what the formulation wants to cut off, and adds rows against it.
    fn separate(&mut self, solution: &Solution) -> Separation;

    /// What was added earlier and forbids this solution, in words. There should be nothing: a solver that returns such
    /// a solution has lost a row.
    fn forbidden_by(&self, solution: &Solution) -> Option<String>;

    /// Goes on to a larger problem, after the model turned out to have no solution; false if there is none: a larger board, or the same
    /// one without fixed tiles. The model is another one after this and does not extend the last.
    /// Errors: as [`crate::build_mip`]: the larger problem may be too large.
    fn enlarge(&mut self) -> Result<bool, ModelError> {
        Ok(false)
    }
}
