//! The little that the runner asks the model crate about a formulation.

use model::{Caveats, Formulation, FormulationColumns};
use puzzle::Puzzle;

/// A formulation with what its columns show.
#[derive(Debug, Clone, PartialEq)]
pub struct PlannedFormulation {
    /// The formulation.
    pub formulation: Formulation,
    /// What the columns show of it, for puzzles with loops.
    pub columns: FormulationColumns,
    /// What its answers may lack, and what they do not prove.
    pub caveats: Caveats,
    /// Whether its runs also solve the linear relaxation of the first model.
    pub root_bound: bool,
}

impl PlannedFormulation {
    /// Looks a formulation's facts up.
    #[must_use]
    pub fn new(formulation: Formulation) -> Self {
        let (columns, caveats) = (formulation.columns(), formulation.caveats());
        Self { columns, caveats, root_bound: formulation.root_bound(), formulation }
    }

    /// Its kind, as the column shows it.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        self.formulation.kind().name()
    }

    /// What the columns show of it for an instance of a puzzle.
    #[must_use]
    pub fn about(&self, puzzle: &Puzzle) -> FormulationColumns {
        self.columns.clone().about(puzzle)
    }
}
