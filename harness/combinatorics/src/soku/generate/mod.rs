//! Games from seeds: the same recipe gives the same game on every machine.

mod games;
mod partition;

use std::fmt;

use puzzle::FieldError;
use puzzle::soku::file_text;

pub use games::{Generated, Weights};
pub use partition::{MOST_NUMBERS, Numbers, half, is_searched, part, partition};

/// What determines a generated game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Recipe {
    /// `IcoSoKu` with the capacities 1 to 12 on random vertices.
    Random {
        /// Seed of the capacities.
        seed: u64,
    },
    /// Random tiles on a field; the capacities are read off a random arrangement of them.
    Solvable {
        /// Name of the field.
        field: String,
        /// How the tiles are made.
        weights: Weights,
        /// Seed of the tiles and of their arrangement.
        seed: u64,
    },
    /// [`Recipe::Solvable`], one capacity then greater by 1 and another one less by 1: the totals still agree.
    Shifted {
        /// Name of the field.
        field: String,
        /// How the tiles are made.
        weights: Weights,
        /// Seed of the tiles, of their arrangement and of the two vertices.
        seed: u64,
    },
    /// k-unsat-IcoSoKu: [`Recipe::Random`] with some tiles placed as in a solution of it, and one capacity then less by 1.
    Unsat {
        /// How many tiles are placed: k.
        placed: usize,
        /// Seed of the capacities, of the solution, of the placed tiles and of the vertex.
        seed: u64,
    },
    /// The game that Partition is reduced to (Rizzo, lemma 1).
    Partition(Numbers),
    /// `IcoSoKu` with given capacities.
    Given {
        /// Capacities of A to L: the numbers 1 to 12 in any order.
        capacities: Vec<u32>,
    },
}

impl Recipe {
    /// Makes the game.
    /// Errors: what is wrong with the recipe: an unknown field, weights that a file could not hold, more placed tiles
    /// than faces, no numbers to part, capacities that are not 1 to 12.
    pub fn make(&self) -> Result<Generated, FieldError> {
        match self {
            Self::Random { seed } => games::random(*seed),
            Self::Solvable { field, weights, seed } => games::solvable(field, weights, *seed),
            Self::Shifted { field, weights, seed } => games::shifted(field, weights, *seed),
            Self::Unsat { placed, seed } => games::unsat(*placed, *seed),
            Self::Partition(numbers) => partition(&numbers.list()?),
            Self::Given { capacities } => games::given(capacities),
        }
    }

    /// The game of the recipe, as the text of an instance file, whose source is the call that makes it.
    pub fn text(&self) -> Result<(Generated, String), FieldError> {
        let made = self.make()?;
        let source = format!("tilebench generate soku {self}; {}", self.remark());
        let text = file_text(&made.game, Some(&made.field), made.known, &source);
        Ok((made, text))
    }

    /// The same recipe with the seed so much greater, for one of many games; one without a seed has only itself.
    pub fn later(&self, steps: u64) -> Option<Self> {
        let mut later = self.clone();
        match &mut later {
            Self::Random { seed }
            | Self::Solvable { seed, .. }
            | Self::Shifted { seed, .. }
            | Self::Unsat { seed, .. }
            | Self::Partition(Numbers::Random { seed, .. }) => *seed = seed.checked_add(steps)?,
            Self::Partition(Numbers::Listed(_)) | Self::Given { .. } if steps > 0 => return None,
            Self::Partition(Numbers::Listed(_)) | Self::Given { .. } => {}
        }
        Some(later)
    }

    fn remark(&self) -> &'static str {
        match self {
            Self::Random { .. } => "the capacities 1 to 12 at random, as in section 5.1 of Rizzo's paper",
            Self::Solvable { .. } => "capacities read off a random arrangement",
            Self::Shifted { .. } => "capacities of a random arrangement, one then greater by 1, another one less by 1",
            Self::Unsat { .. } => "a capacity is less by 1 than in a game that has a solution with the placed tiles",
            Self::Partition(_) => "Partition, reduced as in lemma 1 of Rizzo's paper",
            Self::Given { .. } => "the capacities of A to L, given",
        }
    }
}

/// The arguments of `tilebench generate soku`.
impl fmt::Display for Recipe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Random { seed } => write!(f, "random --seed {seed}"),
            Self::Solvable { field, weights, seed } => write!(f, "solvable --field {field}{weights} --seed {seed}"),
            Self::Shifted { field, weights, seed } => write!(f, "shifted --field {field}{weights} --seed {seed}"),
            Self::Unsat { placed, seed } => write!(f, "unsat --placed {placed} --seed {seed}"),
            Self::Partition(numbers) => write!(f, "partition {numbers}"),
            Self::Given { capacities } => {
                let texts: Vec<String> = capacities.iter().map(u32::to_string).collect();
                write!(f, "given --capacities {}", texts.join(","))
            }
        }
    }
}
