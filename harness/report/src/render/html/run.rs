//! What is shown of a run that was opened: the end of its log, the commands that repeat it and check its answer, solves, which
//! pictures they have.

use std::fs::{self, File};
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;

use puzzle::shell_word;
use record::FORMULATION_OPTIONS;
use serde::Serialize;
use serde_json::value::RawValue;

use super::columns::Solves;
use super::pictures::Picture;
use crate::results::{Experiment, Run, Setting};

/// Runs in a chunk of details.
pub const DETAIL_SIZE: usize = 256;

/// Most bytes of the end of a log, and least ones.
const LOG: usize = 4096;
const SHORT_LOG: usize = 512;

/// Bytes that the logs of all runs may take; where that is too little for each, those of failed runs are as long nevertheless.
const LOGS: usize = 48 << 20;

/// Most lines of the end of a log.
const LOG_LINES: usize = 40;

#[derive(Serialize)]
pub struct Detail<'a> {
    log: Option<String>,
    log_path: String,
    command: String,
    verify: Option<String>,
    solves: Vec<&'a RawValue>,
    pictures: &'a [Option<Picture>],
}

/// What is shown of the run at a place.
pub fn detail<'a>(
    experiment: &Experiment,
    place: usize,
    solves: &'a Solves,
    pictures: &'a [Vec<Option<Picture>>],
) -> Detail<'a> {
    let run = &experiment.runs()[place];
    let path = experiment.files.log(&run.run_id);
    Detail {
        log: log_end(&path, log_size(experiment, run)),
        log_path: path.strip_prefix(experiment.files.root()).unwrap_or(&path).to_string_lossy().into_owned(),
        command: solve(experiment, run),
        verify: answered(experiment, run).map(|iteration| verify(experiment, run, iteration)),
        solves: solves.of_run(place, &run.solves),
        pictures: pictures.get(place).map(Vec::as_slice).unwrap_or_default(),
    }
}

fn log_size(experiment: &Experiment, run: &Run) -> usize {
    let failed = run.category == record::Category::Error || run.category == record::Category::Wrong;
    if failed { LOG } else { (LOGS / experiment.len().max(1)).clamp(SHORT_LOG, LOG) }
}

/// The iteration whose solution stands in a file as the answer of the run.
fn answered(experiment: &Experiment, run: &Run) -> Option<u64> {
    let last = run.solves.last().map_or(0, |solve| solve.iteration);
    (run.status.has_solution() && experiment.files.solution(&run.run_id, last).is_file()).then_some(last)
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

/// The command that repeats a run: `tilebench solve` with everything that determines it, as a shell takes it. Puzzles without loops
/// have no options about them; the formulations that leave these open are those of their kind.
fn solve(experiment: &Experiment, run: &Run) -> String {
    let setting: &Setting = &run.setting;
    let has_loops = setting.has_loops();
    let mut command = shell(&["tilebench", "solve", &file(&experiment.files.instance(&setting.instance))]);
    let mut option = |name: &str, value: &str| {
        command.extend([" --", name, " "]);
        command += &shell_word(value);
    };
    match setting.kind.as_str() {
        "mip" => {
            option("kind", "mip");
            option("families", &setting.families);
            option("objective", &setting.objective);
        }
        // What these choose stands in the place of families; the formulation that is called so leaves the rest open.
        "search" => option("kind", "search"),
        kind => option(if has_loops { "formulation" } else { "kind" }, kind),
    }
    if setting.kind != "mip" {
        for (key, value) in setting.families.split_whitespace().filter_map(|choice| choice.split_once('=')) {
            // How a solver searches that was not told how.
            if (key, value) != ("strategy", "solver") {
                option(key, value);
            }
        }
    }
    if setting.kind != "search" && has_loops {
        match setting.subloops.split_once(':') {
            Some((treatment, cuts)) => {
                option("subloops", treatment);
                option("cuts", cuts);
            }
            None => option("subloops", &setting.subloops),
        }
    }
    if has_loops {
        option("holes", &setting.hole_treatment);
    }
    let solver = experiment.manifest().solvers.iter().find(|solver| solver.name == setting.solver);
    option("solver", solver.map_or(&setting.solver, |solver| &solver.backend));
    let (mut has_proof, mut has_root_bound) = (false, false);
    for (key, value) in record::options(&setting.options) {
        // What is no option of the solver stands behind those.
        match (key, value.as_str()) {
            ("proof", "true") => has_proof = true,
            ("root-bound", "true") => has_root_bound = true,
            _ if FORMULATION_OPTIONS.contains(&key) => option(key, &value),
            _ => option("option", &format!("{key}={value}")),
        }
    }
    if has_proof {
        option("proof", &format!("{}.drat", run.run_id));
    }
    option("seed", &run.seed.to_string());
    option("threads", &setting.threads.to_string());
    option("time-limit", &run.time_limit_s.map_or_else(|| "none".to_owned(), |s| format!("{s}s")));
    // `20 s` and `64 MiB`, or `none`.
    for (name, limit) in [("cpu-limit", &setting.cpu_limit), ("memory-limit", &setting.memory_limit)] {
        if limit != "none" {
            option(name, &limit.replace(' ', ""));
        }
    }
    if has_root_bound {
        command.push_str(" --root-bound");
    }
    command
}

/// `tilebench verify` of the solution of an iteration.
fn verify(experiment: &Experiment, run: &Run, iteration: u64) -> String {
    let solution = experiment.files.solution(&run.run_id, iteration);
    let instance = experiment.files.instance(run.measured_instance());
    shell(&["tilebench", "verify", &file(&instance), &file(&solution)])
}

/// A path that no command takes for an option.
fn file(path: &Path) -> String {
    let path = path.to_string_lossy();
    if path.starts_with('-') { format!("./{path}") } else { path.into_owned() }
}

fn shell(words: &[&str]) -> String {
    words.iter().map(|word| shell_word(word)).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_stay_words() {
        let words = ["a-b_1.5=x", "", "C1 C2'", "a b", "$(rm)\n", "it's $HOME"];
        assert_eq!(shell(&words), "a-b_1.5=x '' \"C1 C2'\" 'a b' '$(rm)\n' 'it'\\''s $HOME'");
    }
}
