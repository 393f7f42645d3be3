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
use super::problem::OnFaces;
use crate::error::ModelError;
use crate::formulation::{Cardinality, Sat};
use crate::sat::{Cnf, Levels, Lit, add_up, exactly};

/// Up to so many literals each pair has a clause of its own; of more the first of them that hold are counted.
const PAIRWISE: usize = 40;

/// A formula under construction: the game, the variables by their indices, the clauses so far.
pub(crate) struct Variables {
    pub game: Soku,
    pub cnf: Cnf,
    /// What can lie on a face.
    pub options: Options,
    /// By face, then option.
    x: Vec<Lit>,
    /// By face, then sort.
    lies: Vec<Lit>,
    /// By face, then corner.
    at: Vec<[Levels; 3]>,
}

impl Variables {
    /// Starts a formula with all variables and their definitions. Options that cannot lie on a face are false there.
    fn new(game: &Soku) -> Result<Self, ModelError> {
        let options = Options::of_sorts(game);
        let faces = game.field.faces().len();
        options.check_size(faces)?;
        let (game, cnf) = (game.clone(), Cnf::default());
        let mut all = Self { game, cnf, options, x: Vec::new(), lies: Vec::new(), at: Vec::new() };
        all.add_x(faces);
        all.forbid(faces);
        for face in 0..faces {
            all.add_lies(face);
            all.add_levels(face);
            all.check_size()?;
        }
        Ok(all)
    }

    /// The x of a face, by option.
    fn x(&self, face: usize) -> &[Lit] {
        let count = self.options.all().len();
        &self.x[face * count..(face + 1) * count]
    }

    /// lies\[s,f\] of a face, by sort.
    fn lies(&self, face: usize) -> &[Lit] {
        let count = self.options.items().len();
        &self.lies[face * count..(face + 1) * count]
    }

    fn add_x(&mut self, faces: usize) {
        for face in 1..=faces {
            for (sort, item) in (1..).zip(self.options.items()) {
                let last = item.options.len() - 1;
                let meaning = match last {
                    0 => format!("x_{sort}_{face}_0"),
                    _ => format!("x_{sort}_{face}_0 to x_{sort}_{face}_{last}"),
                };
                self.x.extend(self.cnf.add_named(item.options.len(), meaning));
            }
        }
    }

    fn forbid(&mut self, faces: usize) {
        let bounds = Bounds::new(&self.game);
        for face in 0..faces {
            for (index, option) in self.options.all().iter().enumerate() {
                if !bounds.allows(&self.game, face, option.weights) {
                    let x = self.x[face * self.options.all().len() + index];
                    self.cnf.add_clause("bounds", [!x]);
                }
            }
        }
    }

    fn add_lies(&mut self, face: usize) {
        let before = self.cnf.variables();
        for item in self.options.items() {
            let x = self.x(face)[item.options.clone()].to_vec();
            if let [only] = x[..] {
                self.lies.push(only);
                continue;
            }
            let lies = self.cnf.add_variable().positive();
            for &x in &x {
                self.cnf.add_clause("lies", [!x, lies]);
            }
            self.cnf.add_clause("lies", x.into_iter().chain([!lies]));
            self.lies.push(lies);
        }
        let several = "of the sorts with several rotations, in their order";
        self.cnf.name_from(before, format!("lies on face {}, {several}", face + 1));
    }

