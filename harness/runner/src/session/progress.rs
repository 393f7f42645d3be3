//! What the user sees while runs go on: bars on a terminal, a line for each run elsewhere, and in any case what is wrong.

use std::collections::BTreeSet;
use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

use record::{Category, RunRow, Status};

use super::board::{Board, Stage};
use super::estimate::Estimate;
use super::screen::Screen;
use super::summary::{row_label, status_and_limit};
use super::{Progress, RunOptions};
use crate::text::{MESSAGE, count, duration, truncated};

/// How often the clocks of the bars move, and how long to wait for news at most. Seldom enough to leave the measured processes
/// alone.
pub(super) const CLOCK: Duration = Duration::from_millis(500);

/// Failed runs that are shown where nothing else is.
const FAILURES: usize = 20;

/// Running runs that a sign of life names.
const NAMED: usize = 4;

/// Shows how a session goes.
#[derive(Debug)]
pub(super) struct Reporter<'a> {
    screen: Screen,
    board: &'a Board,
    estimate: Estimate,
    jobs: usize,
    total: usize,
    done: usize,
    wrong: usize,
    failed: usize,
    /// Solvers of which it was said why they cannot be used, and what was said.
    unsupported: BTreeSet<(String, Option<String>)>,
    heartbeat: Duration,
    /// When the display last changed.
    shown: Instant,
}

impl<'a> Reporter<'a> {
    /// A reporter for so many runs, of which the estimate knows the kinds.
    pub fn new(options: &RunOptions, jobs: usize, total: usize, board: &'a Board, estimate: Estimate) -> Self {
        let screen = match options.progress {
            Progress::Silent => Screen::Nothing,
            Progress::Quiet => Screen::Alarms,
            Progress::Auto if io::stderr().is_terminal() => Screen::bars(total, jobs),
            Progress::Auto => Screen::Lines,
        };
        let (heartbeat, shown) = (options.heartbeat, Instant::now());
        Self {
            screen,
            board,
            estimate,
            jobs,
            total,
            done: 0,
            wrong: 0,
            failed: 0,
            unsupported: BTreeSet::new(),
            heartbeat,
            shown,
        }
    }

    /// Says what there is to do.
    pub fn begin(&self, kept: usize) {
        if kept > 0 && self.total > 0 {
            let outlook = self.outlook(0, 0.0).map_or_else(String::new, |outlook| format!(": {outlook}"));
            let kept = count(kept as u64, "run");
            self.say(&format!("{kept} of earlier sessions kept, {} to do{outlook}", self.total));
        }
    }

    /// A remark on the session.
    pub fn remark(&self, text: &str) {
        self.say(&format!("note: {text}"));
    }

    /// Something is wrong, whatever the user wants to see otherwise.
    pub fn alarm(&self, text: &str) {
        self.screen.alarm(&coloured(Category::Wrong, text));
    }

    /// A run ended and its row is on disk.
    pub fn done(&mut self, row: &RunRow) {
        self.done += 1;
        self.estimate.done(row);
        let failed = row.category == Category::Error && row.status != Status::Unsupported;
        self.wrong += usize::from(row.category == Category::Wrong);
        self.failed += usize::from(failed);
        match (&self.screen, row.category) {
            (_, Category::Wrong) => self.alarm(&self.line(row)),
            (Screen::Alarms, _) if failed && self.failed <= FAILURES => self.screen.alarm(&self.line(row)),
            (Screen::Alarms, _) if failed && self.failed == FAILURES + 1 => {
                self.screen.alarm("further failed runs are not shown; the column message of runs.csv has them");
            }
            (Screen::Lines | Screen::Bars { .. }, _) if row.status == Status::Unsupported => self.unsupported(row),
            (Screen::Lines, _) | (Screen::Bars { .. }, Category::Error) => self.say(&self.line(row)),
            _ => {}
        }
        if matches!(self.screen, Screen::Lines) {
            self.shown = Instant::now();
        }
    }

    /// Why a solver cannot be used is said once, where nothing has failed; on a terminal that is all.
    fn unsupported(&mut self, row: &RunRow) {
        if self.unsupported.insert((row.solver.clone(), row.message.clone())) {
            let message = truncated(row.message.as_deref().unwrap_or_default(), MESSAGE);
            self.remark(&format!("runs of {} are unsupported: {message}", row.solver));
        }
        if matches!(self.screen, Screen::Lines) {
            self.say(&self.line(row));
        }
    }

