//! `tilebench generate`: instance files that can be made again, byte for byte.

mod list;
mod recipe;
mod suite;

use std::path::PathBuf;
use std::process::ExitCode;

use puzzle::Known;

use crate::args::{Board, Generate, GenerateList};
use crate::output::{note, say};
use recipe::{BoardKind, BoardRecipe, Recipe};
pub use suite::instances as make_suite;

pub fn generate(args: &Generate) -> anyhow::Result<ExitCode> {
    match args {
        Generate::Fixed(args) => board(&args.board, BoardKind::Fixed { shape: args.shape, seed: args.seed }),
        Generate::Bounded(args) => {
            let size = args.places.or(args.rings.map(|rings| args.kind.size(rings))).unwrap_or_default();
            board(&args.board, BoardKind::bounded(args.kind, size, args.numbering)?)
        }
        Generate::Soku(args) => {
            let batch = args.batch();
            anyhow::ensure!(
                batch.output.extension().is_some_and(|ending| ending == "toml"),
                "{}: the name of an instance file ends in .toml",
                batch.output.display()
            );
            write(recipe::batch(&args.recipe(), batch.count, &batch.output)?, batch.force)
        }
        Generate::List(GenerateList::Fixed(args)) => list::fixed(args),
        Generate::List(GenerateList::Bounded(args)) => list::bounded(args),
        Generate::Suite(args) => suite::generate(args),
    }
}

fn board(args: &Board, kind: BoardKind) -> anyhow::Result<ExitCode> {
    let Board { challenge, colour, tiles, .. } = *args;
    let recipe = BoardRecipe { kind, challenge, colour, tiles, known: Known::Unknown, remark: None };
    let recipe = Recipe::Board(recipe);
    let has_obstacle = recipe.make(&args.output)?.instance.obstacle().is_some();
    let code = write(vec![(args.output.clone(), recipe)], args.force)?;
    if !has_obstacle {
        note!(
            "note: whether it has a solution is not known; tilebench generate list makes boards that a solver has solved"
        );
    }
    Ok(code)
}

fn write(recipes: Vec<(PathBuf, Recipe)>, force: bool) -> anyhow::Result<ExitCode> {
    // All of them are checked before any is written.
    recipes.iter().try_for_each(|(path, recipe)| recipe.check(path, force, false))?;
    for (path, recipe) in recipes {
        match recipe.make(&path)?.write(force, false)? {
            Some(solution) => say!("{} {}", path.display(), solution.display()),
            None => say!("{}", path.display()),
        }
    }
    Ok(ExitCode::SUCCESS)
}
