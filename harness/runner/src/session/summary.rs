//! What came out of a session.

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;

use record::{Category, RunRow, Status};

use super::Contradiction;
use crate::text::{count, duration};

/// Wrong rows and contradictions that the summary lists at most.
const LISTED: usize = 20;

/// Counts of a session, every wrong row, every contradiction.
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
    /// Wrong rows of these plans, of this session and earlier ones.
    pub wrong: Vec<WrongRow>,
    /// Rows of this session whose run failed. Solvers that are missing or cannot do what was asked are not among them.
    pub failed: usize,
    /// Instances on which runs of these plans disagree, of this session and earlier ones.
    pub contradictions: Vec<Contradiction>,
    /// What disturbed the measurements of this session.
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

    pub(super) fn add(&mut self, row: &RunRow) {
        *self.statuses.entry(row.status).or_default() += 1;
        *self.categories.entry(row.category).or_default() += 1;
        self.failed += usize::from(row.category == Category::Error && row.status != Status::Unsupported);
        self.note_wrong(row);
    }

    /// Whether everything that was run can be relied on: no wrong answer, no contradiction, no failed run.
    #[must_use]
    pub fn is_sound(&self) -> bool {
        self.wrong.is_empty() && self.contradictions.is_empty() && self.failed == 0
    }

    fn write_contradictions(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.contradictions.is_empty() {
            writeln!(f, "CONTRADICTIONS: {}", count(self.contradictions.len() as u64, "instance"))?;
        }
        for contradiction in self.contradictions.iter().take(LISTED) {
            writeln!(f, "  {} [{}]", contradiction.instance, contradiction.instance_hash)?;
            for (claim, runs) in [("solved", &contradiction.solved), ("infeasible", &contradiction.infeasible)] {
                for run in runs.iter().take(LISTED) {
                    writeln!(f, "    {claim} by {run}")?;
                }
                if runs.len() > LISTED {
                    writeln!(f, "    {claim} by {} more", runs.len() - LISTED)?;
                }
            }
        }
        if self.contradictions.len() > LISTED {
            writeln!(f, "  and {} more", self.contradictions.len() - LISTED)?;
        }
        Ok(())
    }

    pub(super) fn note_wrong(&mut self, row: &RunRow) {
        if row.category == Category::Wrong {
            let message = row.message.clone().unwrap_or_default();
            self.wrong.push(WrongRow { run_id: row.run_id.clone(), label: row_label(row), message });
        }
    }
}

/// A row in words.
pub(super) fn row_label(row: &RunRow) -> String {
    format!("{} {} {} {} seed {}", row.experiment, row.instance, row.formulation, row.solver, row.seed)
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rows = count(self.rows() as u64, "run");
        write!(f, "{rows} in {}", duration(self.wall_time_s))?;
        if self.skipped > 0 {
            write!(f, ", {} of earlier sessions kept", self.skipped)?;
        }
        writeln!(f)?;
        let line = |parts: Vec<String>| if parts.is_empty() { "none".to_owned() } else { parts.join(", ") };
        let statuses = self.statuses.iter().map(|(status, n)| format!("{n} {status}"));
        writeln!(f, "  status    {}", line(statuses.collect()))?;
        let categories = self.categories.iter().map(|(category, n)| match category {
            Category::Wrong => format!("{n} WRONG"),
            _ => format!("{n} {category}"),
        });
        writeln!(f, "  category  {}", line(categories.collect()))?;
        for warning in self.warnings.iter().filter(|_| self.rows() > 0) {
            writeln!(f, "warning: {warning}")?;
        }
        if !self.wrong.is_empty() {
            writeln!(f, "WRONG ANSWERS: {}", self.wrong.len())?;
        }
        for wrong in self.wrong.iter().take(LISTED) {
            writeln!(f, "  {} [{}]: {}", wrong.label, wrong.run_id, wrong.message)?;
        }
        if self.wrong.len() > LISTED {
            writeln!(f, "  and {} more, see the column category in runs.csv", self.wrong.len() - LISTED)?;
        }
        self.write_contradictions(f)?;
        if self.failed > 0 {
            writeln!(f, "FAILED: {}, see the column message in runs.csv", count(self.failed as u64, "run"))?;
        }
        let dirs: Vec<String> = self.dirs.iter().map(|dir| dir.display().to_string()).collect();
        if self.remaining() > 0 {
            let why = if self.interrupted { "interrupted: " } else { "" };
            let done = self.planned - self.remaining();
            writeln!(f, "{why}{done} of {} runs are done; the same command with --resume goes on", self.planned)
        } else {
            writeln!(f, "next: tilebench report {}", dirs.join(" "))
        }
    }
}
