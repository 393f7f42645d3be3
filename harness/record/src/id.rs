//! What determines a run, and its identity: a hash of columns that a row itself carries, so that it can be worked out from any row.

use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::fs;
use std::str::FromStr;

use crate::{IterationRow, PlanRow, RecordError, ResultsDir, Row, RunRow, stream_table, table_has_rows, write_table};

/// Identity of a run: a hash, shown as 16 hex digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RunId(u64);

impl fmt::Display for RunId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

impl FromStr for RunId {
    type Err = String;

    /// Reads what the column `run_id` shows.
    fn from_str(text: &str) -> Result<Self, String> {
        let hex = text.len() == 16 && text.bytes().all(|b| b.is_ascii_hexdigit());
        let id = hex.then(|| u64::from_str_radix(text, 16).ok()).flatten();
        id.map(Self).ok_or_else(|| format!("\"{text}\" is no run id: 16 hex digits"))
    }
}

/// What determines a run, each as the column of that name says it. Not among it are names, labels and paths, which may change
/// without making it another run, and all that is so of the machine: which version of the solver it has, or whether it has it.
#[derive(Debug, Clone, Copy, PartialEq)]
#[expect(missing_docs, reason = "each is a column of runs.csv, where it is described")]
pub struct RunKey<'a> {
    pub instance_hash: &'a str,
    pub kind: &'a str,
    pub families: &'a str,
    pub objective: &'a str,
    pub subloops: &'a str,
    pub hole_treatment: &'a str,
    pub backend: &'a str,
    pub options: &'a str,
    pub threads: u32,
    pub seed: u64,
    pub repeat: u32,
    pub time_limit_s: Option<f64>,
    pub cpu_limit_s: Option<f64>,
    pub memory_limit_b: Option<u64>,
}

impl RunKey<'_> {
    /// The first 64 bits of the BLAKE3 hash of these columns, each on a line with its name and its length. Empty ones are left
    /// out: a column that comes to determine runs later, and is empty where it says nothing new, changes no identity.
    #[must_use]
    pub fn id(&self) -> RunId {
        let texts = [
            ("instance_hash", self.instance_hash),
            ("kind", self.kind),
            ("families", self.families),
            ("objective", self.objective),
            ("subloops", self.subloops),
            ("hole_treatment", self.hole_treatment),
            ("backend", self.backend),
            ("options", self.options),
        ];
        let figures = [
            ("threads", Some(self.threads.to_string())),
            ("seed", Some(self.seed.to_string())),
            ("repeat", Some(self.repeat.to_string())),
            ("time_limit_s", self.time_limit_s.map(|limit| limit.to_string())),
            ("cpu_limit_s", self.cpu_limit_s.map(|limit| limit.to_string())),
            ("memory_limit_b", self.memory_limit_b.map(|limit| limit.to_string())),
        ];
        let mut hasher = blake3::Hasher::new();
        let figures = figures.iter().filter_map(|(name, figure)| Some((*name, figure.as_deref()?)));
        for (name, value) in texts.into_iter().chain(figures).filter(|(_, value)| !value.is_empty()) {
            hasher.update(format!("{name} {} {value}\n", value.len()).as_bytes());
        }
        let mut first = [0; 8];
        first.copy_from_slice(&hasher.finalize().as_bytes()[..8]);
        RunId(u64::from_be_bytes(first))
    }

    /// The identity of what is asked of which solver, whatever the seed, the repeat and the limits.
    #[must_use]
    pub fn question(&self) -> RunId {
        let unlimited = Self { time_limit_s: None, cpu_limit_s: None, memory_limit_b: None, ..*self };
        Self { seed: 0, repeat: 0, ..unlimited }.id()
    }
}

impl RunRow {
    /// As [`RunKey::question`].
    #[must_use]
    pub fn question(&self) -> RunId {
        self.key(&self.backend).question()
    }

    /// What determines the run; `backend` is what its column says, or should.
    fn key<'a>(&'a self, backend: &'a str) -> RunKey<'a> {
        RunKey {
            instance_hash: &self.instance_hash,
            kind: &self.kind,
            families: &self.families,
            objective: &self.objective,
            subloops: &self.subloops,
            hole_treatment: &self.hole_treatment,
            backend,
            options: &self.options,
            threads: self.threads,
            seed: self.seed,
            repeat: self.repeat,
            time_limit_s: self.time_limit_s,
            cpu_limit_s: self.cpu_limit_s,
            memory_limit_b: self.memory_limit_b,
        }
    }
}

