//! A summary in words: counts, slow runs, what is wrong, what to do next.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

use record::{Category, Status};

use super::capped::Capped;
use super::summary::status_and_limit;
use super::{Contradiction, Summary};
use crate::text::{MESSAGE, argument, count, duration, table, truncated};

/// Failed runs that are listed.
const FAILED: usize = 5;

/// Contradictions that are listed.
const CONTRADICTIONS: usize = 20;

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} in {}", count(self.rows() as u64, "run"), duration(self.wall_time_s))?;
        let wrong = self.categories.get(&Category::Wrong).copied().unwrap_or_default();
        if wrong > 0 {
            write!(f, ", {wrong} WRONG")?;
        }
        if !self.failed.is_empty() {
            write!(f, ", {} failed", self.failed.len())?;
        }
        if let Some(unsupported) = self.statuses.get(&Status::Unsupported) {
            write!(f, ", {unsupported} unsupported")?;
        }
        if self.skipped > 0 {
            write!(f, ", {} of earlier sessions kept", self.skipped)?;
        }
        writeln!(f)?;
        self.write_counts(f)?;
        self.write_slowest(f)?;
        self.write_wrong(f)?;
        self.write_contradictions(f)?;
        self.write_failed(f)?;
        self.write_unsupported(f)?;
        for warning in &self.warnings {
            writeln!(f, "warning: {warning}")?;
        }
        self.write_next(f)
    }
}

impl Summary {
    /// Status by category, and where there are several solvers for each of them too.
    fn write_counts(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.rows() == 0 {
            return Ok(());
        }
        let mut all: BTreeMap<Status, BTreeMap<Category, usize>> = BTreeMap::new();
        for (status, categories) in self.by_solver.values().flatten() {
            for (category, rows) in categories {
                *all.entry(*status).or_default().entry(*category).or_default() += rows;
            }
        }
        let several = self.by_solver.len() > 1;
        let parts =
            || std::iter::once(("all", &all)).chain(self.by_solver.iter().map(|(name, part)| (name.as_str(), part)));
        let rows = || {
            parts().take(if several { usize::MAX } else { 1 }).flat_map(|(solver, statuses)| {
                statuses.iter().map(move |(status, categories)| {
                    let cell = |category| categories.get(&category).map_or_else(|| "-".to_owned(), usize::to_string);
                    let [correct, wrong, unknown, error] = Category::ALL.map(cell);
                    [solver.to_owned(), status.to_string(), correct, wrong, unknown, error]
                })
            })
        };
        if several {
            return table(f, ["solver", "status", "correct", "WRONG", "unknown", "error"], rows);
        }
        let narrow =
            || rows().map(|[_, status, correct, wrong, unknown, error]| [status, correct, wrong, unknown, error]);
        table(f, ["status", "correct", "WRONG", "unknown", "error"], narrow)
    }

    fn write_slowest(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.rows() <= 1 || self.slowest.is_empty() {
            return Ok(());
        }
        writeln!(f, "slowest")?;
        for slow in &self.slowest {
            let status = status_and_limit(slow.status, &slow.termination_reason);
            writeln!(f, "  {}  {status}  {}", duration(slow.wall_time_s), slow.label)?;
        }
        Ok(())
    }

    fn write_wrong(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.wrong.is_empty() {
            let new = self.categories.get(&Category::Wrong).copied().unwrap_or_default();
            let earlier = match self.wrong.len().saturating_sub(new) {
                0 => String::new(),
                earlier => format!(", {earlier} of them of earlier sessions"),
            };
            writeln!(f, "WRONG ANSWERS: {}{earlier}", self.wrong.len())?;
        }
        for wrong in self.wrong.first() {
            writeln!(f, "  {} [{}]: {}", wrong.label, wrong.run_id, truncated(&wrong.message, MESSAGE))?;
            if let Some((instance, solution)) = &wrong.files {
                writeln!(f, "    see: tilebench verify {} {}", argument(instance), argument(solution))?;
            }
        }
        if self.wrong.more() > 0 {
            writeln!(f, "  and {} more, see the column category in runs.csv", self.wrong.more())?;
        }
        Ok(())
    }

