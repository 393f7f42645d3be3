//! A game as an integer program under construction: its variables, helpers that families share, what its values mean.

use puzzle::soku::Soku;

use super::options::{Options, shows_what_was_placed};
use super::problem::OnFaces;
use crate::error::ModelError;
use crate::ir::{Domain, Model, VarId};

pub(super) type Terms = Vec<(VarId, f64)>;

/// A model under construction: the game, the variables by their indices, the rows so far.
///
/// Indices here are from 0; names of variables and rows have tile t (or sort s), face f and vertex from 1,
/// rotation r from 0.
pub(crate) struct Builder {
    pub game: Soku,
    pub model: Model,
    /// What can lie on a face.
    pub(super) options: Options,
}

impl Builder {
    /// Starts a model with the variables x\[t,f,r\]: tile t lies on face f in rotation r (`distinguished`), or x\[s,f,r\]: a tile of
    /// sort s lies there and shows the least triple of its sort in rotation r. Where a tile was placed beforehand, what shows other
    /// weights is fixed to 0.
    pub fn new(game: &Soku, distinguished: bool) -> Result<Self, ModelError> {
        let options = if distinguished { Options::of_tiles(game) } else { Options::of_sorts(game) };
        let faces = game.field.faces().len();
        options.check_size(faces)?;
        let mut model = Model::default();
        for face in 0..faces {
            for option in options.all() {
                let name = format!("x_{}_{}_{}", option.item + 1, face + 1, option.rotation);
                let upper = f64::from(u8::from(shows_what_was_placed(game, face, option.weights)));
                model.add_variable(name, Domain::Binary, 0.0, upper);
            }
        }
        Ok(Self { game: game.clone(), model, options })
    }

    pub fn faces(&self) -> std::ops::Range<usize> {
        0..self.game.field.faces().len()
    }

    pub fn x(&self, face: usize, option: usize) -> VarId {
        VarId(face * self.options.all().len() + option)
    }

    /// Terms 1 * x of everything that can lie on a face.
    pub fn lying(&self, face: usize) -> Terms {
        (0..self.options.all().len()).map(|option| (self.x(face, option), 1.0)).collect()
    }

    /// Terms 1 * x of a tile or sort on a face, in any rotation.
    pub fn item_on(&self, item: usize, face: usize) -> impl Iterator<Item = (VarId, f64)> + '_ {
        self.options.items()[item].options.clone().map(move |option| (self.x(face, option), 1.0))
    }

    /// Terms 1 * x of a tile or sort anywhere, in any rotation.
    pub fn uses(&self, item: usize) -> Terms {
        self.faces().flat_map(|face| self.item_on(item, face)).collect()
    }

    /// Terms c(w) * x of everything that can lie around a vertex, by what weight w it has there.
    pub fn around(&self, vertex: usize, factor: impl Fn(u32) -> f64) -> Terms {
        let mut terms = Vec::new();
        for &(face, corner) in self.game.field.around(vertex) {
            for (index, option) in self.options.all().iter().enumerate() {
                terms.push((self.x(face, index), factor(option.weights[corner])));
            }
        }
        terms
    }
}

impl OnFaces for Builder {
    type Form = Model;

    fn parts(&self) -> (&Soku, &Model, &Options) {
        (&self.game, &self.model, &self.options)
    }

    fn read(&self, values: &[f64]) -> Result<Vec<(usize, usize)>, ModelError> {
        let mut lying = Vec::new();
        for face in self.faces() {
            for option in 0..self.options.all().len() {
                if self.model.is_one(values, self.x(face, option))? {
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
