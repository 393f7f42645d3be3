//! The layout of a results directory, in one place.

use std::collections::HashSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::table::refuse_newer;
use crate::{
    IterationRow, Manifest, PlanRow, RecordError, RunRow, SCHEMA_VERSION, read_table, stream_table, table_has_rows,
};

/// A directory that holds one experiment's results.
///
/// ```text
/// runs.csv iterations.csv plan.csv datapackage.json manifest.json config.toml [published.csv] .lock
/// instances/<instance>.toml   solutions/<run_id>.<iteration>.json   logs/<run_id>.log
/// [proofs/<run_id>.drat and .cnf]   for solvers of which the config wants proofs
/// [.merged]   where all this was put together from other directories
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

    /// The results directories at or below a folder, in the order of their paths, each once. There are none in one another. Those that
    /// lack rows are among them ([`Self::refuse_incomplete`]).
    ///
    /// # Errors
    /// A folder that cannot be read.
    pub fn below(folder: &Path) -> Result<Vec<Self>, RecordError> {
        Self::find(folder, |_| Ok(()))
    }

    /// The same for a merge, which must not pass over any rows.
    ///
    /// # Errors
    /// Those of [`Self::below`] and [`Self::refuse_stray_rows`].
    pub fn sources_below(folder: &Path) -> Result<Vec<Self>, RecordError> {
        Self::find(folder, Self::refuse_stray_rows)
    }

    /// The same; `pass` says whether another folder may be passed over.
    fn find(folder: &Path, pass: impl Fn(&Self) -> Result<(), RecordError>) -> Result<Vec<Self>, RecordError> {
        let (mut found, mut waiting, mut seen) = (Vec::new(), vec![folder.to_owned()], HashSet::new());
        while let Some(path) = waiting.pop() {
            // Links may lead to where it has been, or nowhere.
            if fs::canonicalize(&path).is_ok_and(|real| !seen.insert(real)) {
                continue;
            }
            let dir = Self::new(&path);
            if dir.holds_results() {
                found.push(dir);
                continue;
            }
            pass(&dir)?;
            let inner = fs::read_dir(&path)
                .and_then(|entries| entries.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<_>>>());
            match inner {
                Ok(mut inner) => {
                    // Of two paths to one directory always the same is taken.
                    inner.sort_by(|a, b| b.cmp(a));
                    for path in inner {
                        match fs::metadata(&path) {
                            Ok(there) if there.is_dir() => waiting.push(path),
                            Ok(_) => {}
                            // A link that leads nowhere or in a circle, or somebody removed it in between.
                            Err(source) if source.kind() == io::ErrorKind::NotFound || path.is_symlink() => {}
                            Err(source) => return Err(RecordError::Io { path, source }),
                        }
                    }
                }
                // Somebody removed it in between.
                Err(error) if error.kind() == io::ErrorKind::NotFound && path != folder => {}
                Err(source) => return Err(RecordError::Io { path, source }),
            }
        }
        found.sort_by(|a: &Self, b| a.root.cmp(&b.root));
        Ok(found)
    }

    /// Whether there are results, also such as lack one of their files of rows ([`Self::refuse_incomplete`]).
    #[must_use]
    pub fn holds_results(&self) -> bool {
        // What cannot be read is there, and is refused by whoever reads it.
        let has_solves = || table_has_rows(&self.iterations()).unwrap_or(true);
        self.manifest().is_file() && (self.runs().is_file() || self.merged().is_file() || has_solves())
    }

    /// Refuses a directory that lacks one of its files of rows, so that nobody takes it for empty: as a merge was interrupted, or a copy is
    /// incomplete.
    ///
    /// # Errors
    /// Such a directory; a file that cannot be read.
    pub fn refuse_incomplete(&self) -> Result<(), RecordError> {
        let (runs, iterations) = (self.runs(), self.iterations());
        let (has_runs, has_iterations) = (runs.is_file(), iterations.is_file());
        // At a first merge there is no manifest yet, and nothing to miss.
        if !has_runs && self.merged().is_file() && self.manifest().is_file() {
            let reason = "a merge was interrupted here, or is under way: merge again, or delete this folder";
            return Err(RecordError::File { path: self.root.clone(), reason: reason.to_owned() });
        }
        let (missing, beside) = match (has_runs, has_iterations) {
            (false, true) => (runs, iterations),
            (true, false) => (iterations, runs),
            _ => return Ok(()),
        };
        if !table_has_rows(&beside)? {
            return Ok(());
        }
        let beside = beside.file_name().unwrap_or_default().display();
        let reason = format!(
            "this file is missing beside the rows of {beside}, as after an incomplete copy: restore it from a copy, or move this folder away"
        );
        Err(RecordError::File { path: missing, reason })
    }

    /// Refuses rows of runs that no manifest stands beside: passed over, they would be missing without a word.
    ///
    /// # Errors
    /// Such rows; a file that cannot be read.
    pub fn refuse_stray_rows(&self) -> Result<(), RecordError> {
        // A session that just begins writes the header before the manifest; files of others have another header.
        let is_stray = stream_table::<RunRow>(&self.runs()).is_ok() && table_has_rows(&self.runs())?;
        if !is_stray || self.manifest().is_file() {
            return Ok(());
        }
        let reason = "has rows, and no manifest.json is beside it, as after an incomplete copy: copy the whole folder, or move it away";
        Err(RecordError::File { path: self.runs(), reason: reason.to_owned() })
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

    /// `plan.csv`: the runs that the config asks for, in the order of the config.
    #[must_use]
    pub fn plan(&self) -> PathBuf {
        self.root.join("plan.csv")
    }

    /// `manifest.json`.
    #[must_use]
    pub fn manifest(&self) -> PathBuf {
        self.root.join("manifest.json")
    }

    /// `datapackage.json`: columns, types and units of the files of rows, for other programs.
    #[must_use]
    pub fn package(&self) -> PathBuf {
        self.root.join("datapackage.json")
    }

    /// `.merged`: here if the directory was made by a merge, which may replace it, and nothing was measured in it since.
    #[must_use]
    pub fn merged(&self) -> PathBuf {
        self.root.join(".merged")
    }

    /// `config.toml`: the config as it is, and what `--set` changed as remarks at its end.
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

    /// `proofs`: where proofs of infeasibility go, if the config asks for them.
    #[must_use]
    pub fn proofs(&self) -> PathBuf {
        self.root.join("proofs")
    }

    /// The proof that an instance has no solution (DRAT); what it refutes stands beside it, with the ending `.cnf`.
    #[must_use]
    pub fn proof(&self, run_id: &str) -> PathBuf {
        self.proofs().join(format!("{run_id}.drat"))
    }

    /// Reads `runs.csv`.
    ///
    /// # Errors
    /// A file that cannot be read, a row that does not fit the schema, a run that stands there twice.
    pub fn read_runs(&self) -> Result<Vec<RunRow>, RecordError> {
        let mut seen = HashSet::new();
        let rows = stream_table::<RunRow>(&self.runs())?.map(|row| {
            let (line, row) = row?;
            if seen.insert((row.run_id.clone(), row.attempt)) {
                return Ok(row);
            }
            Err(self.second_time(line, &row))
        });
        rows.collect()
    }

    /// The error that a row of `runs.csv` is whose run and attempt have a row before it. For those who read row by row.
    #[must_use]
    pub fn second_time(&self, line: u64, row: &RunRow) -> RecordError {
        let reason = format!("run {} attempt {} stands here a second time", row.run_id, row.attempt);
        RecordError::Row { path: self.runs(), line, reason }
    }

    /// Reads `iterations.csv`.
    ///
    /// # Errors
    /// A file that cannot be read, or a row that does not fit the schema.
    pub fn read_iterations(&self) -> Result<Vec<IterationRow>, RecordError> {
        read_table(&self.iterations())
    }

    /// Refuses rows with columns that this version does not know, for whoever adds to them or copies them.
    ///
    /// # Errors
    /// Such columns in `runs.csv`, `iterations.csv` or `plan.csv`; a file that cannot be read or holds no such rows. A missing file is no error.
    pub fn refuse_newer(&self) -> Result<(), RecordError> {
        refuse_newer::<RunRow>(&self.runs())?;
        refuse_newer::<IterationRow>(&self.iterations())?;
        refuse_newer::<PlanRow>(&self.plan())
    }

    /// Reads `plan.csv`.
    ///
    /// # Errors
    /// A file that cannot be read, or a row that does not fit the schema.
    pub fn read_plan(&self) -> Result<Vec<PlanRow>, RecordError> {
        read_table(&self.plan())
    }

    /// Reads `manifest.json`.
    ///
    /// # Errors
    /// A file that cannot be read or is no manifest.
    pub fn read_manifest(&self) -> Result<Manifest, RecordError> {
        let path = self.manifest();
        let text = fs::read_to_string(&path).map_err(|source| RecordError::Io { path: path.clone(), source })?;
        serde_json::from_str(&text).map_err(|error| {
            let json = serde_json::from_str::<serde_json::Value>(&text).unwrap_or_default();
            let version = json["schema_version"].as_u64().filter(|version| *version != u64::from(SCHEMA_VERSION));
            let of = version.map_or_else(String::new, |version| format!(" (written with schema version {version})"));
            RecordError::File { path, reason: format!("{error}{of}") }
        })
    }
}
