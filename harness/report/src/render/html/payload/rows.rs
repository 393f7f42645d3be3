//! Reading rows once more, cell by cell, since a report keeps only what tables and plots show.

use std::collections::HashMap;
use std::fs::File;
use std::path::Path;

use crate::ReportError;
use crate::results::Experiment;

/// Where the runs that are shown stand, by their ids: place and attempt.
pub struct Places<'a> {
    by_id: HashMap<&'a [u8], (usize, u32)>,
}

impl<'a> Places<'a> {
    pub fn of(experiment: &'a Experiment) -> Self {
        let runs = experiment.runs().iter().enumerate();
        Self { by_id: runs.map(|(place, run)| (run.run_id.as_bytes(), (place, run.attempt))).collect() }
    }

    /// The place of a run, if that is the attempt that is shown.
    fn find(&self, run_id: &[u8], attempt: &[u8]) -> Option<usize> {
        let (place, shown) = *self.by_id.get(run_id)?;
        let attempt: u32 = std::str::from_utf8(attempt).ok()?.parse().ok()?;
        (attempt == shown).then_some(place)
    }
}

/// Calls `take` for each row of a run that is shown, with its place among them. `header` are the columns of the file.
///
/// The rows were checked when the experiment was loaded; ones that were appended since are passed over.
pub fn each(
    path: &Path,
    header: &[&str],
    places: &Places,
    mut take: impl FnMut(usize, &csv::ByteRecord),
) -> Result<(), ReportError> {
    let column = |name: &str| header.iter().position(|h| *h == name).unwrap_or_default();
    let (run_id, attempt) = (column("run_id"), column("attempt"));
    let file = File::open(path).map_err(|source| ReportError::Io { path: path.to_owned(), source })?;
    let mut reader = csv::ReaderBuilder::new().flexible(true).buffer_capacity(1 << 20).from_reader(file);
    let mut row = csv::ByteRecord::new();
    // Rows of a run stand together.
    let mut last = (Vec::new(), Vec::new(), None);
    while reader.read_byte_record(&mut row)? {
        if row.len() != header.len() {
            continue;
        }
        if last.0 != row[run_id] || last.1 != row[attempt] {
            last = (row[run_id].to_vec(), row[attempt].to_vec(), places.find(&row[run_id], &row[attempt]));
        }
        if let Some(place) = last.2 {
            take(place, &row);
        }
    }
    Ok(())
}
