//! Takes aggregated frames apart into typed values.

use polars::prelude::*;
use record::{Category, Status};

use super::queries::{CATEGORY, STATUS};
use super::{Cells, Outcome, PublishedOutcome, Spread, Step, Tally};

/// Reads what `queries::outcomes` gives.
pub fn outcomes(frame: &DataFrame, cells: &Cells) -> PolarsResult<Vec<Outcome>> {
    let table = Table { frame };
    (0..frame.height())
        .map(|row| {
            let cell = table.cell(row)?;
            let tally = table.tally(row, true)?;
            Ok(Outcome {
                key: cells.keys[cell].clone(),
                settings: cells.settings[cell].clone(),
                members: table.members(row)?,
                seeds: table.count("seed", row)?,
                repeats: table.count("repeat", row)?,
                disturbed: table.count("disturbed", row)?,
                overdrawn: table.count("overdrawn", row)?,
                spread: table.spread(row)?.filter(|_| tally.all > 1),
                tally,
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
pub fn steps(frame: &DataFrame, cells: &Cells) -> PolarsResult<Vec<Step>> {
    let table = Table { frame };
    (0..frame.height())
        .map(|row| {
            Ok(Step {
                key: cells.keys[table.cell(row)?].clone(),
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
    fn cell(&self, row: usize) -> PolarsResult<usize> {
        Ok(self.frame.column("cell")?.u32()?.get(row).unwrap_or_default() as usize)
    }

    fn members(&self, row: usize) -> PolarsResult<Vec<u32>> {
        let list = self.frame.column("members")?.list()?.get_as_series(row);
        list.map_or_else(|| Ok(Vec::new()), |list| Ok(list.u32()?.into_no_null_iter().collect()))
    }

    fn spread(&self, row: usize) -> PolarsResult<Option<Spread>> {
        let (least, most) = (self.number("least_s", row)?, self.number("most_s", row)?);
        let open = self.count("open", row)? > 0;
        Ok(least.zip(most).map(|(least_s, most_s)| Spread { least_s, most_s, open }))
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
