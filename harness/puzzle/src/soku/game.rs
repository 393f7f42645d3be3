//! Games (Rizzo, definition 2) and their files.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::tiles::ICOSOKU_TILES;
use super::{Field, ICOSOKU, Sorts, fields};
use crate::{FieldError, Known, Placement};

/// The `kind` of an instance file of 3SoKu.
pub const SOKU: &str = "soku";

/// Greatest weight and capacity that a file may give; what adds up to more could not be told from a slip.
pub const GREATEST_WEIGHT: u32 = 1_000_000_000;

/// Most vertices that a message lists.
const MOST_LISTED: usize = 24;

/// An instance file of kind [`SOKU`].
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SokuFile {
    /// [`SOKU`].
    pub kind: String,
    /// A field by its name, instead of its faces.
    #[serde(default)]
    pub field: Option<String>,
    /// Faces as names of vertices, clockwise.
    #[serde(default)]
    pub faces: Option<Vec<Vec<String>>>,
    /// What the weights around each vertex add up to.
    pub capacity: BTreeMap<String, i64>,
    /// Weights of each tile, clockwise, or the name of a set of tiles.
    pub tiles: TilesFile,
    /// Tiles that lie already.
    #[serde(default)]
    pub placed: Vec<PlacedFile>,
    /// What is known of the answer.
    #[serde(default)]
    pub known: Known,
    /// Where the instance comes from.
    #[serde(default)]
    pub source: String,
}

/// Tiles, as a file gives them.
#[derive(Debug, Clone, Deserialize)]
#[serde(untagged, expecting = "tiles are whole numbers by threes, [[0, 0, 1], ...], or \"icosoku\"")]
pub enum TilesFile {
    /// By the name of a set.
    Named(String),
    /// One by one.
    Listed(Vec<Vec<i64>>),
}

/// A tile that lies already, as a file gives it: a face and a tile from 1, a rotation from 0 to 2.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlacedFile {
    /// Number of the face.
    pub face: usize,
    /// Number of the tile.
    pub tile: usize,
    /// Rotation.
    pub rotation: usize,
}

/// A game of 3SoKu.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Soku {
    /// The playing field.
    pub field: Field,
    /// Of each vertex, in the order of [`Field::vertices`]: what the weights around it add up to.
    pub capacity: Vec<u32>,
    /// Weights of each tile, clockwise, in the order of the tiles' numbers (number 1 at index 0).
    pub tiles: Vec<[u32; 3]>,
    /// Tiles that lie already (place is a face, orientation a rotation from 0), in the order of the faces. A solution shows the
    /// same weights there.
    pub placed: Vec<Placement>,
}

impl Soku {
    /// Makes the game that a file describes.
    ///
    /// # Errors
    /// The field at fault: a field that [`Field::new`] refuses or nobody knows, a vertex without a capacity or
    /// a capacity without a vertex, a negative or too great weight or capacity, a tile with another number of weights than three,
    /// another number of tiles than faces, a placed tile that is not there.
    pub fn new(file: &SokuFile) -> Result<Self, FieldError> {
        let field = match (&file.field, &file.faces) {
            (Some(name), None) => fields::named(name)?,
            (None, Some(faces)) => Field::new(faces)?,
            (Some(_), Some(_)) => return Err(FieldError::new("field", "a name, and faces too; leave one of them out")),
            (None, None) => {
                let reason = "a game needs faces = [[\"A\", \"B\", \"C\"], ...], or field = \"icosahedron\"";
                return Err(FieldError::new("faces", reason));
            }
        };
        let capacity = capacities(&field, &file.capacity)?;
        let tiles = match &file.tiles {
            TilesFile::Named(name) if name == ICOSOKU => ICOSOKU_TILES.to_vec(),
            TilesFile::Named(name) => {
                let reason = format!("no tiles have the name {name:?}; there is {ICOSOKU}, or a list [[0, 0, 1], ...]");
                return Err(FieldError::new("tiles", reason));
            }
            TilesFile::Listed(list) => {
                let tile = |(index, weights): (usize, &Vec<i64>)| triple(&format!("tiles[{index}]"), weights);
                list.iter().enumerate().map(tile).collect::<Result<_, _>>()?
            }
        };
        let (faces, count) = (field.faces().len(), tiles.len());
        if faces != count {
            let reason = format!("{count} tiles for {faces} faces; a game has one for each");
            return Err(FieldError::new("tiles", reason));
        }
        let mut game = Self { field, capacity, tiles, placed: Vec::new() };
        for (index, &placed) in file.placed.iter().enumerate() {
            game.place(placed).map_err(|reason| FieldError::new(format!("placed[{index}]"), reason))?;
        }
        game.placed.sort_unstable_by_key(|placed| placed.place);
        Ok(game)
    }

