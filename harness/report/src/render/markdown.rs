//! Markdown as GitHub renders it. Group headings stand above the column headings in the same cell.

use std::fmt::Write;

use super::options::File;
use crate::figures::{Cell, Grid, number};
use crate::page::{Board, CURVES, Figure, Page, PageTable, overviews};
use crate::text::{count, joined, markdown};

/// Tables, plots and pictures of a page that needs no table of contents.
const FEW: usize = 9;

pub fn page(page: &Page) -> File {
    (format!("{}.md", page.slug), format!("# {}\n\n{}", markdown(&page.title), body(page)))
}

/// The name of the file over all experiments, and how it begins.
pub const INDEX: &str = "index.md";
pub const INDEX_HEAD: &str = "# Results\n\n";

/// The file over all experiments.
pub fn index(pages: &[Page]) -> File {
    let mut text = INDEX_HEAD.to_owned();
    for overview in overviews(pages) {
        text += &grid(&overview.grid);
        text.push('\n');
    }
    for page in pages {
        let wrong = page.warnings.iter().any(|w| w.starts_with("WRONG"));
        let mark = match page.warnings.len() + page.caveats.len() {
            0 => String::new(),
            _ if wrong => " — **WRONG answers**".to_owned(),
            n => format!(" — {}", count(n, "warning")),
        };
        let _ = writeln!(text, "- [{}](#{slug}) ([alone]({slug}.md)){mark}", markdown(&page.title), slug = page.slug);
    }
    for page in pages {
        let _ = write!(text, "\n{}\n\n## {}\n\n{}", anchor(&page.slug), markdown(&page.title), body(page));
    }
    (INDEX.to_owned(), text)
}

fn body(page: &Page) -> String {
    let mut text = String::new();
    for warning in page.warnings.iter().chain(&page.caveats) {
        let _ = writeln!(text, "> **Warning:** {}\n", markdown(warning));
    }
    if !page.description.is_empty() {
        for paragraph in page.description.split("\n\n") {
            let _ = writeln!(text, "{}\n", markdown(paragraph.trim()));
        }
    }
    text.push_str(&list(&page.provenance));
    text.push_str(&contents(page));
    let shown = |table: &PageTable| format!("\n{}\n\n{}", anchor(&table.slug), grid(&table.grid));
    let (details, main): (Vec<_>, Vec<_>) = page.tables.iter().partition(|table| table.is_detail);
    main.iter().for_each(|table| text += &shown(table));
    if !details.is_empty() {
        text += "\n<details><summary>More tables</summary>\n";
        details.iter().for_each(|table| text += &shown(table));
        text += "\n</details>\n";
    }
    for (index, figure) in page.figures.iter().enumerate() {
        // Beside published results one plot is enough at first.
        if page.score.is_some() && index == 1 {
            text += "\n<details><summary>More plots</summary>\n";
        }
        let slug = &figure.slug;
        let _ = write!(text, "\n{}\n\n![{}]({slug}.svg)\n\n", anchor(slug), markdown(&figure.chart.title));
        let links = format!("[PNG]({slug}.png), [figures]({slug}{}.csv)", CURVES);
        let _ = writeln!(text, "{} ({links})", caption(figure));
    }
    if page.score.is_some() && page.figures.len() > 1 {
        text += "\n</details>\n";
    }
    if !page.boards.is_empty() {
        let _ = write!(text, "\n{}\n\n| | |\n|---|---|\n", anchor(&page.pictures));
    }
    for pair in page.boards.chunks(2) {
        text.push('|');
        for picture in pair {
            let _ = write!(text, " {} |", board(picture));
        }
        text.push_str(if pair.len() == 1 { " |\n" } else { "\n" });
    }
    text
}

pub fn list(facts: &[String]) -> String {
    facts.iter().map(|fact| format!("- {}\n", markdown(fact))).collect()
}

/// The title, the notes and the caveats of a plot.
pub fn caption(figure: &Figure) -> String {
    let mut text = markdown(&figure.chart.title);
    for note in &figure.chart.notes {
        let _ = write!(text, ". {}", markdown(note));
    }
    for caveat in &figure.chart.caveats {
        let _ = write!(text, ". **Warning:** {}", markdown(caveat));
    }
    text
}

fn contents(page: &Page) -> String {
    let tables = page.tables.iter().map(|t| (t.slug.clone(), markdown(&t.grid.caption)));
    let figures = page.figures.iter().map(|f| (f.slug.clone(), markdown(&f.chart.title)));
    let boards = page.boards.first().map(|_| (page.pictures.clone(), "Pictures of instances".to_owned()));
    let parts: Vec<_> = tables.chain(figures).chain(boards).collect();
    if parts.len() <= FEW {
        return String::new();
    }
    let line = |(slug, title)| format!("- [{title}](#{slug})\n");
    format!("\nContents:\n\n{}", parts.into_iter().map(line).collect::<String>())
}

fn anchor(slug: &str) -> String {
    format!("<a id=\"{slug}\"></a>")
}

fn board(picture: &Board) -> String {
    let (slug, caption) = (&picture.slug, &picture.caption);
    format!(
        "<img src=\"{slug}.svg\" alt=\"{}\" width=\"360\"><br>{} ([PNG]({slug}.png))",
        crate::picture::escape(caption).replace('|', "&#124;"),
        markdown(caption)
    )
}

/// A table with its caption, notes and caveats.
pub fn grid(grid: &Grid) -> String {
    let mut text = format!("**{}.**", markdown(&grid.caption).trim());
    for note in &grid.notes {
        let _ = write!(text, " {}.", markdown(note));
    }
    text.push_str("\n\n");
    text.push_str(&table(grid));
    for caveat in &grid.caveats {
        let _ = write!(text, "\n**Warning:** {}.\n", markdown(caveat));
    }
    text
}

fn table(grid: &Grid) -> String {
    let mut text = "|".to_owned();
    let stubs = grid.stubs.iter().map(|stub| markdown(stub));
    let columns = grid.headings().map(|headings| joined(headings.map(markdown), "<br>"));
    for heading in stubs.chain(columns) {
        let _ = write!(text, " {heading} |");
    }
    let rules = grid.are_numbers().into_iter().map(|is_number| if is_number { "---:|" } else { "---|" });
    let _ = writeln!(text, "\n|{}{}", "---|".repeat(grid.stubs.len()), rules.collect::<String>());
    for row in &grid.rows {
        text.push('|');
        for (index, label) in row.labels.iter().enumerate() {
            let link = row.link.as_ref().filter(|_| index == 0);
            let label = markdown(label);
            let _ = match link {
                Some(slug) => write!(text, " [{label}](#{slug}) |"),
                None => write!(text, " {label} |"),
            };
        }
        for value in &row.cells {
            let _ = write!(text, " {} |", cell(value));
        }
        text.push('\n');
    }
    text
}

fn cell(cell: &Cell) -> String {
    let text = markdown(&number::text(cell));
    // Behind a blank, signs of emphasis are none.
    let text = text.trim();
    if cell.bold && !text.is_empty() { format!("**{text}**") } else { text.to_owned() }
}
