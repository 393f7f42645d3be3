//! A game as a model, finished or under construction: what models of every form have in common.

use std::ops::Range;

use puzzle::soku::{Soku, placements, rotated};
use puzzle::{Placement, Solution};

use super::options::Options;
use crate::error::{ModelError, check_size};
use crate::problem::{Problem, Separation};
use crate::representation::{Representation, Values};

/// A game as a model of some form.
///
/// Indices are from 0; names of variables and rows have tile t (or sort s), face f and vertex from 1, rotation r from 0.
pub(crate) struct Game<F> {
    instance: String,
    pub game: Soku,
    /// What can lie on a face.
    pub options: Options,
    pub model: F,
}

/// Which values of a form say what lies on the faces.
pub(crate) trait OnFaces: Representation + Default + 'static {
    /// Faces with the options that lie on them, in the order of the faces. There is a value for each variable.
    /// Errors: values that are not integral.
    fn read(game: &Game<Self>, values: &Values<Self>) -> Result<Vec<(usize, usize)>, ModelError>;

    /// The values where these options lie on these faces; the opposite of [`OnFaces::read`].
    fn write(game: &Game<Self>, lying: &[(usize, usize)]) -> Vec<Self::Value>;
}

impl<F: Default> Game<F> {
    /// An empty model. Errors: so many options that it would be too large.
    pub fn new(instance: &str, game: &Soku, options: Options) -> Result<Self, ModelError> {
        let faces = game.field.faces().len();
        check_size(options.items().len(), faces, options.all().len().saturating_mul(faces))?;
        Ok(Self { instance: instance.to_owned(), game: game.clone(), options, model: F::default() })
    }

    pub fn faces(&self) -> Range<usize> {
        0..self.game.tiles.len()
    }

    /// The place of an option on a face among all of them, which models with a variable for each have first.
    pub fn x(&self, face: usize, option: usize) -> usize {
        face * self.options.all().len() + option
    }

    /// The solution in which these weights lie on these faces. Tiles get the numbers that [`placements`] gives them. Where not one tile
    /// lies on each face, or the game has no such tiles, the solution has what lies there by the first tile that can show it, and is none.
    fn solution(&self, lying: &[(usize, [u32; 3])]) -> Solution {
        let one_each = lying.len() == self.faces().len() && lying.iter().enumerate().all(|(face, on)| on.0 == face);
        let shown: Vec<[u32; 3]> = lying.iter().map(|&(_, weights)| weights).collect();
        let placed = if one_each { placements(&self.game, &shown) } else { None };
        let placed = placed.unwrap_or_else(|| lying.iter().filter_map(|&on| self.first_that_shows(on)).collect());
        Solution::on_faces(&self.instance, placed)
    }

    fn first_that_shows(&self, (face, weights): (usize, [u32; 3])) -> Option<Placement> {
        self.game.tiles.iter().enumerate().find_map(|(index, &tile)| {
            let orientation = (0..3).find(|&rotation| rotated(tile, rotation) == weights)?;
            Some(Placement { place: face + 1, tile: index + 1, orientation })
        })
    }
}

impl<F: OnFaces> Problem<F> for Game<F> {
    fn model(&self) -> &F {
        &self.model
    }

    fn decode(&self, values: &[F::Value]) -> Result<Solution, ModelError> {
        self.model.check_length(values)?;
        let shown = |(face, option): (usize, usize)| (face, self.options.all()[option].weights);
        Ok(self.solution(&F::read(self, values)?.into_iter().map(shown).collect::<Vec<_>>()))
    }

    fn encode(&self, solution: &Solution) -> Vec<F::Value> {
        let option_on = |placement: &Placement| {
            let face = placement.place.checked_sub(1).filter(|face| self.faces().contains(face))?;
            Some((face, self.options.index(&self.game, placement)?))
        };
        F::write(self, &solution.placements.iter().filter_map(option_on).collect::<Vec<_>>())
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
