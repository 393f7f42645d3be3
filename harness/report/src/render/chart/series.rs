//! Curves: their lines, boxes, bars and marks, and the guides across the plot.

use plotters::prelude::*;

use super::axis;
use super::canvas::{At, Canvas};
use super::frame::{Frame, whole};
use super::marker::{Arrow, Marker, closed};
use crate::figures::{BoxMark, Chart, Curve, Guide, GuideAt, Kind, Point, Scale, Trace};

/// Marks of a stepped line stand at least so many pixels apart: they tell curves apart, no more.
const SPARSE: f64 = 90.0;

/// Boxes are at most so wide, in pixels; they and bars fill this part of the room of a name.
const WIDEST_BOX: f64 = 34.0;
const WIDEST_BAR: f64 = 40.0;
const FILLED: f64 = 0.8;

/// Between the strokes of a hatched bar.
const HATCHED: usize = 7;

/// Thin, grey and dashed, so that no curve is taken for a guide.
const GUIDE: RGBColor = RGBColor(90, 90, 90);

pub fn draw_guides(canvas: &Canvas, chart: &Chart, frame: &Frame) {
    let (across, upward) = frame.area();
    for Guide { at, .. } in &chart.guides {
        let ends = match *at {
            GuideAt::X(value) => [upward.end, upward.start].map(|y| (frame.x(value), y)),
            GuideAt::Y(value) => [across.start, across.end].map(|x| (x, frame.y(value))),
            // Both axes are the same then.
            GuideAt::Equal => [(across.start, upward.end), (across.end, upward.start)],
        };
        guide(canvas, &ends);
    }
}

pub fn guide(canvas: &Canvas, ends: &[At; 2]) {
    canvas.dashed(ends, GUIDE.stroke_width(2), "7 5");
}

/// Draws all curves, lines first, so that they cover no marks.
pub fn draw(canvas: &Canvas, chart: &Chart, frame: &Frame, markers: &[Marker]) {
    let (step, shifts) = shifts(chart, frame);
    let curves = || chart.curves.iter().zip(markers).zip(&shifts).enumerate();
    for (number, ((curve, marker), shift)) in curves() {
        canvas.group(&[("class", "line"), ("data-curve", &number.to_string())], || {
            for piece in pieces(curve, frame, *shift) {
                marker.draw_line(canvas, &piece);
            }
        });
    }
    for (number, ((curve, marker), shift)) in curves() {
        let series = Series { canvas, chart, frame, curve, marker: *marker, shift: *shift };
        canvas.group(&[("class", "marks"), ("data-curve", &number.to_string())], || series.draw(number, step));
    }
}

/// The parts of its line between interruptions, in pixels.
fn pieces(curve: &Curve, frame: &Frame, shift: i32) -> Vec<Vec<At>> {
    let mut pieces: Vec<Vec<At>> = vec![Vec::new()];
    for (x, y) in &curve.line {
        let Some(y) = y else {
            pieces.push(Vec::new());
            continue;
        };
        let at = (frame.x(*x) + shift, frame.y(*y));
        if let Some(piece) = pieces.last_mut() {
            let before = piece.last().copied().filter(|_| curve.trace == Trace::Steps);
            piece.extend(before.map(|(_, y)| (at.0, y)));
            piece.push(at);
        }
    }
    pieces
}

/// A curve, and where and how it is drawn.
struct Series<'a> {
    canvas: &'a Canvas,
    chart: &'a Chart,
    frame: &'a Frame,
    curve: &'a Curve,
    marker: Marker,
    shift: i32,
}

