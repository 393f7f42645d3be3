//! Renews the marked parts of a document, a README say, from results: tables, plots, pictures and facts of a report, named by
//! the names of their files without the ending.
//!
//! ```text
//! <!-- tilebench: table solvers-times rows="highs, cadical" columns="n20-spur, solved" -->
//! whatever stands here is replaced
//! <!-- /tilebench -->
//! ```
//!
//! Marks stand on lines of their own, outside of code blocks and `verbatim`. All other lines stay as they are. In LaTeX (`.tex`) marks are
//! comments, `% tilebench: table NAME` and `% /tilebench`; tables are a `tabular` without a caption, figures a PDF without title; what is
//! to be said of them stands in comments.

use std::cmp::Reverse;
use std::path::{Component, Path, PathBuf};

use record::alternatives;

use crate::ReportError;
use crate::analysis::Analysis;
use crate::figures::{Cell, Grid, Group, Row};
use crate::group::by_first;
use crate::page::{Board, Figure, Page, PageTable, overviews, pages};
use crate::picture::{render_svg, svg_to_pdf};
use crate::render::{caption, draw, draw_for_caption, grid, latex, list};
use crate::text::markdown as escape;

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
/// A document without marks; a mark that is not closed, stands in another or cannot be read; one that names what the report does not
/// have; each with its line.
/// A report that cannot be built.
pub fn splice(path: &Path, text: &str, analyses: &[Analysis]) -> Result<Spliced, ReportError> {
    let failed = |line: usize, reason: String| ReportError::Mark { path: path.to_owned(), line, reason };
    let language = if path.extension().is_some_and(|ending| ending == "tex") { &LATEX } else { &MARKDOWN };
    let parts = parts(text, language).map_err(|(line, reason)| failed(line, reason))?;
    let pages = pages(analyses, true)?;
    let source = Source { overviews: overviews(&pages), pages: &pages, language };
    let mut spliced = Spliced { text: String::with_capacity(text.len()), files: Vec::new(), parts: 0 };
    for part in parts {
        match part {
            Part::Kept(text) => spliced.text.push_str(text),
            Part::Marked { line, opening, mark, closing } => {
                let (content, file) = source.renew(&mark, |reason| failed(line, reason))?;
                // An empty line would end a paragraph of LaTeX.
                let around = if language.is_latex { "" } else { "\n" };
                let content = format!("{around}{}\n{around}", content.trim_end());
                let content = if opening.ends_with("\r\n") { content.replace('\n', "\r\n") } else { content };
                spliced.text += &format!("{opening}{content}{closing}");
                spliced.files.extend(file);
                spliced.parts += 1;
            }
        }
    }
    if spliced.parts == 0 {
        let Language { opening, ending, .. } = language;
        let mark = format!("{opening} table NAME {ending}");
        let reason = "no part of this document is marked: nothing would be renewed; a mark is";
        return Err(failed(1, format!("{reason} {}", mark.trim_end())));
    }
    Ok(spliced)
}

type NewFile = (PathBuf, Vec<u8>);

/// What a document is written in.
struct Language {
    is_latex: bool,
    /// What a mark begins with and ends with, and the end of a marked part.
    opening: &'static str,
    ending: &'static str,
    closing: &'static str,
}

const MARKDOWN: Language =
    Language { is_latex: false, opening: "<!-- tilebench:", ending: "-->", closing: "<!-- /tilebench -->" };
const LATEX: Language = Language { is_latex: true, opening: "% tilebench:", ending: "", closing: "% /tilebench" };

struct Source<'a> {
    /// Tables over all experiments.
    overviews: Vec<PageTable>,
    pages: &'a [Page<'a>],
    language: &'a Language,
}

