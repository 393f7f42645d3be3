//! What the user sees while runs go on: bars on a terminal, a line for each run elsewhere, and in any case what is wrong.

use std::collections::BTreeSet;
use std::io::{self, IsTerminal, Write};
use std::sync::{Mutex, MutexGuard};
use std::time::{Duration, Instant};

use anstream::{AutoStream, ColorChoice};
use indicatif::{MultiProgress, ProgressBar, ProgressStyle};
use puzzle::printable;
use record::{Category, RunRow, Status, counted_in};

use super::options::RunOptions;
use super::summary::{row_label, status_and_limit};
use crate::text::{MESSAGE, count, duration, truncated};
use crate::worker::held;

/// How often the bars are drawn, and how long to wait for news at most. Seldom enough to leave the measured processes alone.
pub(super) const REDRAW: Duration = Duration::from_millis(500);

/// Time without a line after which the running runs are named, where there are no bars.
const HEARTBEAT: Duration = Duration::from_secs(60);

/// Failed runs that are shown where nothing else is.
const FAILURES: usize = 20;

/// Running runs that a line names.
const NAMED: usize = 4;

/// What each slot is doing at the moment: slots write it, the reporter reads it.
#[derive(Debug)]
pub(super) struct Activity(Vec<Mutex<Option<Running>>>);

#[derive(Debug, Clone)]
struct Running {
    label: String,
    limit_s: Option<f64>,
    since: Instant,
    iteration: Option<u64>,
}

impl Activity {
    pub fn new(slots: usize) -> Self {
        Self((0..slots).map(|_| Mutex::new(None)).collect())
    }

    /// A slot begins with a run.
    pub fn begin(&self, slot: usize, label: &str, limit_s: Option<f64>) {
        let label = printable(label);
        *self.of(slot) = Some(Running { label, limit_s, since: Instant::now(), iteration: None });
    }

    /// The worker of a slot begins with a solve.
    pub fn solving(&self, slot: usize, iteration: u64) {
        self.of(slot).iter_mut().for_each(|running| running.iteration = Some(iteration));
    }

    pub fn end(&self, slot: usize) {
        *self.of(slot) = None;
    }

    /// What every slot is doing, in words: run, iteration, elapsed time and limit.
    fn lines(&self) -> Vec<Option<String>> {
        (0..self.0.len()).map(|slot| self.of(slot).as_ref().map(Running::in_words)).collect()
    }

    fn of(&self, slot: usize) -> MutexGuard<'_, Option<Running>> {
        held(&self.0[slot])
    }
}

impl Running {
    fn in_words(&self) -> String {
        let iteration = self.iteration.map_or_else(String::new, |iteration| format!(", iteration {iteration}"));
        let limit = self.limit_s.map_or_else(String::new, |limit| format!(" of {}", duration(limit)));
        format!("{}{iteration}, {}{limit}", self.label, duration(self.since.elapsed().as_secs_f64()))
    }
}

#[derive(Debug)]
pub(super) struct Reporter<'a> {
    shown: Shown,
    activity: &'a Activity,
    total: usize,
    done: usize,
    wrong: usize,
    failed: usize,
    /// Solvers of which it was said why they cannot be used, and what was said.
    unsupported: BTreeSet<(String, Option<String>)>,
    heartbeat: Duration,
    begun: Instant,
    changed: Instant,
}

#[derive(Debug)]
enum Shown {
    /// A bar for all runs, and below it a line for each slot.
    Bars {
        all: MultiProgress,
        main: ProgressBar,
        slots: Vec<ProgressBar>,
    },
    Lines,
    /// What fails and what is wrong.
    Alarms,
}

impl<'a> Reporter<'a> {
    pub fn new(options: &RunOptions, jobs: usize, total: usize, activity: &'a Activity) -> Self {
        let shown = match options.quiet {
            true => Shown::Alarms,
            false if io::stderr().is_terminal() => bars(total, jobs),
            false => Shown::Lines,
        };
        let now = Instant::now();
        Self {
            shown,
            activity,
            total,
            done: 0,
            wrong: 0,
            failed: 0,
            unsupported: BTreeSet::new(),
            heartbeat: options.heartbeat.unwrap_or(HEARTBEAT),
            begun: now,
            changed: now,
        }
    }

    /// Says what there is to do, where an earlier session did a part of it.
    pub fn begin(&self, kept: usize) {
        if kept > 0 && self.total > 0 {
            self.say(&format!("{} of earlier sessions kept, {} to do", count(kept, "run"), self.total));
        }
    }

    /// A remark on the session.
    pub fn remark(&self, text: &str) {
        self.say(&printable(&format!("note: {text}")));
    }

    /// Something is wrong, which is said even quietly.
    pub fn alarm(&self, text: &str) {
        self.say_loudly(&in_red(&printable(text)));
    }

    /// A run ended and its row is on disk.
    pub fn done(&mut self, row: &RunRow) {
        self.done += 1;
        let failed = row.has_failed();
        self.wrong += usize::from(row.category == Category::Wrong);
        self.failed += usize::from(failed);
        match (&self.shown, row.category) {
            (_, Category::Wrong) => self.alarm(&self.line(row)),
            (Shown::Alarms, _) if failed && self.failed <= FAILURES => self.say_loudly(&self.line(row)),
            (Shown::Alarms, _) if failed && self.failed == FAILURES + 1 => {
                self.say_loudly("further failed runs are not shown; the column message of runs.csv has them");
            }
            (Shown::Lines | Shown::Bars { .. }, _) if row.status == Status::Unsupported => self.unsupported(row),
            (Shown::Lines, _) | (Shown::Bars { .. }, Category::Error) => self.say(&self.line(row)),
            _ => {}
        }
        if matches!(self.shown, Shown::Lines) {
            self.changed = Instant::now();
        }
    }

