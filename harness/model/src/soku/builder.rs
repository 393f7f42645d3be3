//! The variables of a game, and helpers that families share.

use puzzle::soku::Soku;

use super::bounds::shows_what_was_placed;
use super::options::Options;
use crate::ModelError;
use crate::ir::{Kind, Model, VarId};

/// Greatest number of the variables x.
const MOST_X: usize = 10_000_000;

/// Terms of a row.
pub(super) type Terms = Vec<(VarId, f64)>;

/// A model under construction: the game, the variables by their indices, the rows so far.
///
/// Indices here are from 0; names of variables and rows have tile t (or sort s) and face f from 1, rotation r from 0.
pub(crate) struct Builder {
    /// The game.
    pub game: Soku,
    /// The model so far.
    pub model: Model,
    /// What can lie on a face.
    pub(super) options: Options,
}

/// Whether a model may have so many options on so many faces; asked before anything of that size is built.
pub(super) fn check_size(options: &Options, faces: usize) -> Result<(), ModelError> {
    let (tiles, variables) = (options.items().len(), options.all().len().saturating_mul(faces));
    let fits = variables <= MOST_X;
    if fits { Ok(()) } else { Err(ModelError::TooLarge { tiles, places: faces, variables, most: MOST_X }) }
}

impl Builder {
    /// Starts a model with the variables x\[t,f,r\]: tile t lies on face f in rotation r (`distinguished`), or x\[s,f,r\]: a tile of
    /// sort s lies there and shows the least triple of its sort in rotation r. Where a tile was placed beforehand, what shows other
    /// weights is fixed to 0.
    ///
    /// # Errors
    /// Too many variables.
    pub fn new(game: &Soku, distinguished: bool) -> Result<Self, ModelError> {
        let options = if distinguished { Options::of_tiles(game) } else { Options::of_sorts(game) };
        let faces = game.field.faces().len();
        check_size(&options, faces)?;
        let mut model = Model::default();
        for face in 0..faces {
            for option in options.all() {
                let name = format!("x_{}_{}_{}", option.item + 1, face + 1, option.rotation);
                let upper = f64::from(u8::from(shows_what_was_placed(game, face, option.weights)));
                model.add_variable(name, Kind::Binary, 0.0, upper);
            }
        }
        Ok(Self { game: game.clone(), model, options })
    }

    /// Indices of the faces.
    pub fn faces(&self) -> std::ops::Range<usize> {
        0..self.game.field.faces().len()
    }

    /// The variable of an option on a face.
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

    /// The name of a vertex as part of a row's name: its number from 1, since its own may have any characters.
    pub fn vertex_name(vertex: usize) -> usize {
        vertex + 1
    }
}
