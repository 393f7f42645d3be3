//! A list of instances: those that the configs use, made again from their recipes.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context;
use puzzle::{Instance, Known, Solution, verify};

use super::list::{self, Suite};
use super::soku;
use crate::args::GenerateSuite;
use crate::failure::Failed;
use crate::output::say;

/// Writes every instance of the list and checks the solutions that stand beside those known to be solvable.
pub fn generate(args: &GenerateSuite) -> anyhow::Result<ExitCode> {
    let text = fs::read_to_string(&args.list).with_context(|| format!("cannot read {}", args.list.display()))?;
    let Suite { boards, games } = list::read(&text, &args.list)?;
    let beside = args.list.parent().map(Path::to_path_buf).unwrap_or_default();
    let out = args.out.clone().unwrap_or_else(|| beside.clone());
    fs::create_dir_all(&out).with_context(|| format!("cannot make {}", out.display()))?;
    let mut unproven = Vec::new();
    for (name, recipe) in boards {
        let path = out.join(format!("{name}.toml"));
        let instance = recipe.write(&path)?;
        let proof = match recipe.known {
            Known::Solvable => prove(&instance, &beside, &mut unproven)?,
            Known::Unsolvable => "known to be unsolvable",
            Known::Unknown => "unknown",
        };
        let colour = instance.facts().colour.unwrap_or_default();
        say!("{:<28} {:>3} {colour:<7} {proof}", path.display(), recipe.challenge);
    }
    for (name, recipe) in games {
        let path = out.join(format!("{name}.toml"));
        let instance = soku::write(&recipe, &path)?.instance;
        let proof = match instance.known {
            Known::Solvable => "solution verified",
            Known::Unsolvable => "known to be unsolvable",
            Known::Unknown => "unknown",
        };
        say!("{:<28} {:>3} {proof}", path.display(), instance.facts().challenge.unwrap_or_default());
    }
    match unproven.as_slice() {
        [] => Ok(ExitCode::SUCCESS),
        some => Err(Failed(format!("no valid solution beside the list for {}", some.join(", "))).into()),
    }
}

/// Checks the solution that stands beside the list.
fn prove(instance: &Instance, beside: &Path, unproven: &mut Vec<String>) -> anyhow::Result<&'static str> {
    let path: PathBuf = beside.join(format!("{}.solution.json", instance.name));
    if path.exists() && verify(instance, &Solution::load(&path)?).is_valid() {
        return Ok("solution verified");
    }
    unproven.push(instance.name.clone());
    Ok("NOT PROVEN")
}
