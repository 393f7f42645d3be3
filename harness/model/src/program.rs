//! Puzzles as programs in languages that solvers of others read: MiniZinc, and logic programs under stable models.

use std::fmt;

use puzzle::{Instance, Puzzle, Solution};

use crate::soku::program;
use crate::{Formulation, FormulationKind, ModelError};

/// The language of a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Language {
    /// MiniZinc.
    Minizinc,
    /// Logic programs as gringo grounds them.
    Asp,
}

/// A puzzle as a program, and how an answer to it is read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Program {
    /// Its language.
    pub language: Language,
    /// What is the same for all games under one formulation.
    pub model: String,
    /// The game.
    pub data: String,
    pub(crate) instance: String,
    pub(crate) faces: usize,
}

/// One entry of an answer: an atom that holds, or the element of an array, its index first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fact {
    /// Name of the predicate or array.
    pub name: String,
    /// Its arguments; index and value.
    pub arguments: Vec<i64>,
}

impl Language {
    /// The kind of the formulations that make programs in it.
    #[must_use]
    pub fn kind(self) -> FormulationKind {
        match self {
            Self::Minizinc => FormulationKind::Minizinc,
            Self::Asp => FormulationKind::Asp,
        }
    }
}

impl Program {
    /// Model and data as one text, which is a whole program.
    #[must_use]
    pub fn text(&self) -> String {
        format!("{}{}", self.model, self.data)
    }

    /// The solution that an answer describes, in puzzle terms. Whether it is one, the rules of the puzzle say.
    ///
    /// # Errors
    /// [`ModelError::Answer`]: an answer that is not whole, or says two things at once.
    pub fn decode(&self, facts: &[Fact]) -> Result<Solution, ModelError> {
        program::decode(self, facts)
    }
}

impl fmt::Display for Fact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let arguments: Vec<String> = self.arguments.iter().map(i64::to_string).collect();
        write!(f, "{}({})", self.name, arguments.join(", "))
    }
}

/// Writes the program of an instance under a formulation of kind `minizinc` or `asp`.
///
/// # Errors
/// A formulation of another kind, one that does not fit the instance, or numbers too large for the solvers of such programs.
pub fn build_program(formulation: &Formulation, instance: &Instance) -> Result<Program, ModelError> {
    formulation.check(instance)?;
    match &instance.puzzle {
        Puzzle::Soku(game) => program::write(formulation, &instance.name, game),
        other => Err(formulation.refuse(format!("there is no program of {}", other.kind()))),
    }
}
