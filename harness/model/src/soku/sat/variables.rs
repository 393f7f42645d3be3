//! The variables of a game, and the clauses that define them by the x.
//!
//! | variable | holds where |
//! |---|---|
//! | x\[s,f,r\] | a tile of sort s lies on face f and shows the least triple of its sort in rotation r |
//! | lies\[s,f\] | a tile of sort s lies on face f, in any rotation; of a uniform sort it is the x |
//! | at\[f,i,w\] | face f shows the weight w or more at corner i; for each weight w > 0 that can lie there |

use std::collections::BTreeMap;

use puzzle::soku::Soku;

use crate::sat::{Cnf, Levels, Lit};
use crate::soku::bounds::Bounds;
use crate::soku::builder::check_size;
use crate::soku::options::Options;
use crate::{FormulationKind, ModelError};

/// Bytes that the clauses of a formula may take: a solver takes several times as many.
const MOST_BYTES: usize = 1 << 30;

/// A formula under construction: the game, the variables by their indices, the clauses so far.
pub(in crate::soku) struct Variables {
    /// The game.
    pub game: Soku,
    /// The formula so far.
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
    ///
    /// # Errors
    /// More variables or clauses than a solver could be given.
    pub fn new(game: &Soku) -> Result<Self, ModelError> {
        let options = Options::of_sorts(game);
        let faces = game.field.faces().len();
        check_size(&options, faces)?;
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
    pub fn x(&self, face: usize) -> &[Lit] {
        let count = self.options.all().len();
        &self.x[face * count..(face + 1) * count]
    }

    /// Number of the x, which are the first variables.
    pub fn number_of_x(&self) -> usize {
        self.x.len()
    }

    /// lies\[s,f\] of a face, by sort.
    pub fn lies(&self, face: usize) -> &[Lit] {
        let count = self.options.items().len();
        &self.lies[face * count..(face + 1) * count]
    }

    /// The weight at a corner of a face, as a number.
    pub fn at(&self, face: usize, corner: usize) -> &Levels {
        &self.at[face][corner]
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

    /// Makes what cannot lie on a face false there.
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

    /// Whether the formula is still small enough.
    ///
    /// # Errors
    /// It is not.
    pub fn check_size(&self) -> Result<(), ModelError> {
        if self.cnf.bytes() <= MOST_BYTES {
            return Ok(());
        }
        Err(ModelError::Kind {
            kind: FormulationKind::Sat,
            reason: format!(
                "{} sorts of tiles on {} faces make clauses of more than {} MiB, which is the most there may be here; fewer come \
                 of cardinality = \"adder\"",
                self.options.items().len(),
                self.game.tiles.len(),
                MOST_BYTES >> 20
            ),
        })
    }
}
