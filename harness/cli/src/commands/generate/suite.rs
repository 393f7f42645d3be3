//! A list of fixed boards: the instances that the configs use, made again from their seeds.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context;
use puzzle::tantrix::{Colour, TileSetKind};
use puzzle::{Instance, Known, Solution, verify};
use serde::Deserialize;

use super::fixed::Recipe;
use crate::args::GenerateSuite;
use crate::failure::Failed;
use crate::output::say;

/// The list, `suite.toml`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct List {
    board: Vec<Entry>,
}

/// One board.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    name: String,
    shape: String,
    challenge: usize,
    seed: u64,
    #[serde(default)]
    colour: Option<Colour>,
    known: Known,
}

/// Writes every board of the list and checks the solutions that stand beside those known to be solvable.
pub fn generate(args: &GenerateSuite) -> anyhow::Result<ExitCode> {
    let text = fs::read_to_string(&args.list).with_context(|| format!("cannot read {}", args.list.display()))?;
    let list: List = toml::from_str(&text).map_err(|e| anyhow::anyhow!("{}: {e}", args.list.display()))?;
    let beside = args.list.parent().map(Path::to_path_buf).unwrap_or_default();
    let out = args.out.clone().unwrap_or_else(|| beside.clone());
    fs::create_dir_all(&out).with_context(|| format!("cannot make {}", out.display()))?;
    let mut unproven = Vec::new();
    for entry in list.board {
        let path = out.join(format!("{}.toml", entry.name));
        let shape = entry.shape.parse().map_err(|e| anyhow::anyhow!("{}: {}: {e}", args.list.display(), entry.name))?;
        let recipe = Recipe {
            shape,
            challenge: entry.challenge,
            seed: entry.seed,
            colour: entry.colour,
            tiles: TileSetKind::Repeated,
            known: entry.known,
        };
        let instance = recipe.instance(&path)?;
        record::write_whole(&path, recipe.text().as_bytes())?;
        let proof = match entry.known {
            Known::Solvable => prove(&instance, &beside, &mut unproven)?,
            Known::Unsolvable => "known to be unsolvable",
            Known::Unknown => "unknown",
        };
        let colour = instance.facts().colour.unwrap_or_default();
        say!("{:<28} {:>3} {colour:<7} {proof}", path.display(), entry.challenge);
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
