//! One page over all experiments that needs nothing but itself: tables, plots that answer to the pointer, every run with its
//! solves and their pictures.
//!
//! The skeleton, the styles and the scripts stand in `assets/html`; the head of the page, its tables and the data behind
//! plots and runs come from here. Whatever comes out of results is hostile: it stands escaped in the page, or within
//! the compressed data.

mod boards;
mod grids;
mod head;
mod payload;
mod section;
mod template;

use super::{Exporter, File, Report};
use crate::ReportError;
use crate::page::Page;
use head::Head;
use payload::{Chunk, Payload};

/// The file.
pub const REPORT: &str = "report.html";

/// The exporter.
pub struct Html;

impl Exporter for Html {
    fn experiment(&self, _: &Page) -> Result<Vec<File>, ReportError> {
        Ok(Vec::new())
    }

    fn index(&self, report: &Report) -> Result<Vec<File>, ReportError> {
        let mut head = Head::new(report.options);
        let (mut contents, mut data) = (String::new(), Vec::new());
        for (index, (page, analysis)) in report.pages.iter().zip(report.analyses).enumerate() {
            let experiment = &analysis.experiment;
            let Payload { chunks, names, warnings, pictures_left_out } =
                payload::payload(index, experiment, page, report.options.pictures)?;
            contents += &section::section(index, page, &warnings);
            head.add(experiment, page, names, pictures_left_out);
            data.extend(chunks);
        }
        let head = head.script()?;
        let data: Vec<_> = std::iter::once(head.as_str()).chain(data.iter().flat_map(Chunk::element)).collect();
        Ok(vec![(REPORT.to_owned(), template::page(&title(report.pages), &contents, &data))])
    }
}

/// What the page is called: like its experiment, where it is one.
fn title(pages: &[Page]) -> String {
    match pages {
        [page] => page.title.clone(),
        pages => format!("{} experiments", pages.len()),
    }
}
