//! JSON written piece by piece.

/// A text with its quotes.
pub fn text(text: &str, json: &mut Vec<u8>) {
    // Writing to memory cannot fail.
    let _ = serde_json::to_writer(json, text);
}

/// A number, or `null` for what is none.
pub fn number(value: f64, json: &mut Vec<u8>) {
    if value.fract() == 0.0 && value.abs() < WHOLE {
        let _ = serde_json::to_writer(json, &(value as i64));
    } else {
        let _ = serde_json::to_writer(json, &value);
    }
}

/// Whole numbers below it are exact in JavaScript.
pub const WHOLE: f64 = 9_007_199_254_740_992.0;

/// The cell of a numeric column.
pub fn cell(cell: &str, json: &mut Vec<u8>) {
    if is_number(cell.as_bytes()) {
        json.extend_from_slice(cell.as_bytes());
    } else {
        number(cell.trim().parse().unwrap_or(f64::NAN), json);
    }
}

/// Whether it can stand in JSON as it is.
fn is_number(text: &[u8]) -> bool {
    let unsigned = text.strip_prefix(b"-").unwrap_or(text);
    let digits = |text: &[u8]| text.iter().take_while(|b| b.is_ascii_digit()).count();
    let whole = digits(unsigned);
    if whole == 0 || (whole > 1 && unsigned[0] == b'0') {
        return false;
    }
    let mut rest = &unsigned[whole..];
    if let Some(fraction) = rest.strip_prefix(b".") {
        let count = digits(fraction);
        if count == 0 {
            return false;
        }
        rest = &fraction[count..];
    }
    match rest {
        [] => true,
        [b'e' | b'E', b'+' | b'-', power @ ..] | [b'e' | b'E', power @ ..] => {
            !power.is_empty() && digits(power) == power.len()
        }
        _ => false,
    }
}

/// A list; `item` writes each.
pub fn list<T>(items: impl IntoIterator<Item = T>, json: &mut Vec<u8>, mut item: impl FnMut(T, &mut Vec<u8>)) {
    json.push(b'[');
    for (index, value) in items.into_iter().enumerate() {
        if index > 0 {
            json.push(b',');
        }
        item(value, json);
    }
    json.push(b']');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_that_json_does_not_have_are_written_so_that_it_has_them() {
        let written = |text: &str| {
            let mut json = Vec::new();
            cell(text, &mut json);
            String::from_utf8(json).expect("text")
        };
        for same in ["0", "-0.5", "12", "1.25e-7", "1e20", "0.1"] {
            assert_eq!(written(same), same);
        }
        for (text, right) in
            [("+1", "1"), (".5", "0.5"), ("01", "1"), ("NaN", "null"), ("inf", "null"), ("x", "null"), ("1e", "null")]
        {
            assert_eq!(written(text), right);
        }
    }
}
