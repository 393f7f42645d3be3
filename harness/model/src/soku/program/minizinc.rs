//! The model in MiniZinc (Rizzo, listings 1 to 5 and 7).

use std::fmt::Display;

use puzzle::soku::Soku;

use crate::Minizinc;

const MODEL: &str = include_str!("soku.mzn");
const SYMMETRY: &str = include_str!("symmetry.mzn");
const SATISFY: &str = include_str!("satisfy.mzn");
const RESTARTS: &str = include_str!("restarts.mzn");

/// The model, with or without the order of equal tiles, and with or without a search of its own.
pub(super) fn model(choices: &Minizinc) -> String {
    let symmetry = if choices.symmetry_breaking { SYMMETRY } else { "" };
    let search = if choices.random_restarts { RESTARTS } else { SATISFY };
    format!("{MODEL}{symmetry}{search}")
}

/// A game as its data.
pub(super) fn data(game: &Soku) -> String {
    let faces = game.field.faces();
    let corners = faces.iter().flatten().map(|vertex| vertex + 1);
    let placed = |number: fn(&puzzle::Placement) -> usize| list(game.placed.iter().map(number));
    format!(
        "vertices = {};\nfaces = {};\nvertex = array2d(FACE, CORNER, {});\ncapacity = {};\n\
         weight = array2d(TILE, CORNER, {});\nplaced_face = {};\nplaced_tile = {};\nplaced_rotation = {};\n",
        game.field.vertices().len(),
        faces.len(),
        list(corners),
        list(&game.capacity),
        list(game.tiles.iter().flatten()),
        placed(|placed| placed.place),
        placed(|placed| placed.tile),
        placed(|placed| placed.orientation),
    )
}

fn list(values: impl IntoIterator<Item = impl Display>) -> String {
    let values: Vec<String> = values.into_iter().map(|value| value.to_string()).collect();
    format!("[{}]", values.join(", "))
}
