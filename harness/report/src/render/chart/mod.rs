//! Charts as SVG: title, axes, lines, markers, legend, notes, from top to bottom. One renderer for the files and the page.

mod canvas;
mod frame;
mod legend;
mod marks;

use crate::figures::{BoxMark, Chart, Curve, GuideAt, Kind, Point, Scale, Trace};
use canvas::{Anchor, At, BLACK, Canvas, Pen, count, whole, wrap};
use frame::Frame;
use legend::Legend;
use marks::{Arrow, Marker, draw_bar, draw_body, draw_guide, markers};
use puzzle::scene::Rgb;

/// In pixels. Fonts are large for the width, so that they can be read at the width of a paper's column: 20 pixels are 6.3
/// points in a column of 8.5 cm.
const WIDTH: i32 = 760;
const MARGIN: i32 = 18;
/// Sizes of fonts and lines.
const TITLE: (f64, i32) = (22.0, 30);
const NOTE: (f64, i32) = (17.0, 24);

/// Draws a chart for a file of its own, with its title and notes and the warnings that concern it.
pub fn draw(chart: &Chart, warnings: &[String]) -> String {
    let caveats = warnings.iter().chain(&chart.caveats).map(|w| format!("Warning: {w}"));
    let notes: Vec<_> = caveats.chain(chart.notes.iter().cloned()).collect();
    drawn(chart, &chart.title, &notes, false).0
}

/// Draws a chart for a document whose caption says title, notes and warnings.
pub fn draw_for_caption(chart: &Chart) -> String {
    drawn(chart, "", &[], false).0
}

/// Draws a chart for the HTML page, which says title and notes itself. Each curve is a group with its number as `data-curve`;
/// each mark is one with its place, its runs (places in [`crate::Experiment::runs`]) and what it says as `data-at`, `data-run`
/// and `data-text`. Gives its height over its width too.
pub fn draw_for_page(chart: &Chart) -> (String, f64) {
    let (svg, height) = drawn(chart, "", &[], true);
    (svg, f64::from(height) / f64::from(WIDTH))
}

/// The chart as SVG, and its height.
fn drawn(chart: &Chart, title: &str, notes: &[String], is_for_page: bool) -> (String, i32) {
    let right = WIDTH - MARGIN;
    let markers = markers(chart);
    let title = wrap(title, TITLE.0, right - MARGIN);
    let notes: Vec<_> = notes.iter().flat_map(|note| wrap(note, NOTE.0, right - MARGIN)).collect();
    let frame = Frame::of(chart, MARGIN, right, MARGIN / 2 + count(title.len()) * TITLE.1 + 10);
    let legend = Legend::of(chart, &markers, MARGIN + 10, right);
    let legend_top = frame.bottom + MARGIN / 2;
    let notes_top = legend_top + legend.height + MARGIN / 2;
    let height = notes_top + count(notes.len()) * NOTE.1 + MARGIN / 2;
    let mut canvas = Canvas::new((WIDTH, height), &chart.title, is_for_page);
    paragraph(&mut canvas, &title, (WIDTH / 2, MARGIN / 2), TITLE, Anchor::Center);
    frame.draw_grid(&mut canvas);
    // Bars would cover what runs behind them.
    let has_bars = chart.curves.iter().any(|c| c.trace == Trace::Bars);
    if !has_bars {
        draw_guides(&mut canvas, chart, &frame);
    }
    draw_curves(&mut canvas, chart, &frame, &markers);
    if has_bars {
        draw_guides(&mut canvas, chart, &frame);
    }
    frame.draw_labels(&mut canvas, &chart.x.label, &chart.y.label);
    legend.draw(&mut canvas, legend_top);
    paragraph(&mut canvas, &notes, (MARGIN, notes_top), NOTE, Anchor::Left);
    (canvas.finish(), height)
}

fn paragraph(canvas: &mut Canvas, lines: &[String], (x, top): At, (size, line): (f64, i32), anchor: Anchor) {
    for (index, content) in (0..).zip(lines) {
        canvas.text(content, (x, top + index * line + line / 2), size, anchor);
    }
}

fn draw_guides(canvas: &mut Canvas, chart: &Chart, frame: &Frame) {
    let Frame { across, upward, .. } = frame;
    for guide in &chart.guides {
        let ends = match guide.at {
            GuideAt::X(value) => [upward.from, upward.to].map(|y| (frame.x(value), y)),
            GuideAt::Y(value) => [across.from, across.to].map(|x| (x, frame.y(value))),
            // Both axes are the same then.
            GuideAt::Equal => [(across.from, upward.from), (across.to, upward.to)],
        };
        draw_guide(canvas, &ends);
    }
}

