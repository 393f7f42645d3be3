//! What is shown of a run that was opened: the end of its log, commands, solves, which pictures they have.

use std::fs::{self, File};
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;

use serde::Serialize;
use serde_json::value::RawValue;

use super::columns::Solves;
use super::command::{Commands, verify};
use super::pictures::Picture;
use crate::results::{Experiment, Run};

/// Runs in a chunk of details.
pub const DETAIL_SIZE: usize = 256;

/// Most bytes of the end of a log, and least ones.
const LOG: usize = 4096;
const SHORT_LOG: usize = 512;

/// Bytes that the logs of all runs may take; where that is too little for each, those of failed runs are as long nevertheless.
const LOGS: usize = 48 << 20;

/// Most lines of the end of a log.
const LOG_LINES: usize = 40;

/// What is known of all runs.
pub struct Details<'a> {
    experiment: &'a Experiment,
    solves: &'a Solves,
    commands: Commands,
    pictures: &'a [Vec<Option<Picture>>],
}

/// The details of a run.
#[derive(Serialize)]
pub struct Detail<'a> {
    log: Option<String>,
    log_path: String,
    command: String,
    verify: Option<String>,
    solves: Vec<&'a RawValue>,
    pictures: &'a [Option<Picture>],
}

impl<'a> Details<'a> {
    pub fn of(experiment: &'a Experiment, solves: &'a Solves, pictures: &'a [Vec<Option<Picture>>]) -> Self {
        Self { experiment, solves, commands: Commands::of(experiment), pictures }
    }

    /// Those of the run at a place.
    pub fn of_run(&self, place: usize) -> Detail<'a> {
        let experiment = self.experiment;
        let run = &experiment.runs()[place];
        let path = experiment.files().log(&run.run_id);
        Detail {
            log: log_end(&path, log_size(experiment, run)),
            log_path: path.strip_prefix(experiment.files().root()).unwrap_or(&path).to_string_lossy().into_owned(),
            command: self.commands.solve(run),
            verify: answered(experiment, run).map(|iteration| verify(experiment, run, iteration)),
            solves: self.solves.of_run(place, experiment.solves(run)),
            pictures: self.pictures.get(place).map(Vec::as_slice).unwrap_or_default(),
        }
    }
}

fn log_size(experiment: &Experiment, run: &Run) -> usize {
    let failed = run.category == record::Category::Error || run.category == record::Category::Wrong;
    if failed { LOG } else { (LOGS / experiment.len().max(1)).clamp(SHORT_LOG, LOG) }
}

/// The iteration whose solution stands in a file as the answer of the run.
fn answered(experiment: &Experiment, run: &Run) -> Option<u64> {
    let last = experiment.solves(run).last().map_or(0, |solve| solve.iteration);
    (run.status.has_solution() && experiment.files().solution(&run.run_id, last).is_file()).then_some(last)
}

/// The last lines of a log, at most so many bytes, with whatever is no text replaced; `None` if there is no such file.
fn log_end(path: &Path, bytes: usize) -> Option<String> {
    // Opening a pipe would wait for somebody to write into it; a link may lead out of the results directory.
    let facts = fs::symlink_metadata(path).ok().filter(fs::Metadata::is_file)?;
    let mut file = File::open(path).ok()?;
    let start = facts.len().saturating_sub(bytes as u64);
    file.seek(SeekFrom::Start(start)).ok()?;
    let mut end = Vec::with_capacity(bytes);
    file.take(bytes as u64).read_to_end(&mut end).ok()?;
    let text = String::from_utf8_lossy(&end);
    let text = text.trim_end();
    // The first line is cut off, unless it is the only one.
    let whole = if start > 0 { text.split_once('\n').map_or(text, |(_, rest)| rest) } else { text };
    let lines: Vec<_> = whole.lines().collect();
    Some(lines[lines.len().saturating_sub(LOG_LINES)..].join("\n"))
}
