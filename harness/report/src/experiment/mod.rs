//! One experiment, read from its results directory and checked.

mod catalog;
mod published;
mod read_published;
mod warnings;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use record::{IterationRow, Manifest, PlanRow, Published, ReportSpec, ResultsDir, RunRow, Status};

use crate::aggregate::{Aggregates, aggregate};
use crate::{ReportError, plots, tables};
use warnings::LeftOut;

pub use catalog::{Catalog, Formulation, Instance};
pub use published::{PublishedRow, board, foreign, heading, is_other, other_sources};
pub use warnings::{build, ended};

/// Everything a report shows of one experiment.
#[derive(Debug, Clone)]
pub struct Experiment {
    files: ResultsDir,
    manifest: Manifest,
    runs: Vec<RunRow>,
    iterations: Vec<IterationRow>,
    published: Vec<PublishedRow>,
    warnings: Vec<String>,
    catalog: Catalog,
    aggregates: Aggregates,
}

impl Experiment {
    /// Reads a results directory. Of each run only the latest attempt counts, and only runs of the plan that
    /// the manifest describes.
    ///
    /// # Errors
    /// A directory without manifest, a file that cannot be read or does not fit its schema, a table or plot
    /// in the `[report]` section that does not exist.
    pub fn load(dir: &Path) -> Result<Self, ReportError> {
        let files = ResultsDir::new(dir);
        if !files.manifest().is_file() {
            return Err(ReportError::NoManifest { dir: dir.to_owned() });
        }
        let manifest = files.read_manifest()?;
        check_names(&manifest.experiment, &manifest.report)?;
        let mut all = files.read_runs()?;
        let planned = if files.plan().is_file() { files.read_plan()? } else { Vec::new() };
        let earlier = leave_out_earlier(&mut all, &planned);
        // That a run was interrupted and repeated is no cause for concern.
        let count = |rows: &[RunRow]| rows.iter().filter(|row| row.status != Status::Interrupted).count();
        let attempts = count(&all);
        let runs = latest(all);
        let ids: BTreeMap<_, _> = runs.iter().map(|r| (r.run_id.clone(), r.attempt)).collect();
        let mut iterations = files.read_iterations()?;
        iterations.retain(|i| ids.get(&i.run_id) == Some(&i.attempt));
        iterations.sort_by(|a, b| (&a.run_id, a.iteration).cmp(&(&b.run_id, b.iteration)));
        let published = match &manifest.report.published {
            Some(spec) => read_published::read(&files.published(), spec)?,
            None => Vec::new(),
        };
        let catalog = Catalog::of(&manifest, &runs);
        let aggregates = aggregate(&runs, &iterations, &published)?;
        let left_out = LeftOut { attempts: attempts - count(&runs), earlier };
        let warnings = warnings::warnings(&manifest, &runs, &left_out, &published, &catalog);
        Ok(Self { files, manifest, runs, iterations, published, warnings, catalog, aggregates })
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

    /// The latest attempt of each run.
    #[must_use]
    pub fn runs(&self) -> &[RunRow] {
        &self.runs
    }

    /// The solves of these runs, by run and iteration.
    #[must_use]
    pub fn iterations(&self) -> &[IterationRow] {
        &self.iterations
    }

    /// What a reader must know before comparing figures; shown on top of every output.
    #[must_use]
    pub fn warnings(&self) -> &[String] {
        &self.warnings
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

    /// Medians over repeats.
    pub(crate) fn aggregates(&self) -> &Aggregates {
        &self.aggregates
    }
}

/// Keeps the rows of the plan; gives the number of the others. Manifests without a list keep all.
fn leave_out_earlier(rows: &mut Vec<RunRow>, plan: &[PlanRow]) -> usize {
    if plan.is_empty() {
        return 0;
    }
    let (all, plan) = (rows.len(), plan.iter().map(|row| row.run_id.as_str()).collect::<BTreeSet<_>>());
    rows.retain(|r| plan.contains(r.run_id.as_str()));
    all - rows.len()
}

fn latest(mut rows: Vec<RunRow>) -> Vec<RunRow> {
    rows.sort_by(|a, b| (&a.run_id, b.attempt).cmp(&(&b.run_id, a.attempt)));
    let mut seen = BTreeSet::new();
    rows.retain(|r| seen.insert(r.run_id.clone()));
    rows
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
