//! Completion of command lines, and manual pages.
//!
//! The scripts for shells call this program with a variable in its environment, and it answers what may stand at the cursor. So
//! they know the names of this build without being installed again.

use std::env;
use std::ffi::OsStr;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context;
use clap::Command;
use clap_complete::CompleteEnv;
use clap_complete::engine::{ArgValueCandidates, ArgValueCompleter, CompletionCandidate, PathCompleter};
use clap_complete::env::Shells;

use crate::output::if_read;

const VARIABLE: &str = "TILEBENCH_COMPLETE";

/// Answers a script and ends the process, if one asks.
pub fn answer(command: fn() -> Command) {
    CompleteEnv::with_factory(command).var(VARIABLE).complete();
}

/// Shells that there are scripts for.
pub fn shells() -> Vec<&'static str> {
    Shells::builtins().names().collect()
}

/// Prints the script of a shell. It asks the program as it was called: one of the path by its name, another where it is.
pub fn completions(shell: &str) -> anyhow::Result<ExitCode> {
    let called = PathBuf::from(env::args_os().next().context("the program has no name")?);
    let program = if called.components().count() > 1 { std::path::absolute(&called)? } else { called };
    let shells = Shells::builtins();
    let shell = shells.completer(shell).with_context(|| format!("no script for {shell}"))?;
    let mut script = Vec::new();
    shell.write_registration(VARIABLE, "tilebench", "tilebench", &program.to_string_lossy(), &mut script)?;
    if_read(io::stdout().write_all(&script))?;
    Ok(ExitCode::SUCCESS)
}

/// Writes the manual pages into a folder, one of each command, from the same texts as the help.
pub fn man(command: Command, out: &Path) -> anyhow::Result<ExitCode> {
    let pages = || {
        fs::create_dir_all(out)?;
        clap_mangen::generate_to(command, out)
    };
    pages().with_context(|| format!("{}: the manual pages cannot be written", out.display()))?;
    Ok(ExitCode::SUCCESS)
}

/// Completes the names of solvers.
pub fn solvers() -> ArgValueCandidates {
    named(|| solve::BACKENDS.iter().map(|backend| backend.info()).map(|info| (info.name, info.interface)).collect())
}

/// Completes the names of formulations.
pub fn formulations() -> ArgValueCandidates {
    named(|| model::PRESETS.iter().map(|preset| (preset.name, preset.summary)).collect())
}

/// Completes the names of tables.
pub fn tables() -> ArgValueCandidates {
    named(|| report::table_list().collect())
}

/// Completes paths of instances, configs and lists of them, which are all TOML.
pub fn toml() -> ArgValueCompleter {
    let is_toml = |path: &Path| path.extension() == Some(OsStr::new("toml"));
    ArgValueCompleter::new(PathCompleter::any().filter(is_toml))
}

/// Completes one of some names, each with what shells may show beside it.
fn named(list: impl Fn() -> Vec<(&'static str, &'static str)> + Send + Sync + 'static) -> ArgValueCandidates {
    ArgValueCandidates::new(move || {
        let candidate = |(name, help): (&'static str, &'static str)| {
            CompletionCandidate::new(name).help((!help.is_empty()).then(|| help.into()))
        };
        list().into_iter().map(candidate).collect::<Vec<_>>()
    })
}