impl Series<'_> {
    fn draw(&self, number: usize, step: f64) {
        let (across, upward) = self.frame.area();
        let wide = whole((step * FILLED).min(WIDEST_BOX)).max(3);
        for mark in &self.curve.boxes {
            let at = (self.frame.x(mark.x) + self.shift, self.frame.y(mark.five[2]));
            let text = || self.chart.describe_box(self.curve, mark);
            self.mark(at, None, &mark.members, text, || self.draw_box(mark, at.0, wide));
        }
        let places = if let Scale::Names(names) = &self.chart.x.scale { names.len() } else { self.curve.points.len() };
        let room = f64::from(across.end - across.start) / (places.max(1) as f64);
        let wide = whole((room * FILLED).min(WIDEST_BAR)).max(1);
        for (point, is_marked) in self.curve.points.iter().zip(self.marked(number)) {
            let at = (self.frame.x(point.x) + self.shift, self.frame.y(point.y));
            let text = || self.chart.describe_point(self.curve, point);
            let (foot, is_bar) = (upward.end, self.curve.trace == Trace::Bars);
            self.mark(at, is_bar.then_some(foot), &point.members, text, || match is_bar {
                true => {
                    let left = at.0 - wide / 2;
                    draw_bar(self.canvas, [left, left + wide, at.1, foot], point.kind, self.marker);
                    self.draw_range(point, at.0, BLACK);
                }
                false if is_marked => self.draw_point(point, at),
                false => {}
            });
        }
    }

    /// Draws a mark with what the page says of it: where it is, down to where it stands on the axis; its runs; a text.
    fn mark(&self, at: At, foot: Option<i32>, runs: &[u32], text: impl Fn() -> String, draw: impl Fn()) {
        if !self.canvas.has_groups() {
            return draw();
        }
        let runs: Vec<_> = runs.iter().map(u32::to_string).collect();
        let place = format!("{} {} {}", at.0, at.1, foot.unwrap_or(at.1));
        let data = [("class", "mark"), ("data-at", &place), ("data-run", &runs.join(" ")), ("data-text", &text())];
        self.canvas.group(&data, draw);
    }

    /// Which points have a mark: all, but on stepped lines, whose corners show where they are, only some of those of
    /// the ordinary kind, which lie elsewhere for each curve.
    fn marked(&self, number: usize) -> Vec<bool> {
        let points = &self.curve.points;
        if self.curve.trace != Trace::Steps {
            return vec![true; points.len()];
        }
        let mut left = SPARSE * f64::from(u32::try_from(number % 4).unwrap_or(0)) / 4.0;
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

    fn draw_point(&self, point: &Point, at: At) {
        let (canvas, marker) = (self.canvas, self.marker);
        self.draw_range(point, at.0, marker.colour);
        match point.kind {
            Kind::Ended | Kind::Published => marker.draw(canvas, at),
            Kind::Unsolved => marker.unsolved().draw(canvas, at),
            Kind::Limit => {
                marker.unsolved().draw(canvas, at);
                self.arrows(point).into_iter().for_each(|arrow| marker.draw_arrow(canvas, at, arrow));
            }
            Kind::Wrong | Kind::Error => {
                marker.draw(canvas, at);
                cross(point.kind).draw(canvas, at);
            }
        }
    }

    /// Draws a line from the least to the most of several runs.
    fn draw_range(&self, point: &Point, x: i32, colour: RGBColor) {
        if let Some((least, most)) = point.spread.and_then(|s| s.range) {
            self.canvas.line(&[least, most].map(|y| (x, self.frame.y(y))), colour.stroke_width(2));
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
    fn draw_box(&self, mark: &BoxMark, x: i32, wide: i32) {
        let (canvas, marker) = (self.canvas, self.marker);
        let [least, lower, median, upper, most] = mark.five.map(|value| self.frame.y(value));
        let (left, right) = (x - wide / 2, x + wide / 2);
        let line = marker.colour.stroke_width(2);
        for (from, to, end) in [(least, lower, least), (upper, most, most)] {
            canvas.line(&[(x, from), (x, to)], line);
            canvas.line(&[(x - wide / 4, end), (x + wide / 4, end)], line);
        }
        draw_body(canvas, [left, right, lower, upper], marker);
        canvas.line(&[(left, median), (right, median)], marker.colour.stroke_width(4));
        marker.at_most((wide / 2 - 1).max(2)).draw(canvas, (x, median));
    }
}

/// Draws a box between left, right, lower and upper end.
fn draw_body(canvas: &Canvas, [left, right, lower, upper]: [i32; 4], marker: Marker) {
    let line = marker.colour.stroke_width(2);
    let corners = [(left, lower), (right, lower), (right, upper), (left, upper)];
    canvas.polygon(&corners, WHITE);
    closed(canvas, &corners, line);
}

pub fn sample_box(canvas: &Canvas, (x, y): At, marker: Marker) {
    draw_body(canvas, [x - 13, x + 13, y + 11, y - 11], marker);
    marker.draw(canvas, (x, y));
}

pub fn sample_bar(canvas: &Canvas, (x, y): At, kind: Kind, marker: Marker) {
    draw_bar(canvas, [x - 8, x + 8, y - 11, y + 11], kind, marker);
}

/// Draws a bar that stands on the axis: filled where the instance was solved, hatched at a limit, else empty.
fn draw_bar(canvas: &Canvas, [left, right, top, bottom]: [i32; 4], kind: Kind, marker: Marker) {
    let corners = [(left, bottom), (left, top), (right, top), (right, bottom)];
    if kind == Kind::Ended {
        return canvas.polygon(&corners, marker.colour);
    }
    canvas.polygon(&corners, WHITE);
    let line = marker.colour.stroke_width(2);
    if kind == Kind::Limit {
        for y in (top..bottom).step_by(HATCHED) {
            let end = (y + right - left).min(bottom);
            canvas.line(&[(left, y), (left + end - y, end)], line);
        }
    }
    canvas.line(&corners, line);
    if matches!(kind, Kind::Wrong | Kind::Error) {
        cross(kind).at_most(((right - left) / 2).max(3)).draw(canvas, (i32::midpoint(left, right), top));
    }
}

/// What is drawn over a run that failed or whose answer is wrong.
fn cross(kind: Kind) -> Marker {
    if kind == Kind::Wrong { Marker::wrong() } else { Marker::error() }
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
            (apart(first, first + axis::gap(&xs)) * axis::SHARE / last.max(1.0)).min(12.0)
        }
        Scale::Names(names) => {
            let (across, _) = frame.area();
            let slot = f64::from(across.end - across.start) / (names.len().max(1) as f64);
            slot * FILLED / (last + 1.0)
        }
        _ => 0.0,
    };
    let shifts = std::iter::successors(Some(-last / 2.0), |at| Some(at + 1.0)).map(|at| whole(at * step));
    (step, chart.curves.iter().zip(shifts).map(|(curve, shift)| if curve.published { 0 } else { shift }).collect())
}
