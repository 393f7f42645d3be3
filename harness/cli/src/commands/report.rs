//! `tilebench report`: tables and plots from results.

mod splice;

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use report::{Analysis, Format, Options, Pictures, results_in};

use crate::GIT_COMMIT;
use crate::args::{PicturesOf, Report, TableFormat};
use crate::output::{say, several};

/// Writes the report and says where it begins.
pub fn report(args: &Report) -> anyhow::Result<ExitCode> {
    let dirs = results(&args.dirs)?;
    let experiments = dirs.iter().map(|dir| Analysis::load(dir)).collect::<Result<Vec<_>, _>>()?;
    for (dir, experiment) in dirs.iter().zip(&experiments) {
        for warning in experiment.warnings() {
            eprintln!("warning: {}: {warning}", dir.display());
        }
    }
    if !args.splice.is_empty() {
        return splice::splice(&args.splice, &experiments, args.check);
    }
    let formats: Vec<Format> = match args.format.as_slice() {
        [] => Format::ALL.to_vec(),
        some => some
            .iter()
            .map(|format| match format {
                TableFormat::Md => Format::Md,
                TableFormat::Latex => Format::Latex,
                TableFormat::Csv => Format::Csv,
                TableFormat::Html => Format::Html,
            })
            .collect(),
    };
    let pictures = match args.pictures {
        None => Pictures::Budget,
        Some(PicturesOf::All) => Pictures::All,
        Some(PicturesOf::Last) => Pictures::Last,
        Some(PicturesOf::None) => Pictures::None,
    };
    let options = Options { formats, pictures, revision: Some(GIT_COMMIT.to_owned()) };
    let files = report::write_with(&experiments, &args.output, &options)?;
    say!("{} files in {}", files.len(), args.output.display());
    let found = |name: &str| files.iter().find(|f| f.file_name().is_some_and(|n| n == name));
    if let Some(index) = found("index.md") {
        say!("start reading at {}", index.display());
    }
    if let Some(page) = found("report.html") {
        say!("open {} in a browser", page.display());
    }
    Ok(ExitCode::SUCCESS)
}

/// The results directories that the arguments stand for, each once; a folder of several is said with what it holds.
fn results(dirs: &[PathBuf]) -> anyhow::Result<Vec<PathBuf>> {
    let (mut found, mut seen) = (Vec::new(), HashSet::new());
    for dir in dirs {
        let results = results_in(dir)?;
        if results.iter().all(|r| r != dir) {
            let name = |path: &PathBuf| path.file_name().map_or_else(String::new, |n| n.to_string_lossy().into_owned());
            let names: Vec<_> = results.iter().map(name).collect();
            let count = several(results.len() as u64, "experiment");
            say!("{} holds {count}: {}", dir.display(), names.join(", "));
        }
        found.extend(results.into_iter().filter(|path| seen.insert(real(path))));
    }
    Ok(found)
}

/// One and the same directory, whatever it is called.
fn real(path: &Path) -> PathBuf {
    fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
}
