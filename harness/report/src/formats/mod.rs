//! Formats: each writes the same neutral pages, one exporter a file. This file holds the trait and the registry.

mod csv;
mod html;
mod latex;
mod markdown;
mod number;
mod split;

use crate::page::Page;
use crate::write::Options;
use crate::{Experiment, ReportError};

pub use csv::{CURVES, curves};
pub use latex::render_latex;
pub use number::{grouped, seconds};

pub use markdown::{caption, escape, grid, list};

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

    pub(crate) fn exporter(self) -> &'static dyn Exporter {
        match self {
            Self::Md => &markdown::Markdown,
            Self::Latex => &latex::Latex,
            Self::Csv => &csv::Csv,
            Self::Html => &html::Html,
        }
    }
}

/// A file to be written: its name and what stands in it.
pub type File = (String, String);

/// All that a report shows.
pub struct Report<'a> {
    /// One for each experiment.
    pub pages: &'a [Page],
    /// The experiments behind the pages.
    pub experiments: &'a [Experiment],
    /// What was asked for.
    pub options: &'a Options,
}

/// Writes pages in one format.
pub trait Exporter {
    /// The files for one experiment.
    fn experiment(&self, page: &Page) -> Result<Vec<File>, ReportError>;

    /// The files over all experiments.
    fn index(&self, report: &Report) -> Result<Vec<File>, ReportError>;
}
