//! What came out of a session: counts, what failed or is wrong, where runs contradict each other, what to do next.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

use record::{Answers, Category, ModelColumns, ResultsDir, RunRow, Status};

use crate::plan::run_label;
use crate::text::{MESSAGE, argument, count, duration, table, truncated};

/// Failed runs, and wrong rows and contradictions, that are shown at most.
const FAILED: usize = 5;
const KEPT: usize = 20;

/// Counts of a session, the first of its wrong and failed runs, every contradiction. It does not grow with the number of rows.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Summary {
    /// Runs of the plans.
    pub planned: usize,
    /// Runs that earlier sessions had ended.
    pub skipped: usize,
    /// Rows of this session by solver.
    pub by_solver: BTreeMap<String, Counts>,
    /// Number of wrong rows of these plans, of this session and earlier ones.
    pub wrong_rows: usize,
    /// The first of them.
    pub wrong: Vec<WrongRow>,
    /// The first runs of this session that failed. Solvers that are missing or cannot do what was asked are not among them.
    pub failed: Vec<FailedRun>,
    /// What solvers could not do in this session, or that they are missing: a message and its runs for each.
    pub unsupported: BTreeMap<String, (String, usize)>,
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

type Counts = BTreeMap<(Status, Category), usize>;

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

impl Summary {
    /// Runs that have no final row yet.
    #[must_use]
    pub fn remaining(&self) -> usize {
        self.planned.saturating_sub(self.skipped + self.rows_where(|status, _| status.is_final()))
    }

