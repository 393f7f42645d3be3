//! `tilebench new-config`: a config with comments, from four answers.

use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::io::{self, IsTerminal, Write};
use std::iter;
use std::path::{Component, Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail, ensure};
use model::FormulationKeys;
use puzzle::Instance;
use puzzle::tantrix::FIXED;
use runner::{ExperimentPlan, RunOptions, SolverInfo, argument, count, is_suite};
use toml::Value;

use super::generate::make_suite;
use super::list::{toml_files, vocabulary};
use crate::args::{self, NewConfig};
use crate::output::say;
use crate::solvers;

/// Asks for what the options leave open, and writes a config that can be planned.
pub fn new_config(args: &NewConfig) -> anyhow::Result<ExitCode> {
    let path = &args.config;
    ensure!(!path.exists(), "{}: there is such a file already; choose another name", path.display());
    let experiment = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    let instances = answer(
        &args.instances,
        "--instances",
        "Instances: files, patterns or suites, from here",
        "instances/tantrix/fixed/n10-*.toml",
    )?;
    let chosen = answer(&args.solvers, "--solvers", "Solvers (`tilebench solvers` lists them)", "highs")?;
    let none = BTreeMap::new();
    let mut usual: Vec<String> = Vec::new();
    for solver in &chosen {
        SolverInfo::find(&solvers::known(), solver).map_err(anyhow::Error::msg)?;
        let kind = solvers::usual_kind(solver, &none)?;
        let name = model::default_preset(&puzzle_kind(&instances[0]), kind).map(|keys| keys.name);
        if let Some(name) = name.filter(|name| !usual.contains(name)) {
            usual.push(name);
        }
    }
    let names = answer(
        &args.formulations,
        "--formulations",
        "Formulations (`tilebench formulations` lists them)",
        &usual.join(", "),
    )?;
    let asked = || asked("--time", "Wall time of a run, over all of its solves", "1m");
    let time = args.time.clone().map_or_else(asked, Ok)?;

    let mut text = format!(
        "# Every formulation is solved on every instance by every solver that it names. `tilebench run` measures this config,\n\
         # `tilebench run --dry-run` prints its runs. docs/reference/config.md lists the other keys.\n\n\
         experiment = {}\ntitle = {}\n\n# Files, patterns or suites, relative to this file.\ninstances = {}\n\n\
         [limits]\n# Wall time of a run, over all of its solves.\ntime = {}\nmemory = \"4GiB\"\n",
        string(&experiment),
        string(&experiment),
        list(instances.iter().map(|pattern| from_folder_of(path, pattern))),
        string(&time),
    );
    for name in &names {
        let keys = named(name)?;
        let formulation = keys.clone().read()?;
        let fitting: Vec<&String> =
            chosen.iter().filter(|solver| solvers::fits(solver, &formulation, &none).is_ok()).collect();
        ensure!(!fitting.is_empty(), "formulation {name} is of kind {}, for which none of these solvers is", keys.kind);
        text += &format!("\n[[formulation]]\nname = {}\n", string(name));
        if keys.kind != model::FormulationKind::default() {
            text += &format!("kind = {}\n", string(keys.kind.name()));
        }
        for (key, value) in &keys.keys {
            text += &format!("{}\n", model::Key::written(key, value));
        }
        text += &format!("solvers = {}\n", list(fitting.into_iter().cloned()));
    }
    for solver in &chosen {
        text += &format!("\n[[solver]]\nname = {}\n", string(solver));
    }
    // Planned from a file beside its place, which its patterns are relative to.
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let draft =
        tempfile::Builder::new().suffix(".toml").tempfile_in(folder).with_context(|| path.display().to_string())?;
    let draft = draft.into_temp_path();
    fs::write(&draft, &text).with_context(|| path.display().to_string())?;
    let options = RunOptions { vocabulary: vocabulary(), ..RunOptions::default() };
    let planned = runner::plan(&[draft.to_path_buf()], &options, &solvers::known());
    let runs: usize = match planned {
        Ok(plans) => plans.iter().map(ExperimentPlan::len).sum(),
        Err(error) => {
            let (error, draft) = (error.to_string(), format!("{}, line ", draft.display()));
            // The lines are of a file that is not there.
            let error = error.strip_prefix(&draft).and_then(|rest| Some(rest.split_once(": ")?.1)).unwrap_or(&error);
            bail!("{}: nothing is written, since these options make no config that runs: {error}", path.display())
        }
    };
    record::write_whole(path, text.as_bytes())?;
    say!("{}: {}", path.display(), count(runs, "run"));
    say!("next: tilebench run {}", argument(path));
    Ok(ExitCode::SUCCESS)
}