    /// Time has passed: the clocks move, and where nothing has been said for long there is a sign of life.
    pub fn tick(&mut self) {
        let period = match self.screen {
            Screen::Nothing | Screen::Alarms => return,
            Screen::Lines => self.heartbeat,
            Screen::Bars { .. } => CLOCK,
        };
        if self.shown.elapsed() < period {
            return;
        }
        self.shown = Instant::now();
        let stages: Vec<Option<Stage>> = self.board.stages().collect();
        let busy_s: f64 = stages.iter().flatten().map(|stage| stage.since.elapsed().as_secs_f64()).sum();
        let running = stages.iter().flatten().count();
        let parts = [self.troubles(), self.outlook(running, busy_s)];
        let outlook = parts.into_iter().flatten().collect::<Vec<_>>().join(", ");
        if let Screen::Bars { .. } = &self.screen {
            let lines = stages.iter().map(|stage| stage.as_ref().map(of_stage));
            self.screen.draw(self.done, &outlook, lines);
        } else {
            self.say(&self.sign_of_life(&stages, &outlook));
        }
    }

    /// Clears the bars.
    pub fn finish(&self) {
        self.screen.clear();
    }

    fn sign_of_life(&self, stages: &[Option<Stage>], outlook: &str) -> String {
        let running: Vec<&Stage> = stages.iter().flatten().collect();
        let mut named: Vec<String> = running.iter().take(NAMED).map(|stage| of_stage(stage)).collect();
        if running.len() > NAMED {
            named.push(format!("and {} more", running.len() - NAMED));
        }
        let outlook = if outlook.is_empty() { String::new() } else { format!(" ({outlook})") };
        format!("still running, {} of {} done{outlook}: {}", self.done, self.total, named.join("; "))
    }

    fn line(&self, row: &RunRow) -> String {
        let width = self.total.to_string().len();
        let category = match row.category {
            Category::Wrong => "WRONG",
            other => other.as_str(),
        };
        let mut line = format!("[{:>width$}/{}] {}: ", self.done, self.total, row_label(row));
        if row.status == Status::Unsupported {
            return line + row.status.as_str();
        }
        line += &format!("{}, {category}", status_and_limit(row.status, &row.termination_reason));
        if let Some(seconds) = row.wall_time_s {
            line += &format!(", {}", duration(seconds));
        }
        if let Some(loops) = row.loops {
            line += &format!(", {}", count(loops, "loop"));
        }
        if let Some(holes) = row.holes.filter(|&holes| holes > 0) {
            line += &format!(", {}", count(holes, "hole"));
        }
        if let (Category::Wrong | Category::Error, Some(message)) = (row.category, &row.message) {
            line += &format!(": {}", truncated(message, MESSAGE));
        }
        line
    }

    fn troubles(&self) -> Option<String> {
        let mut parts = Vec::new();
        if self.wrong > 0 {
            parts.push(coloured(Category::Wrong, &format!("{} WRONG", self.wrong)));
        }
        if self.failed > 0 {
            parts.push(format!("{} failed", self.failed));
        }
        (!parts.is_empty()).then(|| parts.join(", "))
    }

    /// How long the rest will take, where so many running runs have been busy for so many seconds together.
    fn outlook(&self, running: usize, busy_s: f64) -> Option<String> {
        let forecast = self.estimate.forecast();
        if forecast.runs == 0 {
            return None;
        }
        let slots = self.jobs.min(forecast.runs) as f64;
        let per_slot = |seconds: f64| duration((seconds / slots).max(0.0));
        let unknown = (forecast.runs - forecast.known) as f64;
        let about = match self.estimate.of_any() {
            Some(mean) => Some(forecast.known_s + unknown * mean),
            None => (forecast.known > 0).then_some(forecast.known_s),
        };
        let most = forecast.limit_s.map(|seconds| seconds - busy_s);
        let share = running as f64 / forecast.runs as f64;
        let about = about.and_then(|seconds| self.estimate.rest(seconds, share.min(1.0), busy_s));
        let about = about.map(|seconds| format!("about {} left", per_slot(seconds.min(most.unwrap_or(f64::INFINITY)))));
        let most = most.map(|seconds| format!("at most {}", per_slot(seconds)));
        let parts: Vec<String> = about.into_iter().chain(most).collect();
        (!parts.is_empty()).then(|| parts.join(", "))
    }

    fn say(&self, line: &str) {
        self.screen.print(line);
    }
}

/// A stage in words: run, iteration, loops, elapsed time and limit.
fn of_stage(stage: &Stage) -> String {
    let mut text = stage.label.clone();
    if let Some(iteration) = stage.iteration {
        text += &format!(", iteration {iteration}");
    }
    if let Some(loops) = stage.loops {
        text += &format!(", {}", count(loops, "loop"));
    }
    text += &format!(", {}", duration(stage.since.elapsed().as_secs_f64()));
    if let Some(limit) = stage.limit_s {
        text += &format!(" of {}", duration(limit));
    }
    text
}

fn coloured(category: Category, text: &str) -> String {
    let colours = io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none();
    if category == Category::Wrong && colours { format!("\u{1b}[1;31m{text}\u{1b}[0m") } else { text.to_owned() }
}

/// Writes a line to standard error in one piece.
pub(super) fn write_line(line: &str) {
    // What cannot be shown (a closed terminal, a full disk behind a redirection) must not end the session.
    let _ = io::stderr().write_all(format!("{line}\n").as_bytes());
}
