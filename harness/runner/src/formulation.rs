//! The little that the runner asks the model crate about a formulation.

use model::{Caveats, Formulation, NormalisedFormulation};
use puzzle::Puzzle;

/// A formulation with what its columns show.
#[derive(Debug, Clone, PartialEq)]
pub struct PlannedFormulation {
    /// The formulation.
    pub formulation: Formulation,
    /// Its families in normal form, or what it chooses instead.
    pub families: String,
    /// Its objective.
    pub objective: String,
    /// What it does about subloops, with the choice of cuts.
    pub subloops: String,
    /// What it does about holes.
    pub holes: String,
    /// What its answers may lack, and what they do not prove.
    pub caveats: Caveats,
    /// Whether its runs also solve the linear relaxation of the first model.
    pub root_bound: bool,
}

impl PlannedFormulation {
    /// Its kind, as the column shows it.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        self.formulation.kind.name()
    }

    /// What the columns show of it for an instance of a puzzle.
    #[must_use]
    pub fn about(&self, puzzle: &Puzzle) -> NormalisedFormulation {
        let normal = NormalisedFormulation {
            kind: self.formulation.kind,
            families: self.families.clone(),
            objective: self.objective.clone(),
            subloops: self.subloops.clone(),
            holes: self.holes.clone(),
        };
        normal.about(puzzle)
    }

    /// Looks a formulation's facts up.
    ///
    /// # Errors
    /// Why no instance can be solved with it.
    pub fn new(formulation: Formulation, root_bound: bool) -> Result<Self, String> {
        let normalised = formulation.normalised().map_err(|e| e.to_string())?;
        Ok(Self {
            families: normalised.families,
            objective: normalised.objective,
            subloops: normalised.subloops,
            holes: normalised.holes,
            caveats: formulation.caveats().map_err(|e| e.to_string())?,
            formulation,
            root_bound,
        })
    }

    /// A stand-in for a formulation that makes no sense; no run is made of it.
    pub(crate) fn unsound(formulation: Formulation) -> Self {
        Self {
            families: formulation.families.clone(),
            objective: String::new(),
            subloops: String::new(),
            holes: String::new(),
            caveats: Caveats::default(),
            formulation,
            root_bound: false,
        }
    }
}
