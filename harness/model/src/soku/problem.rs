//! A game under a formulation, ready to be solved: what models of every form have in common.

use puzzle::soku::{Soku, placements, rotated};
use puzzle::{Placement, Solution};

use super::options::Options;
use crate::error::ModelError;
use crate::problem::{Problem, Separation};
use crate::representation::Representation;

/// A model of a game, of any form: which of its values say what lies on the faces.
pub(crate) trait OnFaces {
    type Form: Representation;

    /// The game, its model, and what can lie on a face.
    fn parts(&self) -> (&Soku, &Self::Form, &Options);

    /// Faces with the options that lie on them, both from 0, in the order of the faces. There is a value for each variable.
    /// Errors: values that are not integral.
    fn read(&self, values: &[<Self::Form as Representation>::Value]) -> Result<Vec<(usize, usize)>, ModelError>;

    /// The values where these options lie on these faces; the opposite of [`OnFaces::read`].
    fn write(&self, lying: &[(usize, usize)]) -> Vec<<Self::Form as Representation>::Value>;
}

/// See [`Problem`].
pub(crate) struct SokuProblem<M> {
    pub instance: String,
    pub model: M,
}

impl<M: OnFaces> Problem<M::Form> for SokuProblem<M> {
    fn model(&self) -> &M::Form {
        self.model.parts().1
    }

    fn decode(&self, values: &[<M::Form as Representation>::Value]) -> Result<Solution, ModelError> {
        let (game, model, options) = self.model.parts();
        model.check_length(values)?;
        let options = options.all();
        let lying = self.model.read(values)?;
        let shown: Vec<_> = lying.into_iter().map(|(face, option)| (face, options[option].weights)).collect();
        Ok(solution(&self.instance, game, &shown))
    }

    fn encode(&self, solution: &Solution) -> Vec<<M::Form as Representation>::Value> {
        let (game, _, options) = self.model.parts();
        let option_on = |placement: &Placement| {
            let face = placement.place.checked_sub(1).filter(|&face| face < game.tiles.len())?;
            Some((face, options.index(game, placement)?))
        };
        self.model.write(&solution.placements.iter().filter_map(option_on).collect::<Vec<_>>())
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

/// The solution in which these weights lie on these faces (from 0). Tiles get the numbers that [`placements`] gives them.
/// Where not one tile lies on each face, or the game has no such tiles, the solution has what lies there by the first tile that can
/// show it, and is none.
fn solution(instance: &str, game: &Soku, lying: &[(usize, [u32; 3])]) -> Solution {
    let one_each = lying.len() == game.tiles.len() && lying.iter().enumerate().all(|(face, on)| on.0 == face);
    let shown: Vec<[u32; 3]> = lying.iter().map(|&(_, weights)| weights).collect();
    let placed = if one_each { placements(game, &shown) } else { None };
    let placed = placed.unwrap_or_else(|| lying.iter().filter_map(|&on| first_that_shows(game, on)).collect());
    Solution::on_faces(instance, placed)
}

fn first_that_shows(game: &Soku, (face, weights): (usize, [u32; 3])) -> Option<Placement> {
    game.tiles.iter().enumerate().find_map(|(index, &tile)| {
        let orientation = (0..3).find(|&rotation| rotated(tile, rotation) == weights)?;
        Some(Placement { place: face + 1, tile: index + 1, orientation })
    })
}
