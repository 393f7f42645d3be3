//! One page over all experiments that needs nothing but itself: tables, plots that answer to the pointer, every run with its
//! solves and their pictures.
//!
//! The frame and a table are templates, `assets/html/page.html` and `grid.html`, beside the styles and scripts; the data behind plots
//! and runs stand in compressed chunks. Whatever comes out of results is hostile: the templates escape it, the rest stands within
//! JSON.

mod columns;
mod pictures;
mod run;

use std::collections::BTreeMap;
use std::fs;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use hmac_sha256::Hash;
use minijinja::{Environment, Value, context};
use rayon::prelude::*;
use serde::Serialize;

use super::options::{File, Options};
use crate::ReportError;
use crate::figures::{self, Cell, Grid, Group, number};
use crate::page::{Figure, Page, PageTable, overviews};
use crate::picture::render_svg;
use crate::render::chart::draw_for_page;
use crate::results::Experiment;
use columns::Chunk;
use run::DETAIL_SIZE;

/// Version of the data, for those who read it elsewhere.
const FORMAT: u32 = 3;

/// Bytes of pictures of instances that one experiment may take; what is beyond stands in the files beside the page only.
const ROOM: usize = 3 << 20;

const STYLES: [&str; 5] = [
    include_str!("../../../assets/html/base.css"),
    include_str!("../../../assets/html/table.css"),
    include_str!("../../../assets/html/chart.css"),
    include_str!("../../../assets/html/run.css"),
    include_str!("../../../assets/html/print.css"),
];

/// The scripts, in this order: one file may use what those before it declare.
const SCRIPTS: [&str; 14] = [
    include_str!("../../../assets/html/dom.js"),
    include_str!("../../../assets/html/format.js"),
    include_str!("../../../assets/html/columns.js"),
    include_str!("../../../assets/html/data.js"),
    include_str!("../../../assets/html/query.js"),
    include_str!("../../../assets/html/chart.js"),
    include_str!("../../../assets/html/space.js"),
    include_str!("../../../assets/html/solid.js"),
    include_str!("../../../assets/html/steps.js"),
    include_str!("../../../assets/html/run.js"),
    include_str!("../../../assets/html/table.js"),
    include_str!("../../../assets/html/filters.js"),
    include_str!("../../../assets/html/grids.js"),
    include_str!("../../../assets/html/main.js"),
];

const TEMPLATES: [(&str, &str); 2] = [
    ("page.html", include_str!("../../../assets/html/page.html")),
    ("grid.html", include_str!("../../../assets/html/grid.html")),
];

#[derive(Serialize)]
struct Head<'a> {
    format: u32,
    generator: String,
    /// The names of what the list of a solve holds.
    solve_columns: Vec<&'static str>,
    experiments: Vec<&'a About<'a>>,
}

/// Facts of an experiment, and the names of its chunks.
#[derive(Serialize)]
struct About<'a> {
    name: &'a str,
    title: &'a str,
    slug: &'a str,
    config: String,
    host: &'a [String],
    runs: usize,
    /// Runs in a chunk of details.
    detail_size: usize,
    /// By instance the chunk with the shapes of its pictures.
    pictures: BTreeMap<String, String>,
    /// Solves whose pictures are not in the page, to keep it small.
    pictures_left_out: usize,
}

