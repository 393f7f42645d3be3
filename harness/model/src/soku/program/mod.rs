//! 3SoKu as programs in the languages of others: the two models that Rizzo published (CSP Modeling of IcoSoKu, University of
//! Udine 2020, sections 3 and 4), written anew. What they read of a game differs, their mathematics is his. One language a file.

mod asp;
mod minizinc;

use std::fmt::Write;

use puzzle::soku::Soku;
use puzzle::{Placement, Solution};

use crate::program::{Fact, Language, Program};
use crate::{Approach, Formulation, ModelError};

/// Greatest sum that the programs may reach. Their solvers count in 32 bits, and clingo 5.4 is wrong at the end of these.
const GREATEST_SUM: u64 = (1 << 30) - 1;

/// Writes the program of a game.
///
/// # Errors
/// A formulation of another kind, or weights too large for the solvers of such programs.
pub(crate) fn write(formulation: &Formulation, name: &str, game: &Soku) -> Result<Program, ModelError> {
    let greatest = game.total_weight().max(game.capacity.iter().map(|&c| u64::from(c)).max().unwrap_or(0));
    if greatest > GREATEST_SUM {
        return Err(formulation.refuse(format!(
            "weights or capacities of {greatest} together; solvers of such programs count up to {GREATEST_SUM}"
        )));
    }
    let (language, model, data) = match formulation.approach() {
        Approach::Minizinc(choices) => (Language::Minizinc, minizinc::model(choices), minizinc::data(game)),
        Approach::Asp(choices) => (Language::Asp, asp::model(choices), asp::data(game)),
        _ => {
            let kind = formulation.kind();
            return Err(formulation.refuse(format!("kind {kind} makes no programs; minizinc and asp do")));
        }
    };
    let data = format!("{}{data}", legend(game));
    Ok(Program { language, model, data, instance: name.to_owned(), faces: game.field.faces().len() })
}

/// The solution that an answer describes: on each face one tile, in one rotation.
///
/// # Errors
/// An answer that lacks a face or says two things of one.
pub(crate) fn decode(program: &Program, facts: &[Fact]) -> Result<Solution, ModelError> {
    let wrong = |reason: String| ModelError::Answer { reason };
    // By face, in MiniZinc; by tile, as a logic program.
    let (lies, turned) = match program.language {
        Language::Minizinc => ("tile", "rotation"),
        Language::Asp => ("assign", "rotate"),
    };
    let table = |name: &str| {
        let mut values = vec![None; program.faces];
        for fact in facts.iter().filter(|fact| fact.name == name) {
            let &[of, value] = fact.arguments.as_slice() else {
                return Err(wrong(format!("{fact} does not have two arguments")));
            };
            let of = usize::try_from(of).ok().and_then(|of| of.checked_sub(1));
            let place = of.and_then(|of| values.get_mut(of)).ok_or_else(|| wrong(format!("{fact} is out of range")))?;
            let value = usize::try_from(value).map_err(|_| wrong(format!("{fact} is out of range")))?;
            if place.replace(value).is_some() {
                return Err(wrong(format!("{fact} comes after another {name}({}, ...)", fact.arguments[0])));
            }
        }
        let missing = values.iter().position(Option::is_none);
        match missing {
            Some(index) => Err(wrong(format!("it has no {name}({}, ...)", index + 1))),
            None => Ok(values.into_iter().flatten().collect::<Vec<usize>>()),
        }
    };
    let (lies, turned) = (table(lies)?, table(turned)?);
    let mut placements: Vec<Placement> = lies
        .into_iter()
        .zip(turned)
        .enumerate()
        .map(|(index, (lies, orientation))| match program.language {
            Language::Minizinc => Placement { place: index + 1, tile: lies, orientation },
            Language::Asp => Placement { place: lies, tile: index + 1, orientation },
        })
        .collect();
    placements.sort_unstable_by_key(|placement| placement.place);
    Ok(Solution::on_faces(&program.instance, placements))
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
