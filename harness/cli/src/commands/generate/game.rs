//! Games of 3SoKu, from seeds or numbers.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context;
use combinatorics::soku::generate::Recipe;
use puzzle::{Instance, Known, Solution, verify};

use super::files::{check_free, remove, solution_beside, stale_solution, write_solution};
use crate::args::GenerateSoku;
use crate::failure::Failed;
use crate::output::say;

/// Writes the instance files, and beside those that are known to be solvable a solution each.
pub fn generate(args: &GenerateSoku) -> anyhow::Result<ExitCode> {
    let batch = args.batch();
    anyhow::ensure!(
        batch.output.extension().is_some_and(|ending| ending == "toml"),
        "{}: the name of an instance file ends in .toml",
        batch.output.display()
    );
    let recipes = recipes(&args.recipe(), batch.count, &batch.output)?;
    // All of them before any is written.
    recipes.iter().try_for_each(|(path, recipe)| check(recipe, path, batch.force))?;
    for (path, recipe) in recipes {
        let written = write(&recipe, &path, batch.force)?;
        match written.solution {
            Some(solution) => say!("{} {}", path.display(), solution.display()),
            None => say!("{}", path.display()),
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// The recipes of a batch, each with its file: OUT.toml, or OUT-1.toml to OUT-3.toml, numbers of one width.
pub fn recipes(first: &Recipe, count: Option<u64>, output: &Path) -> anyhow::Result<Vec<(PathBuf, Recipe)>> {
    let Some(count) = count else { return Ok(vec![(output.to_owned(), first.clone())]) };
    let width = count.to_string().len();
    let stem = output.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    let one = |index: u64| {
        let recipe = first.later(index).with_context(|| match first {
            Recipe::Partition(_) => {
                "count: a list of numbers makes one game; leave --count out, or give --size".to_owned()
            }
            Recipe::Given { .. } => "count: given capacities make one game; leave --count out".to_owned(),
            _ => format!("count: there are not {count} seeds from this one on"),
        })?;
        Ok((output.with_file_name(format!("{stem}-{:0width$}.toml", index + 1)), recipe))
    };
    (0..count).map(one).collect()
}

/// What was written.
pub struct Written {
    /// The instance.
    pub instance: Instance,
    /// The file of its solution.
    pub solution: Option<PathBuf>,
}

/// Refuses a game whose files would replace others, unless that is forced.
pub fn check(recipe: &Recipe, path: &Path, force: bool) -> anyhow::Result<()> {
    // Making a game takes time.
    if !path.exists() && !solution_beside(path).exists() {
        return Ok(());
    }
    made(recipe, path)?.check(path, force).map(drop)
}

/// A game with the text of its file.
pub struct Made {
    instance: Instance,
    /// The text of its file.
    pub text: String,
    solution: Option<Solution>,
}

/// Makes a game; its file is sound, and its solution valid.
pub fn made(recipe: &Recipe, path: &Path) -> anyhow::Result<Made> {
    let (made, text) = recipe.text().map_err(|e| anyhow::anyhow!("{}: {}", e.field, e.reason))?;
    let instance = Instance::parse(&text, path)?;
    let solution = made.solution.map(|placements| Solution::on_faces(&instance.name, placements));
    if (made.known == Known::Solvable) != solution.as_ref().is_some_and(|s| verify(&instance, s).is_valid()) {
        return Err(Failed(format!("{}: what is known of the answer is not so", path.display())).into());
    }
    Ok(Made { instance, text, solution })
}

impl Made {
    /// Whether it may be written; what is to be removed for that.
    fn check(&self, path: &Path, force: bool) -> anyhow::Result<Option<PathBuf>> {
        check_free(path, &self.text, force)?;
        match &self.solution {
            Some(solution) => check_free(&solution_beside(path), &solution.to_json(), force).map(|()| None),
            None => stale_solution(&self.instance, path, force),
        }
    }
}

/// Writes an instance file and the solution beside it.
pub fn write(recipe: &Recipe, path: &Path, force: bool) -> anyhow::Result<Written> {
    let made = made(recipe, path)?;
    remove(made.check(path, force)?)?;
    record::write_whole(path, made.text.as_bytes())?;
    let solution = made.solution.map(|solution| write_solution(path, &solution)).transpose()?;
    Ok(Written { instance: made.instance, solution })
}
