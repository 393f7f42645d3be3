//! What the puzzles are: geometry, tiles, boards, loops, holes, files, verification, pictures.
//!
//! Everything here speaks of puzzles only; solvers, command line and CSV files are other crates' business.
//! The rest of the harness sees puzzles through [`Instance`], [`Solution`], [`verify`] and [`scene()`].

pub mod hex;
mod input;
mod instance;
pub mod scene;
pub mod soku;
mod solution;
pub mod tantrix;
mod text;
mod verdict;

pub use input::{
    FieldError, InputError, Known, escaped, place_and_reason, plain_words, printable, read_bytes, read_text,
};
pub use instance::{Facts, Instance, Puzzle};
pub use scene::{Directions, Scene, SmallTable};
pub use solution::{Cut, Placement, Solution, Terms};
pub use text::{count, did_you_mean, likeness, near_file, plural, shell_word};
pub use verdict::{Rule, Verdict, Violation};

/// Checks a solution against every rule of its puzzle.
pub fn verify(instance: &Instance, solution: &Solution) -> Verdict {
    match &instance.puzzle {
        Puzzle::TantrixFixed(puzzle) | Puzzle::TantrixBounded(puzzle) => {
            tantrix::verify(&instance.name, puzzle, solution)
        }
        Puzzle::TantrixNatural(puzzle) => tantrix::verify_natural(&instance.name, puzzle, solution),
        Puzzle::Soku(game) => soku::verify(&instance.name, game, solution),
    }
}

/// Draws stages on the way to a solution, all of one size, so that they can follow each other.
pub fn stages(instance: &Instance, stages: &[Solution]) -> Vec<Scene> {
    match &instance.puzzle {
        Puzzle::TantrixFixed(puzzle) | Puzzle::TantrixBounded(puzzle) => {
            stages.iter().map(|stage| tantrix::draw(&instance.name, puzzle, Some(stage))).collect()
        }
        Puzzle::TantrixNatural(puzzle) => tantrix::draw_natural_stages(&instance.name, puzzle, stages),
        Puzzle::Soku(game) => soku::draw_stages(&instance.name, game, stages),
    }
}

/// An instance or a solution in words and small tables; `None` for kinds of puzzles that are shown as pictures only.
pub fn directions(instance: &Instance, solution: Option<&Solution>) -> Option<Directions> {
    match &instance.puzzle {
        Puzzle::TantrixFixed(_) | Puzzle::TantrixBounded(_) | Puzzle::TantrixNatural(_) => None,
        Puzzle::Soku(game) => Some(soku::directions(&instance.name, game, solution)),
    }
}

/// Draws an instance, with a solution if there is one (it may be invalid or partial).
pub fn scene(instance: &Instance, solution: Option<&Solution>) -> Scene {
    match &instance.puzzle {
        Puzzle::TantrixFixed(puzzle) | Puzzle::TantrixBounded(puzzle) => {
            tantrix::draw(&instance.name, puzzle, solution)
        }
        Puzzle::TantrixNatural(puzzle) => tantrix::draw_natural(&instance.name, puzzle, solution),
        Puzzle::Soku(game) => soku::draw(&instance.name, game, solution),
    }
}
