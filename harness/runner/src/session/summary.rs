//! What came out of a session.

use std::collections::BTreeMap;
use std::path::PathBuf;

use record::{Category, ResultsDir, RunRow, Status};

use super::Contradiction;
use super::capped::Capped;

/// Slow runs that are kept.
const SLOWEST: usize = 5;

/// Counts of a session, its wrong and failed runs, every contradiction. It does not grow with the number of rows.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Summary {
    /// Runs of the plans.
    pub planned: usize,
    /// Runs that earlier sessions had ended.
    pub skipped: usize,
    /// Rows of this session by status.
    pub statuses: BTreeMap<Status, usize>,
    /// Rows of this session by category.
    pub categories: BTreeMap<Category, usize>,
    /// Rows of this session by solver, status and category.
    pub by_solver: BTreeMap<String, BTreeMap<Status, BTreeMap<Category, usize>>>,
    /// Wrong rows of these plans, of this session and earlier ones.
    pub wrong: Capped<WrongRow>,
    /// Runs of this session that failed. Solvers that are missing or cannot do what was asked are not among them.
    pub failed: Capped<FailedRun>,
    /// What solvers could not do in this session, or that they are missing: a message and its runs for each.
    pub unsupported: BTreeMap<String, (String, usize)>,
    /// The runs of this session that took longest, the slowest first.
    pub slowest: Vec<SlowRun>,
    /// Instances on which runs of these plans disagree, of this session and earlier ones.
    pub contradictions: Vec<Contradiction>,
    /// What makes the rows worth less than they could be.
    pub warnings: Vec<String>,
    /// Wall time of the session in seconds.
    pub wall_time_s: f64,
    /// Results directories.
    pub dirs: Vec<PathBuf>,
    /// Whether the session was interrupted before all runs had ended.
    pub interrupted: bool,
}

/// A run whose answer is wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrongRow {
    /// Identity of the run.
    pub run_id: String,
    /// Experiment, instance, formulation, solver and seed.
    pub label: String,
    /// What is wrong.
    pub message: String,
    /// Its instance and the solution that it showed, if it showed one.
    pub files: Option<(PathBuf, PathBuf)>,
}

/// A run that failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FailedRun {
    /// Experiment, instance, formulation, solver and seed.
    pub label: String,
    /// What is known of the cause.
    pub message: String,
    /// What the solver printed.
    pub log: PathBuf,
}

/// A run that took long.
#[derive(Debug, Clone, PartialEq)]
pub struct SlowRun {
    /// Experiment, instance, formulation, solver and seed.
    pub label: String,
    /// What became of it.
    pub status: Status,
    /// Why, in a word.
    pub termination_reason: String,
    /// Its wall time in seconds.
    pub wall_time_s: f64,
}

impl Summary {
    /// Runs that have no final row yet.
    #[must_use]
    pub fn remaining(&self) -> usize {
        let done: usize = self.statuses.iter().filter(|(status, _)| status.is_final()).map(|(_, n)| n).sum();
        self.planned.saturating_sub(self.skipped + done)
    }

    /// Rows written in this session.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.statuses.values().sum()
    }

    /// Whether everything that was run can be relied on: no wrong answer, no contradiction, no failed run.
    #[must_use]
    pub fn is_sound(&self) -> bool {
        self.wrong.is_empty() && self.contradictions.is_empty() && self.failed.is_empty()
    }

    pub(super) fn add(&mut self, row: &RunRow, dir: &ResultsDir) {
        *self.statuses.entry(row.status).or_default() += 1;
        *self.categories.entry(row.category).or_default() += 1;
        let of_solver = self.by_solver.entry(row.solver.clone()).or_default();
        *of_solver.entry(row.status).or_default().entry(row.category).or_default() += 1;
        if row.category == Category::Error && row.status != Status::Unsupported {
            self.failed.push(|| FailedRun {
                label: row_label(row),
                message: row.message.clone().unwrap_or_default(),
                log: dir.log(&row.run_id),
            });
        }
        if row.status == Status::Unsupported {
            let first = || (row.message.clone().unwrap_or_default(), 0);
            self.unsupported.entry(row.solver.clone()).or_insert_with(first).1 += 1;
        }
        self.note_wrong(row, dir);
        self.note_time(row);
    }

    pub(super) fn note_wrong(&mut self, row: &RunRow, dir: &ResultsDir) {
        if row.category == Category::Wrong {
            let message = row.message.clone().unwrap_or_default();
            self.wrong.push(|| {
                // The solution of the answer stands under the number of the last solve.
                let solution = dir.solution(&row.run_id, row.iterations.unwrap_or(0).saturating_sub(1));
                let shown = row.status.has_solution() && solution.is_file();
                let files = shown.then(|| (dir.instance(&row.instance), solution));
                WrongRow { run_id: row.run_id.clone(), label: row_label(row), message, files }
            });
        }
    }

    fn note_time(&mut self, row: &RunRow) {
        // How long an interrupted run would have taken nobody knows.
        let Some(wall_time_s) = row.wall_time_s.filter(|_| row.status != Status::Interrupted) else { return };
        let place = self.slowest.partition_point(|slow| slow.wall_time_s >= wall_time_s);
        if place < SLOWEST {
            let (status, termination_reason) = (row.status, row.termination_reason.clone());
            self.slowest.insert(place, SlowRun { label: row_label(row), status, termination_reason, wall_time_s });
            self.slowest.truncate(SLOWEST);
        }
    }
}

/// A status, where a limit struck with that limit: `timeout (cpu-limit)`.
pub(super) fn status_and_limit(status: Status, termination_reason: &str) -> String {
    match status {
        Status::Timeout | Status::Memout if termination_reason != status.as_str() => {
            format!("{status} ({termination_reason})")
        }
        _ => status.to_string(),
    }
}

/// A row in words.
pub(super) fn row_label(row: &RunRow) -> String {
    let repeat = if row.repeat > 1 { format!(" repeat {}", row.repeat) } else { String::new() };
    format!("{} {} {} {} seed {}{repeat}", row.experiment, row.instance, row.formulation, row.solver, row.seed)
}
