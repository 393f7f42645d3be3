//! From an instance under a formulation to a problem, or to a program.

use puzzle::soku::Soku;
use puzzle::{Instance, Puzzle};

use crate::cp;
use crate::error::ModelError;
use crate::formulation::Formulation;
use crate::problem::Problem;
use crate::program::Program;
use crate::sat::Cnf;
use crate::soku;
use crate::soku::problem::{OnFaces, SokuProblem};
use crate::tantrix;
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
    built::<MipBoard, _>(formulation, mip, instance, |game| soku::build_mip(formulation, mip, game))
}

/// Builds the formula of an instance under a formulation of kind `sat`.
/// Errors: a formulation of another kind, one that does not fit the instance, or a formula that would be too large.
pub fn build_sat(formulation: &Formulation, instance: &Instance) -> Result<Box<dyn Problem<Cnf>>, ModelError> {
    let sat = formulation.sat()?;
    built::<Variables, _>(formulation, sat, instance, |game| soku::sat::build(sat, game))
}

/// Builds the constraint model of an instance under a formulation of kind `cp`.
/// Errors: a formulation of another kind, one that does not fit the instance, or a model that would be too large.
pub fn build_cp(formulation: &Formulation, instance: &Instance) -> Result<Box<dyn Problem<cp::Model>>, ModelError> {
    built::<CpBuilder, _>(formulation, formulation.cp()?, instance, soku::cp::CpBuilder::new)
}

/// The problem of an instance of any kind: by a model on a board, or of a game.
fn built<M: OnBoard + 'static, G: OnFaces<Form = M::Form> + 'static>(
    formulation: &Formulation,
    choices: &M::Choices,
    instance: &Instance,
    of_game: impl FnOnce(&Soku) -> Result<G, ModelError>,
) -> Result<Box<dyn Problem<M::Form>>, ModelError> {
    formulation.check(instance)?;
    let name = &instance.name;
    Ok(match &instance.puzzle {
        Puzzle::TantrixFixed(puzzle) => Box::new(BoardProblem::<M>::new(choices, name, puzzle, true)?),
        Puzzle::TantrixBounded(puzzle) => Box::new(BoardProblem::<M>::new(choices, name, puzzle, false)?),
        Puzzle::TantrixNatural(puzzle) => Box::new(NaturalProblem::<M>::new(choices, name, puzzle)?),
        Puzzle::Soku(game) => Box::new(SokuProblem { instance: name.clone(), model: of_game(game)? }),
    })
}

/// Writes the program of an instance under a formulation of kind `minizinc` or `asp`.
/// Errors: a formulation of another kind, one that does not fit the instance, numbers too large for the solvers of such programs, or
/// a board that is too large.
pub fn build_program(formulation: &Formulation, instance: &Instance) -> Result<Program, ModelError> {
    formulation.check(instance)?;
    match &instance.puzzle {
        Puzzle::TantrixFixed(puzzle) | Puzzle::TantrixBounded(puzzle) => {
            tantrix::program::write(formulation, &instance.name, puzzle)
        }
        Puzzle::Soku(game) => soku::program::write(formulation, &instance.name, game),
        other => Err(formulation.refuse(format!("there is no program of {}", other.kind()))),
    }
}
