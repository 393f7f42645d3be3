//! All solves of all runs, as JSON.

use std::ops::Range;

use record::IterationRow;

use super::json;
use super::rows::{Places, each};
use crate::experiment::Solve;
use crate::{Experiment, ReportError};

/// The columns of `iterations.csv` that hold texts.
const TEXTS: [&str; 3] = ["status", "native_status", "loop_lengths"];

/// The solves of the runs that are shown.
pub struct Solves {
    /// One object a solve.
    text: Vec<u8>,
    /// By run and iteration: where its object stands.
    solves: Vec<(usize, u64, Range<usize>)>,
}

impl Solves {
    pub fn read(experiment: &Experiment, places: &Places) -> Result<Self, ReportError> {
        let header = record::columns::<IterationRow>();
        // What stands before each cell; nothing before those that are left out.
        let keys: Vec<_> =
            header.iter().map(|name| (!["run_id", "attempt"].contains(name)).then(|| format!("\"{name}\":"))).collect();
        let is_text: Vec<_> = header.iter().map(|name| TEXTS.contains(name)).collect();
        let iteration = header.iter().position(|name| *name == "iteration").unwrap_or_default();
        let (mut text, mut solves) = (Vec::new(), Vec::new());
        each(&experiment.files().iterations(), header, places, |place, row| {
            let start = text.len();
            text.push(b'{');
            for (index, cell) in row.iter().enumerate() {
                let Some(key) = keys[index].as_ref().filter(|_| !cell.is_empty()) else { continue };
                if text.len() > start + 1 {
                    text.push(b',');
                }
                text.extend_from_slice(key.as_bytes());
                let cell = String::from_utf8_lossy(cell);
                if is_text[index] { json::text(&cell, &mut text) } else { json::cell(&cell, &mut text) }
            }
            text.push(b'}');
            let number = std::str::from_utf8(&row[iteration]).ok().and_then(|n| n.parse().ok());
            solves.push((place, number.unwrap_or(u64::MAX), start..text.len()));
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
