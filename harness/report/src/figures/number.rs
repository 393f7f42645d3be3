//! Figures as readers of a paper want them; raw figures are for the CSV format alone.

use std::fmt;

use crate::figures::{Spread, Value};

/// Nobody believes a test to more than that.
const LEAST_P: f64 = 1e-4;

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&text(self))
    }
}

/// The text of a cell, not yet escaped for any format.
pub fn text(value: &Value) -> String {
    match value {
        Value::Blank => String::new(),
        Value::Dash => "—".to_owned(),
        Value::Text(text) => text.clone(),
        Value::Count(value) => count(*value),
        Value::Time { seconds: s, at_least, remark, spread } => {
            let remark = remark.as_ref().map(|r| format!(" ({r})")).unwrap_or_default();
            format!("{}{}{remark}", time(*s, *at_least), brackets(spread.as_ref()))
        }
        Value::Ratio(ratio) => seconds(*ratio),
        Value::P(p) if *p < LEAST_P => format!("<{LEAST_P}"),
        Value::P(p) => seconds(*p),
    }
}

/// Half a thing is said of small numbers only: a median of the middle two that is worth its decimal.
fn count(value: f64) -> String {
    grouped(&format!("{value:.*}", usize::from(value.fract() != 0.0 && value.abs() < MOST_WITH_HALVES)))
}

/// Counts from here on are rounded to whole ones.
const MOST_WITH_HALVES: f64 = 1000.0;

/// The text of a cell where room is short: a mark stands for a remark that bounds often have.
pub fn short(value: &Value) -> String {
    let Value::Time { seconds, at_least: true, remark: Some(remark), spread } = value else { return text(value) };
    match MARKS.iter().find(|m| m.remark == remark) {
        Some(mark) => format!("{}{}{}", time(*seconds, true), brackets(spread.as_ref()), mark.sign),
        None => text(value),
    }
}

/// `* [1.00–4.00]`: what a median stands for, behind a star if a run was disturbed.
fn brackets(spread: Option<&Spread>) -> String {
    let Some(Spread { range, open, runs, counted, disturbed }) = spread else { return String::new() };
    let range = range.map(|(least, most)| format!("{}–{}", seconds(least), time(most, *open)));
    let parts: Vec<_> = range.into_iter().chain(counted.then(|| format!("{runs} runs"))).collect();
    let star = if *disturbed { "*" } else { "" };
    if parts.is_empty() { star.to_owned() } else { format!("{star} [{}]", parts.join(", ")) }
}

/// What stands for a remark in [`short`] texts.
pub struct Mark {
    pub sign: char,
    pub remark: &'static str,
    pub meaning: &'static str,
}

pub const MARKS: [Mark; 2] = [
    Mark { sign: '†', remark: "timeout", meaning: "limit reached" },
    Mark { sign: '‡', remark: "not proven", meaning: "a solution that is not proven to be the best" },
];

fn time(value: f64, at_least: bool) -> String {
    if at_least { format!(">{}", seconds(lowered(value))) } else { seconds(value) }
}

/// The value without the digits that [`seconds`] would round: a lower bound must not be rounded up.
fn lowered(value: f64) -> f64 {
    if value <= 0.0 {
        return value;
    }
    let mut unit = 0.01;
    while value < 10.0 * unit && unit > 1e-6 {
        unit /= 10.0;
    }
    // Sums of measured times may lie a little below what they are meant to be.
    (value / unit + 1e-6).floor() * unit
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
pub fn grouped(number: &str) -> String {
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
    fn lower_bounds_are_rounded_down() {
        let bound = |seconds, remark: Option<&str>| Value::Time {
            seconds,
            at_least: true,
            remark: remark.map(Into::into),
            spread: None,
        };
        let cases =
            [(19.998, ">19.99"), (19.5 - 1e-12, ">19.50"), (0.0799, ">0.079"), (0.0999, ">0.099"), (0.1, ">0.10")];
        for (value, expected) in cases {
            assert_eq!(text(&bound(value, None)), expected);
        }
        assert_eq!(text(&bound(19.98, Some("timeout"))), ">19.98 (timeout)");
        assert_eq!(short(&bound(19.98, Some("timeout"))), ">19.98†");
        assert_eq!(short(&bound(19.98, Some("timeout 1/2"))), ">19.98 (timeout 1/2)");
        assert_eq!(short(&bound(19.98, Some("not proven"))), ">19.98‡");
        assert_eq!(short(&bound(19.98, None)), ">19.98");
    }

    #[test]
    fn counts_between_whole_numbers_say_so() {
        assert_eq!(text(&Value::Count(10_000.0)), "10,000");
        assert_eq!(text(&Value::Count(1.5)), "1.5");
        assert_eq!(text(&Value::Count(999.5)), "999.5");
        assert_eq!(text(&Value::Count(1_234_803_481.5)), "1,234,803,482");
    }

    #[test]
    fn p_values_are_never_zero() {
        for (p, expected) in
            [(1.0, "1.00"), (0.125, "0.12"), (0.031_25, "0.031"), (0.0001, "0.0001"), (1e-9, "<0.0001")]
        {
            assert_eq!(text(&Value::P(p)), expected);
        }
    }
}
