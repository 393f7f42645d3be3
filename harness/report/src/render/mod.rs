//! The pages in each format, and charts as SVG.

mod chart;
mod csv;
mod html;
pub mod latex;
mod markdown;
mod options;
mod terminal;

use crate::ReportError;
use crate::page::Page;

pub use chart::{draw, draw_for_caption};
pub use csv::curves;
pub use latex::render_latex;
pub use markdown::{INDEX, INDEX_HEAD, caption, grid, list};
pub use options::{File, Format, Options, Pictures};
pub use terminal::tables;

/// The files of all formats that were asked for, in order.
pub fn files(pages: &[Page], options: &Options) -> Result<Vec<File>, ReportError> {
    let mut files = Vec::new();
    for format in Format::ALL.into_iter().filter(|f| options.formats.contains(f)) {
        match format {
            Format::Md => {
                files.extend(pages.iter().map(markdown::page));
                files.push(markdown::index(pages));
            }
            Format::Latex => {
                let sections: Result<Vec<_>, _> = pages.iter().map(latex::section).collect();
                files.extend(sections?);
                files.push(latex::report(pages)?);
            }
            Format::Csv => files.extend(pages.iter().flat_map(csv::tables)),
            Format::Html => files.push(html::report(pages, options)?),
        }
    }
    Ok(files)
}
