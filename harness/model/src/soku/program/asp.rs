//! The logic program (Rizzo, listings 8 to 12).

use std::fmt::Write;

use puzzle::soku::Soku;

use crate::Asp;

const MODEL: &str = include_str!("soku.lp");
const SYMMETRY: &str = include_str!("symmetry.lp");

/// The rules, with or without the order of equal tiles.
pub(super) fn model(choices: &Asp) -> String {
    format!("{MODEL}{}", if choices.symmetry_breaking { SYMMETRY } else { "" })
}

/// A game as facts.
pub(super) fn data(game: &Soku) -> String {
    let mut text = format!("#const faces = {}.\n", game.field.faces().len());
    for (face, corners) in game.field.faces().iter().enumerate() {
        for (corner, vertex) in corners.iter().enumerate() {
            let _ = writeln!(text, "corner({}, {corner}, {}).", face + 1, vertex + 1);
        }
    }
    for (vertex, capacity) in game.capacity.iter().enumerate() {
        let _ = writeln!(text, "capacity({}, {capacity}).", vertex + 1);
    }
    for (tile, weights) in game.tiles.iter().enumerate() {
        for (corner, weight) in weights.iter().enumerate() {
            let _ = writeln!(text, "weight({}, {corner}, {weight}).", tile + 1);
        }
    }
    for placed in &game.placed {
        let _ = writeln!(text, "placed({}, {}, {}).", placed.tile, placed.place, placed.orientation);
    }
    text
}
