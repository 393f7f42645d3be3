//! 3SoKu as programs: the two models that Rizzo published (CSP Modeling of IcoSoKu, University of Udine 2020, sections 3 and 4), written
//! anew. What they read of a game differs, their mathematics is his.

use std::fmt::Write;

use puzzle::Placement;
use puzzle::soku::Soku;

use crate::error::ModelError;
use crate::formulation::{Approach, Formulation, Minizinc};
use crate::program::{Answers, Program, list, no_program, search};

/// Greatest sum that the programs may reach. Their solvers count in 32 bits, and clingo 5.4 is wrong at the end of these.
const GREATEST_SUM: u64 = (1 << 30) - 1;

/// The logic program (listings 8 to 12).
const ASP: &str = include_str!("program/soku.lp");
const ASP_SYMMETRY: &str = include_str!("program/symmetry.lp");

/// Most sums that `redundant_sums.mzn` may have.
const MOST_REDUNDANT_SUMS: usize = 1_000_000;

/// The model in MiniZinc (listings 1 to 5 and 7).
const MINIZINC: &str = include_str!("program/soku.mzn");
const ONE_VARIABLE: &str = include_str!("program/one_variable.mzn");
const TWO_VARIABLES: &str = include_str!("program/two_variables.mzn");
const REDUNDANT_SUMS: &str = include_str!("program/redundant_sums.mzn");
const MINIZINC_SYMMETRY: &str = include_str!("program/symmetry.mzn");

/// Writes the program of a game.
/// Errors: a formulation of another kind, weights too large for the solvers of such programs, or too many redundant sums.
pub(crate) fn write(formulation: &Formulation, name: &str, game: &Soku) -> Result<Program, ModelError> {
    let greatest = game.total_weight().max(game.capacity.iter().map(|&c| u64::from(c)).max().unwrap_or(0));
    if greatest > GREATEST_SUM {
        return Err(ModelError::Impossible(format!(
            "weights or capacities of {greatest} together; solvers of such programs count up to {GREATEST_SUM}; strategy = \"propagate\" and \
             kind sat take more"
        )));
    }
    let faces = game.field.faces().len();
    let (model, data, answers) = match formulation.approach() {
        Approach::Minizinc(choices) => {
            if choices.redundant_sums {
                check_redundant_sums(game)?;
            }
            (minizinc(choices), minizinc_data(game), Answers::Faces(faces))
        }
        Approach::Asp { symmetry_breaking } => {
            let order = if *symmetry_breaking { ASP_SYMMETRY } else { "" };
            (format!("{ASP}{order}"), asp_data(game), Answers::Tiles(faces))
        }
        _ => return Err(no_program(formulation)),
    };
    let data = format!("{}{data}", legend(game));
    Ok(Program { model, data, instance: name.to_owned(), answers })
}

fn asp_data(game: &Soku) -> String {
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

/// Whether the sums of up to four of the weights around a vertex are few enough.
fn check_redundant_sums(game: &Soku) -> Result<(), ModelError> {
    // Of d corners, k can be chosen in d (d - 1) ... (d - k + 1) / k! ways.
    let choices =
        |d: usize, k: usize| (0..k).fold(1_usize, |ways, i| ways.saturating_mul(d.saturating_sub(i)) / (i + 1));
    let at =
        |vertex: usize| (1..=4).map(|k| choices(game.field.around(vertex).len(), k)).fold(0, usize::saturating_add);
    let sums = (0..game.capacity.len()).map(at).fold(0, usize::saturating_add);
    if sums <= MOST_REDUNDANT_SUMS {
        return Ok(());
    }
    Err(ModelError::Impossible(format!(
        "redundant-sums = true: {sums} sums of up to four weights, of which there may be {MOST_REDUNDANT_SUMS}; leave it out"
    )))
}

/// The model: in one variable or two for each face, with or without redundant sums and the order of equal tiles, and with or without
/// a search of its own.
fn minizinc(choices: &Minizinc) -> String {
    let variables = if choices.one_variable { ONE_VARIABLE } else { TWO_VARIABLES };
    let redundant = if choices.redundant_sums { REDUNDANT_SUMS } else { "" };
    let symmetry = if choices.symmetry_breaking { MINIZINC_SYMMETRY } else { "" };
    let search = search(choices, if choices.one_variable { "lying" } else { "tile" });
    format!("{MINIZINC}{variables}{redundant}{symmetry}{search}")
}

fn minizinc_data(game: &Soku) -> String {
    let faces = game.field.faces();
    let corners = faces.iter().flatten().map(|vertex| vertex + 1);
    let placed = |number: fn(&Placement) -> usize| list(game.placed.iter().map(number));
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

/// Which numbers stand for which vertices and faces, as comments.
fn legend(game: &Soku) -> String {
    let named = |name: &str| name.escape_debug().to_string();
    let mut text = String::from("\n% Vertices by number:");
    for (index, vertex) in game.field.vertices().iter().enumerate() {
        let _ = write!(text, " {} {}", index + 1, named(vertex));
    }
    text.push_str("\n% Faces by number:");
    for face in 0..game.field.faces().len() {
        let _ = write!(text, " {} {}", face + 1, game.field.corners(face).map(named).join("-"));
    }
    text.push('\n');
    text
}
