//! A game as clauses: variables with what defines them, rules by family, what values mean.

mod rules;
mod values;
mod variables;

use puzzle::soku::Soku;

pub(super) use variables::Variables;

use crate::{ModelError, Sat};

/// Builds the formula.
///
/// # Errors
/// It would be too large.
pub(super) fn build(sat: &Sat, game: &Soku) -> Result<Variables, ModelError> {
    let mut variables = Variables::new(game)?;
    rules::add_rules(&mut variables, sat.cardinality)?;
    Ok(variables)
}
