//! What the values of a formula mean.

use puzzle::soku::Soku;

use super::Variables;
use crate::ModelError;
use crate::sat::Cnf;
use crate::soku::options::Options;
use crate::soku::problem::OnFaces;

impl OnFaces for Variables {
    type Form = Cnf;

    fn model(&self) -> &Cnf {
        &self.cnf
    }

    fn game(&self) -> &Soku {
        &self.game
    }

    fn options(&self) -> &Options {
        &self.options
    }

    fn read(&self, values: &[bool]) -> Result<Vec<(usize, usize)>, ModelError> {
        let on = |face: usize| {
            let holding = self.x(face).iter().enumerate().filter(|(_, x)| x.holds(values));
            holding.map(move |(option, _)| (face, option))
        };
        Ok((0..self.game.tiles.len()).flat_map(on).collect())
    }

    fn write(&self, lying: &[(usize, usize)]) -> Vec<bool> {
        let mut x = vec![false; self.number_of_x()];
        for &(face, option) in lying {
            x[self.x(face)[option].var().number() - 1] = true;
        }
        self.cnf.complete(&x)
    }
}
