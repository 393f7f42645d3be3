//! Games as the text of instance files.

use std::fmt::Write as _;

use super::tiles::ICOSOKU_TILES;
use super::{ICOSOKU, SOKU, Soku};
use crate::Known;

/// Tiles, capacities and placed tiles on a line.
const IN_A_LINE: usize = 8;

/// The instance file of a game: the same game gives the same text on every machine.
///
/// `field` is the name of the game's field; where it has none, the faces are listed. `source` must be plain text in one line.
#[must_use]
pub fn file_text(game: &Soku, field: Option<&str>, known: Known, source: &str) -> String {
    let known = match known {
        Known::Solvable => "solvable",
        Known::Unsolvable => "unsolvable",
        Known::Unknown => "unknown",
    };
    let source = source.replace('\\', "\\\\").replace('"', "\\\"");
    let mut text = format!("kind = \"{SOKU}\"\nknown = \"{known}\"\nsource = \"{source}\"\n");
    match field {
        Some(name) => text += &format!("field = \"{name}\"\n"),
        None => {
            let face = |face: usize| {
                let [a, b, c] = game.field.corners(face).map(quoted);
                format!("[{a}, {b}, {c}]")
            };
            text += &list("faces", (0..game.field.faces().len()).map(face));
        }
    }
    if game.tiles == ICOSOKU_TILES {
        text += &format!("tiles = \"{ICOSOKU}\"\n");
    } else {
        text += &list("tiles", game.tiles.iter().map(|[a, b, c]| format!("[{a}, {b}, {c}]")));
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
        text += "\n[capacity]\n";
        for capacity in capacities {
            text += &capacity;
            text.push('\n');
        }
    }
    text
}

fn list(key: &str, entries: impl Iterator<Item = String>) -> String {
    lines(key, entries, IN_A_LINE)
}

/// An array, so many entries a line.
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
