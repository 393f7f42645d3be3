//! `submit` and `status`: folders of tasks, what engines make of them, and that no fault of an engine loses a run or counts one twice.

mod folder;
mod hyperqueue;
mod slurm;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::thread;

use record::{ResultsDir, RunRow};

use crate::bench::{Bench, Ran, TRIANGLE, wait_for, words};

/// At once, as they mostly wait, and in one of the threads of the tests.
#[test]
fn engines_lose_no_run_and_count_none_twice() {
    let scenarios: [(&str, fn()); 5] = [
        (
            "an_array_is_run_to_its_end_and_merged_also_beyond_the_bound_of_indices",
            slurm::an_array_is_run_to_its_end_and_merged_also_beyond_the_bound_of_indices,
        ),
        (
            "what_is_killed_is_run_again_beside_its_old_copy_and_each_run_counts_once",
            slurm::what_is_killed_is_run_again_beside_its_old_copy_and_each_run_counts_once,
        ),
        ("a_job_that_comes_to_its_walltime_ends_in_order", slurm::a_job_that_comes_to_its_walltime_ends_in_order),
        (
            "a_job_that_vanished_is_lost_and_sent_again_under_the_same_number",
            slurm::a_job_that_vanished_is_lost_and_sent_again_under_the_same_number,
        ),
        (
            "workers_that_are_killed_or_stopped_lose_nothing_and_each_run_counts_once",
            hyperqueue::workers_that_are_killed_or_stopped_lose_nothing_and_each_run_counts_once,
        ),
    ];
    thread::scope(|scope| {
        for (name, scenario) in scenarios {
            thread::Builder::new().name(name.to_owned()).spawn_scoped(scope, scenario).expect("a thread");
        }
    });
}

/// Three boards, and so three shards, for a solver that sleeps `sleep` seconds in each of so many runs of a board. Tasks of half an hour
/// by the limits of their runs are then one board each.
fn boards(runs: usize, sleep: f64) -> Bench {
    let bench = Bench::mock();
    bench.write("blue.toml", &TRIANGLE.replace("yellow", "blue").replace("solvable", "unknown"));
    let limit = 1800 / runs;
    let config = format!(
        r#"
experiment = "tasks"
title = "Tasks"
instances = ["tri.toml", "row.toml", "blue.toml"]
seeds = "1-{runs}"

[limits]
time = "{limit}s"

[[formulation]]
name = "colour"
families = "C1 C2' C4c C5x C6x"

[[solver]]
name = "mock"
options = {{ sleep = {sleep} }}
"#
    );
    bench.write("tasks.toml", &config);
    bench
}

/// A folder of tasks in a bench.
struct Tasks<'a> {
    bench: &'a Bench,
    name: &'static str,
}

impl<'a> Tasks<'a> {
    /// Writes it.
    fn submit(bench: &'a Bench, options: &str) -> (Self, Ran) {
        let name = "folder";
        let ran = bench.run(&words(&format!("submit tasks.toml --out {name} {options}"))).ok();
        (Self { bench, name }, ran)
    }

    fn path(&self, inner: &str) -> PathBuf {
        self.bench.path(self.name).join(inner)
    }

    fn status(&self) -> String {
        self.bench.run(&["status", self.name]).ok().out
    }

    /// Sends what nobody has.
    fn missing(&self, options: &[&str]) -> Ran {
        self.bench.run(&[&["submit", "--missing", self.name], options].concat())
    }

    /// Numbers of the tasks in a state, as the status lists them.
    fn in_state(&self, state: &str) -> String {
        let status = self.status();
        let line = status.lines().find(|line| line.split_whitespace().next() == Some(state));
        line.and_then(|line| line.split_whitespace().last()).unwrap_or_default().to_owned()
    }

    /// Folders of the attempts at a task.
    fn attempts(&self, task: usize) -> Vec<PathBuf> {
        let entries = fs::read_dir(self.path(&format!("parts/{task:04}"))).into_iter().flatten().flatten();
        let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
        paths.sort();
        paths
    }

    /// Rows of all attempts at a task, as far as they are written.
    fn rows(&self, task: usize) -> Vec<RunRow> {
        let results = self.attempts(task).into_iter().map(|attempt| ResultsDir::new(attempt.join("tasks")));
        results.filter_map(|results| results.read_runs().ok()).flatten().collect()
    }

    /// Lets all files of a task, and its being sent, seem older than anybody's patience.
    fn age(&self, task: usize) {
        let then = "100 seconds ago";
        let part = self.path(&format!("parts/{task:04}"));
        if part.exists() {
            run("find", &[&part.to_string_lossy(), "-exec", "touch", "-d", then, "{}", "+"]);
        }
        let path = self.path("submit.json");
        let mut submission: serde_json::Value =
            serde_json::from_str(&fs::read_to_string(&path).expect("a file")).expect("JSON");
        for sent in submission["sent"].as_array_mut().expect("a list") {
            sent["at"] = "2026-01-01T00:00:00Z".into();
        }
        fs::write(&path, submission.to_string()).expect("a file");
    }

    /// What engines called the jobs that were sent.
    fn jobs(&self) -> Vec<String> {
        let text = fs::read_to_string(self.path("submit.json")).expect("a file");
        let submission: serde_json::Value = serde_json::from_str(&text).expect("JSON");
        let sent = submission["sent"].as_array().expect("a list").iter();
        sent.map(|sent| sent["job"].as_str().expect("a name").to_owned()).collect()
    }

    /// All tasks are done, nobody works any more, and merged each run of the plan is there once.
    fn whole(&self) {
        assert_eq!(self.in_state("done"), "1-3", "{}", self.status());
        wait_for(60, || self.bench.processes().is_empty());
        let planned: BTreeSet<String> = ResultsDir::new(self.bench.path(self.name))
            .read_plan()
            .expect("a plan")
            .into_iter()
            .map(|row| row.run_id)
            .collect();
        let parts = format!("{}/parts", self.name);
        self.bench.run(&["merge", &parts, "-o", "merged"]).ok();
        let rows = ResultsDir::new(self.bench.path("merged/tasks")).read_runs().expect("rows");
        let mut final_rows: BTreeMap<String, usize> = BTreeMap::new();
        for row in rows.iter().filter(|row| row.status.is_final()) {
            *final_rows.entry(row.run_id.clone()).or_default() += 1;
        }
        assert_eq!(final_rows.keys().cloned().collect::<BTreeSet<_>>(), planned, "each run of the plan");
        assert!(final_rows.values().all(|rows| *rows == 1), "and each once: {final_rows:?}");
    }
}

/// The process that started another one.
fn parent(process: u32) -> u32 {
    run("ps", &["-o", "ppid=", "-p", &process.to_string()]).parse().expect("a number")
}

/// Runs a program and returns what it prints.
#[track_caller]
fn run(program: &str, args: &[&str]) -> String {
    let output = std::process::Command::new(program).args(args).output().expect("the program runs");
    assert!(output.status.success(), "{program} {args:?}: {output:?}");
    String::from_utf8(output.stdout).expect("text").trim().to_owned()
}

/// The number of the process that an attempt at a task is, by the name of its folder.
fn process_of(attempt: &Path) -> u32 {
    let name = attempt.file_name().expect("a name").to_string_lossy().into_owned();
    name.rsplit('-').next().and_then(|number| number.parse().ok()).unwrap_or_else(|| panic!("{name} ends in no number"))
}