/// The line that is answered on a terminal in place of an option; Enter alone takes what is usual.
fn asked(option: &str, question: &str, usual: &str) -> anyhow::Result<String> {
    ensure!(io::stdin().is_terminal(), "{option} is missing, and there is no terminal to ask for it");
    write!(anstream::stderr(), "{question} [{usual}]: ")?;
    let mut line = String::new();
    if io::stdin().read_line(&mut line)? == 0 {
        bail!("no answer: nothing is written");
    }
    let line = line.trim();
    Ok(if line.is_empty() { usual } else { line }.to_owned())
}

/// What an option says, else what is answered. Several words are separated by spaces or commas; each is taken once.
fn answer(given: &[String], option: &str, question: &str, usual: &str) -> anyhow::Result<Vec<String>> {
    let mut words: Vec<String> = given.iter().map(|word| word.trim().to_owned()).collect();
    if given.is_empty() {
        words = asked(option, question, usual)?.split([' ', ',']).map(str::to_owned).collect();
    }
    let mut seen = HashSet::new();
    words.retain(|word| !word.is_empty() && seen.insert(word.clone()));
    ensure!(!words.is_empty(), "{option}: no answer: nothing is written");
    Ok(words)
}

/// The kind of the first instance that a pattern or a suite may be about.
fn puzzle_kind(pattern: &str) -> String {
    let mut folders =
        Path::new(pattern).ancestors().map(|part| if part == Path::new("") { Path::new(".") } else { part });
    let folder = folders.find(|part| part.is_dir());
    let files = folder.map(toml_files).and_then(Result::ok).unwrap_or_default();
    let files = files.iter().filter(|path| !is_suite(path)).map(PathBuf::as_path);
    let made = Path::new(pattern).ancestors().find(|part| is_suite(part)).and_then(|suite| make_suite(suite).ok());
    let member = made.into_iter().flatten().find_map(|(name, text)| Instance::parse(&text, Path::new(&name)).ok());
    let loaded = || iter::once(Path::new(pattern)).chain(files).find_map(|path| Instance::load(path).ok());
    let instance = member.or_else(loaded);
    instance.map_or(FIXED, |instance| instance.puzzle.kind()).to_owned()
}

/// A named formulation, or a default of a kind that has no name of its own.
fn named(name: &str) -> anyhow::Result<FormulationKeys> {
    let kinds = || model::FormulationKind::ALL.into_iter();
    let defaults =
        || kinds().flat_map(|kind| puzzle::Puzzle::KINDS.map(|of| model::default_preset(of, kind))).flatten();
    args::named(name).or_else(|unknown| defaults().find(|keys| keys.name == name).ok_or(unknown))
}

/// A pattern as seen from the folder of a file.
fn from_folder_of(path: &Path, pattern: &str) -> String {
    let folder = path.parent().unwrap_or(Path::new(""));
    let parts = || folder.components().filter(|part| *part != Component::CurDir);
    let is_below = parts().all(|part| matches!(part, Component::Normal(_)));
    match Path::new(pattern).is_absolute() {
        true => pattern.to_owned(),
        false if is_below => "../".repeat(parts().count()) + pattern,
        false => std::path::absolute(pattern).map_or_else(|_| pattern.to_owned(), |path| path.display().to_string()),
    }
}

fn string(text: &str) -> String {
    Value::String(text.to_owned()).to_string()
}

fn list(items: impl Iterator<Item = String>) -> String {
    format!("[{}]", items.map(|item| string(&item)).collect::<Vec<_>>().join(", "))
}
