//! Reading the solves of a results directory, beside the runs that they are of.

use std::collections::HashMap;
use std::path::Path;

use record::{IterationRow, RecordError, TableReader};

use super::Solve;

/// The rows of `iterations.csv`.
#[derive(Debug, Default)]
pub struct Solves {
    /// Ids of runs, each once, with the attempt: what a [`Line`] is of.
    pub attempts: Vec<(Box<str>, u32)>,
    /// The rows.
    pub lines: Vec<Line>,
    /// The line with which a row begins that was not written to its end.
    pub torn: Option<u64>,
}

/// A row of `iterations.csv`.
#[derive(Debug)]
pub struct Line {
    /// Which of the attempts it is of.
    pub of: u32,
    /// The line with which it begins.
    pub line: u64,
    /// What it says.
    pub solve: Solve,
}

impl Solves {
    /// Reads all rows, whatever they are of.
    ///
    /// # Errors
    /// A file that cannot be read, a row that does not fit the schema, a figure that cannot be.
    pub fn read(path: &Path) -> Result<Self, RecordError> {
        let mut this = Self::default();
        let mut numbers: HashMap<(Box<str>, u32), u32> = HashMap::new();
        let mut rows = TableReader::<IterationRow>::open(path)?;
        for row in rows.by_ref() {
            let (line, row) = row?;
            let solve = solve(&row);
            // Rows of a run stand together.
            let last = this.lines.last().map(|last| last.of);
            let is_same = |of: &u32| {
                this.attempts
                    .get(*of as usize)
                    .is_some_and(|(id, attempt)| **id == *row.run_id && *attempt == row.attempt)
            };
            let of = match last.filter(is_same) {
                Some(of) => of,
                None => {
                    let next = u32::try_from(this.attempts.len()).unwrap_or(u32::MAX);
                    let key = (row.run_id.into_boxed_str(), row.attempt);
                    let of = *numbers.entry(key.clone()).or_insert(next);
                    if of == next {
                        this.attempts.push(key);
                    }
                    of
                }
            };
            this.lines.push(Line { of, line, solve });
        }
        this.torn = rows.truncated();
        Ok(this)
    }
}

fn solve(row: &IterationRow) -> Solve {
    let of = &row.solve;
    Solve {
        iteration: of.iteration,
        time_s: of.time_s,
        status: of.status.into(),
        loops: of.loops,
        holes: of.holes,
        cuts_added: of.cuts_added,
    }
}
