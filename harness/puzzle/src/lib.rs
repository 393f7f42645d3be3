//! What the puzzles are: geometry, tiles, boards, loops, holes, files, verification, pictures.
//!
//! Everything here speaks of puzzles only; solvers, command line and CSV files are other crates' business.
//! The rest of the harness sees puzzles through [`Instance`], [`Solution`], [`verify`] and [`scene()`] and
//! needs to know no more of any one puzzle.

mod error;
pub mod hex;
mod instance;
pub mod scene;
mod solution;
pub mod tantrix;
mod verdict;

pub use error::InputError;
pub use instance::{Facts, Instance, Known, Puzzle};
pub use scene::Scene;
pub use solution::{Cut, Placement, Solution};
pub use verdict::{Rule, Verdict, Violation};

/// Checks a solution against every rule of its puzzle.
#[must_use]
pub fn verify(instance: &Instance, solution: &Solution) -> Verdict {
    match &instance.puzzle {
        Puzzle::TantrixFixed(puzzle) | Puzzle::TantrixBounded(puzzle) => {
            tantrix::verify(&instance.name, puzzle, solution)
        }
        Puzzle::TantrixNatural(puzzle) => tantrix::verify_natural(&instance.name, puzzle, solution),
    }
}

/// Draws an instance, with a solution if there is one (it may be invalid or partial).
#[must_use]
pub fn scene(instance: &Instance, solution: Option<&Solution>) -> Scene {
    match &instance.puzzle {
        Puzzle::TantrixFixed(puzzle) | Puzzle::TantrixBounded(puzzle) => {
            tantrix::draw(&instance.name, puzzle, solution)
        }
        Puzzle::TantrixNatural(puzzle) => tantrix::draw_natural(&instance.name, puzzle, solution),
    }
}