    /// From the greatest weight down, so that each level is defined by those before it: a corner has the weight w or more
    /// where it has more, or where something lies that shows w.
    fn add_levels(&mut self, face: usize) {
        let bounds = Bounds::new(&self.game);
        let levels = std::array::from_fn(|corner| {
            let mut showing: BTreeMap<u32, Vec<Lit>> = BTreeMap::new();
            for (option, &x) in self.options.all().iter().zip(&self.x[face * self.options.all().len()..]) {
                if bounds.allows(&self.game, face, option.weights) {
                    showing.entry(option.weights[corner]).or_default().push(x);
                }
            }
            let before = self.cnf.variables();
            let mut levels = Levels::new();
            let mut above: Option<Lit> = None;
            for (&weight, x) in showing.iter().rev() {
                // Nothing at all is known to be 0 or more.
                let here = (weight > 0).then(|| self.cnf.add_variable().positive());
                if let Some(here) = here {
                    for &from in x.iter().chain(&above) {
                        self.cnf.add_clause("levels", [!from, here]);
                    }
                    self.cnf.add_clause("levels", x.iter().copied().chain(above).chain([!here]));
                    levels.push((u64::from(weight), here));
                }
                for (&x, above) in x.iter().zip(above.into_iter().cycle()) {
                    self.cnf.add_clause("levels", [!x, !above]);
                }
                above = here;
            }
            let weights: Vec<String> = levels.iter().map(|(weight, _)| weight.to_string()).collect();
            let meaning = format!("corner {corner} of face {} has at least {}", face + 1, weights.join(", "));
            self.cnf.name_from(before, meaning);
            levels.reverse();
            levels
        });
        self.at.push(levels);
    }

    fn check_size(&self) -> Result<(), ModelError> {
        let (sorts, faces) = (self.options.items().len(), self.game.tiles.len());
        self.cnf.check_size(|| format!("{sorts} sorts of tiles on {faces} faces"), "\"adder\"")
    }
}

impl OnFaces for Variables {
    type Form = Cnf;

    fn parts(&self) -> (&Soku, &Cnf, &Options) {
        (&self.game, &self.cnf, &self.options)
    }

    fn read(&self, values: &[bool]) -> Result<Vec<(usize, usize)>, ModelError> {
        let on = |face: usize| {
            let holding = self.x(face).iter().enumerate().filter(|(_, x)| x.holds(values));
            holding.map(move |(option, _)| (face, option))
        };
        Ok((0..self.game.tiles.len()).flat_map(on).collect())
    }

    fn write(&self, lying: &[(usize, usize)]) -> Vec<bool> {
        let mut x = vec![false; self.x.len()];
        for &(face, option) in lying {
            x[self.x(face)[option].var().number() - 1] = true;
        }
        self.cnf.complete(&x)
    }
}

pub(crate) fn build(sat: &Sat, game: &Soku) -> Result<Variables, ModelError> {
    let mut variables = Variables::new(game)?;
    add_rules(&mut variables, sat.cardinality)?;
    Ok(variables)
}

fn add_rules(v: &mut Variables, encoding: Cardinality) -> Result<(), ModelError> {
    for face in 0..v.game.tiles.len() {
        one_tile(v, face);
        v.check_size()?;
    }
    for sort in 0..v.options.items().len() {
        let lies: Vec<Lit> = (0..v.game.tiles.len()).map(|face| v.lies(face)[sort]).collect();
        let before = v.cnf.variables();
        exactly(&mut v.cnf, "count", encoding, &lies, v.options.items()[sort].tiles.len());
        v.cnf.name_from(before, format!("auxiliaries ({encoding}) that count sort {}", sort + 1));
        v.check_size()?;
    }
    for vertex in 0..v.game.capacity.len() {
        let corners = v.game.field.around(vertex);
        let numbers: Vec<Levels> = corners.iter().map(|&(face, corner)| v.at[face][corner].clone()).collect();
        let before = v.cnf.variables();
        add_up(&mut v.cnf, "capacity", encoding, &numbers, u64::from(v.game.capacity[vertex]));
        let name = &v.game.field.vertices()[vertex];
        v.cnf.name_from(before, format!("auxiliaries that add up the weights around {name:?}"));
        v.check_size()?;
    }
    Ok(())
}

fn one_tile(v: &mut Variables, face: usize) {
    let lies = v.lies(face).to_vec();
    v.cnf.add_clause("face", lies.iter().copied());
    let before = v.cnf.variables();
    if lies.len() <= PAIRWISE {
        v.cnf.at_most_one("face", &lies);
    } else {
        exactly(&mut v.cnf, "face", Cardinality::Sequential, &lies, 1);
        v.cnf.name_from(before, format!("auxiliaries that count what lies on face {}", face + 1));
    }
    for sort in 0..v.options.items().len() {
        let rotations = v.x(face)[v.options.items()[sort].options.clone()].to_vec();
        v.cnf.at_most_one("face", &rotations);
    }
}
