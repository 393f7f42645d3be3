//! Figures as readers of a paper want them; raw figures are for the CSV format alone.

use std::fmt;

use crate::figures::{Cell, Grid, Spread, Value};

/// Nobody believes a test to more than that.
const LEAST_P: f64 = 1e-4;

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&text(self))
    }
}

/// The text of a cell, not yet escaped for any format.
pub fn text(cell: &Cell) -> String {
    with_remark(cell, |_, remark| format!(" ({remark})"))
}

/// The text of a cell where room is short: a mark stands for a remark that bounds often have.
pub fn short(cell: &Cell) -> String {
    with_remark(cell, |at_least, remark| match MARKS.iter().find(|mark| at_least && mark.remark == remark) {
        Some(mark) => mark.sign.to_string(),
        None => format!(" ({remark})"),
    })
}

/// The text of a cell; `remark` says how a remark is put behind a time, which may be a lower bound.
fn with_remark(cell: &Cell, remark: impl Fn(bool, &str) -> String) -> String {
    match &cell.value {
        Value::Blank => String::new(),
        Value::Dash => "—".to_owned(),
        Value::Text(text) => text.clone(),
        Value::Count(value) => count(*value),
        Value::Whole(value) => grouped(&value.to_string()),
        Value::Time { seconds, at_least, remark: said, spread } => {
            let said = said.as_ref().map(|said| remark(*at_least, said)).unwrap_or_default();
            format!("{}{}{said}", time(*seconds, *at_least, cell.decimals), brackets(spread.as_ref(), cell.decimals))
        }
        Value::P(p) if *p < LEAST_P => format!("<{LEAST_P}"),
        Value::Ratio(value) | Value::P(value) => fixed(*value, cell.decimals),
    }
}

/// Decimals that a figure has for the sake of its column: more would say more than was measured.
const MOST_ALIGNED: usize = 3;

/// Gives the times of a column, and its other figures, as many decimals as that with the most has by itself, up to
/// [`MOST_ALIGNED`]; what is too short for these keeps its own.
pub fn align(grid: &mut Grid) {
    for column in 0..grid.width() {
        for is_time in [true, false] {
            let cells = grid.rows.iter_mut().filter_map(|row| row.cells.get_mut(column));
            let mut cells: Vec<_> = cells.filter(|cell| matches!(cell.value, Value::Time { .. }) == is_time).collect();
            let most = cells.iter().map(|cell| own_decimals(cell)).max().unwrap_or_default();
            cells.iter_mut().for_each(|cell| cell.decimals = most.min(MOST_ALIGNED));
        }
    }
}

/// The decimals that a cell has by itself.
fn own_decimals(cell: &Cell) -> usize {
    let shown = |value: f64, at_least: bool| decimals(if at_least { lowered(value, 0) } else { value });
    match &cell.value {
        Value::Time { seconds, at_least, spread, .. } => {
            let range = spread.and_then(|s| Some((s.range?, s.open)));
            let range = range.map_or(0, |((least, most), open)| decimals(least).max(shown(most, open)));
            shown(*seconds, *at_least).max(range)
        }
        Value::P(p) if *p < LEAST_P => 0,
        Value::Ratio(value) | Value::P(value) => decimals(*value),
        _ => 0,
    }
}

/// A count; the half of a median of two middle values is shown for small numbers only.
fn count(value: f64) -> String {
    grouped(&format!("{value:.*}", usize::from(value.fract() != 0.0 && value.abs() < MOST_WITH_HALVES)))
}

/// Counts from here on are rounded to whole ones.
const MOST_WITH_HALVES: f64 = 1000.0;

/// `* [1.00–4.00]`: what a median stands for, behind a star if a run was disturbed.
fn brackets(spread: Option<&Spread>, least_decimals: usize) -> String {
    let Some(Spread { range, open, runs, counted, disturbed }) = spread else { return String::new() };
    let text = |least, most| format!("{}–{}", fixed(least, least_decimals), time(most, *open, least_decimals));
    let range = range.map(|(least, most)| text(least, most));
    let parts: Vec<_> = range.into_iter().chain(counted.then(|| format!("{runs} runs"))).collect();
    let star = if *disturbed { "*" } else { "" };
    if parts.is_empty() { star.to_owned() } else { format!("{star} [{}]", parts.join(", ")) }
}

