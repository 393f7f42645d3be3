//! Writes the files of a report. Every file is complete or not there.

use std::fs;
use std::path::{Path, PathBuf};

use rayon::prelude::*;
use record::write_whole;

use crate::formats::{CURVES, File, Format, Report, curves};
use crate::page::{Figure, Page, page};
use crate::picture::{render_svg, svg_to_pdf, svg_to_png};
use crate::plots::draw;
use crate::stems::Stems;
use crate::{Experiment, ReportError};

/// Width of the PNG of a plot: enough for a column of a paper in print.
pub const PNG_WIDTH: u32 = 1800;

/// Width of the PNG of a board.
pub const BOARD_WIDTH: u32 = 1200;

/// What is to be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    /// Formats of tables and text.
    pub formats: Vec<Format>,
    /// Which pictures of solves the HTML page holds.
    pub pictures: Pictures,
    /// The revision that tilebench was built from, to be named in the HTML page.
    pub revision: Option<String>,
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

/// Writes tables, plots, pictures and text of the experiments to a directory; gives the files in order.
///
/// # Errors
/// A directory or file that cannot be written.
pub fn write(experiments: &[Experiment], out: &Path, formats: &[Format]) -> Result<Vec<PathBuf>, ReportError> {
    let options = Options { formats: formats.to_vec(), pictures: Pictures::default(), revision: None };
    write_with(experiments, out, &options)
}

/// As [`write`], with all that can be chosen.
///
/// # Errors
/// As [`write`].
pub fn write_with(experiments: &[Experiment], out: &Path, options: &Options) -> Result<Vec<PathBuf>, ReportError> {
    fs::create_dir_all(out).map_err(|source| ReportError::Io { path: out.to_owned(), source })?;
    let pages = pages(experiments)?;
    let folder = Folder { out, formats: &options.formats };
    let figures: Vec<_> = pages.iter().flat_map(|page| page.figures.iter().map(move |f| (page, f))).collect();
    let boards: Vec<_> = pages.iter().flat_map(|page| &page.boards).collect();
    // Drawing takes about as long as the texts. What is drawn is written at once: together it may be a gigabyte.
    let drawn = || -> Result<Vec<Vec<PathBuf>>, ReportError> {
        let figures = figures.par_iter().map(|(page, figure)| folder.figure(page, figure));
        let boards =
            boards.par_iter().map(|board| folder.picture(&board.stem, &render_svg(&board.board.scene), BOARD_WIDTH));
        figures.chain(boards).collect()
    };
    let (drawn, texts) = rayon::join(drawn, || texts(&Report { pages: &pages, experiments, options }));
    let mut written: Vec<_> = drawn?.into_iter().flatten().collect();
    for (name, text) in texts? {
        written.push(folder.file(&name, text.as_bytes())?);
    }
    Ok(written)
}

/// The files of all formats, in order.
fn texts(report: &Report) -> Result<Vec<File>, ReportError> {
    let mut files = Vec::new();
    for format in Format::ALL.into_iter().filter(|f| report.options.formats.contains(f)) {
        let exporter = format.exporter();
        for page in report.pages {
            files.extend(exporter.experiment(page)?);
        }
        files.extend(exporter.index(report)?);
    }
    Ok(files)
}

/// Builds the pages, under file stems that differ.
pub fn pages(experiments: &[Experiment]) -> Result<Vec<Page>, ReportError> {
    // `index` and `report` are files of ours.
    let mut stems = Stems::new(&["index", "report"]);
    // Pages first, so that no table of one takes the name of another.
    let named: Vec<_> = experiments.iter().map(|e| (e, stems.claim(e.name(), ""))).collect();
    let mut pages = Vec::new();
    for (index, (experiment, stem)) in named.iter().enumerate() {
        let mut page = page(experiment, stem, &mut stems)?;
        if experiments[..index].iter().any(|e| e.name() == experiment.name()) {
            page.warnings.push(format!("another directory holds the same experiment; this one is shown as {stem}"));
        }
        pages.push(page);
    }
    tell_apart(experiments, &mut pages);
    Ok(pages)
}

/// Adds the folder to titles that several pages have: as many names of its path as tell these folders apart.
fn tell_apart(experiments: &[Experiment], pages: &mut [Page]) {
    let titles: Vec<_> = pages.iter().map(|p| p.title.clone()).collect();
    let folder = |index: usize, names: usize| -> PathBuf {
        let parts: Vec<_> = experiments[index].files().root().components().collect();
        parts[parts.len().saturating_sub(names)..].iter().collect()
    };
    for (index, page) in pages.iter_mut().enumerate() {
        let others: Vec<_> = (0..titles.len()).filter(|o| *o != index && titles[*o] == titles[index]).collect();
        if others.is_empty() {
            continue;
        }
        let longest = experiments[index].files().root().components().count();
        let differs = |names: &usize| others.iter().all(|o| folder(*o, *names) != folder(index, *names));
        let names = (1..longest).find(differs).unwrap_or(longest);
        page.title += &format!(", folder {}", folder(index, names).display());
    }
}

/// Where the files go.
struct Folder<'a> {
    out: &'a Path,
    formats: &'a [Format],
}

impl Folder<'_> {
    /// A plot, and what is drawn in it as CSV.
    fn figure(&self, page: &Page, figure: &Figure) -> Result<Vec<PathBuf>, ReportError> {
        let svg = draw(figure.name, &figure.chart, &page.warnings)?;
        let mut written = self.picture(&figure.stem, &svg, PNG_WIDTH)?;
        let points = curves(&figure.chart, &page.warnings)?;
        written.push(self.file(&format!("{}{CURVES}.csv", figure.stem), points.as_bytes())?);
        Ok(written)
    }

    /// A plot or picture as SVG, PNG and, where there is LaTeX to include it, PDF.
    fn picture(&self, stem: &str, svg: &str, width: u32) -> Result<Vec<PathBuf>, ReportError> {
        let mut written = vec![self.file(&format!("{stem}.svg"), svg.as_bytes())?];
        written.push(self.file(&format!("{stem}.png"), &svg_to_png(svg, width)?)?);
        if self.formats.contains(&Format::Latex) {
            written.push(self.file(&format!("{stem}.pdf"), &svg_to_pdf(svg)?)?);
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
