//! Reading rows once more, cell by cell, since a report keeps only what tables and plots show.

use std::collections::HashMap;
use std::path::Path;

use record::{Row, TableReader};

use crate::ReportError;
use crate::results::Experiment;

/// Where the runs that are shown stand, by their ids: place and attempt.
pub struct Places<'a> {
    by_id: HashMap<&'a str, (usize, u32)>,
}

impl<'a> Places<'a> {
    pub fn of(experiment: &'a Experiment) -> Self {
        let runs = experiment.runs().iter().enumerate();
        Self { by_id: runs.map(|(place, run)| (&*run.run_id, (place, run.attempt))).collect() }
    }

    /// The place of a run, if that is the attempt that is shown.
    fn find(&self, run_id: &str, attempt: &str) -> Option<usize> {
        let (place, shown) = *self.by_id.get(run_id)?;
        let attempt: u32 = attempt.parse().ok()?;
        (attempt == shown).then_some(place)
    }
}

/// Calls `take` for each row of a run that is shown, with its place among them and its cells in the order of the columns.
pub fn each<T: Row>(
    path: &Path,
    places: &Places,
    mut take: impl FnMut(usize, &csv::StringRecord),
) -> Result<(), ReportError> {
    let header = record::columns::<T>();
    let column = |name: &str| header.iter().position(|h| *h == name).unwrap_or_default();
    let (run_id, attempt) = (column("run_id"), column("attempt"));
    let mut rows = TableReader::<T>::open(path)?;
    // Rows of a run stand together.
    let mut last = (String::new(), String::new(), None);
    while let Some(row) = rows.next_cells() {
        let row = row?;
        if last.0 != row[run_id] || last.1 != row[attempt] {
            last = (row[run_id].to_owned(), row[attempt].to_owned(), places.find(&row[run_id], &row[attempt]));
        }
        if let Some(place) = last.2 {
            take(place, row);
        }
    }
    Ok(())
}