/// The sign that replaces a remark in [`short`] texts.
pub struct Mark {
    pub sign: char,
    pub remark: &'static str,
    pub meaning: &'static str,
}

pub const MARKS: [Mark; 2] = [
    Mark { sign: '†', remark: "timeout", meaning: "limit reached" },
    Mark { sign: '‡', remark: "not proven", meaning: "a solution that is not proven to be the best" },
];

fn time(value: f64, at_least: bool, least_decimals: usize) -> String {
    let sign = if at_least { ">" } else { "" };
    let value = if at_least { lowered(value, least_decimals) } else { value };
    format!("{sign}{}", fixed(value, least_decimals))
}

/// The value without the digits that would be rounded: a lower bound must not be rounded up.
fn lowered(value: f64, least_decimals: usize) -> f64 {
    if value <= 0.0 {
        return value;
    }
    let mut unit = (2..least_decimals).fold(0.01, |unit, _| unit / 10.0);
    while value < 10.0 * unit && unit > 1e-6 {
        unit /= 10.0;
    }
    // Sums of measured times may lie a little below what they are meant to be.
    (value / unit + 1e-6).floor() * unit
}

/// Two decimals as in the papers; below 0.1 two significant digits, since today's solves are that short.
pub fn seconds(value: f64) -> String {
    fixed(value, 0)
}

/// The same with so many decimals at least.
fn fixed(value: f64, least_decimals: usize) -> String {
    grouped(&format!("{value:.*}", decimals(value).max(least_decimals)))
}

/// The decimals of a value by itself; zeros at the end are none beyond the second.
fn decimals(value: f64) -> usize {
    // A difference may be negative.
    let value = value.abs();
    if value >= 0.0995 || value == 0.0 || value.is_nan() {
        return 2;
    }
    // Nothing is measured to better than a microsecond.
    let decimals = (1..=6_u8).find(|d| value * 10_f64.powi(i32::from(*d)) >= 0.995).map_or(6, |d| (d + 1).min(6));
    let text = format!("{value:.*}", usize::from(decimals));
    (text.trim_end_matches('0').len() - "0.".len()).max(2)
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
    use crate::figures::{Group, Row};

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
            (-0.013, "-0.013"),
            (-0.25, "-0.25"),
            (1_234_567.0, "1,234,567.00"),
        ];
        for (value, expected) in cases {
            assert_eq!(seconds(value), expected);
        }
    }

    #[test]
    fn lower_bounds_are_rounded_down() {
        let bound = |seconds, remark: Option<&str>| Cell::time(seconds, true, remark.map(Into::into));
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
        assert_eq!(text(&Cell::count(Some(10_000.0))), "10,000");
        assert_eq!(text(&Cell::count(Some(1.5))), "1.5");
        assert_eq!(text(&Cell::count(Some(999.5))), "999.5");
        assert_eq!(text(&Cell::count(Some(1_234_803_481.5))), "1,234,803,482");
    }

    #[test]
    fn p_values_are_never_zero() {
        for (p, expected) in
            [(1.0, "1.00"), (0.125, "0.12"), (0.031_25, "0.031"), (0.0001, "0.0001"), (1e-9, "<0.0001")]
        {
            assert_eq!(text(&Cell::p(Some(p))), expected);
        }
    }

    #[test]
    fn a_column_has_one_number_of_decimals() {
        let cells = [
            Cell::time(0.08, false, None),
            Cell::time(0.042, false, None),
            Cell::time(12.0, true, Some("timeout".to_owned())),
            Cell::ratio(Some(1.0)),
            Cell::p(Some(1e-9)),
            Cell::count(Some(3.0)),
        ];
        let rows = cells.into_iter().map(|cell| Row::new([""], vec![cell])).collect();
        let mut grid = Grid { groups: vec![Group::new("", ["s"])], rows, ..Grid::default() };
        align(&mut grid);
        let texts: Vec<_> = grid.rows.iter().map(|row| text(&row.cells[0])).collect();
        assert_eq!(texts, ["0.080", "0.042", ">12.000 (timeout)", "1.00", "<0.0001", "3"]);
    }
}
