//! Figures and tables for people. Nothing of this ends up in the records.

use std::fmt::{self, Write};

/// Characters of a message that are shown; the whole of it is in the records.
pub(crate) const MESSAGE: usize = 200;

/// A duration in at most two units: `0.12 s`, `12.3 s`, `4 min 10 s`, `2 h 5 min`.
pub(crate) fn duration(seconds: f64) -> String {
    let whole = seconds.round() as u64;
    match whole {
        0..=9 => format!("{seconds:.2} s"),
        10..=59 => format!("{seconds:.1} s"),
        60..=3599 => two(whole / 60, "min", whole % 60, "s"),
        _ => two(whole / 3600, "h", whole % 3600 / 60, "min"),
    }
}

fn two(large: u64, large_unit: &str, small: u64, small_unit: &str) -> String {
    match small {
        0 => format!("{large} {large_unit}"),
        _ => format!("{large} {large_unit} {small} {small_unit}"),
    }
}

/// `1 loop`, `2 loops`.
pub(crate) fn count(number: u64, word: &str) -> String {
    let ending = if number == 1 { "" } else { "s" };
    format!("{number} {word}{ending}")
}

/// Writes columns side by side, each as wide as its widest cell. The rows are asked for twice rather than kept.
pub(crate) fn table<const N: usize, I: Iterator<Item = [String; N]>>(
    f: &mut dyn Write,
    head: [&str; N],
    rows: impl Fn() -> I,
) -> fmt::Result {
    let mut widths = head.map(|cell| cell.chars().count());
    for row in rows() {
        for (width, cell) in widths.iter_mut().zip(&row) {
            *width = (*width).max(cell.chars().count());
        }
    }
    let mut line = String::new();
    for row in std::iter::once(head.map(str::to_owned)).chain(rows()) {
        line.clear();
        for (cell, width) in row.iter().zip(widths) {
            write!(line, "{cell:width$}  ")?;
        }
        writeln!(f, "{}", line.trim_end())?;
    }
    Ok(())
}

/// At most so many characters of a text, with a mark where more was.
pub(crate) fn truncated(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}...", &text[..end]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_read_well() {
        let shown = [0.123, 12.34, 250.0, 7500.0, 3600.0].map(duration);
        assert_eq!(shown, ["0.12 s", "12.3 s", "4 min 10 s", "2 h 5 min", "1 h"]);
    }

    #[test]
    fn columns_line_up() {
        let mut text = String::new();
        let rows = || [["wide".to_owned(), "x".to_owned()]].into_iter();
        table(&mut text, ["a", "long"], rows).expect("text takes everything");
        assert_eq!(text, "a     long\nwide  x\n");
    }
}
