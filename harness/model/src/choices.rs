//! What a formulation chooses beside its families: the objective, and what to do about subloops and holes.

use serde::{Deserialize, Serialize};

/// What is minimised.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Objective {
    /// x[1,1,1], as in the papers: any feasible point will do, but a solver has something to minimise.
    #[default]
    Virtual,
    /// Nothing.
    None,
    /// Minus the sum of the weights of the filled places, greatest in the middle of the board: round shapes first
    /// (bounded boards and the open plane, where the optimum is that of the first board that holds a solution).
    Weighted,
}

impl Objective {
    /// All objectives.
    pub const ALL: [Self; 3] = [Self::Virtual, Self::None, Self::Weighted];

    /// The word used in configs.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Virtual => "virtual",
            Self::None => "none",
            Self::Weighted => "weighted",
        }
    }
}

/// What to do when a solution shows several designated loops.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Subloops {
    /// Say so and stop.
    Report,
    /// Cut them off and solve again, until one loop is left.
    Resolve,
}

impl Subloops {
    /// Both treatments.
    pub const ALL: [Self; 2] = [Self::Report, Self::Resolve];

    /// The word used in configs.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Report => "report",
            Self::Resolve => "resolve",
        }
    }
}

/// Which cuts to draw against the subloops of a solution.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CutChoice {
    /// One around the places of each subloop.
    #[default]
    Each,
    /// One around the places of the smallest subloop only.
    Smallest,
    /// One around each subloop together with all places that it encloses.
    Region,
}

impl CutChoice {
    /// All choices.
    pub const ALL: [Self; 3] = [Self::Each, Self::Smallest, Self::Region];

    /// The word used in configs.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Each => "each",
            Self::Smallest => "smallest",
            Self::Region => "region",
        }
    }
}

/// What to do when a solution encloses holes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Holes {
    /// Say so and stop.
    #[default]
    Report,
    /// Cut them off and solve again, until none is left.
    Resolve,
}

impl Holes {
    /// Both treatments.
    pub const ALL: [Self; 2] = [Self::Report, Self::Resolve];

    /// The word used in configs.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Report => "report",
            Self::Resolve => "resolve",
        }
    }
}