/// What a figure of a document is in the report.
enum Picture<'a> {
    Plot(&'a Page<'a>, &'a Figure),
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
                let (page, table) = self.table(&mark.name).map_err(&wrong)?;
                let mut selected = select(&table.grid, rows, columns).map_err(wrong)?;
                if self.language.is_latex {
                    let warned = page.map(|page| page.warnings.as_slice()).unwrap_or_default();
                    return Ok((latex::tabular(&selected, warned), None));
                }
                let warnings = match page {
                    Some(page) => warnings(&page.warnings),
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
                let warned: Vec<_> = found.iter().map(|page| page.analysis.warnings()).collect();
                let facts: Vec<_> = found.iter().map(|page| page.provenance.clone()).collect();
                let (warned, facts) = (merged(&names, &warned), merged(&names, &facts));
                let text = match self.language.is_latex {
                    true => latex::sentences(&warned, &facts),
                    false => warnings(&warned) + &list(&facts),
                };
                Ok((text, None))
            }
            What::Figure { folder } => {
                let picture = self.picture(&mark.name).map_err(wrong)?;
                let link = |ending: &str| format!("{}/{}.{ending}", folder.trim_end_matches('/'), mark.name);
                let (content, bytes, ending) = if self.language.is_latex {
                    let (svg, said) = match picture {
                        Picture::Plot(page, figure) => {
                            (draw_for_caption(&figure.chart), latex::said(figure, &page.warnings))
                        }
                        Picture::Board(board) => (render_svg(&board.scene), String::new()),
                    };
                    let content = format!("{said}\\includegraphics[width=\\linewidth]{{{}}}\n", link("pdf"));
                    (content, svg_to_pdf(&svg)?, "pdf")
                } else {
                    let (svg, text, alt) = match picture {
                        Picture::Plot(page, figure) => {
                            (draw(&figure.chart, &page.warnings), caption(figure), &figure.chart.title)
                        }
                        Picture::Board(board) => (render_svg(&board.scene), escape(&board.caption), &board.caption),
                    };
                    (format!("![{}]({})\n\n{text}.\n", escape(alt), link("svg")), svg.into_bytes(), "svg")
                };
                Ok((content, Some((Path::new(folder).join(format!("{}.{ending}", mark.name)), bytes))))
            }
        }
    }

    /// The experiments of these names.
    fn experiments(&self, names: &[&str]) -> Result<Vec<&Page<'_>>, String> {
        let all = || self.pages.iter().map(|page| (page.slug.as_str(), page));
        names.iter().map(|name| find("experiment", name, all())).collect()
    }

    /// A table with the experiment that it is of; none for one over all.
    fn table(&self, name: &str) -> Result<(Option<&Page<'_>>, &PageTable), String> {
        let of_pages = self.pages.iter().flat_map(|page| page.tables.iter().map(move |table| (Some(page), table)));
        let all = self.overviews.iter().map(|table| (None, table)).chain(of_pages);
        find("table", name, all.map(|(of, table)| (table.slug.as_str(), (of, table))))
    }

    fn picture(&self, name: &str) -> Result<Picture<'_>, String> {
        let plots = self.pages.iter().flat_map(|page| page.figures.iter().map(move |figure| (page, figure)));
        let plots = plots.map(|(page, figure)| (figure.slug.as_str(), Picture::Plot(page, figure)));
        let boards = self.pages.iter().flat_map(|page| &page.boards);
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
    Err(format!("these results have no {what} `{name}`; {}", alternatives(name, known)))
}

