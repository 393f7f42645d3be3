//! A game as an integer program, ready to be solved.

use puzzle::Solution;
use puzzle::soku::Soku;

use super::{Builder, FAMILIES, meaning, s5};
use crate::ir::{Model, VarId};
use crate::{Formulation, ModelError, Objective, Problem, Separation};

/// How far a binary value may be from 0 or 1.
const INTEGRALITY: f64 = 1e-4;

/// Greatest weight and capacity. Solvers take a binary value for 0 or 1 that is off by up to 1e-5 (GLPK; others 1e-6): weights of
/// 50,000 make that half a dot. Above, some were seen to find solutions that are none, and solvable games infeasible.
const GREATEST: u32 = 40_000;

/// See [`Problem`].
pub(crate) struct SokuProblem {
    instance: String,
    builder: Builder,
}

impl SokuProblem {
    /// Builds the model with all its families and the objective.
    ///
    /// # Errors
    /// Families that do not exist, too large a model, or weights that solvers of linear models cannot tell apart.
    pub fn new(formulation: &Formulation, instance: &str, game: &Soku) -> Result<Self, ModelError> {
        let greatest = game.tiles.iter().flatten().chain(&game.capacity).max().copied().unwrap_or(0);
        if greatest > GREATEST {
            return Err(formulation.refuse(format!(
                "a weight or capacity of {greatest}; solvers of linear models round, and tell sums apart up to {GREATEST}; kind sat \
                 takes more"
            )));
        }
        let listed = formulation.family_list()?;
        let has = |id| listed.iter().any(|family| family.id == id);
        let mut builder = Builder::new(game, has("S2"))?;
        if has("S5") {
            s5::check_size(game)?;
        }
        for family in FAMILIES.into_iter().filter(|family| listed.contains(&family.info())) {
            family.add(&mut builder);
        }
        if formulation.objective == Objective::Virtual {
            builder.model.set_objective(vec![(VarId(0), 1.0)]);
        }
        Ok(Self { instance: instance.to_owned(), builder })
    }
}

impl Problem for SokuProblem {
    fn model(&self) -> &Model {
        &self.builder.model
    }

    fn decode(&self, values: &[f64]) -> Result<Solution, ModelError> {
        let b = &self.builder;
        let expected = b.model.variables().len();
        if values.len() != expected {
            return Err(ModelError::Length { found: values.len(), expected });
        }
        let mut lying = Vec::new();
        for face in b.faces() {
            for (index, option) in b.options.all().iter().enumerate() {
                let var = b.x(face, index);
                let value = values[var.0];
                // Negated, so that NaN counts as fractional.
                let integral = (value - value.round()).abs() <= INTEGRALITY;
                if !integral {
                    return Err(ModelError::Fractional { variable: b.model.variables()[var.0].name.clone(), value });
                }
                if value > 0.5 {
                    lying.push((face, option.weights));
                }
            }
        }
        Ok(meaning::solution(&self.instance, &b.game, &lying))
    }

    fn encode(&self, solution: &Solution) -> Vec<f64> {
        let b = &self.builder;
        let mut values = vec![0.0; b.model.variables().len()];
        for placement in &solution.placements {
            let face = placement.place.checked_sub(1).filter(|face| b.faces().contains(face));
            if let (Some(face), Some(option)) = (face, b.options.index(&b.game, placement)) {
                values[b.x(face, option).0] += 1.0;
            }
        }
        values
    }

    fn has_loops(&self) -> bool {
        false
    }

    fn separate(&mut self, _solution: &Solution) -> Separation {
        Separation::default()
    }

    fn forbidden_by(&self, _solution: &Solution) -> Option<String> {
        None
    }
}
