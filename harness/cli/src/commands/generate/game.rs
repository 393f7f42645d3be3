//! Games of 3SoKu, from seeds or numbers.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context;
use combinatorics::soku::generate::Recipe;
use puzzle::{Instance, Known, Solution, verify};

use crate::args::GenerateSoku;
use crate::commands::solve::write_solution_beside;
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
    for (path, recipe) in recipes(&args.recipe(), batch.count, &batch.output)? {
        let written = write(&recipe, &path)?;
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

/// Writes an instance file, once it is sound and its solution is valid, and the solution beside it.
pub fn write(recipe: &Recipe, path: &Path) -> anyhow::Result<Written> {
    let (made, text) = recipe.text().map_err(|e| anyhow::anyhow!("{}: {}", e.field, e.reason))?;
    let instance = Instance::parse(&text, path)?;
    let solution = made.solution.map(|placements| Solution::on_faces(&instance.name, placements));
    if (made.known == Known::Solvable) != solution.as_ref().is_some_and(|s| verify(&instance, s).is_valid()) {
        return Err(Failed(format!("{}: what is known of the answer is not so", path.display())).into());
    }
    let other = path.with_extension("solution.json");
    anyhow::ensure!(
        solution.is_some() || !other.exists(),
        "{}: this is the solution of another game, and the one to be written has none; remove it first",
        other.display()
    );
    record::write_whole(path, text.as_bytes())?;
    let solution = solution.map(|solution| write_solution_beside(path, &solution)).transpose()?;
    Ok(Written { instance, solution })
}
