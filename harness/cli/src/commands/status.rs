//! `tilebench status`: what has become of the tasks of a folder.

use std::process::ExitCode;

use cluster::Folder;

use crate::args::Status;
use crate::output::say;

/// Says it.
pub fn status(args: &Status) -> anyhow::Result<ExitCode> {
    let folder = Folder::new(&args.dir)?;
    let submission = folder.read()?;
    say!("{}", cluster::status(&folder, &submission)?);
    Ok(ExitCode::SUCCESS)
}
