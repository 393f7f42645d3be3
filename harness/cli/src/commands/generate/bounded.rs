//! One bounded board of Kino & Uno's slides: a hexagon around a place or a corner.

use std::process::ExitCode;

use puzzle::Known;
use record::Status;

use super::recipe::{Recipe, Setting};
use super::solved::{Solver, Tried};
use crate::args::GenerateBounded;
use crate::failure::{Failed, INTERRUPTED};
use crate::output::say;

/// Writes an instance file, with `--solve` only if it has a solution, and the solution beside it.
pub fn generate(args: &GenerateBounded) -> anyhow::Result<ExitCode> {
    let size = args.places.or(args.rings.map(|rings| args.board.size(rings))).unwrap_or_default();
    let recipe = Recipe {
        setting: Setting::bounded(args.board, size, args.numbering)
            .map_err(|reason| anyhow::anyhow!("places: {reason}"))?,
        challenge: args.challenge,
        colour: args.colour,
        tiles: args.tiles.into(),
        known: Known::Unknown,
    };
    if !args.solve {
        recipe.write(&args.output)?;
        say!("{}", args.output.display());
        return Ok(ExitCode::SUCCESS);
    }
    let what = format!("challenge {} on {size} places", args.challenge);
    match Solver::new(&args.solver, args.time_limit)?.try_board(&recipe, &args.output, &what)? {
        Tried::Solved(beside) => {
            say!("{} {}", args.output.display(), beside.display());
            Ok(ExitCode::SUCCESS)
        }
        Tried::Unsolved(Status::Interrupted) => Ok(ExitCode::from(INTERRUPTED)),
        Tried::Unsolved(Status::Infeasible) => Err(Failed(format!(
            "{what} is infeasible: the solver proved that no solution exists, so {} is not written",
            args.output.display()
        ))
        .into()),
        Tried::Unsolved(_) => Err(Failed(format!(
            "{what} was not solved within {} s, so {} is not written; give it more time, or leave out --solve",
            args.time_limit,
            args.output.display()
        ))
        .into()),
    }
}