/// What is said of experiments, each sentence once, with the names where it is not true of all; first what is true of most.
fn merged(names: &[&str], said: &[Vec<String>]) -> Vec<String> {
    let all = names.iter().zip(said).flat_map(|(name, said)| said.iter().map(move |sentence| (sentence, *name)));
    let mut sentences = by_first(all);
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
/// of them where none is named. A column is named by its own heading or with that above it, `highs / time (s)`; a
/// row by any of its labels or all of them, `mip / colour / highs`. Names may have commas. A note says how much is left out.
fn select(grid: &Grid, rows: &[String], columns: &[String]) -> Result<Grid, String> {
    let (all_rows, all_columns) = (grid.rows.len(), grid.width());
    let mut grid = grid.clone();
    if !rows.is_empty() {
        let is_named = |row: &Row, name: &String| row.labels.contains(name) || row.name() == *name;
        let is_known = |name: &String| grid.rows.iter().any(|row| is_named(row, name));
        let rows = named(rows, is_known).map_err(|name| {
            let known: Vec<_> = grid.rows.iter().map(Row::name).collect();
            format!("the table has no row `{name}`; its rows are {}", known.join(", "))
        })?;
        grid.rows.retain(|row| rows.iter().any(|name| is_named(row, name)));
    }
    if !columns.is_empty() {
        let own = grid.headings().map(|[_, own]| own.to_owned());
        let headings: Vec<_> = grid.column_names().into_iter().zip(own).collect();
        let is_named = |(all, own): &(String, String), name: &String| all == name || own == name;
        let is_known = |name: &String| headings.iter().any(|heading| is_named(heading, name));
        let columns = named(columns, is_known).map_err(|name| {
            let known: Vec<_> = headings.iter().map(|(all, _)| all.as_str()).collect();
            format!("the table has no column `{name}`; its columns are {}", known.join(", "))
        })?;
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

/// Names from their pieces between commas: each of as many pieces as make a known name. The error is the first that is none.
fn named(pieces: &[String], is_known: impl Fn(&String) -> bool) -> Result<Vec<String>, String> {
    let (mut names, mut rest) = (Vec::new(), pieces);
    while let Some(first) = rest.first() {
        let known = (1..=rest.len()).rev().find_map(|number| {
            let name = rest[..number].join(", ");
            is_known(&name).then_some((number, name))
        });
        let (number, name) = known.ok_or_else(|| first.clone())?;
        names.push(name);
        rest = &rest[number..];
    }
    Ok(names)
}

enum Part<'a> {
    Kept(&'a str),
    Marked { line: usize, opening: &'a str, mark: Mark, closing: &'a str },
}

#[derive(Debug, PartialEq, Eq)]
struct Mark {
    /// Of which table, figure or experiment.
    name: String,
    what: What,
}

#[derive(Debug, PartialEq, Eq)]
enum What {
    /// A table; none named: all of its columns or rows.
    Table { columns: Vec<String>, rows: Vec<String> },
    /// A plot or a picture; its file goes there, relative to the document.
    Figure { folder: String },
    /// How and where experiments were measured: that of the name, and others.
    Facts { others: Vec<String> },
}

/// The pieces of a document, or the line that is wrong and why.
fn parts<'a>(text: &'a str, language: &Language) -> Result<Vec<Part<'a>>, (usize, String)> {
    let Language { is_latex, opening, ending, closing } = *language;
    let mut parts = Vec::new();
    // Where the lines begin that no part holds yet; the mark that is open; the fence of the code block around the line.
    let (mut kept, mut open, mut fence) = (0, None, None);
    let mut at = 0;
    for (line, content) in (1..).zip(text.split_inclusive('\n')) {
        let (start, trimmed) = (at, content.trim());
        at += content.len();
        let is_code = if is_latex { is_verbatim } else { is_code };
        if open.is_none() && is_code(trimmed, &mut fence) {
            continue;
        }
        // A comment is one with or without a blank, in LaTeX also with more signs.
        let sign = if is_latex { "%" } else { "<!--" };
        let comment = trimmed.strip_prefix(sign).map(|rest| match is_latex {
            true => format!("% {}", rest.trim_start_matches('%').trim_start()),
            false => format!("<!-- {}", rest.trim_start()),
        });
        let trimmed = comment.as_deref().unwrap_or(trimmed);
        if trimmed == closing {
            let (line, opening, mark) =
                open.take().ok_or((line, "nothing is open that this mark could close".to_owned()))?;
            parts.push(Part::Marked { line, opening, mark, closing: content });
            kept = at;
        } else if let Some(rest) = trimmed.strip_prefix(opening) {
            if let Some((opened, ..)) = open {
                let reason =
                    format!("the mark in line {opened} is still open: `{closing}` closes it, and parts do not nest");
                return Err((line, reason));
            }
            let mark = rest.strip_suffix(ending).ok_or(format!("`{ending}` must end the mark on its line"));
            let mark = mark.and_then(read).map_err(|reason| (line, reason))?;
            parts.push(Part::Kept(&text[kept..start]));
            open = Some((line, content, mark));
        }
    }
    match open {
        Some((line, ..)) => Err((line, format!("this mark is not closed: `{closing}` is missing"))),
        None => {
            parts.push(Part::Kept(&text[kept..]));
            Ok(parts)
        }
    }
}

/// Whether a line belongs to a code block between fences, of which the open one is kept.
fn is_code<'a>(line: &'a str, fence: &mut Option<&'a str>) -> bool {
    let sign = line.chars().next().filter(|c| "`~".contains(*c));
    let length = sign.map_or(0, |sign| line.len() - line.trim_start_matches(sign).len());
    match fence {
        Some(open) if length >= open.len() && line[..length].starts_with(*open) && line.len() == length => {
            *fence = None
        }
        Some(_) => {}
        // What follows the signs of a fence has none of them: else it is code within a line.
        None if length >= 3 && !(sign == Some('`') && line[length..].contains('`')) => *fence = Some(&line[..length]),
        None => return false,
    }
    true
}