    /// Why a solver cannot be used is said once; on a terminal that is all.
    fn unsupported(&mut self, row: &RunRow) {
        if self.unsupported.insert((row.solver.clone(), row.message.clone())) {
            let message = row.message.as_deref().unwrap_or_default();
            self.remark(&format!("runs of {} are unsupported: {message}", row.solver));
        }
        if matches!(self.shown, Shown::Lines) {
            self.say(&self.line(row));
        }
    }

    /// Draws the bars, or names the running runs if nothing was said for long.
    pub fn tick(&mut self) {
        let period = match self.shown {
            Shown::Alarms => return,
            Shown::Lines => self.heartbeat,
            Shown::Bars { .. } => REDRAW,
        };
        if self.changed.elapsed() < period {
            return;
        }
        self.changed = Instant::now();
        let (lines, outlook) = (self.activity.lines(), self.outlook());
        if let Shown::Bars { main, slots, .. } = &self.shown {
            main.set_message(outlook);
            main.set_position(self.done as u64);
            for (bar, line) in slots.iter().zip(lines) {
                bar.set_message(line.unwrap_or_default());
            }
        } else {
            let mut running: Vec<String> = lines.into_iter().flatten().collect();
            let more = running.len().saturating_sub(NAMED);
            running.truncate(NAMED);
            running.extend((more > 0).then(|| format!("and {more} more")));
            let running = running.join("; ");
            self.say(&format!("still running, {} of {} done{outlook}: {running}", self.done, self.total));
        }
    }

    /// Takes the bars away.
    pub fn finish(&self) {
        if let Shown::Bars { all, .. } = &self.shown {
            // A terminal that is gone needs no clearing.
            let _ = all.clear();
        }
    }

    fn line(&self, row: &RunRow) -> String {
        let width = self.total.to_string().len();
        let mut line = format!("[{:>width$}/{}] {}: ", self.done, self.total, row_label(row));
        if row.status == Status::Unsupported {
            return printable(&(line + row.status.name()));
        }
        let category = if row.category == Category::Wrong { "WRONG" } else { row.category.name() };
        line += &format!("{}, {category}", status_and_limit(row.status, &row.termination_reason));
        if let Some(seconds) = row.wall_time_s {
            line += &format!(", {}", duration(seconds));
        }
        if let Some(loops) = row.loops {
            line += &format!(", {}", count(loops, "loop"));
        }
        if let Some(solutions) = row.native_status.as_deref().and_then(counted_in) {
            line += &format!(", {}", count(solutions, "solution"));
        }
        if let Some(holes) = row.holes.filter(|&holes| holes > 0) {
            line += &format!(", {}", count(holes, "hole"));
        }
        if let (Category::Wrong | Category::Error, Some(message)) = (row.category, &row.message) {
            line += &format!(": {}", truncated(message, MESSAGE));
        }
        printable(&line)
    }

    /// What went wrong so far, the rate, and the time that the rest takes at that rate.
    fn outlook(&self) -> String {
        let mut parts = Vec::new();
        if self.wrong > 0 {
            parts.push(in_red(&format!("{} WRONG", self.wrong)));
        }
        if self.failed > 0 {
            parts.push(format!("{} failed", self.failed));
        }
        if self.done > 0 {
            let each_s = self.begun.elapsed().as_secs_f64() / self.done as f64;
            let left_s = each_s * (self.total - self.done) as f64;
            parts.push(format!("{:.1} a minute, about {} left", 60.0 / each_s, duration(left_s)));
        }
        parts.into_iter().map(|part| format!(", {part}")).collect()
    }

    fn say_loudly(&self, line: &str) {
        if let Shown::Alarms = self.shown { write_line(line) } else { self.say(line) }
    }

    /// Prints a line above the bars, or nothing.
    fn say(&self, line: &str) {
        match &self.shown {
            Shown::Alarms => {}
            Shown::Lines => write_line(line),
            // A terminal that is gone shows nothing.
            Shown::Bars { all, .. } => drop(all.println(line)),
        }
    }
}

/// A bar for all runs and a line for each slot. Nothing moves by itself.
fn bars(total: usize, slots: usize) -> Shown {
    let style =
        |template: &str| ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
    let all = MultiProgress::new();
    let main = all.add(ProgressBar::new(total as u64));
    main.set_style(style("[{bar:30}] {pos}/{len} in {elapsed}{msg}"));
    main.tick();
    let slot = |_| {
        let bar = all.add(ProgressBar::new_spinner());
        bar.set_style(style("  {wide_msg}"));
        bar
    };
    let slots = (0..slots).map(slot).collect();
    Shown::Bars { all, main, slots }
}

fn in_red(text: &str) -> String {
    if AutoStream::choice(&io::stderr()) != ColorChoice::Never {
        format!("\u{1b}[1;31m{text}\u{1b}[0m")
    } else {
        text.to_owned()
    }
}

/// Writes a line to standard error in one piece.
fn write_line(line: &str) {
    // What cannot be shown (a closed terminal, a full disk behind a redirection) must not end the session.
    let _ = io::stderr().write_all(format!("{line}\n").as_bytes());
}
