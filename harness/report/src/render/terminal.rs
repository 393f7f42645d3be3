//! Tables as plain text in columns, for terminals.

use std::fmt::Write;

use puzzle::printable;

use crate::ReportError;
use crate::analysis::Analysis;
use crate::figures::{Grid, number};
use crate::page::{Page, overviews, pages};

/// Space between two columns.
const GAP: usize = 2;

/// The tables of that name, which is one of [`crate::table_list`] or the file name of one table; without a name those over all
/// experiments and what each report begins with. Highlighted cells are bold.
///
/// # Errors
/// There is no such table; the error names the tables.
pub fn tables(analyses: &[Analysis], name: Option<&str>) -> Result<String, ReportError> {
    // What a report leaves out, as it says little, is there for whoever asks for it.
    let pages = pages(analyses, name.is_some())?;
    let (mut text, mut known) = (String::new(), Vec::new());
    for overview in overviews(&pages) {
        if name.is_none_or(|name| name == overview.name) {
            text += &grid(&overview.grid);
        }
        known.push(overview.slug);
    }
    for page in &pages {
        let mut grids = Vec::new();
        for table in &page.tables {
            known.extend([table.name.to_owned(), table.slug.clone()]);
            let is_wanted = name.map_or(!table.is_detail, |name| [table.name, table.slug.as_str()].contains(&name));
            grids.extend(is_wanted.then(|| grid(&table.grid)));
        }
        if !grids.is_empty() {
            text += &heading(page);
            grids.iter().for_each(|grid| text += grid);
        }
    }
    match name.filter(|_| text.is_empty()) {
        Some(name) => Err(ReportError::NoTable { name: name.to_owned(), known }),
        None => Ok(text),
    }
}

fn heading(page: &Page) -> String {
    let mut text = format!("\n{}\n", printable(&page.title));
    for warning in page.warnings.iter().chain(&page.caveats) {
        let _ = writeln!(text, "warning: {}", printable(warning));
    }
    text
}

/// A cell, and whether it is highlighted.
type Text = (String, bool);

fn grid(grid: &Grid) -> String {
    let plain = |text: &str| (printable(text).to_string(), false);
    let stubs = grid.stubs.len();
    let headings: Vec<[&str; 2]> = grid.headings().collect();
    // Of a heading that columns have in common the first shows it; the lower row has the labels' own.
    let level = |level: usize| {
        let shown = |column: usize| {
            let is_said = level == 0 && column > 0 && headings[column - 1][0] == headings[column][0];
            if is_said { plain("") } else { plain(headings[column][level]) }
        };
        let labels = grid.stubs.iter().map(|stub| if level == 1 { plain(stub) } else { plain("") });
        labels.chain((0..headings.len()).map(shown)).collect::<Vec<Text>>()
    };
    let head: Vec<Vec<Text>> = (0..2).map(level).filter(|row| row.iter().any(|(text, _)| !text.is_empty())).collect();
    let body = grid.rows.iter().map(|row| {
        let cells = row.cells.iter().map(|cell| (printable(&number::text(cell)).to_string(), cell.bold));
        row.labels.iter().map(|label| plain(label)).chain(cells).collect::<Vec<Text>>()
    });
    let body: Vec<_> = body.collect();
    // A heading of several columns may reach beyond the first of them.
    let own = head.last().into_iter().chain(&body);
    let mut widths = vec![0; stubs + headings.len()];
    for row in own {
        for (width, (text, _)) in widths.iter_mut().zip(row) {
            *width = (*width).max(text.chars().count());
        }
    }
    let mut text = format!("\n{}\n\n", printable(&grid.caption));
    for row in head.iter().take(head.len().saturating_sub(1)) {
        text += &over(row, &widths);
    }
    let lines = head.last().into_iter().chain(&body);
    let total = widths.iter().sum::<usize>() + GAP * widths.len().saturating_sub(1);
    for (number, row) in lines.enumerate() {
        if number == 1 || number > 1 && grid.rows[number - 1].ruled {
            let _ = writeln!(text, "{}", "─".repeat(total));
        }
        text += &line(row, &widths, stubs);
    }
    for note in &grid.notes {
        let _ = writeln!(text, "{}.", printable(note));
    }
    for caveat in &grid.caveats {
        let _ = writeln!(text, "warning: {}", printable(caveat));
    }
    text
}

/// Labels on the left, figures on the right of their columns.
fn line(row: &[Text], widths: &[usize], stubs: usize) -> String {
    let cell = |(column, (text, is_bold)): (usize, &Text)| {
        let space = " ".repeat(widths[column].saturating_sub(text.chars().count()));
        let text = if *is_bold { format!("\x1b[1m{text}\x1b[0m") } else { text.clone() };
        if column < stubs { text + &space } else { space + &text }
    };
    let cells: Vec<_> = row.iter().enumerate().map(cell).collect();
    format!("{}\n", cells.join(&" ".repeat(GAP)).trim_end())
}

/// Headings over several columns, each at the left of its first.
fn over(row: &[Text], widths: &[usize]) -> String {
    let (mut text, mut place) = (String::new(), 0_usize);
    for (width, (heading, _)) in widths.iter().zip(row) {
        if !heading.is_empty() {
            // One that is wider than its columns moves the next.
            let missing = place.saturating_sub(text.chars().count());
            let least = if text.is_empty() { 0 } else { GAP };
            text.push_str(&" ".repeat(missing.max(least)));
            text.push_str(heading);
        }
        place += width + GAP;
    }
    text + "\n"
}