/// Whether a line of LaTeX belongs to an environment that shows its text as it is, of which the open one is kept.
fn is_verbatim<'a>(line: &'a str, environment: &mut Option<&'a str>) -> bool {
    const VERBATIM: [&str; 5] = ["verbatim", "lstlisting", "minted", "comment", "alltt"];
    let ends = |name: &str| line.contains(&format!("\\end{{{name}}}"));
    let begun = line.strip_prefix("\\begin{").and_then(|rest| rest.split_once('}')).map(|(name, _)| name);
    let is_one = |name: &&str| VERBATIM.contains(&name.trim_end_matches('*').to_lowercase().as_str());
    let Some(name) = environment.or(begun.filter(is_one)) else { return false };
    *environment = Some(name).filter(|name| !ends(name));
    true
}

/// Reads what follows `tilebench:` in a mark.
fn read(text: &str) -> Result<Mark, String> {
    let words = words(text)?;
    let mut words = words.into_iter();
    let kind = words.next().map(|w| w.1).unwrap_or_default();
    let name = words.next().filter(|(key, name)| key.is_none() && !name.is_empty()).map(|w| w.1);
    let (mut columns, mut rows, mut folder) = (None, None, None);
    let mut others = Vec::new();
    let allowed: &[&str] = match kind.as_str() {
        "table" => &["columns", "rows"],
        "figure" => &["to"],
        "facts" => &[],
        _ => return Err(format!("`{kind}` is none of table, figure, facts")),
    };
    let name = name.ok_or(format!("the name of the {kind} is missing: `{kind} NAME`, as the report names its file"))?;
    for (key, value) in words {
        if kind == "facts" && key.is_none() {
            others.push(value);
            continue;
        }
        let key = key.filter(|key| allowed.contains(&key.as_str()));
        let slot = match key.as_deref() {
            Some("columns") => &mut columns,
            Some("rows") => &mut rows,
            Some("to") => &mut folder,
            _ if allowed.is_empty() => return Err(format!("`{value}` is too much: {kind} takes names and no more")),
            _ => return Err(format!("`{value}`: {kind} takes {}, each as KEY=VALUE", allowed.join(" and "))),
        };
        if slot.replace(value).is_some() {
            return Err(format!("`{}` is said twice", key.unwrap_or_default()));
        }
    }
    let list = |value: Option<String>| -> Vec<String> {
        let value = value.unwrap_or_default();
        value.split(',').map(str::trim).filter(|name| !name.is_empty()).map(ToOwned::to_owned).collect()
    };
    let what = match kind.as_str() {
        "table" => What::Table { columns: list(columns), rows: list(rows) },
        "figure" => {
            let folder = folder.ok_or("`to=FOLDER` is missing, where the picture goes".to_owned())?;
            if !is_below(&folder) {
                return Err(format!(
                    "`to={folder}` is no folder beside the document or below it, of letters, digits, `.`, `_` and `-`"
                ));
            }
            What::Figure { folder }
        }
        _ => What::Facts { others },
    };
    Ok(Mark { name, what })
}

