//! What is shown of a run that was opened: the end of its log, commands, solves, which pictures they have.

use std::ops::Range;

use super::command::{self, Commands};
use super::solves::Solves;
use super::{json, log};
use crate::results::{Experiment, Run};

/// Most bytes of the end of a log.
const LOG: usize = 4096;

/// Bytes that the logs of all runs may take; where that is too little for each, those of failed runs are as long nevertheless.
const LOGS: usize = 48 << 20;

/// Least bytes of the end of a log.
const SHORT_LOG: usize = 512;

/// The details of some runs; the rest is of all.
pub fn details(
    experiment: &Experiment,
    runs: Range<usize>,
    solves: &Solves,
    commands: &Commands,
    pictures: &[String],
) -> Vec<u8> {
    let mut text = Vec::new();
    json::list(runs, &mut text, |place, text| {
        let run = &experiment.runs()[place];
        let key = |name: &str, text: &mut Vec<u8>| text.extend_from_slice(format!("\"{name}\":").as_bytes());
        text.push(b'{');
        key("log", text);
        let path = experiment.files().log(&run.run_id);
        match log::tail(&path, log_size(experiment, run)) {
            Some(tail) => json::text(&tail, text),
            None => text.extend_from_slice(b"null"),
        }
        text.push(b',');
        key("log_path", text);
        json::text(&path.strip_prefix(experiment.files().root()).unwrap_or(&path).to_string_lossy(), text);
        text.push(b',');
        key("command", text);
        json::text(&commands.solve(run), text);
        text.push(b',');
        key("verify", text);
        match answered(experiment, run) {
            Some(iteration) => json::text(&command::verify(experiment, run, iteration), text),
            None => text.extend_from_slice(b"null"),
        }
        text.push(b',');
        key("solves", text);
        solves.write(place, experiment.solves(run), text);
        text.push(b',');
        key("pictures", text);
        text.extend_from_slice(pictures.get(place).map_or("[]", String::as_str).as_bytes());
        text.push(b'}');
    });
    text
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
