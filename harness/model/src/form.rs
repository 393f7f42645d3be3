//! What the loop that solves again needs to know of a model, whatever its form.

use std::fmt::Debug;

use serde::{Deserialize, Serialize};

use crate::ir;

/// How far values may break a row and still be a solution.
const TOLERANCE: f64 = 1e-5;

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

/// A form that models have: linear rows, clauses, or constraints over integers.
pub trait Form: Debug {
    /// The value of a variable in a solution.
    type Value: Copy + Debug;

    /// Size of the model as it stands.
    fn size(&self) -> Size;

    /// What a solver's values break, in words that name it; nothing if they are a solution. Missing values break
    /// whatever needs them.
    fn broken_by(&self, values: &[Self::Value]) -> Vec<String>;
}

impl Form for ir::Model {
    type Value = f64;

    fn size(&self) -> Size {
        Size { variables: self.variables().len(), constraints: self.rows().len(), nonzeros: self.nonzeros() }
    }

    fn broken_by(&self, values: &[f64]) -> Vec<String> {
        // Rounded values decide: a solver's tolerances shall not.
        let rounded: Vec<f64> = values.iter().map(|v| v.round()).collect();
        self.broken(&rounded, TOLERANCE).into_iter().map(str::to_owned).collect()
    }
}
