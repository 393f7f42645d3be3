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
    /// Reads the rows of a directory. Iterations count too: a crash may have come before the row of their run.
    pub fn read(dir: &ResultsDir) -> Result<Self, RunnerError> {
        let mut known = Self::of_runs(dir)?;
        for solve in stream_table::<IterationRow>(&dir.iterations())? {
            let (_, solve) = solve?;
            let Ok(run_id) = solve.run_id.parse() else { continue };
            let left = known.0.entry(run_id).or_insert(Left { attempts: 0, latest: 0, is_final: false });
            left.attempts = left.attempts.max(solve.attempt);
        }
        Ok(known)
    }

    /// Reads `runs.csv` alone.
    ///
    /// # Errors
    /// A row that does not fit, or that stands there twice.
    pub fn of_runs(dir: &ResultsDir) -> Result<Self, RunnerError> {
        let mut known: HashMap<RunId, Left> = HashMap::new();
        for row in dir.stream_runs()? {
            let (line, row) = row?;
            let wrong = |reason| RecordError::Row { path: dir.runs(), line, reason };
            let run_id = row.run_id.parse().map_err(wrong)?;
            let left = Left { attempts: row.attempt, latest: row.attempt, is_final: row.status.is_final() };
            match known.entry(run_id) {
                Entry::Vacant(entry) => drop(entry.insert(left)),
                Entry::Occupied(entry) if entry.get().latest == row.attempt => {
                    let reason = format!("run {run_id} attempt {} stands here a second time", row.attempt);
                    return Err(wrong(reason).into());
                }
                Entry::Occupied(mut entry) if entry.get().latest < row.attempt => drop(entry.insert(left)),
                Entry::Occupied(_) => {}
            }
        }
        Ok(Self(known))
    }

    /// Whether nothing was left.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether a run came to an end that must not be repeated.
    pub fn is_final(&self, run_id: RunId) -> bool {
        self.0.get(&run_id).is_some_and(|left| left.is_final)
    }

    /// How often a run was attempted.
    pub fn attempts(&self, run_id: RunId) -> u32 {
        self.0.get(&run_id).map_or(0, |left| left.attempts)
    }

    /// Shows the final row of each run that has one, reading them anew.
    pub fn each_final(&self, dir: &ResultsDir, visit: &mut dyn FnMut(RunId, &RunRow)) -> Result<(), RunnerError> {
        for row in dir.stream_runs()? {
            let (_, row) = row?;
            let Ok(run_id) = row.run_id.parse() else { continue };
            if self.0.get(&run_id).is_some_and(|left| left.is_final && left.latest == row.attempt) {
                visit(run_id, &row);
            }
        }
        Ok(())
    }
}
