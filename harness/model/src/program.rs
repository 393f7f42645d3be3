//! Puzzles as programs in languages that solvers of others read: what programs of all puzzles have in common, and how answers to them
//! are read.

use std::fmt::{self, Display};

use puzzle::{Placement, Solution};

use crate::error::ModelError;
use crate::formulation::{Formulation, Minizinc};

/// A puzzle as a program, and how an answer to it is read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Program {
    /// What is the same for all instances under one formulation.
    pub model: String,
    /// The instance.
    pub data: String,
    pub(crate) instance: String,
    pub(crate) answers: Answers,
}

/// What answers say, with the number of indices.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Answers {
    /// 3SoKu in MiniZinc: the tile and the rotation of each face.
    Faces(usize),
    /// 3SoKu as a logic program: the face and the rotation of each tile.
    Tiles(usize),
    /// Tantrix: the state of each place, 6 times the tile less 1 plus the orientation, 0 where none lies.
    Places(usize),
}

/// One entry of an answer: an atom that holds, or the element of an array, its index first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fact {
    /// Name of the predicate or array.
    pub name: String,
    /// Its arguments; index and value.
    pub arguments: Vec<i64>,
}

impl Program {
    /// Model and data as one text, which is a whole program.
    pub fn text(&self) -> String {
        format!("{}{}", self.model, self.data)
    }

    /// The solution that an answer describes, in puzzle terms. Whether it is one, the rules of the puzzle say.
    /// Errors: [`ModelError::Answer`]: an answer that is not whole, or says two things at once.
    pub fn decode(&self, facts: &[Fact]) -> Result<Solution, ModelError> {
        match self.answers {
            Answers::Places(places) => {
                let states = values(facts, "lying", places)?.into_iter().zip(1..).filter(|(state, _)| *state > 0);
                let placement =
                    |(state, place)| Placement { place, tile: (state - 1) / 6 + 1, orientation: (state - 1) % 6 + 1 };
                Ok(Solution::on_places(&self.instance, states.map(placement).collect()))
            }
            Answers::Faces(faces) => {
                let apart: Vec<Fact> = facts.iter().flat_map(Fact::apart).collect();
                let (tiles, rotations) = (values(&apart, "tile", faces)?, values(&apart, "rotation", faces)?);
                let placement = |((tile, orientation), place)| Placement { place, tile, orientation };
                let placements = tiles.into_iter().zip(rotations).zip(1..).map(placement).collect();
                Ok(Solution::on_faces(&self.instance, placements))
            }
            Answers::Tiles(tiles) => {
                let (faces, rotations) = (values(facts, "assign", tiles)?, values(facts, "rotate", tiles)?);
                let placement = |((place, orientation), tile)| Placement { place, tile, orientation };
                let mut placements: Vec<_> = faces.into_iter().zip(rotations).zip(1..).map(placement).collect();
                placements.sort_unstable_by_key(|placement| placement.place);
                Ok(Solution::on_faces(&self.instance, placements))
            }
        }
    }
}

/// The values that the facts of a name give to all indices from 1 to a number.
fn values(facts: &[Fact], name: &str, count: usize) -> Result<Vec<usize>, ModelError> {
    let wrong = |reason: String| ModelError::Answer { reason };
    let mut values = vec![None; count];
    for fact in facts.iter().filter(|fact| fact.name == name) {
        let &[of, value] = fact.arguments.as_slice() else {
            return Err(wrong(format!("{fact} does not have two arguments")));
        };
        let out_of_range = || wrong(format!("{fact} is out of range"));
        let of = usize::try_from(of).ok().and_then(|of| of.checked_sub(1));
        let place = of.and_then(|of| values.get_mut(of)).ok_or_else(out_of_range)?;
        let value = usize::try_from(value).map_err(|_| out_of_range())?;
        if place.replace(value).is_some() {
            return Err(wrong(format!("{fact} comes after another {name}({}, ...)", fact.arguments[0])));
        }
    }
    match values.iter().position(Option::is_none) {
        Some(index) => Err(wrong(format!("it has no {name}({}, ...)", index + 1))),
        None => Ok(values.into_iter().flatten().collect()),
    }
}

impl Fact {
    /// What `one_variable.mzn` says of a face, as its tile and its rotation; anything else as it is.
    fn apart(&self) -> Vec<Self> {
        match (self.name.as_str(), self.arguments.as_slice()) {
            ("lying", &[face, lying]) => [("tile", lying.div_euclid(3)), ("rotation", lying.rem_euclid(3))]
                .map(|(name, value)| Self { name: name.to_owned(), arguments: vec![face, value] })
                .to_vec(),
            _ => vec![self.clone()],
        }
    }
}

impl Display for Fact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let arguments: Vec<String> = self.arguments.iter().map(i64::to_string).collect();
        write!(f, "{}({})", self.name, arguments.join(", "))
    }
}

/// How a MiniZinc program says to search (Rizzo 2020, listing 7, and without what it is made of), by an array of variables.
pub(crate) fn search(choices: &Minizinc, searched: &str) -> String {
    let Some(strategy) = choices.strategy else {
        return "\n% The solver searches as it likes.\nsolve satisfy;\n".to_owned();
    };
    let values = if strategy.is_random() { "indomain_random" } else { "indomain_min" };
    let restart = strategy.restart().map_or_else(String::new, |name| format!(" :: {name}({})", choices.restart_after));
    format!(
        "\n% The variable with the fewest values left comes first.\nsolve :: int_search({searched}, first_fail, {values}){restart} satisfy;\n"
    )
}

/// An array in MiniZinc.
pub(crate) fn list(values: impl IntoIterator<Item = impl Display>) -> String {
    let values: Vec<String> = values.into_iter().map(|value| value.to_string()).collect();
    format!("[{}]", values.join(", "))
}

/// Refuses a formulation of another kind.
pub(crate) fn no_program(formulation: &Formulation) -> ModelError {
    formulation.refuse(format!("kind {} makes no programs; minizinc and asp do", formulation.kind()))
}
