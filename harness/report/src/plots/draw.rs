//! Draws a chart as SVG: title, axes, lines, markers, legend, notes, from top to bottom.

use std::ops::Range;

use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::legend::Legend;
use super::marker::{Canvas, CanvasError, Marker, whole};
use super::scale;
use super::text;
use super::{Chart, Curve, Kind, Point};
use crate::ReportError;
use crate::picture::escape;

/// In pixels. Fonts are large for the width, so that they can be read at the width of a paper's column.
const WIDTH: u32 = 900;
const MARGIN: i32 = 24;
const TITLE: (f64, i32) = (24.0, 32);
const NOTE: (f64, i32) = (18.0, 25);
const AXIS_TEXT: f64 = 21.0;
const PLOT_HEIGHT: i32 = 500;
/// Room for the labels left of and below the axes.
const AXIS_LABELS: (i32, i32) = (112, 72);

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
    let marker = |curve: &Curve| match curve.of {
        (number, _) if curve.published => Marker::published(number),
        (formulation, solver) if several == (true, true) => Marker::of_pair(formulation, solver),
        (number, _) if several.0 => Marker::of_list(number),
        (_, number) => Marker::of_list(number),
    };
    chart.curves.iter().map(marker).collect()
}

struct Layout {
    title: Vec<String>,
    legend: Legend,
    notes: Vec<String>,
}

impl Layout {
    fn of(chart: &Chart, markers: &[Marker], warnings: &[String]) -> Self {
        let right = i32::try_from(WIDTH).unwrap_or(i32::MAX) - MARGIN;
        let notes =
            warnings.iter().chain(&chart.caveats).map(|w| format!("Warning: {w}")).chain(chart.notes.iter().cloned());
        Self {
            title: text::wrap(&chart.title, TITLE.0, right - MARGIN),
            legend: Legend::of(chart, markers, MARGIN + 20, right),
            notes: notes.flat_map(|n| text::wrap(&n, NOTE.0, right - MARGIN)).collect(),
        }
    }

    fn plot_top(&self) -> i32 {
        MARGIN / 2 + lines(&self.title) * TITLE.1
    }

    fn legend_top(&self) -> i32 {
        self.plot_top() + PLOT_HEIGHT + MARGIN / 2
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
        let (_, below) = canvas.split_vertically(self.plot_top());
        let (plot, _) = below.split_vertically(PLOT_HEIGHT);
        axes_and_points(canvas, &plot, chart, markers)?;
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

fn axes_and_points(canvas: &Canvas, plot: &Canvas, chart: &Chart, markers: &[Marker]) -> Result<(), CanvasError> {
    let x = scale::challenges(chart.points().map(|p| p.x));
    let range = |p: &Point| p.spread.and_then(|s| s.range).map_or([p.y; 2], |(least, most)| [least, most]);
    let values = chart.points().flat_map(|p| std::iter::once(p.y).chain(range(p)));
    let y = if chart.y.scale.is_log() { scale::logarithms(values) } else { scale::counts(values) };
    let mut context = ChartBuilder::on(plot)
        .margin_right(MARGIN)
        .margin_top(10)
        .x_label_area_size(AXIS_LABELS.1)
        .y_label_area_size(AXIS_LABELS.0)
        .build_cartesian_2d(x, y)?;
    context
        .configure_mesh()
        .label_style(text::font(AXIS_TEXT))
        .bold_line_style(RGBColor(205, 205, 205))
        .light_line_style(RGBColor(238, 238, 238))
        .axis_style(BLACK)
        .draw()?;

    let area = context.plotting_area();
    quantities(canvas, chart, area.get_pixel_range())?;
    let place =
        |x: f64, y: f64| area.map_coordinate(&(x, if chart.y.scale.is_log() { scale::logarithm(y) } else { y }));
    let dodge = dodge(chart, place);
    for ((curve, marker), shift) in chart.curves.iter().zip(markers).zip(&dodge) {
        for pair in curve.line.windows(2) {
            if let [(x1, Some(y1)), (x2, Some(y2))] = *pair {
                let [from, to] = [place(x1, y1), place(x2, y2)].map(|(x, y)| (x + shift, y));
                marker.draw_line(canvas, from, to)?;
            }
        }
    }
    for ((curve, marker), shift) in chart.curves.iter().zip(markers).zip(&dodge) {
        for point in &curve.points {
            let (x, y) = place(point.x, point.y);
            if let Some((least, most)) = point.spread.and_then(|s| s.range) {
                let ends = [least, most].map(|y| (x + shift, place(point.x, y).1)).to_vec();
                canvas.draw(&PathElement::new(ends, marker.colour.stroke_width(2)))?;
            }
            let marker = match point.kind {
                Kind::Limit => Marker::limit(marker.colour),
                Kind::Unsolved => marker.unsolved(),
                _ => *marker,
            };
            marker.draw(canvas, (x + shift, y))?;
            match point.kind {
                Kind::Wrong => Marker::wrong().draw(canvas, (x + shift, y))?,
                Kind::Error => Marker::error().draw(canvas, (x + shift, y))?,
                _ => {}
            }
        }
    }
    Ok(())
}

/// Says what the axes measure; plotters would clip the vertical one.
fn quantities(canvas: &Canvas, chart: &Chart, (x, y): (Range<i32>, Range<i32>)) -> Result<(), CanvasError> {
    let style = TextStyle::from(text::font(AXIS_TEXT)).pos(Pos::new(HPos::Center, VPos::Center)).color(&BLACK);
    let across = (i32::midpoint(x.start, x.end), y.end + AXIS_LABELS.1 - 16);
    canvas.draw(&Text::new(chart.x.label.clone(), across, style.clone()))?;
    let upward = (MARGIN, i32::midpoint(y.start, y.end));
    canvas.draw(&Text::new(chart.y.label.clone(), upward, style.transform(FontTransform::Rotate270)))
}

/// Shifts the measured curves apart by a few pixels, so that equal values do not hide each other.
fn dodge(chart: &Chart, place: impl Fn(f64, f64) -> (i32, i32)) -> Vec<i32> {
    let mut xs: Vec<_> = chart.points().map(|p| p.x).collect();
    xs.sort_by(f64::total_cmp);
    let first = xs.first().copied().unwrap_or_default();
    let apart = f64::from(place(first + scale::gap(&xs), 1.0).0 - place(first, 1.0).0);
    let last = chart.curves.iter().filter(|c| !c.published).skip(1).map(|_| 1.0).sum::<f64>();
    let step = if last > 0.0 { (apart * scale::SHARE / last).min(12.0) } else { 0.0 };
    let shifts = std::iter::successors(Some(-last / 2.0), |at| Some(at + 1.0)).map(|at| whole(at * step));
    chart.curves.iter().zip(shifts).map(|(curve, shift)| if curve.published { 0 } else { shift }).collect()
}
