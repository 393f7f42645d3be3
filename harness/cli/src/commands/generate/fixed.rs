//! One fixed board, from a shape and a seed.

use std::process::ExitCode;

use puzzle::Known;
use record::Status;

use super::recipe::{Recipe, Setting};
use super::solved::{Solver, Tried};
use crate::args::GenerateFixed;
use crate::failure::{Failed, INTERRUPTED};
use crate::output::say;

/// Writes an instance file, with `--solve` only one that has a solution, and the solution beside it.
pub fn generate(args: &GenerateFixed) -> anyhow::Result<ExitCode> {
    let recipe = |seed| Recipe {
        setting: Setting::Fixed { shape: args.shape, seed },
        challenge: args.challenge,
        colour: args.colour,
        tiles: args.tiles.into(),
        known: Known::Unknown,
    };
    if !args.solve {
        recipe(args.seed).write(&args.output)?;
        say!("{}", args.output.display());
        return Ok(ExitCode::SUCCESS);
    }
    let solver = Solver::new(&args.solver, args.time_limit)?;
    for seed in args.seed..args.seed.saturating_add(args.tries) {
        match solver.try_board(&recipe(seed), &args.output, &format!("seed {seed}"))? {
            Tried::Solved(beside) => {
                say!("{} {}", args.output.display(), beside.display());
                return Ok(ExitCode::SUCCESS);
            }
            Tried::Unsolved(Status::Interrupted) => return Ok(ExitCode::from(INTERRUPTED)),
            Tried::Unsolved(_) => {}
        }
    }
    let last = args.seed.saturating_add(args.tries - 1);
    Err(Failed(format!("none of the seeds {} to {last} gave a board that was solved within {} s (see above: infeasible boards need other seeds or another shape, timeouts more time)", args.seed, args.time_limit)).into())
}
