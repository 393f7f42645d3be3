//! `tilebench list`, `formulations` and `schema`: what there is of instances, configs, results, families, named formulations and
//! config keys.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, ensure};
use model::{Cardinality, Exploration, FormulationKind, Holes, Objective, Strategy};
use puzzle::{InputError, Instance, Puzzle};
use record::{Category, ResultsDir, RunRow, TableReader};
use runner::{Vocabulary, is_suite};

use super::generate::make_suite;
use crate::args::{List, Listed};
use crate::output::{BAD_INPUT, in_full, json, note, say, table};
use crate::solvers;

pub fn list(args: &List) -> anyhow::Result<ExitCode> {
    let (usual, head): (_, &[&str]) = match args.what {
        Listed::Instances => ("instances", &["instance", "kind", "tiles", "places", "known"]),
        Listed::Configs => ("configs", &["config", "experiment", "profiles", "title"]),
        Listed::Results => ("results", &["results", "measured", "profile", "ended", "planned", "wrong", "title"]),
    };
    let dir = args.dir.as_deref().unwrap_or(Path::new(usual));
    let is_list = matches!(args.what, Listed::Instances) && is_suite(dir);
    ensure!(is_list || dir.is_dir(), "{}: there is no such folder", dir.display());
    let found: Vec<anyhow::Result<Option<Vec<String>>>> = match args.what {
        Listed::Instances if is_list => make_suite(dir)?.iter().map(|(name, text)| member_row(name, text)).collect(),
        Listed::Instances => toml_files(dir)?.iter().map(|path| instance_row(path)).collect(),
        Listed::Configs => toml_files(dir)?.iter().map(|path| config_row(path)).collect(),
        Listed::Results => ResultsDir::below(dir)?.iter().map(|results| results_row(results).map(Some)).collect(),
    };
    let (mut rows, mut is_warned) = (Vec::new(), false);
    for row in found {
        // A file that is something else is no matter, one that should be this is said.
        match row {
            Ok(row) => rows.extend(row),
            Err(error) => {
                note!("warning: {}", in_full(&error));
                is_warned = true;
            }
        }
    }
    if rows.is_empty() {
        ensure!(is_warned, "{} holds no {usual}", dir.display());
        return Ok(ExitCode::from(BAD_INPUT));
    }
    table(head, &rows)?;
    Ok(ExitCode::SUCCESS)
}

/// The TOML files in a folder and the folders in it, in natural order.
pub fn toml_files(folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let (mut found, mut waiting) = (Vec::new(), vec![folder.to_owned()]);
    while let Some(folder) = waiting.pop() {
        let entries = fs::read_dir(&folder).with_context(|| format!("cannot read {}", folder.display()))?;
        for path in entries.map(|entry| entry.map(|entry| entry.path())) {
            let path = path?;
            if path.is_dir() && !path.is_symlink() {
                waiting.push(path);
            } else if path.extension().is_some_and(|ending| ending == "toml") {
                found.push(path);
            }
        }
    }
    found.sort_by(|a, b| record::natural_order(&a.to_string_lossy(), &b.to_string_lossy()));
    Ok(found)
}

fn instance_row(path: &Path) -> anyhow::Result<Option<Vec<String>>> {
    let name = path.display().to_string();
    if is_suite(path) {
        return Ok(Some([name, "suite".to_owned()].into()));
    }
    Ok(Some(row_of(name, &Instance::load(path)?)))
}

/// The same of an instance of a suite.
fn member_row(name: &str, text: &str) -> anyhow::Result<Option<Vec<String>>> {
    Ok(Some(row_of(name.to_owned(), &Instance::parse(text, Path::new(name))?)))
}

fn row_of(name: String, instance: &Instance) -> Vec<String> {
    let text = |number: Option<u64>| number.map_or_else(|| "-".to_owned(), |number| number.to_string());
    let (facts, kind) = (instance.facts(), instance.puzzle.kind().to_owned());
    vec![name, kind, text(facts.challenge), text(facts.places), instance.known.name().to_owned()]
}

fn config_row(path: &Path) -> anyhow::Result<Option<Vec<String>>> {
    let text = puzzle::read_text(path).map_err(InputError::io(path))?;
    let config: toml::Table = text.parse().with_context(|| path.display().to_string())?;
    let word = |key: &str| config.get(key).and_then(toml::Value::as_str).map(str::to_owned);
    let profiles = config.get("profile").and_then(toml::Value::as_table);
    let profiles = profiles.map(|table| table.keys().cloned().collect::<Vec<_>>().join(" ")).unwrap_or_default();
    Ok(word("experiment")
        .map(|experiment| vec![path.display().to_string(), experiment, profiles, word("title").unwrap_or_default()]))
}

