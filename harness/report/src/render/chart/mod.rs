//! Charts as SVG: title, axes, lines, markers, legend, notes, from top to bottom. One renderer for the files and the page.

mod axis;
mod canvas;
mod frame;
mod legend;
mod marker;
mod series;

use plotters::style::text_anchor::HPos;

use crate::ReportError;
use crate::figures::{Chart, Trace};
use canvas::{Canvas, wrap};
use frame::Frame;
use legend::Legend;
use marker::markers;

/// In pixels. Fonts are large for the width, so that they can be read at the width of a paper's column: 20 pixels are 6.3
/// points in a column of 8.5 cm.
const WIDTH: i32 = 760;
const MARGIN: i32 = 18;
const TITLE: (f64, i32) = (22.0, 30);
const NOTE: (f64, i32) = (17.0, 24);

/// Draws a chart for a file of its own, with its title and notes and the warnings that concern it.
pub fn draw(name: &'static str, chart: &Chart, warnings: &[String]) -> Result<String, ReportError> {
    let caveats = warnings.iter().chain(&chart.caveats).map(|w| format!("Warning: {w}"));
    let notes: Vec<_> = caveats.chain(chart.notes.iter().cloned()).collect();
    drawn(chart, &chart.title, &notes, false).map_err(|reason| ReportError::Plot { name, reason })
}

/// Draws a chart for the HTML page, which says title and notes itself. Each curve is a group with its number as `data-curve`;
/// each mark is one with its place, its runs (places in [`crate::Experiment::runs`]) and what it says as `data-at`, `data-run`
/// and `data-text`.
pub fn draw_for_page(name: &'static str, chart: &Chart) -> Result<String, ReportError> {
    drawn(chart, "", &[], true).map_err(|reason| ReportError::Plot { name, reason })
}

fn drawn(chart: &Chart, title: &str, notes: &[String], is_for_page: bool) -> Result<String, String> {
    canvas::register_fonts()?;
    let right = WIDTH - MARGIN;
    let markers = markers(chart);
    let title = wrap(title, TITLE.0, right - MARGIN);
    let notes: Vec<_> = notes.iter().flat_map(|note| wrap(note, NOTE.0, right - MARGIN)).collect();
    let frame = Frame::of(chart, MARGIN, right, MARGIN / 2 + lines(&title) * TITLE.1 + 10);
    let legend = Legend::of(chart, &markers, MARGIN + 10, right);
    let legend_top = frame.bottom() + MARGIN / 2;
    let notes_top = legend_top + legend.height() + MARGIN / 2;
    let height = notes_top + lines(&notes) * NOTE.1 + MARGIN / 2;
    let canvas = Canvas::new((WIDTH, height), &chart.title, is_for_page);
    paragraph(&canvas, &title, MARGIN / 2, TITLE, HPos::Center);
    frame.draw_grid(&canvas);
    // Bars would cover what runs behind them.
    let on_top = chart.curves.iter().any(|c| c.trace == Trace::Bars);
    if !on_top {
        series::draw_guides(&canvas, chart, &frame);
    }
    series::draw(&canvas, chart, &frame, &markers);
    if on_top {
        series::draw_guides(&canvas, chart, &frame);
    }
    frame.draw_labels(&canvas, &chart.x.label, &chart.y.label);
    legend.draw(&canvas, legend_top);
    paragraph(&canvas, &notes, notes_top, NOTE, HPos::Left);
    canvas.finish()
}

fn lines(text: &[String]) -> i32 {
    i32::try_from(text.len()).unwrap_or(i32::MAX / 100)
}

fn paragraph(canvas: &Canvas, text: &[String], top: i32, (size, line): (f64, i32), align: HPos) {
    let left = if matches!(align, HPos::Center) { WIDTH / 2 } else { MARGIN };
    for (index, content) in (0..).zip(text) {
        canvas.text(content, (left, top + index * line + line / 2), size, align);
    }
}
