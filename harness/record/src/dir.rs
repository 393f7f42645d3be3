//! The layout of a results directory, in one place.

use std::fs;
use std::path::{Path, PathBuf};

use crate::table::line_of_row;
use crate::{IterationRow, Manifest, RecordError, RunRow, SCHEMA_VERSION, read_table};

/// A directory that holds one experiment's results.
///
/// ```text
/// runs.csv iterations.csv manifest.json config.toml [published.csv] .lock
/// instances/<instance>.toml   solutions/<run_id>.<iteration>.json   logs/<run_id>.log
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResultsDir {
    root: PathBuf,
}

impl ResultsDir {
    /// Names the directory; nothing is read or created.
    #[must_use]
    pub fn new(root: impl Into<PathBuf>) -> Self {
        Self { root: root.into() }
    }

    /// The directory itself.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// `runs.csv`: one row a run; a run counts as ended once its row stands here.
    #[must_use]
    pub fn runs(&self) -> PathBuf {
        self.root.join("runs.csv")
    }

    /// `iterations.csv`: one row a solve, written before the row of its run.
    #[must_use]
    pub fn iterations(&self) -> PathBuf {
        self.root.join("iterations.csv")
    }

    /// `manifest.json`.
    #[must_use]
    pub fn manifest(&self) -> PathBuf {
        self.root.join("manifest.json")
    }

    /// `config.toml`: the config, byte for byte.
    #[must_use]
    pub fn config(&self) -> PathBuf {
        self.root.join("config.toml")
    }

    /// `published.csv`: the published figures that belong to the experiment.
    #[must_use]
    pub fn published(&self) -> PathBuf {
        self.root.join("published.csv")
    }

    /// The instance file of that name, byte for byte.
    #[must_use]
    pub fn instance(&self, name: &str) -> PathBuf {
        self.root.join("instances").join(format!("{name}.toml"))
    }

    /// The solution that one iteration of a run found, with the cuts that were added after it.
    #[must_use]
    pub fn solution(&self, run_id: &str, iteration: u64) -> PathBuf {
        self.root.join("solutions").join(format!("{run_id}.{iteration}.json"))
    }

    /// What the solver printed during a run.
    #[must_use]
    pub fn log(&self, run_id: &str) -> PathBuf {
        self.root.join("logs").join(format!("{run_id}.log"))
    }

    /// Reads `runs.csv`.
    ///
    /// # Errors
    /// A file that cannot be read, a row that does not fit the schema, a run that stands there twice.
    pub fn read_runs(&self) -> Result<Vec<RunRow>, RecordError> {
        let path = self.runs();
        let rows: Vec<RunRow> = read_table(&path)?;
        let mut seen = std::collections::HashSet::new();
        for (index, row) in rows.iter().enumerate() {
            let reason = if row.schema_version != SCHEMA_VERSION {
                format!(
                    "schema_version {} is not the version {SCHEMA_VERSION} that this tilebench reads",
                    row.schema_version
                )
            } else if !seen.insert((&row.run_id, row.attempt)) {
                format!("run {} attempt {} stands here a second time", row.run_id, row.attempt)
            } else {
                continue;
            };
            let line = line_of_row(&path, index);
            return Err(RecordError::Row { path, line, reason });
        }
        Ok(rows)
    }

    /// Reads `iterations.csv`.
    ///
    /// # Errors
    /// A file that cannot be read, or a row that does not fit the schema.
    pub fn read_iterations(&self) -> Result<Vec<IterationRow>, RecordError> {
        read_table(&self.iterations())
    }

    /// Reads `manifest.json`.
    ///
    /// # Errors
    /// A file that cannot be read or is no manifest of this schema version.
    pub fn read_manifest(&self) -> Result<Manifest, RecordError> {
        let path = self.manifest();
        let text = fs::read_to_string(&path).map_err(|source| RecordError::Io { path: path.clone(), source })?;
        let manifest: Manifest =
            serde_json::from_str(&text).map_err(|e| RecordError::File { path: path.clone(), reason: e.to_string() })?;
        if manifest.schema_version == SCHEMA_VERSION {
            Ok(manifest)
        } else {
            Err(RecordError::File {
                path,
                reason: format!(
                    "schema_version {} is not the version {SCHEMA_VERSION} that this tilebench reads",
                    manifest.schema_version
                ),
            })
        }
    }
}
