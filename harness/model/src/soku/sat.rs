//! A game as clauses. Its variables:
//!
//! | variable | holds where |
//! |---|---|
//! | x\[s,f,r\] | a tile of sort s lies on face f and shows the least triple of its sort in rotation r |
//! | lies\[s,f\] | a tile of sort s lies on face f, in any rotation; of a uniform sort it is the x |
//! | at\[f,i,w\] | face f shows the weight w or more at corner i; for each weight w > 0 that can lie there |
//!
//! The clauses, by families:
//!
//! | family | what it demands |
//! |---|---|
//! | bounds | what no other tiles complete to the capacity of a vertex does not lie there; placed tiles lie where they are |
//! | lies, levels | definitions of lies\[s,f\] and at\[f,i,w\] by the x |
//! | face | one tile on each face; in one rotation |
//! | count | every sort as often as there are copies of it |
//! | capacity | the weights around each vertex add up to its capacity |

use std::collections::BTreeMap;

use puzzle::soku::Soku;

use super::options::{Bounds, Options};
use super::problem::{Game, OnFaces};
use crate::error::ModelError;
use crate::formulation::{Approach, Cardinality, Formulation, FormulationKind};
use crate::sat::{Cnf, Levels, Lit, add_up, exactly};

/// Up to so many literals each pair has a clause of its own; of more the first of them that hold are counted.
const PAIRWISE: usize = 40;

pub(crate) fn build(formulation: &Formulation, name: &str, game: &Soku) -> Result<Game<Cnf>, ModelError> {
    let Approach::Sat(encoding, _) = formulation.approach() else {
        return Err(formulation.not_of(FormulationKind::Sat));
    };
    let made = Game::new(name, game, Options::of_sorts(game))?;
    let mut formula = Formula { made, x: Vec::new(), lies: Vec::new(), at: Vec::new() };
    formula.add_x();
    formula.forbid();
    for face in formula.made.faces() {
        formula.add_lies(face);
        formula.add_levels(face);
        formula.check_size()?;
    }
    formula.add_rules(*encoding)?;
    Ok(formula.made)
}

/// A formula under construction, with its variables.
struct Formula {
    made: Game<Cnf>,
    /// By face, then option.
    x: Vec<Lit>,
    /// By face, then sort.
    lies: Vec<Lit>,
    /// By face, then corner.
    at: Vec<[Levels; 3]>,
}

impl Formula {
    /// The x of a face, by option.
    fn x(&self, face: usize) -> &[Lit] {
        let count = self.made.options.all().len();
        &self.x[face * count..(face + 1) * count]
    }

    /// lies\[s,f\] of a face, by sort.
    fn lies(&self, face: usize) -> &[Lit] {
        let count = self.made.options.items().len();
        &self.lies[face * count..(face + 1) * count]
    }

    fn add_x(&mut self) {
        for face in 1..=self.made.faces().len() {
            for (sort, item) in (1..).zip(self.made.options.items()) {
                let last = item.options.len() - 1;
                let meaning = match last {
                    0 => format!("x_{sort}_{face}_0"),
                    _ => format!("x_{sort}_{face}_0 to x_{sort}_{face}_{last}"),
                };
                self.x.extend(self.made.model.add_named(item.options.len(), meaning));
            }
        }
    }

    fn forbid(&mut self) {
        let bounds = Bounds::new(&self.made.game);
        for face in self.made.faces() {
            for (index, option) in self.made.options.all().iter().enumerate() {
                if !bounds.allows(&self.made.game, face, option.weights) {
                    self.made.model.add_clause("bounds", [!self.x[self.made.x(face, index)]]);
                }
            }
        }
    }

    fn add_lies(&mut self, face: usize) {
        let before = self.made.model.variables();
        for item in self.made.options.items() {
            let x = self.x(face)[item.options.clone()].to_vec();
            if let [only] = x[..] {
                self.lies.push(only);
                continue;
            }
            let lies = self.made.model.add_variable();
            self.made.model.define_any("lies", lies, &x);
            self.lies.push(lies);
        }
        let several = "of the sorts with several rotations, in their order";
        self.made.model.name_from(before, format!("lies on face {}, {several}", face + 1));
    }