/// The file over all experiments.
pub fn report(pages: &[Page], options: &Options) -> Result<File, ReportError> {
    let mut environment = Environment::new();
    for (name, template) in TEMPLATES {
        environment.add_template(name, template)?;
    }
    let tables = |tables: &[PageTable]| -> Result<Vec<String>, ReportError> {
        tables.par_iter().map(|of| Ok(environment.get_template("grid.html")?.render(table(of, pages))?)).collect()
    };
    let data = || {
        let data = pages.iter().enumerate();
        data.map(|(number, page)| data_of(number, page, options)).collect()
    };
    let of_pages = || pages.par_iter().map(|page| tables(&page.tables)).collect();
    let (data, of_pages): (Result<Vec<_>, _>, Result<Vec<_>, _>) = rayon::join(data, of_pages);
    let (data, of_pages) = (data?, of_pages?);
    let Options { revision, .. } = options;
    let revision = if revision.is_empty() { String::new() } else { format!(" ({revision})") };
    let head = Head {
        format: FORMAT,
        generator: format!("tilebench {}{revision}", env!("CARGO_PKG_VERSION")),
        solve_columns: columns::of_solves(),
        experiments: data.iter().map(|data| &data.about).collect(),
    };
    // Within strings only, and there it means the same.
    let head = serde_json::to_string(&head).expect("JSON has all of it").replace('<', "\\u003c");
    let title = match pages {
        [page] => page.title.clone(),
        pages => format!("{} experiments", pages.len()),
    };
    let sections = pages.iter().zip(&of_pages).zip(&data);
    let sections: Value = sections.map(|((page, tables), data)| section(page, tables, data)).collect();
    let (styles, scripts) = (STYLES.concat(), format!("\n{}\n", SCRIPTS.join("\n")));
    let policy = policy(&scripts);
    // The head is what the scripts must know first.
    let overviews: Value = tables(&overviews(pages))?.into_iter().collect();
    let content = context! { title, policy, overviews, sections, head, reload_s => options.reload_s, styles, scripts };
    let mut text = environment.get_template("page.html")?.render(content)?;
    // Room for all at once: it is most of the page. The names and tags around a chunk take less than 100 bytes.
    text.reserve_exact(data.iter().flat_map(|data| &data.chunks).map(|chunk| chunk.text.len() + 100).sum());
    for chunk in data.into_iter().flat_map(|data| data.chunks) {
        text.extend(["\n<script type=\"text/plain\" id=\"chunk-", &chunk.name, "\">", &chunk.text, "</script>"]);
    }
    text.push_str("\n</body>\n</html>\n");
    Ok(("report.html".to_owned(), text))
}

/// The content security policy of a page with this one script, given as it is between its tags: no other script runs.
fn policy(script: &str) -> String {
    let hash = STANDARD.encode(Hash::hash(script.as_bytes()));
    format!("default-src 'none'; script-src 'sha256-{hash}'; style-src 'unsafe-inline'; img-src data:")
}

/// The config of an experiment; a directory without one (a reference, say) has none to show.
fn config(experiment: &Experiment) -> String {
    let path = experiment.files.config();
    let is_file = fs::symlink_metadata(&path).is_ok_and(|facts| facts.is_file());
    let bytes = if is_file { fs::read(&path).unwrap_or_default() } else { Vec::new() };
    String::from_utf8_lossy(&bytes).into_owned()
}

/// What the template shows of an experiment, with its tables as HTML.
fn section(page: &Page, tables: &[String], data: &Data) -> Value {
    let mut used = 0;
    let drawn = page.boards.iter().map(|board| (board, render_svg(&board.scene)));
    let drawn = drawn.take_while(|(_, svg)| {
        used += svg.len();
        used <= ROOM
    });
    let boards: Vec<_> = drawn.map(|(board, svg)| context! { caption => &board.caption, svg }).collect();
    let left_out = page.boards[boards.len()..].iter().map(|board| board.slug.as_str());
    let figure = |(Figure { slug, chart, .. }, shape): (&Figure, &f64)| context! { slug, shape, title => &chart.title, notes => &chart.notes, caveats => &chart.caveats };
    let paragraphs = page.description.split("\n\n").map(str::trim).filter(|paragraph| !paragraph.is_empty());
    let tables = |is_detail: bool| -> Value {
        let shown = page.tables.iter().zip(tables).filter(|(table, _)| table.is_detail == is_detail);
        shown.map(|(_, text)| text).collect()
    };
    context! {
        title => &page.title,
        warnings => page.warnings.iter().chain(&page.caveats).chain(&data.warnings).collect::<Value>(),
        description => paragraphs.collect::<Value>(),
        facts => &page.provenance,
        tables => tables(false),
        details => tables(true),
        is_scored => page.score.is_some(),
        figures => page.figures.iter().zip(&data.shapes).map(figure).collect::<Value>(),
        boards_left_out => left_out.collect::<Value>(),
        boards,
    }
}

/// A table as the template takes it: its headings, and cells with what they are sorted by.
fn table(PageTable { slug, grid, .. }: &PageTable, pages: &[Page]) -> Value {
    let cell = |cell: &Cell| context! { text => number::text(cell), value => raw(&cell.value), bold => cell.bold };
    let row = |row: &figures::Row| {
        // Sections are numbered in the order of the pages.
        let link = row.link.as_ref().and_then(|slug| pages.iter().position(|page| page.slug == *slug));
        context! { ruled => row.ruled, labels => &row.labels, link, cells => row.cells.iter().map(cell).collect::<Value>() }
    };
    let Grid { caption, notes, caveats, .. } = grid;
    let rows = |is_foot: bool| grid.rows.iter().filter(|row| row.is_foot == is_foot).map(row).collect::<Value>();
    let are_numbers = grid.are_numbers();
    context! {
        slug,
        caption,
        notes,
        caveats,
        header => header(grid, &are_numbers),
        are_numbers,
        bodies => context! { tbody => rows(false), tfoot => rows(true) },
    }
}

