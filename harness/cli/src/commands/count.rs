//! `tilebench count`: all solutions of a small instance.

use std::process::ExitCode;

use puzzle::{Instance, Puzzle, tantrix};

use crate::args::Count;
use crate::output::say;

/// Prints the number of solutions and what counts as one.
pub fn count(args: &Count) -> anyhow::Result<ExitCode> {
    let instance = Instance::load(&args.instance)?;
    let (Puzzle::TantrixFixed(puzzle) | Puzzle::TantrixBounded(puzzle)) = &instance.puzzle else {
        anyhow::bail!("not there yet");
    };
    let mut count = 0u64;
    tantrix::exhaust(&instance.name, puzzle, &mut |_| {
        count += 1;
        args.limit.is_none_or(|limit| count < limit)
    });
    let stopped = args.limit.is_some_and(|limit| count >= limit);
    say!("{}{count} solutions of {}", if stopped { "at least " } else { "" }, instance.name);
    say!(
        "Tiles of one sort are interchangeable; arrangements that the board's symmetries carry into each other count as different."
    );
    Ok(ExitCode::SUCCESS)
}