fn results_row(dir: &ResultsDir) -> anyhow::Result<Vec<String>> {
    dir.refuse_incomplete()?;
    let manifest = dir.read_manifest()?;
    let planned: HashSet<String> = dir.read_plan()?.into_iter().map(|row| row.run_id).collect();
    // Whether the latest attempt at a run came to its end, and was wrong.
    let mut latest = HashMap::new();
    let mut last = String::new();
    // Also while a session writes them.
    for row in TableReader::<RunRow>::open(&dir.runs())? {
        let (_, row) = row?;
        if planned.contains(&row.run_id) {
            latest.insert(row.run_id, (row.status.is_final(), row.category == Category::Wrong));
        }
        last = last.max(row.started_at);
    }
    Ok(vec![
        dir.root().display().to_string(),
        last.split('T').next().unwrap_or_default().to_owned(),
        manifest.profile.unwrap_or_else(|| "-".to_owned()),
        latest.values().filter(|(is_final, _)| *is_final).count().to_string(),
        planned.len().to_string(),
        latest.values().filter(|(is_final, is_wrong)| *is_final && *is_wrong).count().to_string(),
        manifest.title,
    ])
}

pub fn formulations() -> anyhow::Result<ExitCode> {
    let of = |kind: &str| model::families().filter(|f| f.kinds.contains(&kind)).collect::<Vec<_>>();
    for kinds in Puzzle::KINDS.chunk_by(|a, b| of(a) == of(b)) {
        let families = of(kinds[0]);
        if families.is_empty() {
            continue;
        }
        say!("Constraint families of {}:", kinds.join(" and "));
        for family in families {
            say!("  {:<5} {}", family.id, family.summary);
            say!("        {}", family.source);
        }
        say!("");
    }
    say!("Named formulations:");
    for preset in model::PRESETS {
        let (name, formulation) = (preset.name, preset.written().read()?);
        let families = formulation.columns().families;
        let choices = match preset.kind {
            FormulationKind::Mip => families,
            kind => {
                // Those of 3SoKu, which has no loops.
                let said =
                    families.split(' ').filter(|word| !name.starts_with("soku") || !word.starts_with("short-loops"));
                [format!("kind {kind}")].into_iter().chain(said.map(str::to_owned)).collect::<Vec<_>>().join(" ")
            }
        };
        let objective = match (preset.kind, formulation.objective()) {
            (FormulationKind::Mip, objective) if objective != Objective::Virtual => format!(", objective {objective}"),
            _ => String::new(),
        };
        let has_holes = !formulation.places_first() && formulation.holes() == Holes::Resolve;
        let holes = if has_holes { ", holes resolved" } else { "" };
        let options: String = formulation.options().iter().map(|(key, value)| format!(", {key} {value}")).collect();
        say!("  {name:<14} {choices}{objective}{holes}{options}");
        say!("                 {}", preset.summary);
    }
    say!(
        "\n\
         Kinds: mip (a linear model of families), sat (clauses), cp (constraints), search (the puzzle itself);\n\
         minizinc and asp (programs; the open plane needs places-first; 3SoKu as published, with and without symmetry-breaking).\n\
         Subloops, kind mip: cut off and solved again where C5 or C5x is listed, or while the solver runs (lazy), else reported.\n\
         Subloops, kinds sat and cp: cut off and solved again, or while the solver searches (propagate), or reported;\n\
         kinds minizinc and asp: forbidden by the program (propagate), or reported.\n\
         Cuts: each (one for each subloop), smallest (only the smallest subloop), region (each with what it encloses),\n      \
         loop (the edges of each subloop; kinds sat and cp).\n\
         Holes on bounded boards: reported, or cut off and solved again (holes = \"resolve\"; search and programs forbid them).\n\
         Objective: virtual (min x[1,1,1], as in the papers), none, weighted (bounded boards: round shapes first), random.\n\
         Kind sat counts by: {}.\n\
         Kinds sat and cp forbid loops of up to short-loops places in advance, and more than around-empty tiles around an\n\
         empty place. Kind search has the strategies: {}\n\
         (walk, shuffled-walk, parts: Tantrix, parts for many tiles; least-capacity, count, sums: 3SoKu);\n\
         kind minizinc: {}.",
        Cardinality::WORDS.join(", "),
        Strategy::WORDS.join(", "),
        Exploration::WORDS.join(", ")
    );
    Ok(ExitCode::SUCCESS)
}

pub fn schema() -> anyhow::Result<ExitCode> {
    json(&runner::config_schema(&vocabulary()))?;
    Ok(ExitCode::SUCCESS)
}

/// Names of solvers, tables and plots, and the check of published figures.
pub fn vocabulary() -> Vocabulary {
    let owned = |names: Vec<&str>| names.into_iter().map(str::to_owned).collect();
    Vocabulary {
        solvers: solvers::known().into_iter().map(|solver| solver.name).collect(),
        tables: owned(report::table_list().map(|(name, _)| name).collect()),
        plots: owned(report::plot_list().map(|(name, ..)| name).collect()),
        check_published: Some(|path, wanted| report::check_published(path, wanted).map_err(|e| e.to_string())),
        make_suite: Some(|path| make_suite(path).map_err(|e| format!("{e:#}"))),
    }
}
