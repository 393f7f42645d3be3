//! Formulations that make no sense, models that are too large, and values that are no solution.

/// What is wrong with a formulation, a model or a solver's values.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the fields say what they are")]
pub enum ModelError {
    /// A formulation that makes no sense.
    #[error("{formulation}: {reason}")]
    Formulation {
        /// Its families, or its kind.
        formulation: String,
        /// What is missing or contradictory, and what would be right.
        reason: String,
    },
    /// A binary variable with a value that is neither 0 nor 1.
    #[error("the solver gives {variable} the value {value}, which is neither 0 nor 1: this is no integral solution")]
    Fractional { variable: String, value: f64 },
    /// Values for another number of variables than the model has.
    #[error("{found} values for {expected} variables")]
    Length { found: usize, expected: usize },
    /// An answer to a program that describes no solution.
    #[error("the solver's answer is no solution: {reason}")]
    Answer { reason: String },
    /// A family that there is not, no board for the model, or a model, or numbers in it, that would be too large.
    #[error("{0}")]
    Impossible(String),
}

/// Greatest number of the variables x. Each stands in some twenty rows, so a model of that size takes gigabytes; the
/// largest boards that instance files may have, of 10,000 places, stay far below it with ten sorts of tiles.
const MOST_X: usize = 10_000_000;

/// Whether a model may have so many x of these tiles (sorts) and places; asked before anything of that size is built.
pub(crate) fn check_size(tiles: usize, places: usize, variables: usize) -> Result<(), ModelError> {
    if variables <= MOST_X {
        return Ok(());
    }
    Err(ModelError::Impossible(format!(
        "{tiles} tiles on {places} places make {variables} variables, and a model may have {MOST_X} here"
    )))
}

/// Most nonzeros that the rows of an order of equal tiles may have.
const MOST_IN_ORDER: usize = 50_000_000;

/// Whether the rows by which a family orders these pairs of equal tiles are few enough (see [`crate::ir::Model::add_order`]); asked
/// before they are added. `sorts` is the family that needs none.
pub(crate) fn check_order(
    family: &str,
    sorts: &str,
    pairs: usize,
    places: usize,
    turns: usize,
) -> Result<(), ModelError> {
    // All turns of two tiles on half of the places, for each place.
    let nonzeros = pairs.saturating_mul(turns * places * places);
    if nonzeros <= MOST_IN_ORDER {
        return Ok(());
    }
    Err(ModelError::Impossible(format!(
        "{family}: {pairs} pairs of equal tiles on {places} places make {nonzeros} nonzeros, of which there may be {MOST_IN_ORDER}; \
         {sorts} does not tell equal tiles apart and needs no such rows"
    )))
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
