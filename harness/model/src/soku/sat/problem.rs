//! A game as clauses, ready to be solved.

use puzzle::Solution;
use puzzle::soku::Soku;

use super::rules::add_rules;
use super::variables::Variables;
use crate::sat::Cnf;
use crate::soku::meaning;
use crate::{Formulation, ModelError, Problem, Separation};

/// See [`Problem`].
pub(crate) struct SatProblem {
    instance: String,
    variables: Variables,
}

impl SatProblem {
    /// Builds the formula.
    ///
    /// # Errors
    /// It would be too large.
    pub fn new(formulation: &Formulation, instance: &str, game: &Soku) -> Result<Self, ModelError> {
        let mut variables = Variables::new(game)?;
        add_rules(&mut variables, formulation.cardinality.unwrap_or_default())?;
        Ok(Self { instance: instance.to_owned(), variables })
    }
}

impl Problem<Cnf> for SatProblem {
    fn model(&self) -> &Cnf {
        &self.variables.cnf
    }

    fn decode(&self, values: &[bool]) -> Result<Solution, ModelError> {
        let v = &self.variables;
        let expected = v.cnf.variables();
        if values.len() != expected {
            return Err(ModelError::Length { found: values.len(), expected });
        }
        let mut lying = Vec::new();
        for face in 0..v.game.tiles.len() {
            let on = v.x(face).iter().zip(v.options.all()).filter(|(x, _)| x.holds(values));
            lying.extend(on.map(|(_, option)| (face, option.weights)));
        }
        Ok(meaning::solution(&self.instance, &v.game, &lying))
    }

    fn encode(&self, solution: &Solution) -> Vec<bool> {
        let v = &self.variables;
        let mut x = vec![false; v.number_of_x()];
        for placement in &solution.placements {
            let face = placement.place.checked_sub(1).filter(|&face| face < v.game.tiles.len());
            if let (Some(face), Some(option)) = (face, v.options.index(&v.game, placement)) {
                x[v.x(face)[option].var().number() - 1] = true;
            }
        }
        v.cnf.complete(&x)
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
