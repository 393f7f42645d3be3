//! Figures as readers of a paper want them; raw figures are for the CSV format alone.

use crate::grid::Value;

/// The text of a cell, not yet escaped for any format.
pub fn text(value: &Value) -> String {
    match value {
        Value::Blank => String::new(),
        Value::Dash => "—".to_owned(),
        Value::Text(text) => text.clone(),
        Value::Count(count) => grouped(&format!("{count:.*}", usize::from(count.fract() != 0.0))),
        Value::Time { seconds: s, at_least, remark } => {
            let bound = if *at_least { ">" } else { "" };
            let remark = remark.as_ref().map(|r| format!(" ({r})")).unwrap_or_default();
            format!("{bound}{}{remark}", seconds(*s))
        }
        Value::Ratio(ratio) => seconds(*ratio),
    }
}

/// Two decimals as in the papers; below 0.1 two significant digits, since today's solves are that short.
pub fn seconds(value: f64) -> String {
    if value >= 0.0995 || value <= 0.0 {
        return grouped(&format!("{value:.2}"));
    }
    // Nothing is measured to better than a microsecond.
    let decimals = (1..=6).find(|d| value * 10_f64.powi(*d) >= 0.995).map_or(6, |d| (d + 1).min(6));
    let text = format!("{value:.*}", usize::try_from(decimals).unwrap_or(6));
    let zeros = text.len() - text.trim_end_matches('0').len();
    let spare = text.len().saturating_sub("0.00".len()).min(zeros);
    text[..text.len() - spare].to_owned()
}

/// Commas between the thousands.
fn grouped(number: &str) -> String {
    let (whole, rest) = number.split_at(number.find('.').unwrap_or(number.len()));
    let (sign, digits) = whole.split_at(whole.len() - whole.trim_start_matches('-').len());
    let mut text = sign.to_owned();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index) % 3 == 0 {
            text.push(',');
        }
        text.push(digit);
    }
    text + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_as_in_the_papers() {
        let cases = [
            (12944.06, "12,944.06"),
            (0.02, "0.02"),
            (0.0, "0.00"),
            (0.27, "0.27"),
            (0.099_9, "0.10"),
            (0.0421, "0.042"),
            (0.004_2, "0.0042"),
            (0.000_000_4, "0.00"),
            (1_234_567.0, "1,234,567.00"),
        ];
        for (value, expected) in cases {
            assert_eq!(seconds(value), expected);
        }
    }

    #[test]
    fn counts_between_whole_numbers_say_so() {
        assert_eq!(text(&Value::Count(10_000.0)), "10,000");
        assert_eq!(text(&Value::Count(1.5)), "1.5");
    }
}
