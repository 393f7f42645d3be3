//! Proofs of optimality against each other: a verified solution below what another run of the same model proved.

use std::collections::BTreeMap;

use crate::RunRow;

/// Relative difference of objective values that is none here: solvers keep to bounds and integers within 1e-6 in each row, and those
/// by clauses round the coefficients of the objective.
const TOLERANCE: f64 = 1e-4;

/// Of each model of one instance, the highest bound that a run with a solution proved, and the lowest objective value of a
/// verified solution. Models minimise. Only runs with a verified solution count: others may have ended on a smaller board of the
/// open plane.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Optima {
    models: BTreeMap<String, Sides>,
    contradiction: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Default)]
struct Sides {
    proven: Option<(f64, String)>,
    found: Option<(f64, String)>,
}

/// What determines the model and its objective, as the columns say it. What cuts off subloops and holes takes no solution of the
/// puzzle away, so these choices make no other model here.
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

/// Whether a run solved the whole model, as its column `options` says it: tiles that a start fixes make it smaller, and its bound is
/// none of the whole.
#[must_use]
pub fn is_whole_model(options: &str) -> bool {
    !options.split("; ").any(|option| option == "start=fix")
}

/// Whether a value of an objective that is minimised lies below a bound on it by more than solvers err.
#[must_use]
pub fn is_below(value: f64, bound: f64) -> bool {
    value < bound - TOLERANCE * bound.abs().max(value.abs()).max(1.0)
}

impl Optima {
    /// Takes note of a run of which `label` tells. Nothing is compared but linear models with an objective that is the same for every
    /// seed.
    pub fn note(&mut self, row: &RunRow, model: ModelColumns<'_>, label: impl Fn() -> String) {
        let ModelColumns { kind, families, objective, options } = model;
        let Some(value) = row.objective_value.filter(|_| row.is_solved()) else { return };
        if kind != "mip" || !["virtual", "weighted"].contains(&objective) {
            return;
        }
        let Sides { proven, found } = self.models.entry(format!("{objective} {families}")).or_default();
        if found.as_ref().is_none_or(|(least, _)| value < *least) {
            *found = Some((value, label()));
        }
        if let Some(bound) = row.bound.filter(|_| is_whole_model(options))
            && proven.as_ref().is_none_or(|(most, _)| bound > *most)
        {
            *proven = Some((bound, label()));
        }
        if let (Some((bound, prover)), Some((value, finder))) = (proven, found)
            && is_below(*value, *bound)
        {
            self.contradiction.get_or_insert_with(|| {
                format!("objective {value} found by {finder}, and proven to be at least {bound} by {prover}")
            });
        }
    }

    /// The first verified solution that refuted a proof, in words.
    #[must_use]
    pub fn contradiction(&self) -> Option<&str> {
        self.contradiction.as_deref()
    }
}
