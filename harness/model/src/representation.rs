//! What all models have in common, whatever they are made of.

use std::fmt::Debug;

use serde::{Deserialize, Serialize};

use crate::error::ModelError;

/// Size of a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Size {
    /// Number of variables.
    pub variables: usize,
    /// Number of rows, clauses or constraints.
    pub constraints: usize,
    /// Number of nonzero coefficients, of literals in all clauses, of variables in all constraints.
    pub nonzeros: usize,
}

/// What a model is made of: linear rows, clauses, or constraints over integers.
pub trait Representation: Debug {
    /// The value of a variable in a solution.
    type Value: Copy + Debug;

    /// Size of the model as it stands.
    fn size(&self) -> Size;

    /// Whether there is a value for each variable.
    fn check_length(&self, values: &[Self::Value]) -> Result<(), ModelError> {
        let (found, expected) = (values.len(), self.size().variables);
        if found == expected { Ok(()) } else { Err(ModelError::Length { found, expected }) }
    }

    /// What a solver's values break, in words that name it; nothing if they are a solution. Missing values break
    /// whatever needs them.
    fn broken_by(&self, values: &[Self::Value]) -> Vec<String>;

    /// The objective of values, once they are rounded; `None` for a form without one.
    fn objective_of(&self, _values: &[Self::Value]) -> Option<f64> {
        None
    }
}

/// The values of a model of this form.
pub(crate) type Values<F> = [<F as Representation>::Value];
