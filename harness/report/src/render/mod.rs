//! The pages in each format, and charts as SVG; what is to be written, and of what.

mod chart;
mod csv;
mod html;
mod latex;
mod markdown;
mod terminal;

use crate::ReportError;
use crate::analysis::Analysis;
use crate::page::Page;

pub use chart::draw;
pub use csv::curves;
pub use latex::render_latex;
pub use markdown::{INDEX, INDEX_HEAD, caption, grid, list};
pub use terminal::tables;

/// A format of tables and text. Plots are always written, as SVG, PNG and CSV; for LaTeX as PDF too.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Format {
    /// Markdown, with `index.md` over all experiments.
    Md,
    /// LaTeX with booktabs, with `report.tex` over all experiments.
    Latex,
    /// One CSV file a table.
    Csv,
    /// One page over all experiments, `report.html`, that needs nothing but a browser.
    Html,
}

impl Format {
    /// Every format.
    pub const ALL: [Self; 4] = [Self::Md, Self::Latex, Self::Csv, Self::Html];
}

/// What is to be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    /// Formats of tables and text.
    pub formats: Vec<Format>,
    /// Which pictures of solves the HTML page holds.
    pub pictures: Pictures,
    /// The revision that tilebench was built from, to be named in the HTML page.
    pub revision: Option<String>,
    /// After how many seconds the HTML page loads itself again, if it is renewed while somebody looks.
    pub reload_s: Option<u32>,
}

/// Which solves have their picture in the HTML page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Pictures {
    /// All, while the page stays small; else the last ones; else none.
    #[default]
    Budget,
    /// All.
    All,
    /// The last of each run.
    Last,
    /// None.
    None,
}

/// A file to be written: its name and what stands in it.
pub type File = (String, String);

/// All that a report shows.
pub struct Report<'a> {
    /// One for each experiment.
    pub pages: &'a [Page],
    /// The experiments behind the pages.
    pub analyses: &'a [Analysis],
    /// What was asked for.
    pub options: &'a Options,
}

/// The files of all formats that were asked for, in order.
pub fn files(report: &Report) -> Result<Vec<File>, ReportError> {
    let mut files = Vec::new();
    for format in Format::ALL.into_iter().filter(|f| report.options.formats.contains(f)) {
        match format {
            Format::Md => {
                files.extend(report.pages.iter().map(markdown::page));
                files.push(markdown::index(report.pages));
            }
            Format::Latex => {
                let pages: Result<Vec<_>, _> = report.pages.iter().map(latex::section).collect();
                files.extend(pages?);
                files.push(latex::report(report.pages)?);
            }
            Format::Csv => {
                let tables: Result<Vec<_>, _> = report.pages.iter().map(csv::tables).collect();
                files.extend(tables?.into_iter().flatten());
            }
            Format::Html => files.push(html::report(report)?),
        }
    }
    Ok(files)
}
