//! Proofs of optimality against each other: a verified solution below what another run of the same model proved.

use std::collections::BTreeMap;

use crate::{Category, RunRow, Status};

/// Relative difference of objective values that is none.
pub const OBJECTIVE_TOLERANCE: f64 = 1e-6;

/// Of each model of one instance, the highest bound that a run proved by claiming an optimum, and the lowest objective value of a
/// verified solution. Models minimise. What cuts off subloops and holes takes no solution of the puzzle away, so these
/// choices make no other model here.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Optima(BTreeMap<String, Sides>);

#[derive(Debug, Clone, PartialEq, Default)]
struct Sides {
    proven: Option<(f64, String)>,
    found: Option<(f64, String)>,
}

/// What determines the model and its objective, as the columns say it.
#[derive(Debug, Clone, Copy)]
pub struct ModelColumns<'a> {
    /// Column `kind`.
    pub kind: &'a str,
    /// Column `families`.
    pub families: &'a str,
    /// Column `objective`.
    pub objective: &'a str,
    /// Column `options`.
    pub options: &'a str,
}

impl Optima {
    /// Takes note of a run of which `label` tells. Nothing is compared but linear models with an objective.
    pub fn note(&mut self, row: &RunRow, model: ModelColumns<'_>, label: impl Fn() -> String) {
        let ModelColumns { kind, families, objective, options } = model;
        let Some(value) = row.objective_value.filter(|_| kind == "mip" && objective != "none") else { return };
        // Its coefficients are drawn with the seed.
        let seed = if objective == "random" { row.seed } else { 0 };
        let sides = self.0.entry(format!("{objective} {seed} {families}")).or_default();
        if row.is_solved() && sides.found.as_ref().is_none_or(|(least, _)| value < *least) {
            sides.found = Some((value, label()));
        }
        // Tiles that are fixed by a start make the model smaller.
        let proves = row.status == Status::Optimal
            && row.category != Category::Wrong
            && !options.split("; ").any(|option| option == "start=fix");
        let bound = row.bound.unwrap_or(value);
        if proves && sides.proven.as_ref().is_none_or(|(most, _)| bound > *most) {
            sides.proven = Some((bound, label()));
        }
    }

    /// The first model of which a verified solution refutes a proof, in words.
    #[must_use]
    pub fn contradiction(&self) -> Option<String> {
        self.0.values().find_map(|Sides { proven, found }| {
            let ((bound, prover), (value, finder)) = (proven.as_ref()?, found.as_ref()?);
            let tolerance = OBJECTIVE_TOLERANCE * bound.abs().max(value.abs()).max(1.0);
            (*value < bound - tolerance)
                .then(|| format!("objective {value} found by {finder}, and proven to be at least {bound} by {prover}"))
        })
    }
}