/// One row of headings or two; those of the labels reach over both.
fn header(grid: &Grid, are_numbers: &[bool]) -> Vec<Vec<Value>> {
    let group = |group: &Group| context! { text => &group.text, scope => "colgroup", width => group.columns.len(), height => 1 };
    let column = |([_, text], is_number): ([&str; 2], &bool)| context! { text, is_number, scope => "col", width => 1, height => 1 };
    let groups = grid.has_group_row().then(|| grid.groups.iter().map(group).collect());
    let mut rows: Vec<Vec<_>> =
        groups.into_iter().chain([grid.headings().zip(are_numbers).map(column).collect()]).collect();
    let height = rows.len();
    let stubs = grid.stubs.iter().map(|text| context! { text, scope => "col", width => 1, height });
    rows[0].splice(0..0, stubs);
    rows
}

fn raw(value: &figures::Value) -> Option<f64> {
    let value = match value {
        figures::Value::Count(value) | figures::Value::Ratio(value) | figures::Value::P(value) => *value,
        figures::Value::Whole(value) => *value as f64,
        figures::Value::Time { seconds, .. } => *seconds,
        figures::Value::Blank | figures::Value::Dash | figures::Value::Text(_) => return None,
    };
    value.is_finite().then_some(value)
}

/// The data behind the plots and runs of an experiment.
struct Data<'a> {
    about: About<'a>,
    chunks: Vec<Chunk>,
    /// Of each chart the height over the width.
    shapes: Vec<f64>,
    /// What a reader must know of files that could not be read.
    warnings: Vec<String>,
}

/// Puts together the data of the experiment with that number: `e0-runs`, a chunk `e0-c0` for each chart, `e0-d0` for the
/// details of each [`DETAIL_SIZE`] runs, `e0-p0` for the shapes of each instance with pictures.
fn data_of<'a>(number: usize, page: &'a Page, options: &Options) -> Result<Data<'a>, ReportError> {
    let experiment = &page.analysis.experiment;
    let places = columns::Places::of(experiment);
    let charts = || {
        let chart = |(chart, figure): (usize, &Figure)| {
            let (svg, shape) = draw_for_page(&figure.chart);
            (Chunk::of(format!("e{number}-c{chart}"), &svg), shape)
        };
        page.figures.par_iter().enumerate().map(chart).collect::<Vec<_>>()
    };
    let runs = || columns::runs(format!("e{number}-runs"), experiment, &places);
    let (solves, (runs, charts)) =
        rayon::join(|| columns::Solves::read(experiment, &places), || rayon::join(runs, charts));
    let solves = solves?;
    let drawn = pictures::pictures(experiment, options.pictures);
    let details = (0..experiment.len().div_ceil(DETAIL_SIZE)).into_par_iter().map(|part| {
        let first = part * DETAIL_SIZE;
        let runs = first..experiment.len().min(first + DETAIL_SIZE);
        let details = runs.map(|run| run::detail(experiment, run, &solves, &drawn.of_runs));
        Chunk::of(format!("e{number}-d{part}"), &details.collect::<Vec<_>>())
    });
    let details: Vec<_> = details.collect();
    let shapes = drawn.shapes.par_iter().enumerate();
    let shapes = shapes.map(|(instance, (_, shapes))| Chunk::of(format!("e{number}-p{instance}"), shapes));
    let shapes: Vec<_> = shapes.collect();
    let pictures =
        drawn.shapes.iter().zip(&shapes).map(|((name, _), chunk)| (name.clone(), chunk.name.clone())).collect();
    let (charts, chart_shapes): (Vec<_>, Vec<_>) = charts.into_iter().unzip();
    let chunks = [vec![runs?], charts, details, shapes].into_iter().flatten().collect();
    let about = About {
        name: experiment.name(),
        title: &page.title,
        slug: &page.slug,
        config: config(experiment),
        host: &page.provenance,
        runs: experiment.len(),
        detail_size: DETAIL_SIZE,
        pictures,
        pictures_left_out: drawn.left_out,
    };
    Ok(Data { about, chunks, shapes: chart_shapes, warnings: drawn.warnings })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_asset_ends_the_element_that_it_stands_in() {
        for asset in STYLES.into_iter().chain(SCRIPTS) {
            assert!(!asset.to_lowercase().contains("</s"), "{asset}");
        }
    }
}