/// Words and `KEY=VALUE` pairs between blanks; quotes keep blanks in a value.
fn words(text: &str) -> Result<Vec<(Option<String>, String)>, String> {
    let (mut words, mut rest) = (Vec::new(), text.trim());
    while !rest.is_empty() {
        let end = rest.find(|c: char| c.is_whitespace() || c == '"').unwrap_or(rest.len());
        let (word, after) = rest.split_at(end);
        if let Some(quoted) = after.strip_prefix('"') {
            let key = word
                .strip_suffix('=')
                .ok_or(format!("a quote stands behind `{word}`, where KEY=\"...\" was expected"))?;
            let (value, after) = quoted.split_once('"').ok_or(format!("the quote behind `{word}` is not closed"))?;
            words.push((Some(key.to_owned()), value.to_owned()));
            rest = after.trim_start();
        } else {
            let pair = word.split_once('=');
            words.push(pair.map_or((None, word.to_owned()), |(key, value)| (Some(key.to_owned()), value.to_owned())));
            rest = after.trim_start();
        }
    }
    Ok(words)
}

/// Whether a folder lies in that of the document, so that the link to it leads there wherever the document lies, and has a name that
/// means nothing else in Markdown and LaTeX.
fn is_below(folder: &str) -> bool {
    let path = Path::new(folder);
    folder.chars().all(|c| c.is_alphanumeric() || "./_-".contains(c))
        && !folder.is_empty()
        && path.components().all(|part| matches!(part, Component::Normal(_)))
}

#[cfg(test)]
mod tests {
    use super::{MARKDOWN, Mark, Part, What, named, parts, read};

    #[test]
    fn names_may_have_commas() {
        let known = ["a", "time, over / mean", "time"];
        let named = |pieces: &[&str]| {
            let pieces: Vec<_> = pieces.iter().map(|piece| (*piece).to_owned()).collect();
            named(&pieces, |name| known.contains(&name.as_str()))
        };
        let expected = ["a", "time, over / mean", "time"].map(ToOwned::to_owned).to_vec();
        assert_eq!(named(&["a", "time", "over / mean", "time"]), Ok(expected));
        assert_eq!(named(&["a", "over / mean"]), Err("over / mean".to_owned()));
    }

    #[test]
    fn marks_are_read() {
        let table = |columns: &[&str], rows: &[&str]| What::Table {
            columns: columns.iter().map(|c| (*c).to_owned()).collect(),
            rows: rows.iter().map(|r| (*r).to_owned()).collect(),
        };
        let cases = [
            ("table a-b", "a-b", table(&[], &[])),
            ("table x columns=\"n 1, n2\" rows=highs", "x", table(&["n 1", "n2"], &["highs"])),
            ("table x rows=C2'", "x", table(&[], &["C2'"])),
            ("figure y to=plots/gallery", "y", What::Figure { folder: "plots/gallery".to_owned() }),
            ("facts z", "z", What::Facts { others: Vec::new() }),
            ("facts z a", "z", What::Facts { others: vec!["a".to_owned()] }),
        ];
        for (text, name, what) in cases {
            assert_eq!(read(text), Ok(Mark { name: name.to_owned(), what }), "{text}");
        }
        for (text, reason) in [
            ("", "`` is none of table"),
            ("plot x", "`plot` is none of table, figure, facts"),
            ("table", "the name of the table is missing"),
            ("table columns=a", "the name of the table is missing"),
            ("table x y", "`y`: table takes columns and rows"),
            ("table x to=y", "`y`: table takes columns and rows"),
            ("table x rows=a rows=b", "`rows` is said twice"),
            ("table x rows=\"a", "not closed"),
            ("facts x rows=y", "`y` is too much"),
            ("figure x", "`to=FOLDER` is missing"),
            ("figure x to=../y", "`to=../y` is no folder"),
            ("figure x to=/y", "`to=/y` is no folder"),
            ("figure x to=y format=gif", "`gif`: figure takes to, each as KEY=VALUE"),
        ] {
            let found = read(text).expect_err(text);
            assert!(found.contains(reason), "{text}: {found}");
        }
    }

    #[test]
    fn code_blocks_hold_no_marks() {
        for text in [
            "```md\n<!-- tilebench: table x -->\n```\n",
            "~~~~\n~~~\n<!-- /tilebench -->\n~~~~\n",
            "a <!-- tilebench: x\n",
        ] {
            let found = parts(text, &MARKDOWN).expect("no marks");
            assert!(matches!(found.as_slice(), [Part::Kept(kept)] if *kept == text), "{text}");
        }
    }
}
