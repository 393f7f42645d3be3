//! Errors of reporting.

use std::path::{Path, PathBuf};

use record::{RecordError, alternatives};

/// Why there is no report.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReportError {
    /// The directory holds no results, or further down only.
    #[error("{dir}: {}", no_results(dir, found), dir = dir.display())]
    NoManifest {
        /// The directory that was given.
        dir: PathBuf,
        /// The folders below it that can be given instead.
        found: Vec<PathBuf>,
    },
    /// A results file that cannot be read or does not fit the schema.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// A file of published figures that does not fit.
    #[error("{path}, line {line}{column}: {reason}", path = path.display(), column = column_suffix(column.as_deref()))]
    Published {
        /// The file.
        path: PathBuf,
        /// Line in the file, from 1.
        line: u64,
        /// Name of the column, if it is one cell that is wrong.
        column: Option<String>,
        /// What is wrong, and what would be right.
        reason: String,
    },
    /// There is a file that is no report where one is to be written.
    #[error(
        "{path} is there and is no report, which would replace it: choose another folder for the report, or remove it",
        path = path.display()
    )]
    Occupied {
        /// The file, or a link that leads nowhere.
        path: PathBuf,
    },
    /// A mark in a document that cannot be followed.
    #[error("{path}, line {line}: {reason}", path = path.display())]
    Mark {
        /// The document.
        path: PathBuf,
        /// Line of the mark, from 1.
        line: usize,
        /// What is wrong, and what would be right.
        reason: String,
    },
    /// There is no table of a name among those of some reports.
    #[error("there is no table `{name}` in these results; {}", alternatives(name, known.iter().map(String::as_str)))]
    NoTable {
        /// The name that was asked for.
        name: String,
        /// The names of tables, and the file names of each.
        known: Vec<String>,
    },
    /// The `[report]` section asks for a table or a plot that does not exist.
    #[error("experiment {experiment}: there is no {kind} `{name}`; there are {known}")]
    UnknownName {
        /// The experiment.
        experiment: String,
        /// `table` or `plot`.
        kind: &'static str,
        /// The name that was asked for.
        name: String,
        /// The names in the registry.
        known: String,
    },
    /// Results to be compared that have a run twice.
    #[error("{run} stands there twice: as {first}, and as {second}; leave one of them out")]
    SameRun {
        /// The run.
        run: String,
        /// Where it is, and the solver with its version.
        first: String,
        /// Where else.
        second: String,
    },
    /// Results to be compared that have nothing in common.
    #[error(
        "nothing to compare: no run of BASE ({base}) is in NEW ({new}); runs are the same if instance, formulation, solver, options, seed, repeat, threads and limits are{hint}"
    )]
    NothingMatches {
        /// What differs between two of one name, as `: ...`; may be empty.
        hint: String,
        /// The directories of BASE.
        base: String,
        /// The directories of NEW.
        new: String,
    },
    /// A template could not be filled in: a bug.
    #[error("a template cannot be filled in: {0}")]
    Template(#[from] minijinja::Error),
    /// The aggregation failed: a bug here or in polars, not in the data.
    #[error("aggregation: {0}")]
    Aggregate(#[from] polars::error::PolarsError),
    /// A picture that cannot be made.
    #[error("picture: {0}")]
    Picture(String),
}

fn no_results(dir: &Path, found: &[PathBuf]) -> String {
    if !dir.exists() {
        return "there is no such folder".to_owned();
    }
    if !dir.is_dir() {
        return "this is a file; name the folder of results".to_owned();
    }
    let none = "no manifest.json, neither here nor in a folder in it";
    if found.is_empty() {
        return format!(
            "{none}, so there are no results (`tilebench run CONFIG --out DIR` makes them in DIR/<experiment>)"
        );
    }
    let folders: Vec<_> = found.iter().map(|folder| folder.display().to_string()).collect();
    format!("{none}; there are results in {}: name one of these", folders.join(", "))
}

fn column_suffix(column: Option<&str>) -> String {
    column.map(|c| format!(", column {c}")).unwrap_or_default()
}