    /// Rows written in this session.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.rows_where(|_, _| true)
    }

    /// Rows of this session with a status.
    #[must_use]
    pub fn of_status(&self, status: Status) -> usize {
        self.rows_where(|found, _| found == status)
    }

    /// Rows of this session with a category.
    #[must_use]
    pub fn of_category(&self, category: Category) -> usize {
        self.rows_where(|_, found| found == category)
    }

    /// Runs of this session that failed.
    #[must_use]
    pub fn failed_rows(&self) -> usize {
        self.rows_where(|status, category| category == Category::Error && status != Status::Unsupported)
    }

    /// Rows of this session whose status and category are such.
    pub fn rows_where(&self, fits: impl Fn(Status, Category) -> bool) -> usize {
        let counts = self.by_solver.values().flatten();
        counts.filter(|((status, category), _)| fits(*status, *category)).map(|(_, rows)| rows).sum()
    }

    /// Whether everything that was run can be relied on: no wrong answer, no contradiction, no failed run.
    #[must_use]
    pub fn is_sound(&self) -> bool {
        self.wrong.is_empty() && self.contradictions.is_empty() && self.failed.is_empty()
    }

    pub(super) fn add(&mut self, row: &RunRow, dir: &ResultsDir) {
        let of_solver = self.by_solver.entry(row.solver.clone()).or_default();
        *of_solver.entry((row.status, row.category)).or_default() += 1;
        if row.has_failed() && self.failed.len() < FAILED {
            self.failed.push(FailedRun {
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
    }

    pub(super) fn note_wrong(&mut self, row: &RunRow, dir: &ResultsDir) {
        if row.category != Category::Wrong {
            return;
        }
        self.wrong_rows += 1;
        if self.wrong.len() < KEPT {
            let message = row.message.clone().unwrap_or_default();
            let solution = dir.solution(&row.run_id, row.last_solve());
            let shown = row.status.has_solution() && solution.is_file();
            let files = shown.then(|| (dir.instance(&row.instance), solution));
            self.wrong.push(WrongRow { run_id: row.run_id.clone(), label: row_label(row), message, files });
        }
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} in {}", count(self.rows(), "run"), duration(self.wall_time_s))?;
        for (rows, what) in [
            (self.of_category(Category::Wrong), "WRONG"),
            (self.failed_rows(), "failed"),
            (self.of_status(Status::Unsupported), "unsupported"),
            (self.skipped, "of earlier sessions kept"),
        ] {
            if rows > 0 {
                write!(f, ", {rows} {what}")?;
            }
        }
        writeln!(f)?;
        self.write_counts(f)?;
        self.write_wrong(f)?;
        write_contradictions(f, &self.contradictions)?;
        self.write_failed(f)?;
        self.write_unsupported(f)?;
        let claimed = self.rows_where(|status, category| (status, category) == (Status::Infeasible, Category::Unknown));
        if claimed > 0 && self.skipped == 0 && self.rows_where(|status, _| status.has_solution()) == 0 {
            writeln!(
                f,
                "note: no run found a solution, and {claimed} claim that there is none: the instances may have none"
            )?;
        }
        for warning in &self.warnings {
            writeln!(f, "warning: {warning}")?;
        }
        self.write_next(f)
    }
}

impl Summary {
    /// Runs by status and category: of all solvers, and where there are several of each.
    fn write_counts(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.rows() == 0 {
            return Ok(());
        }
        let mut all = Counts::new();
        for (key, rows) in self.by_solver.values().flatten() {
            *all.entry(*key).or_default() += rows;
        }
        let rows = |solver: &str, counts: &Counts| {
            let mut statuses: Vec<Status> = counts.keys().map(|(status, _)| *status).collect();
            statuses.dedup();
            let row = |status: Status| {
                let cell = |category| counts.get(&(status, category)).map_or_else(|| "-".to_owned(), usize::to_string);
                let [correct, wrong, unknown, error] = Category::ALL.map(cell);
                // A solver that is missing is no mistake.
                let (failed, unsupported) = match status {
                    Status::Unsupported => ("-".to_owned(), error),
                    _ => (error, "-".to_owned()),
                };
                [solver.to_owned(), status.to_string(), correct, wrong, unknown, failed, unsupported]
            };
            statuses.into_iter().map(row).collect::<Vec<_>>()
        };
        let head = ["solver", "status", "correct", "WRONG", "unknown", "error", "unsupported"];
        let first = usize::from(self.by_solver.len() < 2);
        let last = head.len() - usize::from(self.unsupported.is_empty());
        let each = self.by_solver.iter().filter(|_| first == 0).flat_map(|(solver, counts)| rows(solver, counts));
        let all: Vec<_> = rows("all", &all).into_iter().chain(each).map(|row| row[first..last].to_vec()).collect();
        table(f, &head[first..last], &all)
    }

    fn write_wrong(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.wrong_rows > 0 {
            let earlier = match self.wrong_rows.saturating_sub(self.of_category(Category::Wrong)) {
                0 => String::new(),
                earlier => format!(", {earlier} of them of earlier sessions"),
            };
            writeln!(f, "WRONG ANSWERS: {}{earlier}", self.wrong_rows)?;
        }
        for wrong in &self.wrong {
            writeln!(f, "  {} [{}]: {}", wrong.label, wrong.run_id, truncated(&wrong.message, MESSAGE))?;
            if let Some((instance, solution)) = &wrong.files {
                writeln!(f, "    see: tilebench verify {} {}", argument(instance), argument(solution))?;
            }
        }
        match self.wrong_rows - self.wrong.len() {
            0 => Ok(()),
            more => writeln!(f, "  and {more} more, see the column category in runs.csv"),
        }
    }

    fn write_failed(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.failed.is_empty() {
            return Ok(());
        }
        writeln!(f, "FAILED: {}, see the column message in runs.csv", count(self.failed_rows(), "run"))?;
        let failed = |of: &Status| self.rows_where(|status, category| (status, category) == (*of, Category::Error)) > 0;
        let finished = [Status::Crash, Status::Error].into_iter().filter(failed);
        let finished: Vec<&str> = finished.map(Status::name).collect();
        if !finished.is_empty() {
            writeln!(f, "  finished runs are not repeated; --resume --retry {} does", finished.join(","))?;
        }
        for failed in &self.failed {
            writeln!(f, "  {}: {}; log: {}", failed.label, truncated(&failed.message, MESSAGE), failed.log.display())?;
        }
        write_more(f, self.failed_rows() - self.failed.len())
    }

    /// Solvers that are missing, with how to install them; what others cannot do.
    fn write_unsupported(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.unsupported.is_empty() {
            return Ok(());
        }
        writeln!(f, "unsupported; after a solver is installed, --resume --retry unsupported repeats its runs")?;
        for (solver, (message, runs)) in &self.unsupported {
            let runs = if *runs > 1 { format!("{runs} runs; reason of the first") } else { "1 run".to_owned() };
            writeln!(f, "  {solver}: {message} ({runs})")?;
        }
        Ok(())
    }

    fn write_next(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.remaining() > 0 {
            let why = if self.interrupted { "interrupted: " } else { "" };
            let done = self.planned - self.remaining();
            let lost = self.of_status(Status::Lost);
            let of_them = match lost {
                0 => String::new(),
                1 => ", 1 was lost".to_owned(),
                _ => format!(", {lost} were lost"),
            };
            writeln!(
                f,
                "{why}{done} of {} runs are done{of_them}; the same command with --resume goes on",
                self.planned
            )?;
            // More than these is still to be run before a report says much.
            if self.interrupted || self.remaining() > lost {
                return Ok(());
            }
        }
        let dirs: Vec<String> = self.dirs.iter().map(argument).collect();
        writeln!(f, "next: tilebench report {} -o {}", dirs.join(" "), argument(report_folder(&self.dirs)))
    }
}

/// Where to report to: a folder named after what is reported and, where that is not the usual one, after where its results are, so
/// that no report replaces that of other results.
pub(crate) fn report_folder(dirs: &[PathBuf]) -> PathBuf {
    let name = |path: Option<&Path>| path?.file_name().map(|name| name.to_string_lossy().into_owned());
    let place = name(dirs.first().and_then(|dir| dir.parent()));
    let names = match dirs {
        [one] => [place.filter(|place| place != "results"), name(Some(one))],
        _ => [place, None],
    };
    Path::new("plots").join(names.into_iter().flatten().collect::<Vec<_>>().join("-"))
}

/// Instances on which runs disagree, and how.
pub(crate) fn write_contradictions(f: &mut fmt::Formatter<'_>, contradictions: &[Contradiction]) -> fmt::Result {
    if !contradictions.is_empty() {
        writeln!(f, "CONTRADICTIONS: {}", count(contradictions.len(), "instance"))?;
    }
    for Contradiction { instance, instance_hash, how } in contradictions.iter().take(KEPT) {
        writeln!(f, "  {instance} [{instance_hash}]: {how}")?;
    }
    write_more(f, contradictions.len().saturating_sub(KEPT))
}

fn write_more(f: &mut fmt::Formatter<'_>, more: usize) -> fmt::Result {
    if more > 0 { writeln!(f, "  and {more} more") } else { Ok(()) }
}

/// An instance of which the answers of two runs contradict each other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Contradiction {
    /// Name of the instance.
    pub instance: String,
    /// Hash of what determines the puzzle.
    pub instance_hash: String,
    /// What they answered, and which runs they are.
    pub how: String,
}

