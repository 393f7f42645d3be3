//! Results of schema version 5: their runs had other identities, which depended on the version of the solver too, and their rows do
//! not name the backend.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::fs;
use std::path::Path;

use crate::merge::names;
use crate::table::copy_rows;
use crate::whole::sync_folder;
use crate::{
    IterationRow, PlanRow, RecordError, ResultsDir, Row, RunRow, TableReader, columns, table_has_rows, write_whole_with,
};

/// The first schema version of which a row has [`crate::RunKey::id`] as its identity, and its backend.
const KEYED: u32 = 6;

/// Rows as they are now, by run and attempt as files of schema version 5 have them; with an empty attempt the last row of a run.
type Renewed = HashMap<(String, String), RunRow>;

impl ResultsDir {
    /// Reads `runs.csv` row by row, each with its line and the identity that its run has now, also while it is written. In rows of
    /// schema version 5 that also depends on the version of the solver: what was several runs then becomes attempts at one.
    ///
    /// # Errors
    /// A file that cannot be read; at a row, that it does not fit the schema, or that no manifest names the backends of such rows.
    pub fn identified_runs(
        &self,
    ) -> Result<impl Iterator<Item = Result<(u64, RunRow), RecordError>> + use<>, RecordError> {
        let (dir, mut backends, mut attempts) = (self.clone(), None, HashMap::new());
        Ok(TableReader::<RunRow>::open(&self.runs())?.map(move |row| {
            let (line, mut row) = row?;
            if row.schema_version < KEYED {
                let backends = match &mut backends {
                    Some(known) => known,
                    unknown => unknown.insert(dir.backends()?),
                };
                // Without a label a solver is named like its backend.
                row.backend = backends.get(&row.solver).unwrap_or(&row.solver).clone();
                row.run_id = row.key().id().to_string();
                let attempt = attempts.entry(row.run_id.clone()).or_insert(0);
                *attempt = row.attempt.max(*attempt + 1);
                (row.schema_version, row.attempt) = (KEYED, *attempt);
            }
            Ok((line, row))
        }))
    }

    /// The backends by the labels of solvers.
    fn backends(&self) -> Result<HashMap<String, String>, RecordError> {
        let solvers = self.read_manifest()?.solvers;
        Ok(solvers.into_iter().map(|solver| (solver.name, solver.backend)).collect())
    }

    /// Gives runs of schema version 5 the identities that they have now, in rows and in the names of files; for whoever holds the
    /// directory's lock. What an interruption leaves undone is done by the next call.
    ///
    /// # Errors
    /// A row that does not fit, a file that cannot be read or written.
    pub fn renew_ids(&self) -> Result<(), RecordError> {
        if !table_has_rows(&self.runs())? {
            return Ok(());
        }
        let rows = || TableReader::<RunRow>::open(&self.runs());
        // Rows of later versions are appended only after this.
        if rows()?.next().transpose()?.is_none_or(|(_, first)| first.schema_version >= KEYED) {
            return Ok(());
        }
        let mut renewed = Renewed::new();
        for (old, new) in rows()?.zip(self.identified_runs()?) {
            let ((line, old), (_, new)) = (old?, new?);
            renewed.insert((old.run_id.clone(), String::new()), new.clone());
            if renewed.insert((old.run_id.clone(), old.attempt.to_string()), new).is_some() {
                return Err(self.second_time(line, &old));
            }
        }
        for folder in ["solutions", "logs", "proofs"] {
            rename_files(&self.root().join(folder), &renewed)?;
        }
        rewrite::<IterationRow>(&self.iterations(), &renewed)?;
        rewrite::<PlanRow>(&self.plan(), &renewed)?;
        // Last: as long as this is not done, it says what is to be done.
        rewrite::<RunRow>(&self.runs(), &renewed)
    }
}

/// Renames the files of runs. Where a later attempt has a file of the same name, that of the earlier one keeps its old name.
fn rename_files(folder: &Path, renewed: &Renewed) -> Result<(), RecordError> {
    let mut files = Vec::new();
    for name in names(folder)? {
        let name = name?;
        let Some((run_id, ending)) = name.to_str().and_then(|name| name.split_once('.')) else { continue };
        if let Some(new) = renewed.get(&(run_id.to_owned(), String::new())) {
            files.push((Reverse(new.attempt), folder.join(&name), folder.join(format!("{}.{ending}", new.run_id))));
        }
    }
    files.sort();
    for (_, from, to) in files.iter().filter(|(.., to)| !to.exists()) {
        fs::rename(from, to).map_err(|source| RecordError::Write { path: to.clone(), source })?;
    }
    let synced = if files.is_empty() { Ok(()) } else { sync_folder(folder) };
    synced.map_err(|source| RecordError::Write { path: folder.to_owned(), source })
}

/// Writes a file of rows anew, if it is there. Rows that belong to no row of `runs.csv` stay as they are.
fn rewrite<T: Row>(path: &Path, renewed: &Renewed) -> Result<(), RecordError> {
    if !path.exists() {
        return Ok(());
    }
    let (table, columns) = (TableReader::<T>::open(path)?, columns::<T>());
    let (unknown, place) = (table.unknown().to_vec(), |name| columns.iter().position(|column| *column == name));
    let (run_id, attempt) = (place("run_id"), place("attempt"));
    write_whole_with(path, |out| {
        copy_rows([Ok(table)], &unknown, out, |_, cells| {
            let cell = |place: Option<usize>| place.map_or_else(String::new, |at| cells[at].to_owned());
            if let Some(new) = renewed.get(&(cell(run_id), cell(attempt))) {
                let renew = |(at, cell): (usize, &str)| match columns.get(at) {
                    Some(&"schema_version") => new.schema_version.to_string(),
                    Some(&"run_id") => new.run_id.clone(),
                    Some(&"attempt") => new.attempt.to_string(),
                    Some(&"backend") => new.backend.clone(),
                    _ => cell.to_owned(),
                };
                *cells = cells.iter().enumerate().map(renew).collect();
            }
            true
        })
    })
}
