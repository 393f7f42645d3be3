//! `tilebench soku check`: whether a file has a valid solution of every class.

use std::fs;
use std::process::ExitCode;

use anyhow::Context;
use combinatorics::soku::classes::{self, CLASSES};

use super::{Watch, threads};
use crate::args::SokuCheck;
use crate::failure::{Failed, INTERRUPTED};
use crate::output::say;

/// Prints what the file has; exit code 1 if something is wrong with it.
pub fn check(args: &SokuCheck) -> anyhow::Result<ExitCode> {
    let path = args.file.display();
    let file = fs::read(&args.file).with_context(|| format!("cannot read {path}"))?;
    let watch = Watch::new()?;
    watch.begin("checked", u64::from(CLASSES));
    let checked = classes::check(&file, threads(args.threads), &|classes| watch.add(classes));
    watch.bar.finish_and_clear();
    let Some(header) = checked.map_err(|flaw| Failed(format!("{path}: {flaw}")))? else {
        return Ok(ExitCode::from(INTERRUPTED));
    };
    if header.classes < CLASSES && !args.sample {
        let found = super::classes(header.classes);
        return Err(
            Failed(format!("{path}: its solutions are valid, but it has {found} only; --sample accepts that")).into()
        );
    }
    say!("valid: a solution for {}", super::classes(header.classes));
    Ok(ExitCode::SUCCESS)
}
