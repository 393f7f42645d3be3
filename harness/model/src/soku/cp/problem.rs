//! A game as a constraint model, ready to be solved.

use puzzle::Solution;
use puzzle::soku::Soku;

use super::builder::{CpBuilder, number, weight};
use crate::cp::Model;
use crate::soku::meaning;
use crate::{Formulation, ModelError, Problem, Separation};

/// See [`Problem`].
pub(crate) struct CpProblem {
    instance: String,
    builder: CpBuilder,
}

impl CpProblem {
    /// Builds the model. The formulation chooses nothing more.
    ///
    /// # Errors
    /// It would be too large, or its weights are.
    pub fn new(_formulation: &Formulation, instance: &str, game: &Soku) -> Result<Self, ModelError> {
        Ok(Self { instance: instance.to_owned(), builder: CpBuilder::new(game)? })
    }
}

impl Problem<Model> for CpProblem {
    fn model(&self) -> &Model {
        &self.builder.model
    }

    fn decode(&self, values: &[i32]) -> Result<Solution, ModelError> {
        let b = &self.builder;
        let expected = b.model.variables().len();
        if values.len() != expected {
            return Err(ModelError::Length { found: values.len(), expected });
        }
        let on = |face: usize| Some((face, b.option(values[b.state(face).0])?.weights));
        let lying: Vec<_> = (0..b.game.tiles.len()).filter_map(on).collect();
        Ok(meaning::solution(&self.instance, &b.game, &lying))
    }

    fn encode(&self, solution: &Solution) -> Vec<i32> {
        let b = &self.builder;
        // A face without a tile has a state that there is not.
        let mut values = vec![0; b.model.variables().len()];
        for placement in &solution.placements {
            let face = placement.place.checked_sub(1).filter(|&face| face < b.game.tiles.len());
            let (Some(face), Some(index)) = (face, b.options.index(&b.game, placement)) else { continue };
            let option = b.options.all()[index];
            values[b.state(face).0] = number(index + 1);
            values[b.sort(face).0] = number(option.item + 1);
            for (var, shown) in b.weights(face).into_iter().zip(&option.weights) {
                values[var.0] = weight(shown);
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
