//! What earlier sessions left of the runs: of a million rows a few bytes each.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use record::{IterationRow, RecordError, ResultsDir, RunRow, stream_table};

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
    is_final: bool,
}

impl Earlier {
    /// Reads `runs.csv`, and shows the final row of each run that has one.
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
            let left = Left { attempts: row.attempt, latest: row.attempt, is_final: row.status.is_final() };
            match known.entry(run_id) {
                Entry::Vacant(entry) => drop(entry.insert(left)),
                Entry::Occupied(entry) if entry.get().latest == row.attempt => {
                    return Err(dir.second_time(line, &row).into());
                }
                // Of a run that had ended nothing later counts.
                Entry::Occupied(entry) if entry.get().is_final => continue,
                Entry::Occupied(mut entry) => {
                    let before = *entry.get();
                    let [attempts, latest] = [before.attempts, before.latest].map(|n| n.max(row.attempt));
                    entry.insert(Left { attempts, latest, ..left });
                }
            }
            if left.is_final {
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
            let left = self.0.entry(run_id).or_insert(Left { attempts: 0, latest: 0, is_final: false });
            left.attempts = left.attempts.max(solve.attempt);
        }
        Ok(())
    }

    /// Whether a run came to an end that must not be repeated.
    pub fn is_final(&self, run_id: RunId) -> bool {
        self.0.get(&run_id).is_some_and(|left| left.is_final)
    }

    /// How often a run was attempted.
    pub fn attempts(&self, run_id: RunId) -> u32 {
        self.0.get(&run_id).map_or(0, |left| left.attempts)
    }
}
