//! CSV: one file a table, figures raw; and the points of plots.
//!
//! Text that a spreadsheet would take for a formula is put behind an apostrophe. Warnings precede the header, each behind a `#`: those
//! of the page, and those about the rows that are shown.

use super::options::File;
use crate::figures::{Cell, Chart, Dimension, Grid, GuideAt, Spread, Trace, Value};
use crate::page::Page;
use crate::text::trimmed;

pub fn tables(page: &Page) -> impl Iterator<Item = File> {
    page.tables.iter().map(|t| (format!("{}.csv", t.slug), grid(&t.grid, &page.warnings)))
}

/// Everything that a chart draws, a row a point, corner of a line, box or guide.
pub fn curves(chart: &Chart, warnings: &[String]) -> String {
    let mut rows = vec![CURVE_COLUMNS.map(ToOwned::to_owned).to_vec()];
    let place = |axis: &Dimension, value: f64| axis.name(value).map_or_else(|| number(value), guarded);
    let (across, upward) = (|x| place(&chart.x, x), |y| place(&chart.y, y));
    let count = |members: &[u32]| if members.is_empty() { String::new() } else { members.len().to_string() };
    let none = String::new;
    for curve in &chart.curves {
        let row =
            |kind: &str, rest: [String; 8]| [vec![guarded(&curve.label), kind.to_owned()], rest.to_vec()].concat();
        for point in &curve.points {
            let [least, most, _] = ends(point.spread.as_ref());
            let (x, y, runs) = (across(point.x), upward(point.y), count(&point.members));
            rows.push(row(point.kind.words().0, [guarded(&point.instance), x, y, least, most, runs, none(), none()]));
        }
        let kind = if curve.trace == Trace::Steps { "step" } else { "median" };
        for (x, y) in &curve.line {
            let y = y.map(upward).unwrap_or_default();
            rows.push(row(kind, [none(), across(*x), y, none(), none(), none(), none(), none()]));
        }
        for mark in &curve.boxes {
            let [least, lower, median, upper, most] = mark.five.map(number);
            rows.push(row("box", [none(), across(mark.x), median, least, most, count(&mark.members), lower, upper]));
        }
    }
    for guide in &chart.guides {
        let (x, y) = match guide.at {
            GuideAt::X(value) => (across(value), none()),
            GuideAt::Y(value) => (none(), upward(value)),
            GuideAt::Equal => (none(), none()),
        };
        let row = [guarded(&guide.label), "guide".to_owned(), none(), x, y, none(), none(), none(), none(), none()];
        rows.push(row.to_vec());
    }
    text(rows, warnings.iter().chain(&chart.caveats))
}

const CURVE_COLUMNS: [&str; 10] =
    ["curve", "kind", "instance", "x", "y", "least", "most", "runs", "lower quartile", "upper quartile"];

/// Least, most and number of what a median stands for; empty where it is none.
fn ends(spread: Option<&Spread>) -> [String; 3] {
    let Some(spread) = spread else { return Default::default() };
    let bound = if spread.open { ">" } else { "" };
    let range = spread.range.map(|(least, most)| [number(least), format!("{bound}{}", number(most))]);
    let [least, most] = range.unwrap_or_default();
    [least, most, spread.runs.to_string()]
}

fn grid(grid: &Grid, warnings: &[String]) -> String {
    // A column of medians is followed by what they stand for.
    let has_spread = |column: usize| {
        grid.rows.iter().any(|r| r.cells.get(column).and_then(Cell::spread).is_some_and(|s| s.runs > 1))
    };
    let spreads: Vec<_> = (0..grid.width()).map(has_spread).collect();
    let mut header: Vec<_> = grid.stubs.iter().map(|stub| guarded(stub)).collect();
    for (name, spread) in grid.column_names().iter().zip(&spreads) {
        let name = guarded(name);
        let more = ["least", "most", "runs"].map(|what| format!("{name} / {what}"));
        header.push(name);
        header.extend(more.into_iter().filter(|_| *spread));
    }
    let mut rows = vec![header];
    for row in &grid.rows {
        let mut line: Vec<_> = row.labels.iter().map(|label| guarded(label)).collect();
        for (cell, has_spread) in row.cells.iter().zip(&spreads) {
            line.push(raw(&cell.value));
            line.extend(ends(cell.spread()).into_iter().filter(|_| *has_spread));
        }
        rows.push(line);
    }
    text(rows, warnings.iter().chain(&grid.caveats))
}

fn raw(value: &Value) -> String {
    match value {
        Value::Blank | Value::Dash => String::new(),
        Value::Text(text) => guarded(text),
        Value::Count(value) | Value::Ratio(value) => number(*value),
        Value::Whole(value) => value.to_string(),
        // However small: other figures have no more than nine decimals.
        Value::P(p) if *p < 1e-6 => format!("{p:e}"),
        Value::P(p) => number(*p),
        Value::Time { seconds, at_least, remark, .. } => {
            let bound = if *at_least { ">" } else { "" };
            let remark = remark.as_ref().map(|r| format!(" ({r})")).unwrap_or_default();
            format!("{bound}{}{remark}", number(*seconds))
        }
    }
}

/// A text that no spreadsheet takes for a formula (OWASP, *CSV injection*); numbers are none.
fn guarded(text: &str) -> String {
    let is_formula = text.starts_with(['=', '+', '-', '@', '\t', '\r']) && text.parse::<f64>().is_err();
    if is_formula { format!("'{text}") } else { text.to_owned() }
}

/// All digits that were measured, without the noise of adding floats.
fn number(value: f64) -> String {
    trimmed(value, 9)
}

fn text<'a>(rows: Vec<Vec<String>>, warnings: impl Iterator<Item = &'a String>) -> String {
    let mut text = String::new();
    for warning in warnings {
        let mut line = format!("# warning: {}\n", warning.replace(['\n', '\r'], " "));
        // A comma begins a cell here too.
        for sign in ["=", "+", "-", "@"] {
            line = line.replace(&format!(",{sign}"), &format!(", {sign}"));
        }
        text += &line;
    }
    let mut writer = csv::Writer::from_writer(text.into_bytes());
    for row in rows {
        writer.write_record(row).expect("rows of one length, in memory");
    }
    String::from_utf8(writer.into_inner().expect("writing to memory does not fail")).expect("made of texts")
}
