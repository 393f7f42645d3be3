//! An instance under a formulation, ready to be solved.

use puzzle::{Cut, Instance, Puzzle, Solution};

use crate::fixed::FixedProblem;
use crate::ir::Model;
use crate::{Formulation, ModelError};

/// What a solution shows and what was added because of it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Separation {
    /// Lengths of the designated loops, longest first.
    pub loop_lengths: Vec<usize>,
    /// Number of holes.
    pub holes: usize,
    /// Cuts that were added to the model; none when the solution stands.
    pub cuts: Vec<Cut>,
}

/// A model together with its meaning.
pub trait Problem {
    /// The model as it stands, with all cuts added so far.
    fn model(&self) -> &Model;

    /// The solution that a solver's values describe, in puzzle terms.
    ///
    /// # Errors
    /// Values that are not integral, or of another number than the model's variables.
    fn decode(&self, values: &[f64]) -> Result<Solution, ModelError>;

    /// Values of all variables that describe a solution; the opposite of [`Problem::decode`].
    fn encode(&self, solution: &Solution) -> Vec<f64>;

    /// Looks for what the formulation wants to cut off, and adds rows against it.
    fn separate(&mut self, solution: &Solution) -> Separation;

    /// A cut added earlier that forbids this solution. There should be none: a solver that returns such a
    /// solution has lost a row.
    fn forbidden_by(&self, solution: &Solution) -> Option<&Cut>;
}

/// Builds the model of an instance under a formulation.
///
/// # Errors
/// Families that do not exist, or a list of them that does not describe the instance's puzzle.
pub fn build(formulation: &Formulation, instance: &Instance) -> Result<Box<dyn Problem>, ModelError> {
    formulation.check(instance)?;
    match &instance.puzzle {
        Puzzle::TantrixFixed(puzzle) => Ok(Box::new(FixedProblem::new(formulation, &instance.name, puzzle)?)),
    }
}
