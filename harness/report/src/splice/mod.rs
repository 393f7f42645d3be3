//! Renews the marked parts of a document, a README say, from results: tables, plots, pictures and facts of a report, named by
//! the names of their files without the ending.
//!
//! ```text
//! <!-- tilebench: table solvers-times rows="highs, cadical" columns="n20-spur, solved" -->
//! whatever stands here is replaced
//! <!-- /tilebench -->
//! ```
//!
//! Marks stand on lines of their own, outside of code blocks. All other lines stay as they are.

mod marks;

use std::cmp::Reverse;
use std::path::{Path, PathBuf};

use crate::ReportError;
use crate::analysis::Analysis;
use crate::figures::{Cell, Grid, Group, Row};
use crate::page::{Board, Figure, Page, PageTable, overviews, pages};
use crate::picture::{render_svg, svg_to_png};
use crate::render::{caption, draw, grid, list};
use crate::text::markdown as escape;
use crate::write::{BOARD_WIDTH, PNG_WIDTH};
use marks::{Mark, Part, What};

/// A document with renewed parts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spliced {
    /// The whole text.
    pub text: String,
    /// The pictures that it shows of the results: their paths, relative to the folder of the document, and contents.
    pub files: Vec<NewFile>,
    /// How many parts are marked.
    pub parts: usize,
}

/// Renews the parts of a document between marks from a report of these experiments. `path` says whose mistakes the errors
/// are about; nothing is written. Spliced again it stays the same.
///
/// # Errors
/// A mark that is not closed, stands in another or cannot be read; one that names what the report does not have; each with its line.
/// A report that cannot be built.
pub fn splice(path: &Path, text: &str, analyses: &[Analysis]) -> Result<Spliced, ReportError> {
    let failed = |line: usize, reason: String| ReportError::Mark { path: path.to_owned(), line, reason };
    let parts = marks::parts(text).map_err(|(line, reason)| failed(line, reason))?;
    let pages = pages(analyses)?;
    let source = Source { overviews: overviews(&pages), pages: pages.into_iter().zip(analyses).collect() };
    let mut spliced = Spliced { text: String::with_capacity(text.len()), files: Vec::new(), parts: 0 };
    for part in parts {
        match part {
            Part::Kept(text) => spliced.text.push_str(text),
            Part::Marked { line, opening, mark, closing } => {
                let (content, file) = source.renew(&mark, |reason| failed(line, reason))?;
                let content = format!("\n{}\n\n", content.trim_end());
                let content = if opening.ends_with("\r\n") { content.replace('\n', "\r\n") } else { content };
                spliced.text += &format!("{opening}{content}{closing}");
                spliced.files.extend(file);
                spliced.parts += 1;
            }
        }
    }
    Ok(spliced)
}

type NewFile = (PathBuf, Vec<u8>);

struct Source<'a> {
    /// Tables over all experiments.
    overviews: Vec<PageTable>,
    pages: Vec<(Page, &'a Analysis)>,
}

/// What a figure of a document is in the report.
enum Picture<'a> {
    Plot(&'a Analysis, &'a Figure),
    Board(&'a Board),
}

impl Source<'_> {
    /// The content of a part, and the picture that it shows; `wrong` makes an error of what is wrong with the mark.
    fn renew(
        &self,
        mark: &Mark,
        wrong: impl Fn(String) -> ReportError,
    ) -> Result<(String, Option<NewFile>), ReportError> {
        match &mark.what {
            What::Table { columns, rows } => {
                let (analysis, table) = self.table(&mark.name).map_err(&wrong)?;
                let mut selected = select(&table.grid, rows, columns).map_err(wrong)?;
                let warnings = match analysis {
                    Some(analysis) => warnings(&analysis.experiment.warnings),
                    None => {
                        // The pages that they lead to are not there.
                        selected.rows.iter_mut().for_each(|row| row.link = None);
                        String::new()
                    }
                };
                Ok((warnings + &grid(&selected), None))
            }
            What::Facts { others } => {
                let names: Vec<_> = [&mark.name].into_iter().chain(others).map(String::as_str).collect();
                let found = self.experiments(&names).map_err(wrong)?;
                let warned: Vec<_> = found.iter().map(|(_, analysis)| analysis.warnings()).collect();
                let facts: Vec<_> = found.iter().map(|(page, _)| page.provenance.clone()).collect();
                Ok((warnings(&merged(&names, &warned)) + &list(&merged(&names, &facts)), None))
            }
            What::Figure { folder, is_png } => {
                let picture = self.picture(&mark.name).map_err(wrong)?;
                let (svg, width, text, alt) = match picture {
                    Picture::Plot(analysis, figure) => {
                        let svg = draw(&figure.chart, &analysis.experiment.warnings);
                        (svg, PNG_WIDTH, caption(figure, |_| true), &figure.chart.title)
                    }
                    Picture::Board(board) => {
                        (render_svg(&board.scene), BOARD_WIDTH, escape(&board.caption), &board.caption)
                    }
                };
                let (ending, bytes) =
                    if *is_png { ("png", svg_to_png(&svg, width)?) } else { ("svg", svg.into_bytes()) };
                let name = format!("{}.{ending}", mark.name);
                let link = format!("{}/{name}", folder.trim_end_matches('/'));
                let content = format!("![{}]({link})\n\n{text}.\n", escape(alt));
                Ok((content, Some((Path::new(folder).join(name), bytes))))
            }
        }
    }

    /// The experiments of these names.
    fn experiments(&self, names: &[&str]) -> Result<Vec<(&Page, &Analysis)>, String> {
        let all = || self.pages.iter().map(|(page, of)| (page.slug.as_str(), (page, *of)));
        names.iter().map(|name| find("experiment", name, all())).collect()
    }

    /// A table with the experiment that it is of; none for one over all.
    fn table(&self, name: &str) -> Result<(Option<&Analysis>, &PageTable), String> {
        let of_pages = self.pages.iter().flat_map(|(page, of)| page.tables.iter().map(move |table| (Some(*of), table)));
        let all = self.overviews.iter().map(|table| (None, table)).chain(of_pages);
        find("table", name, all.map(|(of, table)| (table.slug.as_str(), (of, table))))
    }

    fn picture(&self, name: &str) -> Result<Picture<'_>, String> {
        let plots = self.pages.iter().flat_map(|(page, of)| page.figures.iter().map(move |figure| (*of, figure)));
        let plots = plots.map(|(of, figure)| (figure.slug.as_str(), Picture::Plot(of, figure)));
        let boards = self.pages.iter().flat_map(|(page, _)| &page.boards);
        find("figure", name, plots.chain(boards.map(|board| (board.slug.as_str(), Picture::Board(board)))))
    }
}

