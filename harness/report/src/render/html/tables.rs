//! Tables of the page: their headings, and figures to sort by.

use crate::figures::{Grid, Value};

/// A heading of a table.
pub struct Heading<'a> {
    pub text: &'a str,
    /// What the headings to its right are.
    pub axis: Option<&'a str>,
    /// `col` or `colgroup`.
    pub scope: &'static str,
    pub width: usize,
    pub height: usize,
}

/// Up to three rows of headings; those of the labels reach over all of them.
pub fn header<'a>(grid: &'a Grid) -> Vec<Vec<Heading<'a>>> {
    let over = |(text, width): (&'a str, usize)| Heading { text, axis: None, scope: "colgroup", width, height: 1 };
    let mut rows: Vec<Vec<_>> = Vec::new();
    if grid.has_over_row() {
        let alike = grid.groups.chunk_by(|a, b| a.over == b.over);
        let spans = alike.map(|groups| (groups[0].over.as_str(), groups.iter().map(|g| g.columns.len()).sum()));
        rows.push(spans.map(over).collect());
    }
    if grid.has_group_row() {
        rows.push(grid.groups.iter().map(|group| over((&group.text, group.columns.len()))).collect());
    }
    let column = |text: &'a str| Heading { text, axis: None, scope: "col", width: 1, height: 1 };
    rows.push(grid.headings().map(|[_, _, own]| column(own)).collect());
    let height = rows.len();
    let last = grid.stubs.len().saturating_sub(1);
    let stub = |(index, text): (usize, &'a String)| {
        let axis = grid.axis.as_deref().filter(|_| index == last && height > 1);
        Heading { height, axis, ..column(text) }
    };
    rows[0].splice(0..0, grid.stubs.iter().enumerate().map(stub));
    rows
}

/// What a table is sorted by.
pub fn raw(value: &Value) -> Option<f64> {
    let value = match value {
        Value::Count(value) | Value::Ratio(value) | Value::P(value) => *value,
        Value::Time { seconds, .. } => *seconds,
        Value::Blank | Value::Dash | Value::Text(_) => return None,
    };
    value.is_finite().then_some(value)
}
