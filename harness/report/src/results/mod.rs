//! One experiment, read from its results directory and checked.

mod catalog;
mod published;
mod rows;
mod warnings;

use std::fs;
use std::path::{Path, PathBuf};

use record::{Manifest, Published, RecordError, ResultsDir, natural_order};

use crate::ReportError;
use rows::Rows;

pub use catalog::{Catalog, Formulation, Instance, has_family};
pub use published::{BatchFigure, BatchStatistic, PublishedRow, board, foreign};
pub use rows::{Run, Setting, Solve, is_odd};
pub use warnings::{BOUNDED_TABLE, PUBLISHED_TABLE, ended, on_a_busy_machine};

/// What was recorded of one experiment: the latest attempt of each run, the manifest and published figures.
#[derive(Debug, Clone)]
pub struct Experiment {
    pub(crate) files: ResultsDir,
    manifest: Manifest,
    runs: Vec<Run>,
    /// The files that end within a row, by name, and the line at which it begins.
    pub(crate) truncated: Vec<(&'static str, u64)>,
    /// Figures of the paper that the experiment repeats.
    pub(crate) published: Vec<PublishedRow>,
    /// Published figures over batches of instances.
    pub(crate) batch: Vec<BatchFigure>,
    /// The warnings that do not depend on which rows are shown.
    pub(crate) warnings: Vec<String>,
    /// Formulations, solvers and instances in the order in which they are shown.
    pub(crate) catalog: Catalog,
}

impl Experiment {
    /// Reads a results directory. Of each run only the latest attempt counts, and only runs of the plan
    /// beside the rows.
    ///
    /// # Errors
    /// A directory without manifest or without a file of rows, a file that cannot be read or does not fit its schema.
    pub fn load(dir: &Path) -> Result<Self, ReportError> {
        let files = ResultsDir::new(dir);
        files.refuse_incomplete()?;
        if !files.manifest().is_file() {
            return Err(ReportError::NoManifest { dir: dir.to_owned(), found: Vec::new() });
        }
        let manifest = files.read_manifest()?;
        let rows = Rows::read(&files, &manifest.sessions)?;
        let (published, batch) = match &manifest.report.published {
            Some(spec) => published::read(&files.published(), spec)?,
            None => (Vec::new(), Vec::new()),
        };
        let catalog = Catalog::of(&manifest, &rows.runs);
        let warnings = warnings::warnings(&manifest, &rows, &published, &catalog);
        let Rows { runs, truncated, .. } = rows;
        Ok(Self { files, manifest, runs, truncated, published, batch, warnings, catalog })
    }

    /// The experiment's name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.manifest.experiment
    }

    /// The manifest beside the rows.
    #[must_use]
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// The number of runs that are shown: of each run the latest attempt counts.
    #[must_use]
    pub fn len(&self) -> usize {
        self.runs.len()
    }

    /// Whether no run has ended yet.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.runs.is_empty()
    }

    pub(crate) fn runs(&self) -> &[Run] {
        &self.runs
    }
}

/// Whether a file of published figures can be read and has the rows that a config asks for.
///
/// # Errors
/// What is wrong with the file, or which rows it has.
pub fn check_published(path: &Path, wanted: &Published) -> Result<(), ReportError> {
    published::read(path, wanted).map(drop)
}

/// The results directories that a path means: itself, or where it is none the folders in it that are, in natural
/// order.
///
/// # Errors
/// Neither it nor any folder in it holds results (the error names folders further down that do), or it cannot be read.
pub fn results_in(dir: &Path) -> Result<Vec<PathBuf>, ReportError> {
    if has_manifest(dir) {
        return Ok(vec![dir.to_owned()]);
    }
    let found: Vec<_> = match dir.is_dir() {
        true => entries(dir)?.into_iter().filter(|path| has_manifest(path)).collect(),
        false => Vec::new(),
    };
    if found.is_empty() {
        return Err(ReportError::NoManifest { dir: dir.to_owned(), found: results_below(dir) });
    }
    Ok(found)
}

/// The folders in a directory, up to three levels down, that hold results of which [`results_in`] takes none: not themselves and no
/// results, but with folders that are.
#[must_use]
pub fn results_below(dir: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut level = vec![dir.to_owned()];
    for _ in 0..LEVELS {
        // What cannot be read is passed over: who looks for it has asked for something else.
        let inner = level.iter().flat_map(|folder| entries(folder).unwrap_or_default());
        level = inner.filter(|path| path.is_dir() && !path.is_symlink() && !has_manifest(path)).collect();
        let has_results = |folder: &&PathBuf| entries(folder).is_ok_and(|inner| inner.iter().any(|p| has_manifest(p)));
        found.extend(level.iter().filter(has_results).cloned());
    }
    found
}

const LEVELS: usize = 3;

fn has_manifest(dir: &Path) -> bool {
    ResultsDir::new(dir).manifest().is_file()
}

/// What a directory holds, in natural order.
fn entries(dir: &Path) -> Result<Vec<PathBuf>, ReportError> {
    let entries = fs::read_dir(dir).and_then(|entries| entries.map(|entry| Ok(entry?.path())).collect());
    let mut entries: Vec<PathBuf> = entries.map_err(|source| RecordError::Io { path: dir.to_owned(), source })?;
    entries.sort_by(|a, b| natural_order(&a.to_string_lossy(), &b.to_string_lossy()));
    Ok(entries)
}
