//! The pages in each format, and charts as SVG.

mod chart;
mod csv;
mod html;
mod latex;
mod markdown;
mod options;
mod terminal;

use crate::ReportError;

pub use chart::{draw, draw_for_caption};
pub use csv::curves;
pub use latex::render_latex;
pub use markdown::{INDEX, INDEX_HEAD, caption, grid, list};
pub use options::{File, Format, Options, Pictures, Report};
pub use terminal::tables;

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
            Format::Csv => files.extend(report.pages.iter().flat_map(csv::tables)),
            Format::Html => files.push(html::report(report)?),
        }
    }
    Ok(files)
}