    fn write_contradictions(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.contradictions.is_empty() {
            writeln!(f, "CONTRADICTIONS: {}", count(self.contradictions.len() as u64, "instance"))?;
        }
        for Contradiction { instance, instance_hash, solved, infeasible, counts } in
            self.contradictions.iter().take(CONTRADICTIONS)
        {
            writeln!(f, "  {instance} [{instance_hash}]")?;
            let mut claims: Vec<(&str, &Capped<String>)> =
                counts.iter().filter(|_| counts.len() > 1).map(|(count, runs)| (count.as_str(), runs)).collect();
            if !solved.is_empty() && !infeasible.is_empty() {
                claims.extend([("solved", solved), ("infeasible", infeasible)]);
            }
            for (claim, runs) in claims {
                for run in runs.first() {
                    writeln!(f, "    {claim} by {run}")?;
                }
                if runs.more() > 0 {
                    writeln!(f, "    {claim} by {} more", runs.more())?;
                }
            }
        }
        match self.contradictions.len().saturating_sub(CONTRADICTIONS) {
            0 => Ok(()),
            more => writeln!(f, "  and {more} more"),
        }
    }

    fn write_failed(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.failed.is_empty() {
            return Ok(());
        }
        writeln!(f, "FAILED: {}, see the column message in runs.csv", count(self.failed.len() as u64, "run"))?;
        let finished = [Status::Crash, Status::Error].into_iter().filter(|status| self.statuses.contains_key(status));
        let finished: Vec<&str> = finished.map(Status::as_str).collect();
        if !finished.is_empty() {
            writeln!(f, "  finished runs are not repeated; --resume --retry {} does", finished.join(","))?;
        }
        for failed in self.failed.first().iter().take(FAILED) {
            writeln!(f, "  {}: {}; log: {}", failed.label, truncated(&failed.message, MESSAGE), failed.log.display())?;
        }
        match self.failed.len().saturating_sub(FAILED) {
            0 => Ok(()),
            more => writeln!(f, "  and {more} more"),
        }
    }

    /// Solvers that are missing, with how to install them; what others cannot do.
    fn write_unsupported(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.unsupported.is_empty() {
            return Ok(());
        }
        writeln!(f, "unsupported; after a solver is installed, --resume --retry unsupported repeats its runs")?;
        for (solver, (message, runs)) in &self.unsupported {
            writeln!(f, "  {solver}: {} ({})", truncated(message, MESSAGE), count(*runs as u64, "run"))?;
        }
        Ok(())
    }

    /// Where to report to: a folder of the name of what is reported.
    fn report_folder(&self) -> PathBuf {
        let of = match self.dirs.as_slice() {
            [one] => Some(one.as_path()),
            several => several.first().and_then(|dir| dir.parent()),
        };
        Path::new("plots").join(of.and_then(Path::file_name).unwrap_or_default())
    }

    fn write_next(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.remaining() > 0 {
            let why = if self.interrupted { "interrupted: " } else { "" };
            let done = self.planned - self.remaining();
            let lost = match self.statuses.get(&Status::Lost) {
                Some(1) => ", 1 was lost".to_owned(),
                Some(lost) => format!(", {lost} were lost"),
                None => String::new(),
            };
            writeln!(f, "{why}{done} of {} runs are done{lost}; the same command with --resume goes on", self.planned)?;
            // More than these is still to be run before a report says much.
            if self.interrupted || self.remaining() > self.statuses.get(&Status::Lost).copied().unwrap_or_default() {
                return Ok(());
            }
        }
        let dirs: Vec<String> = self.dirs.iter().map(|dir| argument(dir)).collect();
        writeln!(f, "next: tilebench report {} -o {}", dirs.join(" "), argument(&self.report_folder()))
    }
}