    /// From the greatest weight down, so that each level is defined by those before it: a corner has the weight w or more
    /// where it has more, or where something lies that shows w.
    fn add_levels(&mut self, face: usize) {
        let bounds = Bounds::new(&self.made.game);
        let levels = std::array::from_fn(|corner| {
            let mut showing: BTreeMap<u32, Vec<Lit>> = BTreeMap::new();
            for (option, &x) in self.made.options.all().iter().zip(self.x(face)) {
                if bounds.allows(&self.made.game, face, option.weights) {
                    showing.entry(option.weights[corner]).or_default().push(x);
                }
            }
            let before = self.made.model.variables();
            let mut levels = Levels::new();
            let mut above: Option<Lit> = None;
            for (&weight, x) in showing.iter().rev() {
                // Nothing at all is known to be 0 or more.
                let here = (weight > 0).then(|| self.made.model.add_variable());
                if let Some(here) = here {
                    let by: Vec<Lit> = x.iter().copied().chain(above).collect();
                    self.made.model.define_any("levels", here, &by);
                    levels.push((u64::from(weight), here));
                }
                for (&x, above) in x.iter().zip(above.into_iter().cycle()) {
                    self.made.model.add_clause("levels", [!x, !above]);
                }
                above = here;
            }
            let weights: Vec<String> = levels.iter().map(|(weight, _)| weight.to_string()).collect();
            let meaning = format!("corner {corner} of face {} has at least {}", face + 1, weights.join(", "));
            self.made.model.name_from(before, meaning);
            levels.reverse();
            levels
        });
        self.at.push(levels);
    }

    fn check_size(&self) -> Result<(), ModelError> {
        let (sorts, faces) = (self.made.options.items().len(), self.made.faces().len());
        self.made.model.check_size(|| format!("{sorts} sorts of tiles on {faces} faces"))
    }

    fn add_rules(&mut self, encoding: Cardinality) -> Result<(), ModelError> {
        for face in self.made.faces() {
            self.one_tile(face);
            self.check_size()?;
        }
        for sort in 0..self.made.options.items().len() {
            let lies: Vec<Lit> = self.made.faces().map(|face| self.lies(face)[sort]).collect();
            let Game { model, options, .. } = &mut self.made;
            let before = model.variables();
            exactly(model, "count", encoding, &lies, options.items()[sort].tiles.len());
            model.name_from(before, format!("auxiliaries ({encoding}) that count sort {}", sort + 1));
            self.check_size()?;
        }
        for vertex in 0..self.made.game.capacity.len() {
            let Game { model, game, .. } = &mut self.made;
            let corners = game.field.around(vertex);
            let numbers: Vec<Levels> = corners.iter().map(|&(face, corner)| self.at[face][corner].clone()).collect();
            let before = model.variables();
            add_up(model, "capacity", encoding, &numbers, u64::from(game.capacity[vertex]));
            let name = &game.field.vertices()[vertex];
            model.name_from(before, format!("auxiliaries that add up the weights around {name:?}"));
            self.check_size()?;
        }
        Ok(())
    }

    fn one_tile(&mut self, face: usize) {
        let lies = self.lies(face).to_vec();
        self.made.model.add_clause("face", lies.iter().copied());
        let before = self.made.model.variables();
        if lies.len() <= PAIRWISE {
            self.made.model.at_most_one("face", &lies);
        } else {
            exactly(&mut self.made.model, "face", Cardinality::Sequential, &lies, 1);
            self.made.model.name_from(before, format!("auxiliaries that count what lies on face {}", face + 1));
        }
        for sort in 0..self.made.options.items().len() {
            let rotations = self.x(face)[self.made.options.items()[sort].options.clone()].to_vec();
            self.made.model.at_most_one("face", &rotations);
        }
    }
}

impl OnFaces for Cnf {
    fn read(game: &Game<Self>, values: &[bool]) -> Result<Vec<(usize, usize)>, ModelError> {
        let options = 0..game.options.all().len();
        let all = game.faces().flat_map(|face| options.clone().map(move |option| (face, option)));
        Ok(all.filter(|&(face, option)| values[game.x(face, option)]).collect())
    }

    fn write(game: &Game<Self>, lying: &[(usize, usize)]) -> Vec<bool> {
        let mut x = vec![false; game.faces().len() * game.options.all().len()];
        lying.iter().for_each(|&(face, option)| x[game.x(face, option)] = true);
        game.model.complete(&x)
    }
}
