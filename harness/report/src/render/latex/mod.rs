//! LaTeX with booktabs and figures as PDF. Each experiment is a file to `\input`; `report.tex` inputs them all and compiles
//! with the packages that every installation of LaTeX has. The frames are templates in `assets/latex`.

mod table;
mod text;

use minijinja::syntax::SyntaxConfig;
use minijinja::value::{Serde, Value};
use minijinja::{Environment, escape_formatter};
use puzzle::Directions;
use serde_json::json;

use super::options::File;
use crate::ReportError;
use crate::page::{Page, overviews};

const REPORT: &str = include_str!("../../../assets/latex/report.tex");
const SECTION: &str = include_str!("../../../assets/latex/section.tex");
const DIRECTIONS: &str = include_str!("../../../assets/latex/directions.tex");

pub fn section(page: &Page) -> Result<File, ReportError> {
    let figures = page.figures.iter().map(|figure| {
        let chart = &figure.chart;
        let caveats: Vec<_> = chart.caveats.iter().filter(|c| page.is_beyond(c)).collect();
        json!({ "slug": figure.slug, "title": chart.title, "notes": chart.notes, "caveats": caveats })
    });
    let boards = page.boards.iter().map(|board| json!({ "slug": board.slug, "caption": board.caption }));
    let content = json!({
        "title": page.title,
        "warnings": page.warnings.iter().chain(&page.caveats).collect::<Vec<_>>(),
        "description": page.description,
        "facts": page.provenance,
        "tables": page.tables.iter().map(|t| table::table(&page.beyond(&t.grid), &t.slug)).collect::<Vec<_>>(),
        "figures": figures.collect::<Vec<_>>(),
        "boards": boards.collect::<Vec<_>>(),
    });
    Ok((format!("{}.tex", page.slug), fill(SECTION, content)?))
}

/// The file over all experiments.
pub fn report(pages: &[Page]) -> Result<File, ReportError> {
    let slugs: Vec<_> = pages.iter().map(|page| page.slug.as_str()).collect();
    let overviews: Vec<_> =
        overviews(pages).iter().map(|overview| table::table(&overview.grid, &overview.slug)).collect();
    Ok(("report.tex".to_owned(), fill(REPORT, json!({ "slugs": slugs, "overviews": overviews }))?))
}

/// Renders directions as a document for pdflatex: many small tables beside each other.
///
/// # Errors
/// None but a template that is broken, which is a bug.
pub fn render_latex(directions: &Directions) -> Result<String, ReportError> {
    let tables = directions.tables.iter().map(|t| json!({ "heading": t.heading, "columns": t.columns }));
    fill(DIRECTIONS, json!({ "title": directions.title, "tables": tables.collect::<Vec<_>>() }))
}

/// Fills in a template, with delimiters that LaTeX does not use. What is put in is escaped, unless it is said to be safe.
fn fill(template: &str, content: serde_json::Value) -> Result<String, ReportError> {
    let mut environment = Environment::new();
    let mut syntax = SyntaxConfig::builder();
    syntax.block_delimiters("<%", "%>").variable_delimiters("<<", ">>").comment_delimiters("<#", "#>");
    environment.set_syntax(syntax.build()?);
    environment.set_formatter(|out, state, value| match value.as_str() {
        Some(running) if !value.is_safe() => Ok(out.write_str(&text::prose(running))?),
        _ => escape_formatter(out, state, value),
    });
    // What stays on its line.
    environment.add_filter("cell", |cell: String| Value::from_safe_string(text::escape(&cell)));
    Ok(environment.render_str(template, Serde(content))? + "\n")
}
