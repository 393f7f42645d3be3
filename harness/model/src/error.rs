//! Formulations that make no sense, models that are too large, and values that are no solution.

/// What is wrong with a formulation, a model or a solver's values.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ModelError {
    /// A family that does not exist.
    #[error("unknown family {name:?}{hint}; families: {known}")]
    UnknownFamily {
        /// As written.
        name: String,
        /// The nearest family, as a question.
        hint: String,
        /// All families.
        known: String,
    },
    /// A formulation that makes no sense.
    #[error("{formulation}: {reason}")]
    Formulation {
        /// Its families, or its kind.
        formulation: String,
        /// What is missing or contradictory, and what would be right.
        reason: String,
    },
    /// More variables x than any solver here could be given.
    #[error("{tiles} tiles on {places} places make {variables} variables, and a model may have {most} here")]
    TooLarge {
        /// Tiles that are told apart.
        tiles: usize,
        /// Places of the board.
        places: usize,
        /// Their product with the orientations.
        variables: usize,
        /// How many there may be.
        most: usize,
    },
    /// A binary variable with a value that is neither 0 nor 1.
    #[error("the solver gives {variable} the value {value}, which is neither 0 nor 1: this is no integral solution")]
    Fractional {
        /// The variable.
        variable: String,
        /// Its value.
        value: f64,
    },
    /// Values for another number of variables than the model has.
    #[error("{found} values for {expected} variables")]
    Length {
        /// Values.
        found: usize,
        /// Variables.
        expected: usize,
    },
    /// An answer to a program that describes no solution.
    #[error("the solver's answer is no solution: {reason}")]
    Answer {
        /// What is missing or contradictory.
        reason: String,
    },
    /// No board for the model.
    #[error("{reason}")]
    Board {
        /// Why there is none.
        reason: String,
    },
}

impl ModelError {
    /// A formulation of kind mip with these families makes no sense.
    pub(crate) fn families(families: &str, reason: String) -> Self {
        Self::Formulation { formulation: format!("families {families:?}"), reason }
    }

    /// A formulation of a kind without families makes no sense.
    pub(crate) fn kind(kind: &str, reason: String) -> Self {
        Self::Formulation { formulation: format!("a formulation of kind {kind}"), reason }
    }
}
