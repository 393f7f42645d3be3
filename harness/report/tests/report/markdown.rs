//! Markdown as GitHub reads it: every page is parsed as CommonMark with GitHub's tables.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};
use report::Format;
use tempfile::TempDir;

use crate::fixture::{Fixture, write};
use crate::latex::hostile;

/// What a page shows.
#[derive(Debug, Default)]
struct Shown {
    /// Of each table the numbers of cells of its rows, head first.
    tables: Vec<Vec<usize>>,
    /// Where links and images lead.
    targets: Vec<String>,
    /// What links can lead to within the page.
    anchors: BTreeSet<String>,
    /// Text outside of tables.
    text: String,
    /// Text of cells, each on a line.
    cells: String,
}

/// The value of an attribute of a tag.
fn attribute<'a>(html: &'a str, name: &str) -> Option<&'a str> {
    html.split_once(&format!("{name}=\""))?.1.split_once('"').map(|(value, _)| value)
}

fn parse(text: &str) -> Shown {
    let mut shown = Shown::default();
    let mut is_cell = false;
    for event in Parser::new_ext(text, Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH) {
        match event {
            Event::Start(Tag::Table(columns)) => shown.tables.push(vec![columns.len()]),
            Event::Start(Tag::TableRow | Tag::TableHead) => shown.tables.last_mut().expect("a table").push(0),
            Event::Start(Tag::TableCell) => {
                *shown.tables.last_mut().and_then(|t| t.last_mut()).expect("a row") += 1;
                is_cell = true;
            }
            Event::End(TagEnd::TableCell) => {
                shown.cells.push('\n');
                is_cell = false;
            }
            Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
                shown.targets.push(dest_url.into_string());
            }
            Event::InlineHtml(html) | Event::Html(html) => {
                shown.anchors.extend(attribute(&html, "id").map(ToOwned::to_owned));
                shown.targets.extend(attribute(&html, "src").map(ToOwned::to_owned));
            }
            Event::Text(text) if is_cell => shown.cells.push_str(&text),
            Event::Text(text) => shown.text.push_str(&text),
            Event::End(TagEnd::Paragraph) => shown.text.push('\n'),
            _ => {}
        }
    }
    shown
}

/// Parses every page of a report and checks what holds of all.
fn pages(fixtures: &mut [Fixture]) -> Vec<(String, String, Shown)> {
    let out = TempDir::new().expect("a directory");
    let experiments: Vec<_> = fixtures.iter_mut().map(Fixture::load).collect();
    let files = write(&experiments, out.path(), &Format::ALL).expect("a report");
    let is_page = |path: &&std::path::PathBuf| path.extension().is_some_and(|e| e == "md");
    let pages: Vec<_> = files.iter().filter(is_page).map(|path| page(path, out.path())).collect();
    assert_eq!(pages.len(), fixtures.len() + 1);
    pages
}

fn page(path: &Path, folder: &Path) -> (String, String, Shown) {
    let name = path.file_name().expect("a name").to_string_lossy().into_owned();
    let text = fs::read_to_string(path).expect("a page");
    let shown = parse(&text);
    for target in &shown.targets {
        match target.strip_prefix('#') {
            Some(anchor) => assert!(shown.anchors.contains(anchor), "{name}: nothing is called {anchor}"),
            None => assert!(folder.join(target).is_file(), "{name}: there is no {target}"),
        }
    }
    // A table that is none is text with bars.
    assert!(!shown.text.contains('|') || name.contains("hos_tile") || name == "index.md", "{name}: {}", shown.text);
    assert!(!shown.text.contains("---|"), "{name}: {}", shown.text);
    for (table, rows) in shown.tables.iter().zip(tables(&text)) {
        assert!(table.iter().all(|cells| *cells == table[0]), "{name}: {table:?}");
        // The parser fills rows up and cuts them off: the text must have as many cells.
        for row in rows {
            let bars = row.replace("\\\\", "").replace("\\|", "").matches('|').count();
            assert_eq!(bars, table[0] + 1, "{name}: {row}");
        }
    }
    (name, text, shown)
}

/// The lines of each table in a text.
fn tables(text: &str) -> Vec<Vec<&str>> {
    let lines: Vec<_> = text.lines().collect();
    lines
        .chunk_by(|a, b| a.starts_with('|') == b.starts_with('|'))
        .filter(|block| block[0].starts_with('|'))
        .map(<[&str]>::to_vec)
        .collect()
}

#[test]
fn every_table_is_a_table_and_every_link_leads_somewhere() {
    for (name, text, shown) in pages(&mut [Fixture::of_everything(), hostile()]) {
        assert_eq!(shown.tables.len(), tables(&text).len(), "{name}");
        assert!(shown.tables.len() >= 5, "{name}: {}", shown.tables.len());
    }
}

#[test]
fn names_are_shown_as_they_are() {
    let mut fixture = hostile();
    let names: BTreeSet<_> = fixture.runs.iter().flat_map(|r| [r.instance.clone(), r.formulation.clone()]).collect();
    let pages = pages(std::slice::from_mut(&mut fixture));
    let (_, _, shown) = &pages[0];
    // Quotes and dashes may be shown by nicer ones; nothing else changes.
    for name in names.iter().filter(|name| !name.is_empty()) {
        assert!(shown.cells.contains(name.as_str()), "{name} is not in\n{}", shown.cells);
    }
}

#[test]
fn long_pages_have_a_table_of_contents() {
    let pages = pages(&mut [Fixture::of_everything()]);
    for (name, text, _) in &pages {
        let contents = text.find("Contents:\n\n- [").unwrap_or_else(|| panic!("{name} has none"));
        let first = text.find("<a id=\"table2-published\">").expect("a table");
        assert!(contents < first && text.contains("- [Total time (s)](#table2-times)\n"), "{name}");
    }
    let mut short = Fixture::new("short");
    short.run("n5", crate::fixture::BASIC, "highs", 0).solves(&[(1.0, 1)]);
    short.manifest.report.tables = vec!["times".to_owned()];
    assert!(!super::tables::page(&mut short).contains("Contents:"));
}