    fn place(&mut self, PlacedFile { face, tile, rotation }: PlacedFile) -> Result<(), String> {
        let count = self.tiles.len();
        for (what, number) in [("face", face), ("tile", tile)] {
            if !(1..=count).contains(&number) {
                return Err(format!("{what} {number}; there are {what}s 1 to {count}"));
            }
        }
        if rotation > 2 {
            return Err(format!("rotation {rotation}; there is 0, 1 and 2"));
        }
        if self.placed.iter().any(|placed| placed.place == face) {
            return Err(format!("face {face} has a tile already; one lies on each"));
        }
        if self.placed.iter().any(|placed| placed.tile == tile) {
            return Err(format!("tile {tile} lies already; each lies on one face"));
        }
        self.placed.push(Placement { place: face, tile, orientation: rotation });
        Ok(())
    }

    /// The tiles by sorts.
    #[must_use]
    pub fn sorts(&self) -> Sorts {
        Sorts::of(&self.tiles)
    }

    /// The weights of all tiles together.
    #[must_use]
    pub fn total_weight(&self) -> u64 {
        self.tiles.iter().flatten().map(|&weight| u64::from(weight)).sum()
    }

    /// The capacities of all vertices together.
    #[must_use]
    pub fn total_capacity(&self) -> u64 {
        self.capacity.iter().map(|&capacity| u64::from(capacity)).sum()
    }

    /// Why there can be no solution, if the totals tell.
    #[must_use]
    pub fn obstacle(&self) -> Option<String> {
        let (weight, capacity) = (self.total_weight(), self.total_capacity());
        (weight != capacity).then(|| {
            format!("the weights of all tiles add up to {weight}, the capacities of all vertices to {capacity}")
        })
    }

    /// Everything that determines the puzzle, in a normal form.
    #[must_use]
    pub(crate) fn canonical(&self) -> String {
        let faces: Vec<_> = (0..self.field.faces().len()).map(|face| self.field.corners(face).join(",")).collect();
        let capacity: Vec<_> = self
            .field
            .vertices()
            .iter()
            .zip(&self.capacity)
            .map(|(name, capacity)| format!("{name}={capacity}"))
            .collect();
        let tiles: Vec<_> = self.tiles.iter().map(|[a, b, c]| format!("{a},{b},{c}")).collect();
        let placed: Vec<_> = self
            .placed
            .iter()
            .map(|placed| format!("{},{},{}", placed.place, placed.tile, placed.orientation))
            .collect();
        format!(
            "faces {} capacity {} tiles {} placed {}",
            faces.join(" "),
            capacity.join(" "),
            tiles.join(" "),
            placed.join(" ")
        )
    }
}

fn capacities(field: &Field, given: &BTreeMap<String, i64>) -> Result<Vec<u32>, FieldError> {
    if let Some(unknown) = given.keys().find(|name| field.vertex(name).is_none()) {
        let (first, rest) = field.vertices().split_at(field.vertices().len().min(MOST_LISTED));
        let more = if rest.is_empty() { String::new() } else { format!(" and {} more", rest.len()) };
        let reason = format!("no face has a vertex of this name; there is {}{more}", first.join(", "));
        return Err(FieldError::new(format!("capacity.{unknown}"), reason));
    }
    let of = |name: &String| {
        let capacity = given
            .get(name)
            .ok_or_else(|| FieldError::new("capacity", format!("vertex {name} has none; each vertex has one")))?;
        whole(&format!("capacity.{name}"), *capacity)
    };
    field.vertices().iter().map(of).collect()
}

fn triple(field: &str, weights: &[i64]) -> Result<[u32; 3], FieldError> {
    let &[a, b, c] = weights else {
        let reason = format!("{} weights; a tile has three, in clockwise order", weights.len());
        return Err(FieldError::new(field, reason));
    };
    Ok([whole(field, a)?, whole(field, b)?, whole(field, c)?])
}

fn whole(field: &str, number: i64) -> Result<u32, FieldError> {
    u32::try_from(number)
        .ok()
        .filter(|&number| number <= GREATEST_WEIGHT)
        .ok_or_else(|| FieldError::new(field, format!("{number}; a whole number from 0 to {GREATEST_WEIGHT}")))
}
