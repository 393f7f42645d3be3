//! `tilebench man`: the manual pages, one of each command, from the same texts as the help.

use std::fs;
use std::path::Path;
use std::process::ExitCode;

use anyhow::Context;
use clap::CommandFactory;

use crate::args::Args;

/// Writes them into a folder.
pub fn man(out: &Path) -> anyhow::Result<ExitCode> {
    let pages = || {
        fs::create_dir_all(out)?;
        clap_mangen::generate_to(Args::command(), out)
    };
    pages().with_context(|| format!("{}: the manual pages cannot be written", out.display()))?;
    Ok(ExitCode::SUCCESS)
}
