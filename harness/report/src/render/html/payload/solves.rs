//! All solves of all runs, as JSON: each a list of its cells.

use std::ops::Range;

use record::IterationRow;

use super::json;
use super::rows::{Places, each};
use crate::ReportError;
use crate::results::{Experiment, Solve};

/// The columns of `iterations.csv` that hold texts.
const TEXTS: [&str; 3] = ["status", "native_status", "loop_lengths"];

/// Those that say what a row is of.
const KEYS: [&str; 2] = ["run_id", "attempt"];

/// The names of the cells of a solve, in order.
pub fn columns() -> Vec<&'static str> {
    record::columns::<IterationRow>().into_iter().filter(|name| !KEYS.contains(name)).collect()
}

/// The solves of the runs that are shown.
pub struct Solves {
    /// One list a solve.
    text: Vec<u8>,
    /// By run and iteration: where its list stands.
    solves: Vec<(usize, u64, Range<usize>)>,
}

impl Solves {
    pub fn read(experiment: &Experiment, places: &Places) -> Result<Self, ReportError> {
        let header = record::columns::<IterationRow>();
        let is_shown: Vec<_> = header.iter().map(|name| !KEYS.contains(name)).collect();
        let is_text: Vec<_> = header.iter().map(|name| TEXTS.contains(name)).collect();
        let iteration = header.iter().position(|name| *name == "iteration").unwrap_or_default();
        let (mut text, mut solves) = (Vec::new(), Vec::new());
        each::<IterationRow>(&experiment.files().iterations(), places, |place, row| {
            let start = text.len();
            let cells = row.iter().enumerate().filter(|(index, _)| is_shown[*index]);
            json::list(cells, &mut text, |(index, cell), text| match cell {
                "" => text.extend_from_slice(b"null"),
                cell if is_text[index] => json::text(cell, text),
                cell => json::cell(cell, text),
            });
            solves.push((place, row[iteration].parse().unwrap_or(u64::MAX), start..text.len()));
        })?;
        // As the experiment orders them.
        solves.sort_by_key(|(place, iteration, _)| (*place, *iteration));
        Ok(Self { text, solves })
    }

    /// These solves of a run as a list.
    pub fn write(&self, run: usize, shown: &[Solve], text: &mut Vec<u8>) {
        let first = self.solves.partition_point(|solve| solve.0 < run);
        let mut of_run = self.solves[first..].iter().take_while(|solve| solve.0 == run);
        // Both in order; the file may have grown since the others were read.
        let of_run = shown.iter().filter_map(|solve| of_run.find(|found| found.1 == solve.iteration));
        json::list(of_run, text, |solve, text| text.extend_from_slice(&self.text[solve.2.clone()]));
    }
}