/// What has that name; else which names there are.
fn find<'a, T>(what: &str, name: &str, all: impl Iterator<Item = (&'a str, T)>) -> Result<T, String> {
    let mut known = Vec::new();
    for (found, item) in all {
        if found == name {
            return Ok(item);
        }
        known.push(found);
    }
    let known = if known.is_empty() { "there is none".to_owned() } else { format!("there are {}", known.join(", ")) };
    Err(format!("these results have no {what} `{name}`; {known}"))
}

/// What is said of experiments, each sentence once, with the names where it is not true of all; first what is true of most.
fn merged(names: &[&str], said: &[Vec<String>]) -> Vec<String> {
    let mut sentences: Vec<(&String, Vec<&str>)> = Vec::new();
    for (name, sentence) in names.iter().zip(said).flat_map(|(name, said)| said.iter().map(move |s| (*name, s))) {
        match sentences.iter_mut().find(|(known, _)| *known == sentence) {
            Some((_, of)) => of.push(name),
            None => sentences.push((sentence, vec![name])),
        }
    }
    sentences.sort_by_key(|(_, of)| Reverse(of.len()));
    let text = |(sentence, of): (&String, Vec<&str>)| match of.len() == names.len() {
        true => sentence.clone(),
        false => format!("{}: {sentence}", of.join(", ")),
    };
    sentences.into_iter().map(text).collect()
}

/// What a reader of a single part must know too.
fn warnings(of: &[String]) -> String {
    of.iter().map(|warning| format!("> **Warning:** {}\n\n", escape(warning))).collect()
}

/// The rows of which a label is among `rows` and the columns whose heading is among `columns`, in the order of the table; all
/// of them where none is named. A column is named by its own heading or with those above it, `highs / time (s)`; a
/// row by any of its labels or all of them, `mip / colour / highs`. A note says how much is left out.
fn select(grid: &Grid, rows: &[String], columns: &[String]) -> Result<Grid, String> {
    let (all_rows, all_columns) = (grid.rows.len(), grid.width());
    let mut grid = grid.clone();
    if !rows.is_empty() {
        let is_named = |row: &Row, name: &String| row.labels.contains(name) || row.name() == *name;
        if let Some(name) = rows.iter().find(|name| !grid.rows.iter().any(|row| is_named(row, name))) {
            let known: Vec<_> = grid.rows.iter().map(Row::name).collect();
            return Err(format!("the table has no row `{name}`; its rows are {}", known.join(", ")));
        }
        grid.rows.retain(|row| rows.iter().any(|name| is_named(row, name)));
    }
    if !columns.is_empty() {
        let own = grid.headings().map(|all| all[2].to_owned());
        let headings: Vec<_> = grid.column_names().into_iter().zip(own).collect();
        let is_named = |(all, own): &(String, String), name: &String| all == name || own == name;
        if let Some(name) = columns.iter().find(|name| !headings.iter().any(|heading| is_named(heading, name))) {
            let known: Vec<_> = headings.iter().map(|(all, _)| all.as_str()).collect();
            return Err(format!("the table has no column `{name}`; its columns are {}", known.join(", ")));
        }
        let kept: Vec<_> = headings.iter().map(|heading| columns.iter().any(|name| is_named(heading, name))).collect();
        let mut wanted = kept.iter();
        let mut narrow = |group: Group| {
            let columns = group.columns.into_iter().filter(|_| wanted.next() == Some(&true)).collect();
            Group { columns, ..group }
        };
        grid.groups = std::mem::take(&mut grid.groups).into_iter().map(&mut narrow).collect();
        grid.groups.retain(|group| !group.columns.is_empty());
        for row in &mut grid.rows {
            let cells: Vec<Cell> = std::mem::take(&mut row.cells);
            row.cells = cells.into_iter().zip(&kept).filter(|(_, kept)| **kept).map(|(cell, _)| cell).collect();
        }
    }
    let part = |what, shown: usize, all: usize| (shown < all).then(|| format!("{shown} of {all} {what}"));
    let parts = [part("rows", grid.rows.len(), all_rows), part("columns", grid.width(), all_columns)];
    let parts: Vec<_> = parts.into_iter().flatten().collect();
    if !parts.is_empty() {
        grid.notes.push(format!("Shown here: {}", parts.join(" and ")));
    }
    Ok(grid)
}