/// The answers of runs by the hash of their instance, each with its name.
#[derive(Debug, Default)]
pub(crate) struct Claims(BTreeMap<String, (String, Answers)>);

impl Claims {
    /// Takes note of a row, and says so if it is the first that contradicts another about its instance.
    pub fn note(&mut self, row: &RunRow) -> Option<String> {
        let new = || (row.instance.clone(), Answers::default());
        let (_, answers) = self.0.entry(row.instance_hash.clone()).or_insert_with(new);
        let before = answers.contradiction();
        let RunRow { kind, families, objective, options, places, .. } = row;
        answers.note(row, ModelColumns { kind, families, objective, options, places: *places }, || {
            format!("{} [{}]", row_label(row), row.run_id)
        });
        let found = answers.contradiction().filter(|_| before.is_none())?;
        Some(format!("CONTRADICTION: {}: {found}", row.instance))
    }

    pub fn contradictions(self) -> Vec<Contradiction> {
        let found = self.0.into_iter().filter_map(|(instance_hash, (instance, answers))| {
            Some(Contradiction { instance, instance_hash, how: answers.contradiction()? })
        });
        let mut found: Vec<Contradiction> = found.collect();
        found.sort_by(|a, b| a.instance.cmp(&b.instance));
        found
    }
}

/// A status, where a limit struck with that limit: `timeout (cpu-limit)`.
pub(super) fn status_and_limit(status: Status, termination_reason: &str) -> String {
    match status {
        Status::Timeout | Status::Memout if termination_reason != status.name() => {
            format!("{status} ({termination_reason})")
        }
        _ => status.to_string(),
    }
}

pub(super) fn row_label(row: &RunRow) -> String {
    let run = run_label(&row.instance, &row.formulation, &row.solver, row.seed, row.repeat);
    format!("{} {run}", row.experiment)
}
