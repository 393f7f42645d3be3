//! A board as a program: in MiniZinc with tables, a count of values and a circuit; as a logic program with one choice of placements.
//! Both know the state of a place: a sort of tile in an orientation, or none.

use std::fmt::Write;

use puzzle::hex::EDGES;
use puzzle::tantrix::{BoardTantrix, Colour};

use super::builder::check_size;
use crate::error::ModelError;
use crate::formulation::{Approach, Formulation, Holes, Subloops};
use crate::program::{Answers, Program, list, no_program, search};

const MINIZINC: &str = include_str!("program/tantrix.mzn");
const MINIZINC_LOOP: &str = include_str!("program/one_loop.mzn");
const MINIZINC_HOLES: &str = include_str!("program/no_hole.mzn");

const ASP: &str = include_str!("program/tantrix.lp");
const ASP_LOOP: &str = include_str!("program/one_loop.lp");
const ASP_HOLES: &str = include_str!("program/no_hole.lp");

/// Writes the program of a board.
/// Errors: a formulation of another kind, a board that is too large.
pub(crate) fn write(formulation: &Formulation, name: &str, puzzle: &BoardTantrix) -> Result<Program, ModelError> {
    check_size(puzzle.tiles.sorts.len(), puzzle.board.len())?;
    let (one_loop, no_hole) = (formulation.subloops() == Subloops::Propagate, formulation.holes() == Holes::Resolve);
    let parts = |base: &str, of_loop: &str, of_holes: &str| {
        [base, if one_loop { of_loop } else { "" }, if no_hole { of_holes } else { "" }].concat()
    };
    let (model, data) = match formulation.approach() {
        Approach::Minizinc(choices) => {
            let model = parts(MINIZINC, MINIZINC_LOOP, MINIZINC_HOLES) + &search(choices, "lying");
            (model, minizinc_data(puzzle))
        }
        Approach::Asp { .. } => (parts(ASP, ASP_LOOP, ASP_HOLES), asp_data(puzzle)),
        _ => return Err(no_program(formulation)),
    };
    let data = format!("{}{data}", legend(puzzle));
    Ok(Program { model, data, instance: name.to_owned(), answers: Answers::Places(puzzle.board.len()) })
}

/// The designated colour and the others, in the order of their numbers.
fn colours(puzzle: &BoardTantrix) -> impl Iterator<Item = Colour> {
    let designated = puzzle.colour;
    [designated].into_iter().chain(Colour::ALL.into_iter().filter(move |colour| *colour != designated))
}

/// The numbers of the colours on the edges of each tile in orientation 1.
fn edges(puzzle: &BoardTantrix) -> impl Iterator<Item = [usize; 6]> + '_ {
    let number = |colour| colours(puzzle).take_while(|other| *other != colour).count() + 1;
    puzzle.tiles.sorts.iter().map(move |sort| EDGES.map(|edge| number(sort.tile.colour(1, edge))))
}

fn minizinc_data(puzzle: &BoardTantrix) -> String {
    let BoardTantrix { board, tiles, .. } = puzzle;
    let beyond = board.numbers().flat_map(|j| EDGES.map(|l| board.neighbour(j, l).unwrap_or(0)));
    format!(
        "places = {};\nbeyond = array2d(PLACE, EDGE, {});\ntiles = {};\nnumber = {};\ncolour = array2d(TILE, EDGE, {});\n",
        board.len(),
        list(beyond),
        tiles.sorts.len(),
        list(tiles.sorts.iter().map(|sort| sort.count)),
        list(edges(puzzle).flatten()),
    )
}

fn asp_data(puzzle: &BoardTantrix) -> String {
    let (board, sorts) = (&puzzle.board, &puzzle.tiles.sorts);
    let mut text = format!("#const places = {}.\n#const empty = {}.\n", board.len(), board.len() - puzzle.challenge);
    for ((tile, sort), edges) in (1..).zip(sorts).zip(edges(puzzle)) {
        let _ = writeln!(text, "number({tile}, {}).", sort.count);
        for (edge, colour) in (1..).zip(edges) {
            let _ = writeln!(text, "colour({tile}, {edge}, {colour}).");
        }
    }
    for place in board.numbers() {
        for (edge, next) in board.inner_edges(place) {
            let _ = writeln!(text, "beyond({place}, {edge}, {next}).");
        }
    }
    text
}

/// Where the places are and which numbers stand for which colours, as comments.
fn legend(puzzle: &BoardTantrix) -> String {
    let mut text = String::from("\n% Places (q, r) by number:");
    for (number, at) in (1..).zip(puzzle.board.places()) {
        let _ = write!(text, " {number} ({}, {})", at.q, at.r);
    }
    text.push_str("\n% Colours by number:");
    for (number, colour) in (1..).zip(colours(puzzle)) {
        let _ = write!(text, " {number} {colour}");
    }
    text.push('\n');
    text
}
