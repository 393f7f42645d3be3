//! Draws a chart as SVG: title, axes, lines, markers, legend, notes, from top to bottom.

mod axis;
mod bars;
mod frame;
mod guides;
mod legend;
mod marker;
mod series;
mod stroke;
mod text;

use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use crate::ReportError;
use crate::figures::{Chart, Curve, Trace};
use crate::picture::escape;
use frame::Frame;
use legend::Legend;
use marker::Marker;

/// The whole picture, in pixels.
type Canvas<'a> = DrawingArea<SVGBackend<'a>, Shift>;

/// What can go wrong on a [`Canvas`].
type CanvasError = DrawingAreaErrorKind<std::io::Error>;

/// In pixels. Fonts are large for the width, so that they can be read at the width of a paper's column: 20 pixels are 6.3
/// points in a column of 8.5 cm.
const WIDTH: u32 = 760;
const MARGIN: i32 = 18;
const TITLE: (f64, i32) = (22.0, 30);
const NOTE: (f64, i32) = (17.0, 24);

/// With more points than these, marks and lines are smaller.
const CROWD: usize = 120;

/// Draws a chart, with the warnings that concern it.
pub fn draw(name: &'static str, chart: &Chart, warnings: &[String]) -> Result<String, ReportError> {
    let failed = |reason: String| ReportError::Plot { name, reason };
    text::register().map_err(failed)?;
    let markers = markers(chart);
    let layout = Layout::of(chart, &markers, warnings);
    let mut svg = String::new();
    let canvas = SVGBackend::with_string(&mut svg, (WIDTH, layout.height())).into_drawing_area();
    layout.draw(&canvas, chart, &markers).map_err(|e| failed(e.to_string()))?;
    drop(canvas);
    // plotters leaves out what readers who cannot see the picture need.
    let title = format!(" role=\"img\">\n<title>{}</title>", escape(&chart.title));
    // Names of solvers and formulations are free text, and control characters are not allowed in XML, not even escaped.
    let svg: String = svg.chars().map(|c| if c.is_control() && c != '\n' { ' ' } else { c }).collect();
    Ok(svg.replacen('>', &title, 1))
}

fn markers(chart: &Chart) -> Vec<Marker> {
    let measured = || chart.curves.iter().filter(|c| !c.published);
    let first = measured().next().map(|c| c.of).unwrap_or_default();
    let several = (measured().any(|c| c.of.0 != first.0), measured().any(|c| c.of.1 != first.1));
    let listed = if measured().any(|c| c.trace == Trace::Steps) { Marker::of_steps } else { Marker::of_list };
    let marker = |curve: &Curve| match curve.of {
        (number, _) if curve.published => Marker::published(number),
        (formulation, solver) if several == (true, true) => Marker::of_pair(formulation, solver),
        (number, _) if several.0 => listed(number),
        (_, number) => listed(number),
    };
    let crowded = chart.points().count() > CROWD && measured().all(|c| c.trace == Trace::Straight);
    chart.curves.iter().map(marker).map(|m| if crowded { m.small() } else { m }).collect()
}

struct Layout {
    title: Vec<String>,
    frame: Frame,
    legend: Legend,
    notes: Vec<String>,
}

impl Layout {
    fn of(chart: &Chart, markers: &[Marker], warnings: &[String]) -> Self {
        let right = i32::try_from(WIDTH).unwrap_or(i32::MAX) - MARGIN;
        let notes =
            warnings.iter().chain(&chart.caveats).map(|w| format!("Warning: {w}")).chain(chart.notes.iter().cloned());
        let title = text::wrap(&chart.title, TITLE.0, right - MARGIN);
        let top = MARGIN / 2 + lines(&title) * TITLE.1 + 10;
        Self {
            title,
            frame: Frame::of(chart, MARGIN, right, top),
            legend: Legend::of(chart, markers, MARGIN + 10, right),
            notes: notes.flat_map(|n| text::wrap(&n, NOTE.0, right - MARGIN)).collect(),
        }
    }

    fn legend_top(&self) -> i32 {
        self.frame.bottom() + MARGIN / 2
    }

    fn notes_top(&self) -> i32 {
        self.legend_top() + self.legend.height() + MARGIN / 2
    }

    fn height(&self) -> u32 {
        u32::try_from(self.notes_top() + lines(&self.notes) * NOTE.1 + MARGIN / 2).unwrap_or(u32::MAX)
    }

    fn draw(&self, canvas: &Canvas, chart: &Chart, markers: &[Marker]) -> Result<(), CanvasError> {
        canvas.fill(&WHITE)?;
        paragraph(canvas, &self.title, MARGIN / 2, TITLE, HPos::Center)?;
        self.frame.draw_grid(canvas)?;
        // Bars would cover what runs behind them.
        let on_top = chart.curves.iter().any(|c| c.trace == Trace::Bars);
        if !on_top {
            guides::draw(canvas, chart, &self.frame)?;
        }
        series::draw(canvas, chart, &self.frame, markers)?;
        if on_top {
            guides::draw(canvas, chart, &self.frame)?;
        }
        self.frame.draw_labels(canvas, &chart.x, &chart.y)?;
        self.legend.draw(canvas, self.legend_top())?;
        paragraph(canvas, &self.notes, self.notes_top(), NOTE, HPos::Left)?;
        canvas.present()
    }
}

fn lines(text: &[String]) -> i32 {
    i32::try_from(text.len()).unwrap_or(i32::MAX / 100)
}

fn paragraph(
    canvas: &Canvas,
    text: &[String],
    top: i32,
    (size, line): (f64, i32),
    align: HPos,
) -> Result<(), CanvasError> {
    let left = if matches!(align, HPos::Center) { i32::try_from(WIDTH / 2).unwrap_or(0) } else { MARGIN };
    for (index, content) in (0..).zip(text) {
        let style = TextStyle::from(text::font(size)).pos(Pos::new(align, VPos::Center)).color(&BLACK);
        canvas.draw(&Text::new(content.clone(), (left, top + index * line + line / 2), style))?;
    }
    Ok(())
}
