//! What the values of a constraint model mean.

use puzzle::soku::Soku;

use super::builder::{CpBuilder, number, weight};
use crate::ModelError;
use crate::cp::Model;
use crate::soku::options::Options;
use crate::soku::problem::OnFaces;

impl OnFaces for CpBuilder {
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

    fn read(&self, values: &[i32]) -> Result<Vec<(usize, usize)>, ModelError> {
        let on = |face: usize| Some((face, self.option(values[self.state(face).0])?));
        Ok((0..self.game.tiles.len()).filter_map(on).collect())
    }

    fn write(&self, lying: &[(usize, usize)]) -> Vec<i32> {
        // A face without a tile has a state that there is not.
        let mut values = vec![0; self.model.variables().len()];
        for &(face, index) in lying {
            let option = self.options.all()[index];
            values[self.state(face).0] = number(index + 1);
            values[self.sort(face).0] = number(option.item + 1);
            for (var, shown) in self.weights(face).into_iter().zip(&option.weights) {
                values[var.0] = weight(shown);
            }
        }
        values
    }
}