/// The first schema version of which a row has [`RunKey::id`] as its identity, and its backend.
const KEYED: u32 = 6;

/// Gives the rows of a `runs.csv`, in their order, the identities that runs have now, where they are of earlier versions of
/// tilebench. Several runs that have become one (versions of a solver) become its attempts.
#[derive(Debug)]
pub struct Renewer {
    /// Backends by the labels of solvers; without a label a solver is named like its backend.
    backends: BTreeMap<String, String>,
    /// Attempts so far at the runs of earlier versions.
    attempts: HashMap<RunId, u32>,
}

impl Renewer {
    /// The row as it is now.
    pub fn renew(&mut self, row: RunRow) -> RunRow {
        if row.schema_version >= KEYED {
            return row;
        }
        let backend = self.backends.get(&row.solver).unwrap_or(&row.solver).clone();
        let id = row.key(&backend).id();
        let attempts = self.attempts.entry(id).or_insert(0);
        *attempts = row.attempt.max(*attempts + 1);
        RunRow { schema_version: KEYED, run_id: id.to_string(), attempt: *attempts, backend, ..row }
    }
}

impl ResultsDir {
    /// What gives the rows of `runs.csv` the identities that they have now.
    #[must_use]
    pub fn renewer(&self) -> Renewer {
        let solvers = self.read_manifest().map(|manifest| manifest.solvers).unwrap_or_default();
        let backends = solvers.into_iter().map(|solver| (solver.name, solver.backend)).collect();
        Renewer { backends, attempts: HashMap::new() }
    }

    /// Gives runs that were measured by earlier versions of tilebench the identities that they have now: in the rows and in
    /// the names of files. Returns the number of runs with another identity. For whoever holds the directory's lock; what an
    /// interruption leaves half done is done by the next call.
    ///
    /// # Errors
    /// A row that does not fit, a file that cannot be written.
    pub fn renew_ids(&self) -> Result<u64, RecordError> {
        if !table_has_rows(&self.runs())? {
            return Ok(0);
        }
        let mut renewer = self.renewer();
        let (mut renewed, mut renamed) = (HashMap::new(), BTreeMap::new());
        for row in stream_table::<RunRow>(&self.runs())? {
            let (_, row) = row?;
            let old = (row.run_id.clone(), row.attempt);
            let RunRow { run_id, attempt, .. } = renewer.renew(row);
            if run_id != old.0 {
                renamed.insert(old.0.clone(), run_id.clone());
            }
            renewed.insert(old, (run_id, attempt));
        }
        if renamed.is_empty() {
            return Ok(0);
        }
        self.rename_files(&renamed)?;
        // What has no row in runs.csv keeps its number.
        let new = |run_id: String, attempt: u32| match renewed.get(&(run_id.clone(), attempt)) {
            Some(new) => new.clone(),
            None => (renamed.get(&run_id).cloned().unwrap_or(run_id), attempt),
        };
        rewrite(&self.iterations(), |row: IterationRow| {
            let (run_id, attempt) = new(row.run_id, row.attempt);
            IterationRow { run_id, attempt, ..row }
        })?;
        if self.plan().exists() {
            rewrite(&self.plan(), |row: PlanRow| PlanRow { run_id: new(row.run_id, 0).0, ..row })?;
        }
        // Last: as long as this is not done, it says what is to be done.
        let mut renewer = self.renewer();
        rewrite(&self.runs(), |row: RunRow| renewer.renew(row))?;
        Ok(renamed.len() as u64)
    }

    /// Renames the files of runs: solutions, logs, proofs.
    fn rename_files(&self, renamed: &BTreeMap<String, String>) -> Result<(), RecordError> {
        for folder in ["solutions", "logs", "proofs"].map(|folder| self.root().join(folder)) {
            for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
                let name = entry.file_name();
                let Some((run_id, ending)) = name.to_str().and_then(|name| name.split_once('.')) else { continue };
                let Some(new) = renamed.get(run_id) else { continue };
                fs::rename(entry.path(), folder.join(format!("{new}.{ending}")))
                    .map_err(|source| RecordError::Write { path: entry.path(), source })?;
            }
        }
        Ok(())
    }
}

/// Writes the rows of a file anew, each changed.
fn rewrite<T: Row>(path: &std::path::Path, mut change: impl FnMut(T) -> T) -> Result<(), RecordError> {
    let rows = stream_table::<T>(path)?.map(|row| row.map(|(_, row)| change(row))).collect::<Result<Vec<_>, _>>()?;
    write_table(path, rows)
}
