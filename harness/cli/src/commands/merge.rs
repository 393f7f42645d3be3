//! `tilebench merge`: results directories of one plan made into one.

use std::process::ExitCode;

use runner::MergedExperiment;

use crate::args::Merge;
use crate::failure::CHECK_FAILED;
use crate::output::say;

/// Merges and says what is there and what is missing; exit code 1 if an answer is wrong or answers contradict each other.
pub fn merge(args: &Merge) -> anyhow::Result<ExitCode> {
    let merged = runner::merge(&args.dirs, &args.out)?;
    for experiment in &merged {
        say!("{experiment}");
    }
    let is_sound = merged.iter().all(MergedExperiment::is_sound);
    Ok(if is_sound { ExitCode::SUCCESS } else { ExitCode::from(CHECK_FAILED) })
}
