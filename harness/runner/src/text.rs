//! Figures, names and tables as people write and read them. Nothing of this ends up in the records.

use std::fmt::{self, Write};
use std::path::Path;

pub use puzzle::count;
use puzzle::shell_word;
pub use record::{alternatives, listed};

/// Characters of a message that are shown; the whole of it is in the records.
pub(crate) const MESSAGE: usize = 200;

/// A duration in at most two units: `0.12 s`, `12.3 s`, `4 min 10 s`, `2 h 5 min`.
#[must_use]
pub fn duration(seconds: f64) -> String {
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

/// A path or another word as a shell takes it.
#[must_use]
pub fn argument(word: impl AsRef<Path>) -> String {
    shell_word(&word.as_ref().display().to_string())
}

/// Writes columns side by side, each as wide as its widest cell.
///
/// # Errors
/// Those of the writer.
pub fn table<R: AsRef<[String]>>(f: &mut dyn Write, head: &[&str], rows: &[R]) -> fmt::Result {
    let head: Vec<String> = head.iter().map(|&cell| cell.to_owned()).collect();
    let all = || std::iter::once(head.as_slice()).chain(rows.iter().map(AsRef::as_ref));
    let mut widths = vec![0; head.len()];
    for row in all() {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = (*width).max(cell.chars().count());
        }
    }
    let mut line = String::new();
    for row in all() {
        line.clear();
        for (cell, width) in row.iter().zip(&widths) {
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

/// Units of time in milliseconds.
const TIMES: [(&str, f64); 5] = [("h", 3_600_000.0), ("min", 60_000.0), ("m", 60_000.0), ("s", 1000.0), ("ms", 1.0)];

/// Units of memory; the decimal ones are there because people write them, not because they are wise.
const UNITS: [(&str, u64); 9] = [
    ("B", 1),
    ("KIB", 1 << 10),
    ("MIB", 1 << 20),
    ("GIB", 1 << 30),
    ("TIB", 1 << 40),
    ("KB", 1_000),
    ("MB", 1_000_000),
    ("GB", 1_000_000_000),
    ("TB", 1_000_000_000_000),
];

/// Seconds of a duration such as `20s`, `1.5s`, `2h 30m` or `500ms`.
///
/// # Errors
/// Text that is no duration, or one that is not longer than nothing; the message says what would be right.
pub fn parse_duration(text: &str) -> Result<f64, String> {
    let right = "write a number and a unit, for example \"20s\", \"500ms\" or \"2h 30m\"";
    let wrong = || format!("\"{text}\" is not a duration; {right}");
    let (mut rest, mut milliseconds) = (text.trim(), 0.0);
    while !rest.is_empty() {
        let (number, behind) = number(rest).ok_or_else(wrong)?;
        let letters = behind.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(behind.len());
        let (unit, behind) = behind.split_at(letters);
        let factor = TIMES.iter().find(|(name, _)| *name == unit).ok_or_else(wrong)?.1;
        milliseconds += number * factor;
        rest = behind.trim_start();
    }
    match milliseconds / 1000.0 {
        _ if text.trim().is_empty() => Err(wrong()),
        // Longer ones are no span of time that a clock could measure.
        longer if longer > 1e15 => Err(format!("\"{text}\" is too long, over 30 million years; {right}")),
        none if none <= 0.0 => Err(format!("\"{text}\" is no time at all; {right}")),
        seconds => Ok(seconds),
    }
}

/// The number at the beginning, as in `1.5`, and what follows it and blanks.
fn number(text: &str) -> Option<(f64, &str)> {
    let digits = |text: &str| text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let whole = digits(text);
    let end = match text[whole..].strip_prefix('.') {
        Some(fraction) if digits(fraction) == 0 => return None,
        Some(fraction) => whole + 1 + digits(fraction),
        None => whole,
    };
    (whole > 0).then_some(())?;
    Some((text[..end].parse().ok()?, text[end..].trim_start()))
}

/// Bytes of a size such as `4GiB`, `1.5 GiB` or `500MB`.
///
/// # Errors
/// Text that is no size, or one of no bytes or of about 2^63 or more; the message says what would be right.
pub fn parse_bytes(text: &str) -> Result<u64, String> {
    let right = "write a number and a unit, for example \"4GiB\" or \"500MB\"";
    let wrong = || format!("\"{text}\" is not an amount of memory; {right}");
    let (number, unit) = number(text.trim()).ok_or_else(wrong)?;
    let unit = unit.to_ascii_uppercase();
    let factor = UNITS.iter().find(|(name, _)| *name == unit).ok_or_else(wrong)?.1;
    match number * factor as f64 {
        none if none < 1.0 => Err(format!("\"{text}\" is nothing; {right}")),
        // Beyond 2^63 the conversion would saturate silently.
        more if more >= 9.2e18 => Err(format!("\"{text}\" is too much, about 8 EiB or more; {right}")),
        bytes => Ok(bytes as u64),
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
        let shown = ["out/a-1", "my out", "it's"].map(argument);
        assert_eq!(shown, ["out/a-1", "'my out'", "\"it's\""]);
    }

    #[test]
    fn columns_line_up() {
        let mut text = String::new();
        let rows = [["wide".to_owned(), "x".to_owned()]];
        table(&mut text, &["a", "long"], &rows).expect("text takes everything");
        assert_eq!(text, "a     long\nwide  x\n");
    }

    #[test]
    fn the_likeliest_name_is_suggested_and_all_are_listed_in_order() {
        let known = ["n10", "highs", "cadical", "n9", "gurobi", "highs"];
        let list = "there is \"cadical\", \"gurobi\", \"highs\", \"n9\", \"n10\"";
        for (wrong, near) in [("higs", "highs"), ("HIGHS", "highs"), ("gurrobi", "gurobi")] {
            assert_eq!(alternatives(wrong, known), format!("did you mean \"{near}\"? {list}"));
        }
        assert_eq!(alternatives("zzz", known), list);
        assert_eq!(alternatives("x", []), "there is none");
    }

    #[test]
    fn durations() {
        assert_eq!(parse_duration("20s"), Ok(20.0));
        assert_eq!(parse_duration("2h 30m"), Ok(9000.0));
        assert_eq!(parse_duration(" 500ms "), Ok(0.5));
        assert_eq!((parse_duration("1.5min"), parse_duration("1h5s")), (Ok(90.0), Ok(3605.0)));
        for wrong in ["", " ", "20", "soon", "-5s", "0s", "5s s", ".5s", "5.s", "2h,3m", "PT2H", "5S"] {
            assert!(parse_duration(wrong).is_err_and(|e| e.contains("\"20s\"")), "{wrong:?}");
        }
    }

    #[test]
    fn sizes() {
        assert_eq!(parse_bytes("4GiB"), Ok(4 << 30));
        assert_eq!(parse_bytes("1.5 kib"), Ok(1536));
        assert_eq!(parse_bytes("500MB"), Ok(500_000_000));
        for wrong in ["", "4", "GiB", "4 gigs", "0B", "-1GiB", "1.2.3GiB", ".5GiB", "5.GiB", "99999999999TiB"] {
            assert!(parse_bytes(wrong).is_err_and(|e| e.contains("\"4GiB\"")), "{wrong:?}");
        }
    }
}
