//! Durations and sizes as people write them.

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
        nonsense if nonsense > 1e15 => Err(wrong()),
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
/// Text that is no size, or one of no bytes; the message says what would be right.
pub fn parse_bytes(text: &str) -> Result<u64, String> {
    let wrong = || {
        format!("\"{text}\" is not an amount of memory; write a number and a unit, for example \"4GiB\" or \"500MB\"")
    };
    let (number, unit) = number(text.trim()).ok_or_else(wrong)?;
    let unit = unit.to_ascii_uppercase();
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
