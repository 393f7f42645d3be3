//! One experiment, read from its results directory and checked.

mod catalog;
mod find;
mod plan;
mod published;
mod read_published;
mod read_rows;
mod read_solves;
mod rows;
mod share;
mod warnings;

use std::path::Path;

use record::{Baseline, Manifest, Published, ReportSpec, ResultsDir};

use crate::aggregate::{Aggregates, aggregate};
use crate::caveats;
use crate::{ReportError, plots, tables};
use read_rows::Rows;

pub use catalog::{Catalog, Formulation, Instance};
pub use find::results_in;
pub use published::{PublishedRow, board, foreign, heading, is_other, other_sources};
pub use rows::{Run, Setting, Solve, is_odd};
pub use warnings::{ended, some};

/// Everything a report shows of one experiment.
#[derive(Debug, Clone)]
pub struct Experiment {
    files: ResultsDir,
    manifest: Manifest,
    runs: Vec<Run>,
    solves: Vec<Solve>,
    torn: Vec<(&'static str, u64)>,
    published: Vec<PublishedRow>,
    warnings: Vec<String>,
    caveats: Vec<String>,
    catalog: Catalog,
    aggregates: Aggregates,
}

impl Experiment {
    /// Reads a results directory. Of each run only the latest attempt counts, and only runs of the plan that
    /// stands beside the rows.
    ///
    /// # Errors
    /// A directory without manifest, a file that cannot be read or does not fit its
    /// schema, a table or plot in the `[report]` section that does not exist.
    pub fn load(dir: &Path) -> Result<Self, ReportError> {
        let files = ResultsDir::new(dir);
        if !files.manifest().is_file() {
            return Err(ReportError::NoManifest { dir: dir.to_owned() });
        }
        let manifest = files.read_manifest()?;
        check_names(&manifest.experiment, &manifest.report)?;
        let rows = Rows::read(&files, &manifest.sessions)?;
        let published = match &manifest.report.published {
            Some(spec) => read_published::read(&files.published(), spec)?,
            None => Vec::new(),
        };
        let catalog = Catalog::of(&manifest, &rows.settings());
        let aggregates = aggregate(&rows.runs, &rows.solves, &published)?;
        let warnings = warnings::warnings(&manifest, &rows, &published, &catalog);
        let caveats = caveats::of_page(&aggregates.outcomes);
        let Rows { runs, solves, torn, .. } = rows;
        Ok(Self { files, manifest, runs, solves, torn, published, warnings, caveats, catalog, aggregates })
    }

    /// The experiment's name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.manifest.experiment
    }

    /// What stands beside the rows.
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

    /// What a reader must know before comparing figures, on whatever page they stand.
    #[must_use]
    pub fn warnings(&self) -> Vec<String> {
        self.flaws().iter().chain(&self.caveats).cloned().collect()
    }

    /// The warnings that do not depend on which rows are shown.
    pub(crate) fn flaws(&self) -> &[String] {
        &self.warnings
    }

    /// The warnings of which each table and plot has its own version, of the rows that it shows.
    pub(crate) fn caveats(&self) -> &[String] {
        &self.caveats
    }

    /// The latest attempt of each run.
    pub(crate) fn runs(&self) -> &[Run] {
        &self.runs
    }

    /// The solves of a run, in order.
    pub(crate) fn solves(&self, run: &Run) -> &[Solve] {
        &self.solves[run.solves.clone()]
    }

    /// The files that end within a row, by name, and the line at which it begins.
    pub(crate) fn torn(&self) -> &[(&'static str, u64)] {
        &self.torn
    }

    /// Where its files stand.
    pub(crate) fn files(&self) -> &ResultsDir {
        &self.files
    }

    /// Figures of the paper that the experiment repeats.
    pub(crate) fn published(&self) -> &[PublishedRow] {
        &self.published
    }

    /// Formulations, solvers and instances in the order in which they are shown.
    pub(crate) fn catalog(&self) -> &Catalog {
        &self.catalog
    }

    /// Who the others are compared with, if the config names who.
    pub(crate) fn baseline(&self) -> Option<Baseline<'_>> {
        self.catalog.baseline(&self.manifest)
    }

    /// Medians over repeats.
    pub(crate) fn aggregates(&self) -> &Aggregates {
        &self.aggregates
    }
}

/// Whether a file of published figures can be read and has the rows that a config asks for.
///
/// # Errors
/// What is wrong with the file, or which rows it has.
pub fn check_published(path: &Path, wanted: &Published) -> Result<(), ReportError> {
    read_published::read(path, wanted).map(drop)
}

/// Whether there are the tables and plots that the `[report]` section of an experiment's config names.
///
/// # Errors
/// The first name that there is not, and those that there are.
fn check_names(experiment: &str, wanted: &ReportSpec) -> Result<(), ReportError> {
    let (known_tables, known_plots) = (tables::names(), plots::names());
    for (kind, names, known) in [("table", &wanted.tables, known_tables), ("plot", &wanted.plots, known_plots)] {
        if let Some(name) = names.iter().find(|n| !known.contains(&n.as_str())) {
            return Err(ReportError::UnknownName {
                experiment: experiment.to_owned(),
                kind,
                name: name.clone(),
                known: known.join(", "),
            });
        }
    }
    Ok(())
}
