//! What earlier sessions left of the runs: of a million rows a few bytes each.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use record::{IterationRow, RecordError, ResultsDir, RunRow, Status, stream_table};

use crate::RunnerError;
use crate::plan::RunId;

/// How often each run was attempted, and what became of it.
#[derive(Debug, Default)]
pub(super) struct Earlier(HashMap<RunId, Left>);

#[derive(Debug, Clone, Copy)]
struct Left {
    attempts: u32,
    /// Attempt of the latest row; 0 if a crash left iterations only.
    latest: u32,
    /// What became of it; `None` if a crash left iterations only.
    status: Option<Status>,
}

impl Left {
    fn is_final(self) -> bool {
        self.status.is_some_and(Status::is_final)
    }
}

impl Earlier {
    /// Reads `runs.csv`, and shows the rows of runs that came to their end; of a run that was repeated each of them.
    ///
    /// # Errors
    /// A row that does not fit, or that stands there twice.
    pub fn read(dir: &ResultsDir, visit: &mut dyn FnMut(RunId, &RunRow)) -> Result<Self, RunnerError> {
        Self::read_rows(dir, false, visit)
    }

    /// The same for a file that was not repaired: a torn last row is passed over.
    ///
    /// # Errors
    /// As [`Earlier::read`].
    pub fn peek(dir: &ResultsDir, visit: &mut dyn FnMut(RunId, &RunRow)) -> Result<Self, RunnerError> {
        Self::read_rows(dir, true, visit)
    }

    fn read_rows(
        dir: &ResultsDir,
        may_be_torn: bool,
        visit: &mut dyn FnMut(RunId, &RunRow),
    ) -> Result<Self, RunnerError> {
        let mut known: HashMap<RunId, Left> = HashMap::new();
        let mut rows = dir.stream_runs()?;
        while let Some(row) = rows.next() {
            let (line, row) = match row {
                Err(_) if may_be_torn && rows.next().is_none() => break,
                row => row?,
            };
            let wrong = |reason| RecordError::Row { path: dir.runs(), line, reason };
            let run_id = row.run_id.parse().map_err(wrong)?;
            let left = Left { attempts: row.attempt, latest: row.attempt, status: Some(row.status) };
            match known.entry(run_id) {
                Entry::Vacant(entry) => drop(entry.insert(left)),
                Entry::Occupied(entry) if entry.get().latest == row.attempt => {
                    return Err(dir.second_time(line, &row).into());
                }
                // The latest attempt counts.
                Entry::Occupied(mut entry) => {
                    let before = *entry.get();
                    let status = if row.attempt > before.latest { left.status } else { before.status };
                    let [attempts, latest] = [before.attempts, before.latest].map(|n| n.max(row.attempt));
                    entry.insert(Left { attempts, latest, status });
                }
            }
            if row.status.is_final() {
                visit(run_id, &row);
            }
        }
        Ok(Self(known))
    }

    /// Counts the attempts of which only iterations are left: a crash may have come before the row of their run.
    ///
    /// # Errors
    /// A row that does not fit.
    pub fn add_unfinished(&mut self, dir: &ResultsDir) -> Result<(), RunnerError> {
        for solve in stream_table::<IterationRow>(&dir.iterations())? {
            let (_, solve) = solve?;
            let Ok(run_id) = solve.run_id.parse() else { continue };
            let left = self.0.entry(run_id).or_insert(Left { attempts: 0, latest: 0, status: None });
            left.attempts = left.attempts.max(solve.attempt);
        }
        Ok(())
    }

    /// Whether a run came to an end.
    pub fn is_final(&self, run_id: RunId) -> bool {
        self.0.get(&run_id).is_some_and(|left| left.is_final())
    }

    /// Whether a run came to an end that is not to be repeated.
    pub fn stays(&self, run_id: RunId, retry: &[Status]) -> bool {
        let left = self.0.get(&run_id);
        left.is_some_and(|left| left.is_final() && left.status.is_none_or(|status| !retry.contains(&status)))
    }

    /// How often a run was attempted.
    pub fn attempts(&self, run_id: RunId) -> u32 {
        self.0.get(&run_id).map_or(0, |left| left.attempts)
    }
}
