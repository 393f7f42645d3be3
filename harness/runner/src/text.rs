//! Figures and tables for people. Nothing of this ends up in the records.

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

/// Columns side by side, each as wide as its widest cell.
pub(crate) fn table<const N: usize>(head: [&str; N], rows: impl IntoIterator<Item = [String; N]>) -> String {
    let mut rows: Vec<[String; N]> = rows.into_iter().collect();
    rows.insert(0, head.map(str::to_owned));
    let mut widths = [0; N];
    for row in &rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = (*width).max(cell.chars().count());
        }
    }
    let mut text = String::new();
    for row in &rows {
        let cells: Vec<String> = row.iter().zip(widths).map(|(cell, width)| format!("{cell:width$}")).collect();
        text.push_str(cells.join("  ").trim_end());
        text.push('\n');
    }
    text
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
        let text = table(["a", "long"], [["wide".to_owned(), "x".to_owned()]]);
        assert_eq!(text, "a     long\nwide  x\n");
    }
}
