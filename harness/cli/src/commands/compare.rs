//! `tilebench compare`: two sets of results against each other.

use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

use record::write_whole;
use report::compare::{Options, compare as compared, json, junit, markdown};
use report::{Experiment, results_in};

use crate::args::Compare;
use crate::failure::CHECK_FAILED;

/// Writes what differs; exit code 1 if that is a regression.
pub fn compare(args: &Compare) -> anyhow::Result<ExitCode> {
    let (base, new) = (load(&args.base)?, load(&args.new)?);
    let options = Options {
        fail_on: (!args.fail_on.is_empty()).then(|| args.fail_on.iter().copied().collect()),
        time_threshold: args.time_threshold,
        count_threshold: args.count_threshold,
        alpha: args.alpha,
    };
    let found = compared(&base, &new, &options)?;
    let text = markdown(&found);
    if let Some(path) = &args.markdown {
        write_whole(path, text.as_bytes())?;
    }
    if let Some(path) = &args.junit {
        write_whole(path, junit(&found).as_bytes())?;
    }
    match &args.json {
        Some(path) if path == Path::new("-") => io::stdout().write_all(json(&found)?.as_bytes())?,
        Some(path) => {
            write_whole(path, json(&found)?.as_bytes())?;
            io::stdout().write_all(text.as_bytes())?;
        }
        None => io::stdout().write_all(text.as_bytes())?,
    }
    Ok(if found.is_regression() { ExitCode::from(CHECK_FAILED) } else { ExitCode::SUCCESS })
}

fn load(dir: &Path) -> anyhow::Result<Vec<Experiment>> {
    Ok(results_in(dir)?.iter().map(|dir| Experiment::load(dir)).collect::<Result<_, _>>()?)
}