/// Marks of a stepped line stand at least so many pixels apart: they tell curves apart, no more.
const SPARSE: f64 = 90.0;

/// Boxes are at most so wide, in pixels; they and bars fill this part of the room of a name.
const WIDEST_BOX: f64 = 34.0;
const WIDEST_BAR: f64 = 40.0;
const FILLED: f64 = 0.8;

/// Draws all curves, lines first, so that they cover no marks.
fn draw_curves(canvas: &mut Canvas, chart: &Chart, frame: &Frame, markers: &[Marker]) {
    let (step, shifts) = shifts(chart, frame);
    let series = chart.curves.iter().zip(markers).zip(shifts).enumerate();
    let series =
        series.map(|(number, ((curve, marker), shift))| Series { chart, frame, curve, marker: *marker, number, shift });
    let series: Vec<_> = series.collect();
    for (class, is_line) in [("line", true), ("marks", false)] {
        for series in &series {
            canvas.group(&[("class", class), ("data-curve", &series.number.to_string())], |canvas| match is_line {
                true => series.draw_lines(canvas),
                false => series.draw_marks(canvas, step),
            });
        }
    }
}

/// A curve, and where and how it is drawn.
struct Series<'a> {
    chart: &'a Chart,
    frame: &'a Frame,
    curve: &'a Curve,
    marker: Marker,
    number: usize,
    /// Pixels to the right.
    shift: i32,
}

