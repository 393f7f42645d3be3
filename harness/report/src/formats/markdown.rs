//! Markdown as GitHub renders it. Group headings stand above the column headings in the same cell.

use std::fmt::Write;

use super::{Exporter, File, Report, number};
use crate::ReportError;
use crate::grid::{Cell, Grid};
use crate::page::Page;

/// The exporter.
pub struct Markdown;

impl Exporter for Markdown {
    fn experiment(&self, page: &Page) -> Result<Vec<File>, ReportError> {
        Ok(vec![(format!("{}.md", page.stem), format!("# {}\n\n{}", escape(&page.title), body(page)))])
    }

    fn index(&self, report: &Report) -> Result<Vec<File>, ReportError> {
        let pages = report.pages;
        let mut text = "# Results\n\n".to_owned();
        for page in pages {
            let wrong = page.warnings.iter().any(|w| w.starts_with("WRONG"));
            let mark = match page.warnings.len() + page.caveats.len() {
                0 => String::new(),
                _ if wrong => " — **WRONG answers**".to_owned(),
                1 => " — 1 warning".to_owned(),
                n => format!(" — {n} warnings"),
            };
            let _ = writeln!(text, "- [{}](#{stem}) ([alone]({stem}.md)){mark}", escape(&page.title), stem = page.stem);
        }
        for page in pages {
            let _ = write!(text, "\n<a id=\"{}\"></a>\n\n## {}\n\n{}", page.stem, escape(&page.title), body(page));
        }
        Ok(vec![("index.md".to_owned(), text)])
    }
}

fn body(page: &Page) -> String {
    let mut text = String::new();
    for warning in page.warnings.iter().chain(&page.caveats) {
        let _ = writeln!(text, "> **Warning:** {}\n", escape(warning));
    }
    if !page.description.is_empty() {
        let _ = writeln!(text, "{}\n", page.description);
    }
    for fact in &page.facts {
        let _ = writeln!(text, "- {}", escape(fact));
    }
    for table in &page.tables {
        let _ = write!(text, "\n{}", grid(&table.grid));
    }
    for figure in &page.figures {
        let title = escape(&figure.chart.title);
        let _ = write!(text, "\n![{title}]({stem}.svg)\n\n{title}", stem = figure.stem);
        for note in &figure.chart.notes {
            let _ = write!(text, ". {}", escape(note));
        }
        for caveat in &figure.chart.caveats {
            let _ = write!(text, ". **Warning:** {}", escape(caveat));
        }
        let _ = writeln!(text, " ([PNG]({stem}.png), [figures]({stem}{}.csv))", super::CURVES, stem = figure.stem);
    }
    if !page.boards.is_empty() {
        text.push_str("\n| | |\n|---|---|\n");
    }
    for pair in page.boards.chunks(2) {
        text.push('|');
        for picture in pair {
            let caption = escape(&picture.board.caption);
            let _ = write!(
                text,
                " <img src=\"{stem}.svg\" alt=\"{caption}\" width=\"360\"><br>{caption} ([PNG]({stem}.png)) |",
                stem = picture.stem
            );
        }
        text.push_str(if pair.len() == 1 { " |\n" } else { "\n" });
    }
    text
}

fn grid(grid: &Grid) -> String {
    let mut text = format!("**{}.**", escape(&grid.caption));
    for note in &grid.notes {
        let _ = write!(text, " {}.", escape(note));
    }
    text.push_str("\n\n|");
    for (index, stub) in grid.stubs.iter().enumerate() {
        let axis = grid.axis.as_ref().filter(|_| index + 1 == grid.stubs.len());
        let axis = axis.map(|a| format!(" \\\\ {}", escape(a))).unwrap_or_default();
        let _ = write!(text, " {}{axis} |", escape(stub));
    }
    for headings in grid.headings() {
        let lines: Vec<_> = headings.into_iter().filter(|l| !l.is_empty()).map(escape).collect();
        let _ = write!(text, " {} |", lines.join("<br>"));
    }
    let _ = write!(text, "\n|{}{}\n", "---|".repeat(grid.stubs.len()), "---:|".repeat(grid.width()));
    for row in &grid.rows {
        text.push('|');
        for label in &row.labels {
            let _ = write!(text, " {} |", escape(label));
        }
        for value in &row.cells {
            let _ = write!(text, " {} |", cell(value));
        }
        text.push('\n');
    }
    for caveat in &grid.caveats {
        let _ = write!(text, "\n**Warning:** {}.\n", escape(caveat));
    }
    text
}

fn cell(cell: &Cell) -> String {
    let text = escape(&number::text(&cell.value));
    if cell.bold && !text.is_empty() { format!("**{text}**") } else { text }
}

/// Text without markup.
pub fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\\' | '`' | '*' | '_' | '[' | ']' | '|' | '~' | '$' => escaped.extend(['\\', c]),
            '<' => escaped.push_str("&lt;"),
            '&' => escaped.push_str("&amp;"),
            '\n' => escaped.push(' '),
            c => escaped.push(c),
        }
    }
    escaped
}
