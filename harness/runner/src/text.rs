//! Figures and tables for people. Nothing of this ends up in the records.

use std::fmt::{self, Write};
use std::path::Path;

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

/// An amount of memory: `512 bytes`, `64 KiB`, `17.4 MiB`.
pub(crate) fn memory(bytes: u64) -> String {
    let (size, unit) = match bytes {
        0..1024 => return count(bytes, "byte"),
        1024..1_048_576 => (bytes as f64 / 1024.0, "KiB"),
        _ => (bytes as f64 / 1_048_576.0, "MiB"),
    };
    let text = format!("{size:.1}");
    format!("{} {unit}", text.strip_suffix(".0").unwrap_or(&text))
}

/// `1 loop`, `2 loops`.
pub(crate) fn count(number: u64, word: &str) -> String {
    let ending = if number == 1 { "" } else { "s" };
    format!("{number} {word}{ending}")
}

/// A path as a shell takes it.
pub(crate) fn argument(path: &Path) -> String {
    let text = path.display().to_string();
    let plain = |c: char| c.is_alphanumeric() || "/._-+,:@%=".contains(c);
    if !text.is_empty() && text.chars().all(plain) { text } else { format!("'{}'", text.replace('\'', r"'\''")) }
}

/// Writes columns side by side, each as wide as its widest cell.
pub(crate) fn table<const N: usize>(f: &mut dyn Write, head: [&str; N], rows: &[[String; N]]) -> fmt::Result {
    let head = head.map(str::to_owned);
    let all = || std::iter::once(&head).chain(rows);
    let mut widths = [0; N];
    for row in all() {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = (*width).max(cell.chars().count());
        }
    }
    let mut line = String::new();
    for row in all() {
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
    fn memory_is_told_in_large_units() {
        let shown = [1, 512, 64 << 10, 10 << 20, 18_245_222].map(memory);
        assert_eq!(shown, ["1 byte", "512 bytes", "64 KiB", "10 MiB", "17.4 MiB"]);
    }

    #[test]
    fn paths_can_be_pasted() {
        let shown = ["out/a-1", "my out", "it's"].map(|path| argument(Path::new(path)));
        assert_eq!(shown, ["out/a-1", "'my out'", r"'it'\''s'"]);
    }

    #[test]
    fn columns_line_up() {
        let mut text = String::new();
        let rows = [["wide".to_owned(), "x".to_owned()]];
        table(&mut text, ["a", "long"], &rows).expect("text takes everything");
        assert_eq!(text, "a     long\nwide  x\n");
    }
}
