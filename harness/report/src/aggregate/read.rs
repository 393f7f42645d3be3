//! Takes aggregated frames apart into typed values.

use polars::prelude::*;
use record::{Category, RunRow, Status};

use super::queries::{self, CATEGORY, STATUS};
use super::{Key, Outcome, PublishedOutcome, Step, Tally, frames};

/// Formulation, solver, and one number of runs for each value that was asked for.
pub type Counts = Vec<(String, String, Vec<u64>)>;

/// Counts runs by status.
pub fn count_by_status(runs: &[RunRow], statuses: &[Status]) -> PolarsResult<Counts> {
    counts(runs, "status", &statuses.iter().map(|s| s.as_str()).collect::<Vec<_>>())
}

/// Counts runs by category, in the order of [`Category::ALL`].
pub fn count_by_category(runs: &[RunRow]) -> PolarsResult<Counts> {
    counts(runs, "category", &Category::ALL.map(Category::as_str))
}

fn counts(runs: &[RunRow], column: &'static str, values: &[&str]) -> PolarsResult<Counts> {
    let frame = queries::counts(frames::runs(runs, &[])?, column, values)?.collect()?;
    let table = Table { frame: &frame };
    (0..frame.height())
        .map(|row| {
            let numbers: PolarsResult<_> = values.iter().map(|v| table.count(v, row)).collect();
            Ok((table.text("formulation", row)?, table.text("solver", row)?, numbers?))
        })
        .collect()
}

/// Reads what `queries::outcomes` gives.
pub fn outcomes(frame: &DataFrame) -> PolarsResult<Vec<Outcome>> {
    let table = Table { frame };
    (0..frame.height())
        .map(|row| {
            Ok(Outcome {
                key: table.key(row)?,
                tally: table.tally(row, true)?,
                total_s: table.number("total_s", row)?,
                bound_s: table.number("bound_s", row)?,
                loops: table.number("loops", row)?,
                holes: table.number("holes", row)?,
                solves: table.number("solves", row)?,
                variables: table.number("variables", row)?,
                constraints: table.number("constraints", row)?,
                nonzeros: table.number("nonzeros", row)?,
                build_s: table.number("build_time_s", row)?,
            })
        })
        .collect()
}

/// Reads what `queries::steps` gives.
pub fn steps(frame: &DataFrame) -> PolarsResult<Vec<Step>> {
    let table = Table { frame };
    (0..frame.height())
        .map(|row| {
            Ok(Step {
                key: table.key(row)?,
                iteration: table.count("iteration", row)?,
                tally: table.tally(row, false)?,
                total_s: table.number("total_s", row)?,
                bound_s: table.number("bound_s", row)?,
                loops: table.number("loops", row)?,
            })
        })
        .collect()
}

/// Reads what `queries::published` gives.
pub fn published(frame: &DataFrame) -> PolarsResult<Vec<PublishedOutcome>> {
    let table = Table { frame };
    (0..frame.height())
        .map(|row| {
            Ok(PublishedOutcome {
                source: table.text("source", row)?,
                formulation: table.text("formulation", row)?,
                objective: frame.column("objective")?.str()?.get(row).map(ToOwned::to_owned),
                challenge: table.count("challenge", row)?,
                places: frame.column("places")?.u64()?.get(row),
                total_s: table.number("total_s", row)?.unwrap_or_default(),
                solves: table.count("last", row)? + 1,
                solved: table.count("unsolved", row)? == 0,
            })
        })
        .collect()
}

struct Table<'a> {
    frame: &'a DataFrame,
}

impl Table<'_> {
    fn key(&self, row: usize) -> PolarsResult<Key> {
        Ok(Key {
            instance: self.text("instance", row)?,
            formulation: self.text("formulation", row)?,
            solver: self.text("solver", row)?,
        })
    }

    fn tally(&self, row: usize, judged: bool) -> PolarsResult<Tally> {
        let mut tally = Tally {
            unproven: self.count("unproven", row)?,
            restricted: self.count("restricted", row)?,
            ..Tally::default()
        };
        for status in Status::ALL {
            let count = self.count(&format!("{STATUS}{status}"), row)?;
            tally.all += count;
            if count > 0 {
                tally.statuses.push((status, count));
            }
        }
        for category in Category::ALL.into_iter().filter(|_| judged) {
            let count = self.count(&format!("{CATEGORY}{category}"), row)?;
            if count > 0 {
                tally.categories.push((category, count));
            }
        }
        Ok(tally)
    }

    fn text(&self, column: &str, row: usize) -> PolarsResult<String> {
        Ok(self.frame.column(column)?.str()?.get(row).unwrap_or_default().to_owned())
    }

    /// Infinite and undefined medians say that there is none.
    fn number(&self, column: &str, row: usize) -> PolarsResult<Option<f64>> {
        Ok(self.frame.column(column)?.f64()?.get(row).filter(|v| v.is_finite()))
    }

    fn count(&self, column: &str, row: usize) -> PolarsResult<u64> {
        Ok(self.frame.column(column)?.u64()?.get(row).unwrap_or_default())
    }
}
