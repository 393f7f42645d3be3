//! What the user sees while runs go on: bars on a terminal, a line for each run elsewhere.

use std::io::{self, IsTerminal, Write};
use std::time::Duration;

use indicatif::{MultiProgress, ProgressBar, ProgressStyle};
use record::{Category, RunRow};

use super::Progress;
use super::summary::row_label;
use crate::text::{count, duration};

/// How often the clocks of the bars move: seldom enough to leave the measured processes alone.
const CLOCK: Duration = Duration::from_millis(500);

/// Shows how a session goes.
#[derive(Debug)]
pub(super) struct Reporter {
    screen: Screen,
    jobs: usize,
    total: usize,
    done: usize,
    wrong: usize,
    failed: usize,
    /// Wall time of the runs that are done, and how many had one.
    spent_s: f64,
    measured: usize,
    /// Sum of the limits of the runs that are not done; `None` if one has no limit.
    limits_left_s: Option<f64>,
}

#[derive(Debug)]
enum Screen {
    Bars { all: MultiProgress, main: ProgressBar, slots: Vec<Slot> },
    Lines,
    Nothing,
}

/// The line of one running job.
#[derive(Debug)]
struct Slot {
    bar: ProgressBar,
    label: String,
}

impl Reporter {
    /// A reporter for runs with these limits.
    pub fn new(progress: Progress, jobs: usize, limits: impl ExactSizeIterator<Item = Option<f64>>) -> Self {
        let total = limits.len();
        let screen = match progress {
            Progress::Quiet => Screen::Nothing,
            Progress::Auto if io::stderr().is_terminal() => bars(total, jobs),
            Progress::Auto | Progress::Plain => Screen::Lines,
        };
        let limits_left_s = limits.sum();
        Self { screen, jobs, total, done: 0, wrong: 0, failed: 0, spent_s: 0.0, measured: 0, limits_left_s }
    }

    /// Says how many runs earlier sessions had ended.
    pub fn skipped(&self, number: usize) {
        if number > 0 {
            self.say(&format!("{} of earlier sessions kept, {} to do", count(number as u64, "run"), self.total));
        }
    }

    /// Says what disturbs the measurements.
    pub fn warn(&self, warning: &str) {
        self.say(&format!("warning: {warning}"));
    }

    /// A run begins.
    pub fn begun(&mut self, slot: usize, label: String, limit_s: Option<f64>) {
        if let Screen::Bars { slots, .. } = &mut self.screen
            && let Some(line) = slots.get_mut(slot)
        {
            line.bar.reset();
            line.bar.enable_steady_tick(CLOCK);
            line.bar.set_prefix(limit_s.map_or_else(String::new, |limit| format!(" of {}", duration(limit))));
            line.bar.set_message(label.clone());
            line.label = label;
        }
    }

    /// A solve of a run begins.
    pub fn solving(&mut self, slot: usize, iteration: u64) {
        if let Screen::Bars { slots, .. } = &self.screen
            && let Some(line) = slots.get(slot)
        {
            line.bar.set_message(format!("{}, iteration {iteration}", line.label));
        }
    }

    /// A run ended and its row is on disk.
    pub fn done(&mut self, slot: usize, row: &RunRow) {
        self.done += 1;
        self.wrong += usize::from(row.category == Category::Wrong);
        self.failed += usize::from(row.category == Category::Error);
        if let Some(seconds) = row.wall_time_s {
            self.spent_s += seconds;
            self.measured += 1;
        }
        self.limits_left_s = self.limits_left_s.zip(row.time_limit_s).map(|(left, limit)| left - limit);
        match &self.screen {
            Screen::Nothing => {}
            Screen::Lines => self.say(&self.line(row)),
            Screen::Bars { main, slots, .. } => {
                if matches!(row.category, Category::Wrong | Category::Error) {
                    self.say(&coloured(row.category, &self.line(row)));
                }
                if let Some(line) = slots.get(slot) {
                    line.bar.finish_and_clear();
                }
                main.set_position(self.done as u64);
                main.set_message(self.outlook());
            }
        }
    }

    /// Clears the bars.
    pub fn finish(&self) {
        if let Screen::Bars { all, .. } = &self.screen {
            // A terminal that is gone needs no clearing.
            let _ = all.clear();
        }
    }

    fn line(&self, row: &RunRow) -> String {
        let width = self.total.to_string().len();
        let category = match row.category {
            Category::Wrong => "WRONG",
            other => other.as_str(),
        };
        let mut line = format!("[{:>width$}/{}] {}: {}, {category}", self.done, self.total, row_label(row), row.status);
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
            line += &format!(": {message}");
        }
        line
    }

    /// Failures so far, and how long the rest will take.
    fn outlook(&self) -> String {
        let mut parts = Vec::new();
        if self.wrong > 0 {
            parts.push(coloured(Category::Wrong, &format!("{} WRONG", self.wrong)));
        }
        if self.failed > 0 {
            parts.push(format!("{} failed", self.failed));
        }
        let left = self.total.saturating_sub(self.done);
        if left > 0 && self.measured > 0 {
            let mean = self.spent_s / self.measured as f64;
            parts.push(format!("about {} left", duration(mean * left as f64 / self.jobs as f64)));
        }
        if let Some(limits) = self.limits_left_s.filter(|_| left > 0) {
            parts.push(format!("at most {}", duration((limits / self.jobs as f64).max(0.0))));
        }
        parts.join(", ")
    }

    fn say(&self, line: &str) {
        // What cannot be shown (a closed terminal, a full disk behind a redirection) must not end the session.
        let _ = match &self.screen {
            Screen::Nothing => Ok(()),
            Screen::Lines => writeln!(io::stderr(), "{line}"),
            Screen::Bars { all, .. } => all.println(line),
        };
    }
}

fn bars(total: usize, jobs: usize) -> Screen {
    let style =
        |template: &str| ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
    let all = MultiProgress::new();
    let main = all.add(ProgressBar::new(total as u64));
    main.set_style(style("[{bar:30}] {pos}/{len} in {elapsed} {msg}"));
    main.enable_steady_tick(CLOCK);
    let slot = |_| {
        let bar = all.add(ProgressBar::new_spinner());
        bar.set_style(style("  {elapsed}{prefix}  {wide_msg}"));
        Slot { bar, label: String::new() }
    };
    let slots = (0..jobs).map(slot).collect();
    Screen::Bars { all, main, slots }
}

fn coloured(category: Category, text: &str) -> String {
    if category == Category::Wrong && std::env::var_os("NO_COLOR").is_none() {
        format!("\u{1b}[1;31m{text}\u{1b}[0m")
    } else {
        text.to_owned()
    }
}
