//! Tables as HTML: figures as readers of a paper want them, and raw ones to sort by.

use std::fmt::Write;

use crate::figures::{Cell, Grid, Value, number};
use crate::picture::escape;

/// A table in a figure of its own.
pub fn table(stem: &str, grid: &Grid) -> String {
    let caption = escape(&grid.caption);
    // Writing to a string cannot fail.
    let mut text = format!(
        "<figure class=\"grid\" id=\"table-{}\">\n<div class=\"scroll\" role=\"region\" tabindex=\"0\" \
         aria-label=\"{caption}\">\n<table>\n<caption>{caption}.</caption>\n",
        escape(stem)
    );
    text += &header(grid);
    text.push_str("<tbody>\n");
    for row in &grid.rows {
        text.push_str(if row.ruled { "<tr class=\"ruled\">" } else { "<tr>" });
        for label in &row.labels {
            let _ = write!(text, "<th scope=\"row\">{}</th>", escape(label));
        }
        row.cells.iter().for_each(|cell| text += &data(cell));
        text.push_str("</tr>\n");
    }
    text.push_str("</tbody>\n</table>\n</div>\n");
    if !grid.notes.is_empty() || !grid.caveats.is_empty() {
        text.push_str("<figcaption>");
        let notes: Vec<_> = grid.notes.iter().map(|n| format!("<span class=\"note\">{}.</span>", escape(n))).collect();
        let caveat = |c: &String| format!("<span class=\"caveat\"><strong>Warning:</strong> {}.</span>", escape(c));
        let caveats = grid.caveats.iter().map(caveat);
        text += &notes.into_iter().chain(caveats).collect::<Vec<_>>().join(" ");
        text.push_str("</figcaption>\n");
    }
    text.push_str("</figure>\n");
    text
}

/// Up to three rows of headings; those of the labels reach over all of them.
fn header(grid: &Grid) -> String {
    let mut rows = Vec::new();
    if grid.has_over_row() {
        let alike = grid.groups.chunk_by(|a, b| a.over == b.over);
        let spans = alike.map(|groups| (groups[0].over.as_str(), groups.iter().map(|g| g.columns.len()).sum()));
        rows.push(spans.map(|(over, width)| span(over, width)).collect::<String>());
    }
    if grid.has_group_row() {
        rows.push(grid.groups.iter().map(|group| span(&group.text, group.columns.len())).collect());
    }
    let column = |heading: &String| format!("<th scope=\"col\">{}</th>", escape(heading));
    rows.push(grid.groups.iter().flat_map(|group| &group.columns).map(column).collect());
    let height = rows.len();
    let stub = |(index, stub): (usize, &String)| {
        let axis = grid.axis.as_ref().filter(|_| index + 1 == grid.stubs.len() && height > 1);
        let axis = axis.map(|axis| format!(" <span class=\"axis\">\\ {}</span>", escape(axis))).unwrap_or_default();
        format!("<th scope=\"col\" rowspan=\"{height}\">{}{axis}</th>", escape(stub))
    };
    let stubs: String = grid.stubs.iter().enumerate().map(stub).collect();
    let rows = rows.iter().enumerate().map(|(index, row)| {
        let stubs = if index == 0 { stubs.as_str() } else { "" };
        format!("<tr>{stubs}{row}</tr>\n")
    });
    format!("<thead>\n{}</thead>\n", rows.collect::<String>())
}

/// A heading over several columns; none where it has no text.
fn span(heading: &str, width: usize) -> String {
    match heading {
        "" => format!("<td colspan=\"{width}\"></td>"),
        text => format!("<th scope=\"colgroup\" colspan=\"{width}\">{}</th>", escape(text)),
    }
}

fn data(cell: &Cell) -> String {
    let text = escape(&number::text(&cell.value));
    let text = if cell.bold && !text.is_empty() { format!("<strong>{text}</strong>") } else { text };
    match raw(&cell.value) {
        Some(value) => format!("<td class=\"number\" data-v=\"{value}\">{text}</td>"),
        None => format!("<td>{text}</td>"),
    }
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
