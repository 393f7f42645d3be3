//! From an instance under a formulation to a problem, or to a program.

use puzzle::{Instance, Puzzle};

use crate::cp;
use crate::error::ModelError;
use crate::formulation::Formulation;
use crate::problem::Problem;
use crate::sat::Cnf;
use crate::soku::{self, program};
use crate::tantrix::cp::CpBuilder;
use crate::tantrix::mip::MipBoard;
use crate::tantrix::natural::NaturalProblem;
use crate::tantrix::problem::{BoardProblem, OnBoard};
use crate::tantrix::sat::Variables;

/// Builds the linear model of an instance under a formulation of kind `mip`.
/// Errors: a formulation of another kind, families that do not exist, a list of them that does not describe the
/// instance's puzzle, or a model that would be too large.
pub fn build_mip(formulation: &Formulation, instance: &Instance) -> Result<Box<dyn Problem>, ModelError> {
    let mip = formulation.mip()?;
    formulation.check(instance)?;
    match &instance.puzzle {
        Puzzle::Soku(game) => soku::build_mip(formulation, mip, &instance.name, game),
        _ => on_any::<MipBoard>(formulation, mip, instance),
    }
}

/// Builds the formula of an instance under a formulation of kind `sat`.
/// Errors: a formulation of another kind, one that does not fit the instance, or a formula that would be too large.
pub fn build_sat(formulation: &Formulation, instance: &Instance) -> Result<Box<dyn Problem<Cnf>>, ModelError> {
    let sat = formulation.sat()?;
    formulation.check(instance)?;
    match &instance.puzzle {
        Puzzle::Soku(game) => soku::build_sat(sat, &instance.name, game),
        _ => on_any::<Variables>(formulation, sat, instance),
    }
}

/// Builds the constraint model of an instance under a formulation of kind `cp`.
/// Errors: a formulation of another kind, one that does not fit the instance, or a model that would be too large.
pub fn build_cp(formulation: &Formulation, instance: &Instance) -> Result<Box<dyn Problem<cp::Model>>, ModelError> {
    let cp = formulation.cp()?;
    formulation.check(instance)?;
    match &instance.puzzle {
        Puzzle::Soku(game) => soku::build_cp(&instance.name, game),
        _ => on_any::<CpBuilder>(formulation, cp, instance),
    }
}

/// The problem of an instance of Tantrix of any kind, by that on a board.
fn on_any<M: OnBoard + 'static>(
    formulation: &Formulation,
    choices: &M::Choices,
    instance: &Instance,
) -> Result<Box<dyn Problem<M::Form>>, ModelError> {
    let name = &instance.name;
    Ok(match &instance.puzzle {
        Puzzle::TantrixFixed(puzzle) => Box::new(BoardProblem::<M>::new(choices, name, puzzle, true)?),
        Puzzle::TantrixBounded(puzzle) => Box::new(BoardProblem::<M>::new(choices, name, puzzle, false)?),
        Puzzle::TantrixNatural(puzzle) => Box::new(NaturalProblem::<M>::new(choices, name, puzzle)?),
        Puzzle::Soku(_) => return Err(formulation.refuse("this model is of Tantrix".to_owned())),
    })
}

/// Writes the program of an instance under a formulation of kind `minizinc` or `asp`.
/// Errors: a formulation of another kind, one that does not fit the instance, or numbers too large for the solvers of
/// such programs.
pub fn build_program(formulation: &Formulation, instance: &Instance) -> Result<program::Program, ModelError> {
    formulation.check(instance)?;
    match &instance.puzzle {
        Puzzle::Soku(game) => program::write(formulation, &instance.name, game),
        other => Err(formulation.refuse(format!("there is no program of {}", other.kind()))),
    }
}
