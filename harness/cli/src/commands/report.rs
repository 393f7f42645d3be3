//! `tilebench report`: tables and plots from results.

use std::process::ExitCode;

use report::{Experiment, Format};

use crate::args::{Report, TableFormat};
use crate::output::say;

/// Writes the report and says where it begins.
pub fn report(args: &Report) -> anyhow::Result<ExitCode> {
    let experiments = args.dirs.iter().map(|dir| Experiment::load(dir)).collect::<Result<Vec<_>, _>>()?;
    for (dir, experiment) in args.dirs.iter().zip(&experiments) {
        for warning in experiment.warnings() {
            eprintln!("warning: {}: {warning}", dir.display());
        }
    }
    let formats: Vec<Format> = match args.format.as_slice() {
        [] => vec![Format::Md, Format::Latex, Format::Csv],
        some => some
            .iter()
            .map(|format| match format {
                TableFormat::Md => Format::Md,
                TableFormat::Latex => Format::Latex,
                TableFormat::Csv => Format::Csv,
            })
            .collect(),
    };
    let files = report::write(&experiments, &args.output, &formats)?;
    say!("{} files in {}", files.len(), args.output.display());
    if let Some(index) = files.iter().find(|f| f.file_name().is_some_and(|n| n == "index.md")) {
        say!("start reading at {}", index.display());
    }
    Ok(ExitCode::SUCCESS)
}
