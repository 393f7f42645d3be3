//! `tilebench generate`: instance files that can be made again, byte for byte.

mod board;
mod files;
mod game;
mod list;
mod solver;
mod suite;

use std::path::Path;
use std::process::ExitCode;

use puzzle::{Known, Solution};
use record::Status;

use crate::args::{Board, Generate, GenerateBounded, GenerateFixed, GenerateList};
use crate::failure::{Failed, INTERRUPTED};
use crate::output::{note, say};
use board::{BoardKind, BoardRecipe};
use files::{check_free, check_unwritten, remove, solution_beside, stale_solution, write_solution};
use solver::{Solver, Tried};
pub use suite::instances as make_suite;

/// Makes instances.
pub fn generate(args: &Generate) -> anyhow::Result<ExitCode> {
    match args {
        Generate::Fixed(args) => fixed(args),
        Generate::Bounded(args) => bounded(args),
        Generate::Soku(args) => game::generate(args),
        Generate::List(GenerateList::Fixed(args)) => list::fixed(args),
        Generate::List(GenerateList::Bounded(args)) => list::bounded(args),
        Generate::Suite(args) => suite::generate(args),
    }
}

/// Writes a board, with `--solve` the first one that has a solution.
fn fixed(args: &GenerateFixed) -> anyhow::Result<ExitCode> {
    let kind = |seed| BoardKind::Fixed { shape: args.shape, seed };
    let Some(solver) = plain_or_solved(&args.board, kind(args.seed), Some(args.total_time))? else {
        return Ok(ExitCode::SUCCESS);
    };
    let (mut tried, mut layouts) = (0, 0);
    for seed in args.seed..args.seed.saturating_add(args.tries) {
        if solver.time_left().is_some_and(|left| left <= 0.0) {
            note!("{} s are over", args.total_time);
            break;
        }
        tried += 1;
        let recipe = recipe(&args.board, kind(seed));
        match solver.try_board(&recipe, &args.board.output, &format!("seed {seed} ({tried} of {})", args.tries))? {
            Tried::Solved(solution) => return write_solved(recipe, &args.board.output, &solution),
            Tried::Ended(Status::Interrupted) => return Ok(ExitCode::from(INTERRUPTED)),
            Tried::Ended(_) => layouts += 1,
            Tried::Before => {}
        }
    }
    let last = args.seed.saturating_add(tried.max(1) - 1);
    Err(Failed(format!(
        "none of the seeds {} to {last} gave a board that was solved within {} s each and {} s in all ({layouts} different; see \
         above: infeasible boards need other seeds or another shape, timeouts more time, by --time-limit and --total-time)",
        args.seed, args.board.time_limit, args.total_time
    ))
    .into())
}

/// Writes a board, with `--solve` only if it has a solution.
fn bounded(args: &GenerateBounded) -> anyhow::Result<ExitCode> {
    let board = &args.board;
    let size = args.places.or(args.rings.map(|rings| args.kind.size(rings))).unwrap_or_default();
    let kind =
        BoardKind::bounded(args.kind, size, args.numbering).map_err(|reason| anyhow::anyhow!("places: {reason}"))?;
    let Some(solver) = plain_or_solved(board, kind.clone(), None)? else { return Ok(ExitCode::SUCCESS) };
    let what = format!("challenge {} on {size} places", board.challenge);
    let not_written = format!("so {} is not written", board.output.display());
    let recipe = recipe(board, kind);
    match solver.try_board(&recipe, &board.output, &what)? {
        Tried::Solved(solution) => write_solved(recipe, &board.output, &solution),
        Tried::Ended(Status::Interrupted) => Ok(ExitCode::from(INTERRUPTED)),
        Tried::Ended(Status::Infeasible) => {
            Err(Failed(format!("{what} is infeasible: the solver proved that no solution exists, {not_written}"))
                .into())
        }
        Tried::Ended(_) | Tried::Before => Err(Failed(format!(
            "{what} was not solved within {} s, {not_written}; give it more time, or leave out --solve",
            board.time_limit
        ))
        .into()),
    }
}

/// What the options say of a board.
fn recipe(args: &Board, kind: BoardKind) -> BoardRecipe {
    let Board { challenge, colour, tiles, .. } = *args;
    BoardRecipe { kind, challenge, colour, tiles, known: Known::Unknown, remark: None }
}

/// Writes the board as it is, or with `--solve` gives what solves it, in at most so many seconds for all boards.
fn plain_or_solved(args: &Board, kind: BoardKind, total: Option<f64>) -> anyhow::Result<Option<Solver<'_>>> {
    let path = &args.output;
    if args.solve {
        // Which board it will be, only the solver tells; so nothing may be there.
        for path in [path.clone(), solution_beside(path)] {
            check_unwritten(&path, args.force)?;
        }
        return Ok(Some(Solver::new(&args.solver, args.time_limit, total)?));
    }
    let recipe = recipe(args, kind);
    let instance = recipe.instance(path)?;
    check_free(path, &recipe.text(), args.force)?;
    remove(stale_solution(&instance, path, args.force)?)?;
    recipe.write(path)?;
    say!("{}", path.display());
    Ok(None)
}

/// Writes a board that was solved, and the solution beside it.
fn write_solved(recipe: BoardRecipe, path: &Path, solution: &Solution) -> anyhow::Result<ExitCode> {
    BoardRecipe { known: Known::Solvable, ..recipe }.write(path)?;
    let beside = write_solution(path, solution)?;
    say!("{} {}", path.display(), beside.display());
    Ok(ExitCode::SUCCESS)
}
