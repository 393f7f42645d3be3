//! Durations and sizes as people write them.

use jiff::SignedDuration;

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
    let duration: SignedDuration = text.trim().parse().map_err(|_| format!("\"{text}\" is not a duration; {right}"))?;
    if duration > SignedDuration::ZERO {
        Ok(duration.as_secs_f64())
    } else {
        Err(format!("\"{text}\" is no time at all; {right}"))
    }
}

/// Bytes of a size such as `4GiB`, `1.5 GiB` or `500MB`.
///
/// # Errors
/// Text that is no size, or one of no bytes; the message says what would be right.
pub fn parse_bytes(text: &str) -> Result<u64, String> {
    let wrong = || {
        format!("\"{text}\" is not an amount of memory; write a number and a unit, for example \"4GiB\" or \"500MB\"")
    };
    let trimmed = text.trim();
    let digits = trimmed.find(|c: char| !c.is_ascii_digit() && c != '.').ok_or_else(wrong)?;
    let (number, unit) = trimmed.split_at(digits);
    let number: f64 = number.parse().map_err(|_| wrong())?;
    let unit = unit.trim().to_ascii_uppercase();
    let factor = UNITS.iter().find(|(name, _)| *name == unit).ok_or_else(wrong)?.1;
    let bytes = number * factor as f64;
    // Beyond 2^63 the conversion would saturate silently.
    if (1.0..9.2e18).contains(&bytes) { Ok(bytes as u64) } else { Err(wrong()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations() {
        assert_eq!(parse_duration("20s"), Ok(20.0));
        assert_eq!(parse_duration("2h 30m"), Ok(9000.0));
        assert_eq!(parse_duration(" 500ms "), Ok(0.5));
        for wrong in ["", "20", "soon", "-5s", "0s", "5s s"] {
            assert!(parse_duration(wrong).is_err_and(|e| e.contains("\"20s\"")), "{wrong:?}");
        }
    }

    #[test]
    fn sizes() {
        assert_eq!(parse_bytes("4GiB"), Ok(4 << 30));
        assert_eq!(parse_bytes("1.5 kib"), Ok(1536));
        assert_eq!(parse_bytes("500MB"), Ok(500_000_000));
        for wrong in ["", "4", "GiB", "4 gigs", "0B", "-1GiB", "1.2.3GiB", "99999999999TiB"] {
            assert!(parse_bytes(wrong).is_err_and(|e| e.contains("\"4GiB\"")), "{wrong:?}");
        }
    }
}
