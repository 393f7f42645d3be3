//! From puzzles to solver-neutral models: constraint families, formulations, file formats.
//!
//! A [`Formulation`] is data: a kind, for kind `mip` a list of constraint families and an objective, a treatment of
//! subloops and of holes. Together with an instance it builds a [`Problem`], whose model ([`ir::Model`], [`sat::Cnf`], [`cp::Model`])
//! any backend of that kind can solve, which turns the solver's values back into a solution in puzzle terms, cuts off the
//! subloops and holes that it shows, and on the open plane goes on to a larger board.

pub mod cp;
mod error;
mod family;
pub mod formats;
mod formulation;
pub mod ir;
pub mod linear;
mod problem;
mod program;
mod registry;
mod representation;
pub mod sat;
mod single_loop;
mod soku;
pub mod tantrix;

pub use error::ModelError;
pub use family::{Family, Role};
pub use formulation::{
    Cardinality, Caveats, CutChoice, Exploration, Formulation, FormulationColumns, FormulationKeys, FormulationKind,
    Holes, KEYS, Key, MOST_SEARCHED, MOST_SHORT_LOOPS, Objective, PRESETS, Preset, SHORT_LOOPS, START_FEWER, Start,
    StartBy, Strategy, Subloops, Values, default_preset,
};
pub use problem::{Problem, Separation};
pub use program::{Fact, Program};
pub use registry::{families, listed_families};
pub use representation::{Representation, Size};
pub use single_loop::{LoopEdge, SingleLoop};

use puzzle::soku::Soku;
use puzzle::{Instance, Puzzle};

use self::sat::Cnf;
use self::soku::problem::{Game, OnFaces};
use self::tantrix::cp::CpBuilder;
use self::tantrix::mip::MipBoard;
use self::tantrix::problem::{BoardProblem, OnBoard};
use self::tantrix::sat::Variables;

/// Builds the linear model of an instance under a formulation of kind `mip`.
/// Errors: a formulation of another kind, families that do not exist, a list of them that does not describe the
/// instance's puzzle, or a model that would be too large.
pub fn build_mip(formulation: &Formulation, instance: &Instance) -> Result<Box<dyn Problem>, ModelError> {
    built::<MipBoard>(FormulationKind::Mip, formulation, instance, soku::build_mip)
}

/// Builds the formula of an instance under a formulation of kind `sat`.
/// Errors: a formulation of another kind, one that does not fit the instance, or a formula that would be too large.
pub fn build_sat(formulation: &Formulation, instance: &Instance) -> Result<Box<dyn Problem<Cnf>>, ModelError> {
    built::<Variables>(FormulationKind::Sat, formulation, instance, soku::sat::build)
}

/// Builds the constraint model of an instance under a formulation of kind `cp`.
/// Errors: a formulation of another kind, one that does not fit the instance, or a model that would be too large.
pub fn build_cp(formulation: &Formulation, instance: &Instance) -> Result<Box<dyn Problem<cp::Model>>, ModelError> {
    built::<CpBuilder>(FormulationKind::Cp, formulation, instance, soku::cp::build)
}

/// Whether there is one model of an instance under a formulation.
fn check(formulation: &Formulation, instance: &Instance) -> Result<(), ModelError> {
    formulation.check(instance)?;
    let reason = "places-first: each choice of places has a model of its own";
    if formulation.places_first() { Err(formulation.refuse(reason.to_owned())) } else { Ok(()) }
}

/// The problem of an instance of any kind: by a model on a board, or of a game.
fn built<M: OnBoard<Form: OnFaces> + 'static>(
    kind: FormulationKind,
    formulation: &Formulation,
    instance: &Instance,
    of_game: impl Fn(&Formulation, &str, &Soku) -> Result<Game<M::Form>, ModelError>,
) -> Result<Box<dyn Problem<M::Form>>, ModelError> {
    if formulation.kind() != kind {
        return Err(formulation.not_of(kind));
    }
    check(formulation, instance)?;
    let name = &instance.name;
    Ok(match &instance.puzzle {
        Puzzle::TantrixFixed(puzzle) => Box::new(BoardProblem::<M>::new(formulation, name, puzzle, true)?),
        Puzzle::TantrixBounded(puzzle) => Box::new(BoardProblem::<M>::new(formulation, name, puzzle, false)?),
        Puzzle::TantrixNatural(puzzle) => Box::new(BoardProblem::<M>::on_plane(formulation, name, puzzle)?),
        Puzzle::Soku(game) => Box::new(of_game(formulation, name, game)?),
    })
}

/// Writes the program of an instance under a formulation of kind `minizinc` or `asp`.
/// Errors: a formulation of another kind, one that does not fit the instance, numbers too large for the solvers of such programs, or
/// a board that is too large.
pub fn build_program(formulation: &Formulation, instance: &Instance) -> Result<Program, ModelError> {
    check(formulation, instance)?;
    match &instance.puzzle {
        Puzzle::TantrixFixed(puzzle) | Puzzle::TantrixBounded(puzzle) => {
            tantrix::program::write(formulation, &instance.name, puzzle)
        }
        Puzzle::Soku(game) => soku::program::write(formulation, &instance.name, game),
        other => Err(formulation.refuse(format!("there is no program of {}", other.kind()))),
    }
}
