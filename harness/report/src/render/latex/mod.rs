//! LaTeX with booktabs and figures as PDF. Each experiment is a file to `\input`; `report.tex` inputs them all and compiles
//! with the packages that every installation of LaTeX has. The frames are templates in `assets/latex`.

mod table;
mod text;

use askama::Template;
use puzzle::{Directions, SmallTable};

use super::File;
use crate::ReportError;
use crate::page::Page;
pub use text::Prose;

/// The file of one experiment.
pub fn section(page: &Page) -> Result<File, ReportError> {
    let tables = page.tables.iter().map(|t| table::table(&page.beyond(&t.grid), &t.slug)).collect();
    Ok((format!("{}.tex", page.slug), Section { page, tables }.render()? + "\n"))
}

/// The file over all experiments.
pub fn report(pages: &[Page]) -> Result<File, ReportError> {
    let slugs = pages.iter().map(|page| page.slug.as_str()).collect();
    Ok(("report.tex".to_owned(), Report { slugs }.render()? + "\n"))
}

/// Renders directions as a document for pdflatex: many small tables beside each other.
///
/// # Errors
/// None but those of the template.
pub fn render_latex(directions: &Directions) -> Result<String, ReportError> {
    let Directions { title, tables, .. } = directions;
    Ok(Document { title, tables }.render()? + "\n")
}

#[derive(Template)]
#[template(path = "report.tex", syntax = "tex")]
struct Report<'a> {
    slugs: Vec<&'a str>,
}

/// Figures after which LaTeX empties its store of those that have no place yet; it keeps no more than some fifty.
const MOST_FLOATS: usize = 12;

#[derive(Template)]
#[template(path = "section.tex", syntax = "tex")]
struct Section<'a> {
    page: &'a Page,
    tables: Vec<String>,
}

#[derive(Template)]
#[template(path = "directions.tex", syntax = "tex")]
struct Document<'a> {
    title: &'a str,
    tables: &'a [SmallTable],
}

/// Filters of the templates.
mod filters {
    use askama::filters::Safe;

    /// Text of a cell, which stays on its line.
    #[askama::filter_fn]
    pub fn cell(text: &str, _: &dyn askama::Values) -> askama::Result<Safe<String>> {
        Ok(Safe(super::text::escape(text)))
    }
}
