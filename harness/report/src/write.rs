//! Writes the files of a report. Every file is complete or not there.

use std::fs;
use std::path::{Path, PathBuf};

use rayon::prelude::*;
use record::{RecordError, in_the_way, write_whole};

use crate::ReportError;
use crate::analysis::Analysis;
use crate::page::{Board, CURVES, Figure, Page, pages};
use crate::picture::{render_svg, svg_to_pdf, svg_to_png};
use crate::render::{Format, INDEX, INDEX_HEAD, Options, curves, draw, draw_for_caption, files};

/// Width of the PNG of a plot: enough for a column of a paper in print.
const PNG_WIDTH: u32 = 1800;

/// Width of the PNG of a board.
const BOARD_WIDTH: u32 = 1200;

/// Writes tables, plots, pictures and text of the experiments to a directory; gives the files in order.
///
/// # Errors
/// A directory or file that cannot be written.
pub fn write(analyses: &[Analysis], out: &Path, options: &Options) -> Result<Vec<PathBuf>, ReportError> {
    refuse_other(out, options)?;
    fs::create_dir_all(out).map_err(|source| RecordError::Io { path: out.to_owned(), source })?;
    let pages = pages(analyses, false)?;
    let folder = Folder { out, formats: &options.formats };
    let figures: Vec<_> = pages.iter().flat_map(|page| page.figures.iter().map(move |f| (page, f))).collect();
    let boards: Vec<_> = pages.iter().flat_map(|page| &page.boards).collect();
    // Drawing takes about as long as the texts. What is drawn is written at once: together it may be a gigabyte.
    let drawn = || -> Result<Vec<Vec<PathBuf>>, ReportError> {
        let figures = figures.par_iter().map(|(page, figure)| folder.figure(page, figure));
        let boards = boards.par_iter().map(|board| folder.board(board));
        figures.chain(boards).collect()
    };
    let (drawn, texts) = rayon::join(drawn, || files(&pages, options));
    let mut written: Vec<_> = drawn?.into_iter().flatten().collect();
    for (name, text) in texts? {
        written.push(folder.file(&name, text.as_bytes())?);
    }
    Ok(written)
}

/// Refuses to replace something else: a file where the folder is to be, or the first page of others.
fn refuse_other(out: &Path, options: &Options) -> Result<(), ReportError> {
    if let Some(path) = in_the_way(out) {
        return Err(ReportError::Occupied { path: path.to_owned() });
    }
    let index = &out.join(INDEX);
    if !options.formats.contains(&Format::Md) || !index.is_file() {
        return Ok(());
    }
    let found = fs::read(index).map_err(|source| RecordError::Io { path: index.to_owned(), source })?;
    if found.is_empty() || found.starts_with(INDEX_HEAD.as_bytes()) {
        return Ok(());
    }
    Err(ReportError::Occupied { path: index.to_owned() })
}

struct Folder<'a> {
    out: &'a Path,
    formats: &'a [Format],
}

impl Folder<'_> {
    /// A plot, and what is drawn in it as CSV.
    fn figure(&self, page: &Page, figure: &Figure) -> Result<Vec<PathBuf>, ReportError> {
        let svg = draw(&figure.chart, &page.warnings);
        let mut written = self.picture(&figure.slug, &svg, PNG_WIDTH, || draw_for_caption(&figure.chart))?;
        let points = curves(&figure.chart, &page.warnings);
        written.push(self.file(&format!("{}{CURVES}.csv", figure.slug), points.as_bytes())?);
        Ok(written)
    }

    fn board(&self, board: &Board) -> Result<Vec<PathBuf>, ReportError> {
        let svg = render_svg(&board.scene);
        self.picture(&board.slug, &svg, BOARD_WIDTH, || svg.clone())
    }

    /// A plot or picture as SVG and PNG, and as PDF where there is LaTeX to include it.
    fn picture(
        &self,
        slug: &str,
        svg: &str,
        width: u32,
        for_pdf: impl FnOnce() -> String,
    ) -> Result<Vec<PathBuf>, ReportError> {
        let file = |ending: &str, bytes: &[u8]| self.file(&format!("{slug}.{ending}"), bytes);
        let mut written = vec![file("svg", svg.as_bytes())?, file("png", &svg_to_png(svg, width)?)?];
        if self.formats.contains(&Format::Latex) {
            written.push(file("pdf", &svg_to_pdf(&for_pdf())?)?);
        }
        Ok(written)
    }

    /// Readers never see half a file: it is renamed into place.
    fn file(&self, name: &str, bytes: &[u8]) -> Result<PathBuf, ReportError> {
        let path = self.out.join(name);
        write_whole(&path, bytes)?;
        Ok(path)
    }
}
