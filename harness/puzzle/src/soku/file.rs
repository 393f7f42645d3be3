//! Instance files of 3SoKu: read, and written.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde::Deserialize;

use super::field::{Field, named};
use super::game::{GREATEST_WEIGHT, ICOSOKU, ICOSOKU_TILES, Soku};
use crate::input::{FieldError, Known};
use crate::solution::Placement;

/// The `kind` of an instance file of 3SoKu.
pub const SOKU: &str = "soku";

/// Most vertices that a message lists.
const MOST_LISTED: usize = 24;

/// An instance file of kind [`SOKU`].
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SokuFile {
    #[serde(rename = "kind")]
    _kind: String,
    /// A field by its name, instead of its faces.
    #[serde(default)]
    field: Option<String>,
    /// Faces as names of vertices, clockwise.
    #[serde(default)]
    faces: Option<Vec<Vec<String>>>,
    capacity: BTreeMap<String, i64>,
    tiles: TilesFile,
    /// Tiles that lie already.
    #[serde(default)]
    placed: Vec<PlacedFile>,
    #[serde(default)]
    pub known: Known,
    #[serde(default)]
    pub source: String,
}

/// The name of a set of tiles, or their weights, clockwise.
#[derive(Deserialize)]
#[serde(untagged, expecting = "tiles are whole numbers by threes, [[0, 0, 1], ...], or \"icosoku\"")]
enum TilesFile {
    Named(String),
    Listed(Vec<Vec<i64>>),
}

/// A face and a tile from 1, a rotation from 0 to 2.
#[derive(Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
struct PlacedFile {
    face: usize,
    tile: usize,
    rotation: usize,
}

impl Soku {
    /// Makes the game that a file describes.
    /// Errors: the field at fault: a field that [`Field::new`] refuses, an unknown name of a field, a vertex without a
    /// capacity or a capacity without a vertex, a negative or too great weight or capacity, a tile with another number
    /// of weights than three, another number of tiles than faces, a placed tile that is not there.
    pub(crate) fn new(file: &SokuFile) -> Result<Self, FieldError> {
        let field = match (&file.field, &file.faces) {
            (Some(name), None) => named(name)?,
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
                let tile = |(index, weights): (usize, &Vec<i64>)| triple(&format!("tile {}", index + 1), weights);
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
            game.place(placed).map_err(|reason| FieldError::new(format!("entry {} of placed", index + 1), reason))?;
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

/// Tiles, capacities and placed tiles on a line.
const IN_A_LINE: usize = 8;

/// The instance file of a game: the same game gives the same text on every machine.
///
/// `field` is the name of the game's field; where it has none, the faces are listed. `source` must be plain text in one line.
pub fn file_text(game: &Soku, field: Option<&str>, known: Known, source: &str) -> String {
    let source = source.replace('\\', "\\\\").replace('"', "\\\"");
    let mut text = format!("kind = \"{SOKU}\"\nknown = \"{}\"\nsource = \"{source}\"\n", known.name());
    match field {
        Some(name) => text += &format!("field = \"{name}\"\n"),
        None => {
            let face = |face: usize| {
                let [a, b, c] = game.field.corners(face).map(quoted);
                format!("[{a}, {b}, {c}]")
            };
            text += &lines("faces", (0..game.field.faces().len()).map(face), IN_A_LINE);
        }
    }
    if game.tiles == ICOSOKU_TILES {
        text += &format!("tiles = \"{ICOSOKU}\"\n");
    } else {
        let tiles = game.tiles.iter().map(|[a, b, c]| format!("[{a}, {b}, {c}]"));
        text += &lines("tiles", tiles, IN_A_LINE);
    }
    if !game.placed.is_empty() {
        let placed = game.placed.iter().map(|placed| {
            format!("{{ face = {}, tile = {}, rotation = {} }}", placed.place, placed.tile, placed.orientation)
        });
        text += &lines("placed", placed, 2);
    }
    let capacities = game.field.vertices().iter().zip(&game.capacity);
    let capacities: Vec<String> = capacities.map(|(name, capacity)| format!("{} = {capacity}", key(name))).collect();
    if capacities.len() <= 12 {
        let _ = writeln!(text, "capacity = {{ {} }}", capacities.join(", "));
    } else {
        let _ = writeln!(text, "\n[capacity]\n{}", capacities.join("\n"));
    }
    text
}

fn lines(key: &str, entries: impl Iterator<Item = String>, in_a_line: usize) -> String {
    let entries: Vec<String> = entries.collect();
    let rows: String = entries.chunks(in_a_line).map(|row| format!("    {},\n", row.join(", "))).collect();
    format!("{key} = [\n{rows}]\n")
}

/// A name as a key of TOML.
fn key(name: &str) -> String {
    let bare = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    if !name.is_empty() && name.chars().all(bare) { name.to_owned() } else { quoted(name) }
}

/// A name as a string of TOML.
fn quoted(name: &str) -> String {
    toml::Value::String(name.to_owned()).to_string()
}
