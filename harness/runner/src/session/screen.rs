//! Where progress is shown.

use std::fmt;

use indicatif::{MultiProgress, ProgressBar, ProgressStyle};

use super::progress::write_line;

/// A terminal, a stream of lines, one of alarms only, or nothing.
pub(super) enum Screen {
    Bars { all: MultiProgress, main: ProgressBar, slots: Vec<ProgressBar> },
    Lines,
    Alarms,
    Nothing,
}

impl fmt::Debug for Screen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Bars { .. } => "Bars",
            Self::Lines => "Lines",
            Self::Alarms => "Alarms",
            Self::Nothing => "Nothing",
        })
    }
}

impl Screen {
    /// A bar for all runs, and below it a line for each slot. Nothing moves by itself.
    pub fn bars(total: usize, slots: usize) -> Self {
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
        Self::Bars { all, main, slots }
    }

    /// Shows how far everything is; an idle slot has no text.
    pub fn draw(&self, done: usize, outlook: &str, lines: impl Iterator<Item = Option<String>>) {
        let Self::Bars { main, slots, .. } = self else { return };
        let comma = if outlook.is_empty() { "" } else { ", " };
        main.set_message(format!("{comma}{outlook}"));
        main.set_position(done as u64);
        for (bar, line) in slots.iter().zip(lines) {
            bar.set_message(line.unwrap_or_default());
        }
    }

    /// Prints a line above the bars, or nothing.
    pub fn print(&self, line: &str) {
        match self {
            Self::Nothing | Self::Alarms => {}
            Self::Lines => write_line(line),
            // A terminal that is gone shows nothing.
            Self::Bars { all, .. } => drop(all.println(line)),
        }
    }

    /// Prints a line that matters more than others.
    pub fn alarm(&self, line: &str) {
        match self {
            Self::Alarms => write_line(line),
            _ => self.print(line),
        }
    }

    /// Takes the bars away.
    pub fn clear(&self) {
        if let Self::Bars { all, .. } = self {
            // A terminal that is gone needs no clearing.
            let _ = all.clear();
        }
    }
}
