//! An instance under a formulation, ready to be solved.

use puzzle::{Cut, Instance, Puzzle, Solution};

use crate::cp;
use crate::ir::Model;
use crate::sat::Cnf;
use crate::tantrix::{BoardProblem, CpProblem, NaturalProblem, OnBoard, SatProblem};
use crate::{Form, Formulation, ModelError, soku};

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
    #[must_use]
    pub fn cut_off(&self) -> usize {
        self.cuts.len() + self.holes_cut_off
    }
}

/// A model together with its meaning. `F` is the form of the model.
pub trait Problem<F: Form = Model> {
    /// The model as it stands, with all cuts added so far.
    fn model(&self) -> &F;

    /// The solution that a solver's values describe, in puzzle terms.
    ///
    /// # Errors
    /// Values that are not integral, or of another number than the model's variables.
    fn decode(&self, values: &[F::Value]) -> Result<Solution, ModelError>;

    /// Values of all variables that describe a solution; the opposite of [`Problem::decode`]. Placements that the
    /// puzzle does not have (a place, tile or orientation out of range) are left out.
    ///
    /// For tests, which ask by it what rows demand, and for starting a solver from a known solution.
    fn encode(&self, solution: &Solution) -> Vec<F::Value>;

    /// Whether solutions have loops and holes, of which some may have to be cut off.
    fn has_loops(&self) -> bool {
        true
    }

    /// Looks for what the formulation wants to cut off, and adds rows against it.
    fn separate(&mut self, solution: &Solution) -> Separation;

    /// What was added earlier and forbids this solution, in words. There should be nothing: a solver that returns such
    /// a solution has lost a row.
    fn forbidden_by(&self, solution: &Solution) -> Option<String>;

    /// Goes on to a larger problem, after the model turned out to have no solution; false if there is none. The
    /// model is another one after this and does not extend the last.
    ///
    /// # Errors
    /// As [`build_mip`]: the larger problem may be too large.
    fn enlarge(&mut self) -> Result<bool, ModelError> {
        Ok(false)
    }
}

/// Builds the linear model of an instance under a formulation of kind `mip`.
///
/// # Errors
/// A formulation of another kind, families that do not exist, a list of them that does not describe the instance's
/// puzzle, or a model that would be too large.
pub fn build_mip(formulation: &Formulation, instance: &Instance) -> Result<Box<dyn Problem>, ModelError> {
    let mip = formulation.mip()?;
    formulation.check(instance)?;
    match &instance.puzzle {
        Puzzle::Soku(game) => soku::build_mip(formulation, mip, &instance.name, game),
        _ => on_any::<BoardProblem>(formulation, mip, instance),
    }
}

/// Builds the formula of an instance under a formulation of kind `sat`.
///
/// # Errors
/// A formulation of another kind, one that does not fit the instance, or a formula that would be too large.
pub fn build_sat(formulation: &Formulation, instance: &Instance) -> Result<Box<dyn Problem<Cnf>>, ModelError> {
    let sat = formulation.sat()?;
    formulation.check(instance)?;
    match &instance.puzzle {
        Puzzle::Soku(game) => soku::build_sat(sat, &instance.name, game),
        _ => on_any::<SatProblem>(formulation, sat, instance),
    }
}

/// Builds the constraint model of an instance under a formulation of kind `cp`.
///
/// # Errors
/// A formulation of another kind, one that does not fit the instance, or a model that would be too large.
pub fn build_cp(formulation: &Formulation, instance: &Instance) -> Result<Box<dyn Problem<cp::Model>>, ModelError> {
    let cp = formulation.cp()?;
    formulation.check(instance)?;
    match &instance.puzzle {
        Puzzle::Soku(game) => soku::build_cp(&instance.name, game),
        _ => on_any::<CpProblem>(formulation, cp, instance),
    }
}

/// The problem of an instance of Tantrix of any kind, by that on a board.
fn on_any<P: OnBoard + 'static>(
    formulation: &Formulation,
    choices: &P::Choices,
    instance: &Instance,
) -> Result<Box<dyn Problem<P::Form>>, ModelError> {
    let name = &instance.name;
    Ok(match &instance.puzzle {
        Puzzle::TantrixFixed(puzzle) => Box::new(P::new(choices, name, puzzle, true)?),
        Puzzle::TantrixBounded(puzzle) => Box::new(P::new(choices, name, puzzle, false)?),
        Puzzle::TantrixNatural(puzzle) => Box::new(NaturalProblem::<P>::new(choices, name, puzzle)?),
        Puzzle::Soku(_) => return Err(formulation.refuse("this model is of Tantrix".to_owned())),
    })
}
