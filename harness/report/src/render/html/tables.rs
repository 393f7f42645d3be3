//! Tables of the page: their headings, and figures to sort by.

use serde::Serialize;

use crate::figures::{Cell, Grid, Value, number};
use crate::page::PageTable;

/// A table as the template takes it.
#[derive(Serialize)]
pub struct Table<'a> {
    slug: &'a str,
    caption: &'a str,
    notes: &'a [String],
    caveats: &'a [String],
    header: Vec<Vec<Heading<'a>>>,
    rows: Vec<Row<'a>>,
}

/// A heading of a table.
#[derive(Serialize)]
struct Heading<'a> {
    text: &'a str,
    /// What the headings to its right are.
    axis: Option<&'a str>,
    /// `col` or `colgroup`.
    scope: &'static str,
    width: usize,
    height: usize,
}

#[derive(Serialize)]
struct Row<'a> {
    ruled: bool,
    labels: &'a [String],
    cells: Vec<Data>,
}

/// A cell: its text, and what it is sorted by.
#[derive(Serialize)]
struct Data {
    text: String,
    value: Option<f64>,
    bold: bool,
}

impl<'a> Table<'a> {
    pub fn of(PageTable { slug, grid }: &'a PageTable) -> Self {
        let data = |cell: &Cell| Data { text: number::text(&cell.value), value: raw(&cell.value), bold: cell.bold };
        let row = |row: &'a crate::figures::Row| Row {
            ruled: row.ruled,
            labels: &row.labels,
            cells: row.cells.iter().map(data).collect(),
        };
        let Grid { caption, notes, caveats, rows, .. } = grid;
        Self { slug, caption, notes, caveats, header: header(grid), rows: rows.iter().map(row).collect() }
    }
}

/// Up to three rows of headings; those of the labels reach over all of them.
fn header(grid: &Grid) -> Vec<Vec<Heading<'_>>> {
    let over = |(text, width)| Heading { text, axis: None, scope: "colgroup", width, height: 1 };
    let mut rows: Vec<Vec<_>> = Vec::new();
    if grid.has_over_row() {
        let alike = grid.groups.chunk_by(|a, b| a.over == b.over);
        let spans = alike.map(|groups| (groups[0].over.as_str(), groups.iter().map(|g| g.columns.len()).sum()));
        rows.push(spans.map(over).collect());
    }
    if grid.has_group_row() {
        rows.push(grid.groups.iter().map(|group| over((group.text.as_str(), group.columns.len()))).collect());
    }
    let column = |text| Heading { text, axis: None, scope: "col", width: 1, height: 1 };
    rows.push(grid.headings().map(|[_, _, own]| column(own)).collect());
    let height = rows.len();
    let last = grid.stubs.len().saturating_sub(1);
    let stubs = grid.stubs.iter().enumerate().map(|(index, text)| {
        let axis = grid.axis.as_deref().filter(|_| index == last && height > 1);
        Heading { height, axis, ..column(text.as_str()) }
    });
    rows[0].splice(0..0, stubs);
    rows
}

/// What a table is sorted by.
fn raw(value: &Value) -> Option<f64> {
    let value = match value {
        Value::Count(value) | Value::Ratio(value) | Value::P(value) => *value,
        Value::Time { seconds, .. } => *seconds,
        Value::Blank | Value::Dash | Value::Text(_) => return None,
    };
    value.is_finite().then_some(value)
}
