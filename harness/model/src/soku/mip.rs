//! A game as an integer program: building it, what its values mean.

use puzzle::soku::Soku;

use super::options::Options;
use super::problem::OnFaces;
use super::{Builder, FAMILIES, s5};
use crate::ir::{Model, VarId};
use crate::{Formulation, Mip, ModelError, Objective};

/// How far a binary value may be from 0 or 1.
const INTEGRALITY: f64 = 1e-4;

/// Greatest weight and capacity. Solvers take a binary value for 0 or 1 that is off by up to 1e-5 (GLPK; others 1e-6): weights of
/// 50,000 make that half a dot. Above, some were seen to find solutions that are none, and solvable games infeasible.
const GREATEST: u32 = 40_000;

/// Builds the model with all its families and the objective.
///
/// # Errors
/// Too large a model, or weights that solvers of linear models cannot tell apart.
pub(super) fn build(formulation: &Formulation, mip: &Mip, game: &Soku) -> Result<Builder, ModelError> {
    let greatest = game.tiles.iter().flatten().chain(&game.capacity).max().copied().unwrap_or(0);
    if greatest > GREATEST {
        return Err(formulation.refuse(format!(
            "a weight or capacity of {greatest}; solvers of linear models round, and tell sums apart up to {GREATEST}; kind sat takes \
             more"
        )));
    }
    let has = |id| mip.families.iter().any(|family| family.id == id);
    let mut builder = Builder::new(game, has("S2"))?;
    if has("S5") {
        s5::check_size(game)?;
    }
    for family in FAMILIES.into_iter().filter(|family| mip.families.contains(&family.info())) {
        family.add(&mut builder);
    }
    if mip.objective == Objective::Virtual {
        builder.model.set_objective(vec![(VarId(0), 1.0)]);
    }
    Ok(builder)
}

impl OnFaces for Builder {
    type Form = Model;

    fn model(&self) -> &Model {
        &self.model
    }

    fn game(&self) -> &Soku {
        &self.game
    }

    fn options(&self) -> &Options {
        &self.options
    }

    fn read(&self, values: &[f64]) -> Result<Vec<(usize, usize)>, ModelError> {
        let mut lying = Vec::new();
        for face in self.faces() {
            for option in 0..self.options.all().len() {
                let var = self.x(face, option);
                let value = values[var.0];
                // Negated, so that NaN counts as fractional.
                let integral = (value - value.round()).abs() <= INTEGRALITY;
                if !integral {
                    let variable = self.model.variables()[var.0].name.clone();
                    return Err(ModelError::Fractional { variable, value });
                }
                if value > 0.5 {
                    lying.push((face, option));
                }
            }
        }
        Ok(lying)
    }

    fn write(&self, lying: &[(usize, usize)]) -> Vec<f64> {
        let mut values = vec![0.0; self.model.variables().len()];
        for &(face, option) in lying {
            values[self.x(face, option).0] += 1.0;
        }
        values
    }
}