impl Series<'_> {
    /// Draws the parts of its line between interruptions.
    fn draw_lines(&self, canvas: &mut Canvas) {
        for part in self.curve.line.split(|(_, y)| y.is_none()) {
            let mut corners: Vec<At> = Vec::new();
            for (x, y) in part {
                let at = (self.frame.x(*x) + self.shift, self.frame.y(y.unwrap_or_default()));
                if let Some((_, before)) = corners.last().filter(|_| self.curve.trace == Trace::Steps) {
                    corners.push((at.0, *before));
                }
                corners.push(at);
            }
            self.marker.draw_line(canvas, &corners);
        }
    }

    fn draw_marks(&self, canvas: &mut Canvas, step: f64) {
        let Frame { across, upward, .. } = self.frame;
        let wide = whole((step * FILLED).min(WIDEST_BOX)).max(3);
        for mark in &self.curve.boxes {
            let at = (self.frame.x(mark.x) + self.shift, self.frame.y(mark.five[2]));
            let text = || self.chart.describe_box(self.curve, mark);
            self.mark(canvas, at, at.1, &mark.members, text, |canvas| self.draw_box(canvas, mark, at.0, wide));
        }
        let places = if let Scale::Names(names) = &self.chart.x.scale { names.len() } else { self.curve.points.len() };
        let room = f64::from(across.length()) / (places.max(1) as f64);
        let wide = whole((room * FILLED).min(WIDEST_BAR)).max(1);
        let is_bar = self.curve.trace == Trace::Bars;
        for (point, is_marked) in self.curve.points.iter().zip(self.marked()) {
            let at = (self.frame.x(point.x) + self.shift, self.frame.y(point.y));
            let text = || self.chart.describe_point(self.curve, point);
            let foot = if is_bar { upward.from } else { at.1 };
            self.mark(canvas, at, foot, &point.members, text, |canvas| {
                if is_bar {
                    let left = at.0 - wide / 2;
                    draw_bar(canvas, [left, left + wide, at.1, foot], point.kind, self.marker);
                    self.draw_range(canvas, point, at.0, BLACK);
                } else if is_marked {
                    self.draw_point(canvas, point, at);
                }
            });
        }
    }

    /// Draws a mark with what the page says of it: where it is, down to its foot; its runs; a text.
    fn mark(
        &self,
        canvas: &mut Canvas,
        (x, y): At,
        foot: i32,
        runs: &[u32],
        text: impl Fn() -> String,
        draw: impl FnOnce(&mut Canvas),
    ) {
        if !canvas.has_groups() {
            return draw(canvas);
        }
        let runs: Vec<_> = runs.iter().map(u32::to_string).collect();
        let (place, runs, text) = (format!("{x} {y} {foot}"), runs.join(" "), text());
        let data = [("class", "mark"), ("data-at", &place), ("data-run", &runs), ("data-text", &text)];
        canvas.group(&data, draw);
    }

    /// Which points have a mark: all, but on stepped lines, whose corners show where they are, only some of those of
    /// the ordinary kind, which lie elsewhere for each curve.
    fn marked(&self) -> Vec<bool> {
        let points = &self.curve.points;
        if self.curve.trace != Trace::Steps {
            return vec![true; points.len()];
        }
        let mut left = SPARSE * f64::from(u32::try_from(self.number % 4).unwrap_or(0)) / 4.0;
        let mut before: Option<At> = None;
        let mut marked: Vec<bool> = points
            .iter()
            .map(|point| {
                let at = (self.frame.x(point.x), self.frame.y(point.y));
                let from = before.replace(at).unwrap_or(at);
                left -= f64::from((at.0 - from.0).abs() + (at.1 - from.1).abs());
                let is_marked = left <= 0.0 || point.kind != Kind::Ended;
                if is_marked {
                    left = SPARSE;
                }
                is_marked
            })
            .collect();
        if !marked.contains(&true)
            && let Some(last) = marked.last_mut()
        {
            *last = true;
        }
        marked
    }

    fn draw_point(&self, canvas: &mut Canvas, point: &Point, at: At) {
        let marker = self.marker;
        self.draw_range(canvas, point, at.0, marker.colour);
        match point.kind {
            Kind::Ended | Kind::Published => marker.draw(canvas, at),
            Kind::Unsolved => marker.unsolved().draw(canvas, at),
            Kind::Limit => {
                marker.unsolved().draw(canvas, at);
                self.arrows(point).into_iter().for_each(|arrow| marker.draw_arrow(canvas, at, arrow));
            }
            Kind::Wrong | Kind::Error => {
                marker.draw(canvas, at);
                Marker::cross(point.kind).draw(canvas, at);
            }
        }
    }

    /// Draws a line from the least to the most of several runs; of a lower bound to its mark, where the arrow goes on.
    fn draw_range(&self, canvas: &mut Canvas, point: &Point, x: i32, colour: Rgb) {
        if let Some((least, most)) = point.spread.and_then(|s| s.range) {
            let most = if point.kind == Kind::Limit { point.y } else { most };
            canvas.line(&[least, most].map(|y| (x, self.frame.y(y))), Pen::new(colour, 2));
        }
    }

    /// Where the arrows of a lower bound point: across the limits that it stands on, else up.
    fn arrows(&self, point: &Point) -> Vec<Arrow> {
        let on = |wanted: GuideAt| self.chart.guides.iter().any(|g| g.at == wanted);
        let all = [(GuideAt::X(point.x), Arrow::Right), (GuideAt::Y(point.y), Arrow::Up)];
        let found: Vec<_> = all.into_iter().filter(|(guide, _)| on(*guide)).map(|(_, arrow)| arrow).collect();
        if found.is_empty() { vec![Arrow::Up] } else { found }
    }

    /// Draws a box with whiskers: from the least to the most, box between the quartiles, a thick line and a mark at the
    /// median.
    fn draw_box(&self, canvas: &mut Canvas, mark: &BoxMark, x: i32, wide: i32) {
        let marker = self.marker;
        let [least, lower, median, upper, most] = mark.five.map(|value| self.frame.y(value));
        let (left, right) = (x - wide / 2, x + wide / 2);
        let line = Pen::new(marker.colour, 2);
        for (from, to, end) in [(least, lower, least), (upper, most, most)] {
            canvas.line(&[(x, from), (x, to)], line);
            canvas.line(&[(x - wide / 4, end), (x + wide / 4, end)], line);
        }
        draw_body(canvas, [left, right, lower, upper], marker);
        canvas.line(&[(left, median), (right, median)], Pen::new(marker.colour, 4));
        marker.at_most((wide / 2 - 1).max(2)).draw(canvas, (x, median));
    }
}

/// Shifts the measured curves apart, so that equal values do not hide each other: the step between neighbours in pixels,
/// and the shift of each. On axes of measured values nothing is shifted.
fn shifts(chart: &Chart, frame: &Frame) -> (f64, Vec<i32>) {
    let last = chart.curves.iter().filter(|c| !c.published).skip(1).map(|_| 1.0).sum::<f64>();
    let apart = |from: f64, to: f64| f64::from(frame.x(to) - frame.x(from));
    let step = match &chart.x.scale {
        Scale::Challenges => {
            let mut xs: Vec<_> = chart.points().map(|p| p.x).collect();
            xs.sort_by(f64::total_cmp);
            let first = xs.first().copied().unwrap_or_default();
            (apart(first, first + frame::gap(&xs)) * frame::SHARE / last.max(1.0)).min(12.0)
        }
        Scale::Names(names) => {
            let slot = f64::from(frame.across.length()) / (names.len().max(1) as f64);
            slot * FILLED / (last + 1.0)
        }
        _ => 0.0,
    };
    let shifts = std::iter::successors(Some(-last / 2.0), |at| Some(at + 1.0)).map(|at| whole(at * step));
    (step, chart.curves.iter().zip(shifts).map(|(curve, shift)| if curve.published { 0 } else { shift }).collect())
}
