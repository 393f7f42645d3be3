//! What a curve consists of: its line, boxes, bars and marks.

use plotters::prelude::*;

use super::frame::Frame;
use super::marker::{Arrow, Marker, RADIUS};
use super::stroke::{stroke, whole};
use super::{Canvas, CanvasError};
use super::{axis, bars};
use crate::figures::{BoxMark, Chart, Curve, GuideAt, Kind, Point, Scale, Trace};

/// Marks of a stepped line stand at least so many pixels apart: they tell curves apart, no more.
const SPARSE: f64 = 90.0;

/// Boxes are at most so wide, in pixels, and fill this part of the room of a name.
const MOST_WIDE: f64 = 34.0;
const FILLED: f64 = 0.8;

/// Draws all curves, lines first, so that they cover no marks.
pub fn draw(canvas: &Canvas, chart: &Chart, frame: &Frame, markers: &[Marker]) -> Result<(), CanvasError> {
    let (step, shifts) = dodge(chart, frame);
    let curves = || chart.curves.iter().zip(markers).zip(&shifts);
    for ((curve, marker), shift) in curves() {
        let wide = whole((step * FILLED).min(MOST_WIDE)).max(3);
        for mark in &curve.boxes {
            draw_box(canvas, frame, mark, *marker, (*shift, wide))?;
        }
        for piece in pieces(curve, frame, *shift) {
            stroke(canvas, &piece, marker.line_style(), marker.pattern())?;
        }
    }
    for (number, ((curve, marker), shift)) in curves().enumerate() {
        if curve.trace == Trace::Bars {
            bars::draw(canvas, frame, &chart.x.scale, curve, *marker)?;
            continue;
        }
        for point in marks(curve, frame, number) {
            draw_point(canvas, chart, frame, (point, *marker, *shift))?;
        }
    }
    Ok(())
}

/// The parts of its line between interruptions, in pixels.
fn pieces(curve: &Curve, frame: &Frame, shift: i32) -> Vec<Vec<(i32, i32)>> {
    let mut pieces: Vec<Vec<(i32, i32)>> = vec![Vec::new()];
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

/// The points that have a mark: all, but on stepped lines, whose corners show where they are, only some of those of
/// the ordinary kind, which lie elsewhere for each curve.
fn marks<'a>(curve: &'a Curve, frame: &Frame, number: usize) -> Vec<&'a Point> {
    if curve.trace != Trace::Steps {
        return curve.points.iter().collect();
    }
    let mut left = SPARSE * f64::from(u32::try_from(number % 4).unwrap_or(0)) / 4.0;
    let mut before: Option<(i32, i32)> = None;
    let mut shown = Vec::new();
    for point in &curve.points {
        let at = (frame.x(point.x), frame.y(point.y));
        let (from_x, from_y) = before.unwrap_or(at);
        left -= f64::from((at.0 - from_x).abs() + (at.1 - from_y).abs());
        before = Some(at);
        if left <= 0.0 || point.kind != Kind::Ended {
            shown.push(point);
            left = SPARSE;
        }
    }
    if shown.is_empty() {
        shown.extend(curve.points.last());
    }
    shown
}

fn draw_point(
    canvas: &Canvas,
    chart: &Chart,
    frame: &Frame,
    (point, marker, shift): (&Point, Marker, i32),
) -> Result<(), CanvasError> {
    let at = (frame.x(point.x) + shift, frame.y(point.y));
    if let Some((least, most)) = point.spread.and_then(|s| s.range) {
        let ends = [least, most].map(|y| (at.0, frame.y(y))).to_vec();
        canvas.draw(&PathElement::new(ends, marker.colour.stroke_width(2)))?;
    }
    match point.kind {
        Kind::Ended | Kind::Published => marker.draw(canvas, at),
        Kind::Unsolved => marker.unsolved().draw(canvas, at),
        Kind::Limit => {
            marker.unsolved().draw(canvas, at)?;
            arrows(chart, point).into_iter().try_for_each(|arrow| marker.draw_arrow(canvas, at, arrow))
        }
        Kind::Wrong => {
            marker.draw(canvas, at)?;
            Marker::wrong().draw(canvas, at)
        }
        Kind::Error => {
            marker.draw(canvas, at)?;
            Marker::error().draw(canvas, at)
        }
    }
}

/// Where the arrows of a lower bound point: across the limits that it stands on, else up.
fn arrows(chart: &Chart, point: &Point) -> Vec<Arrow> {
    let on = |wanted: GuideAt| chart.guides.iter().any(|g| g.at == wanted);
    let all = [(GuideAt::X(point.x), Arrow::Right), (GuideAt::Y(point.y), Arrow::Up)];
    let found: Vec<_> = all.into_iter().filter(|(guide, _)| on(*guide)).map(|(_, arrow)| arrow).collect();
    if found.is_empty() { vec![Arrow::Up] } else { found }
}

/// Draws a box with whiskers: from the least to the most, box between the quartiles, a thick line and a mark at the median.
fn draw_box(
    canvas: &Canvas,
    frame: &Frame,
    mark: &BoxMark,
    marker: Marker,
    (shift, wide): (i32, i32),
) -> Result<(), CanvasError> {
    let x = frame.x(mark.x) + shift;
    let [least, lower, median, upper, most] = mark.five.map(|value| frame.y(value));
    let (left, right) = (x - wide / 2, x + wide / 2);
    let line = marker.colour.stroke_width(2);
    for (from, to, cap) in [(least, lower, true), (upper, most, !mark.open)] {
        canvas.draw(&PathElement::new(vec![(x, from), (x, to)], line))?;
        if cap {
            let end = if from == least { from } else { to };
            canvas.draw(&PathElement::new(vec![(x - wide / 4, end), (x + wide / 4, end)], line))?;
        }
    }
    let corners = vec![(left, lower), (right, lower), (right, upper), (left, upper)];
    if mark.open {
        canvas.draw(&PathElement::new([corners[3], corners[0], corners[1], corners[2]].to_vec(), line))?;
        marker.draw_arrow(canvas, (x, most + RADIUS), Arrow::Up)?;
    } else {
        canvas.draw(&Polygon::new(corners.clone(), marker.tint().filled()))?;
        canvas.draw(&PathElement::new([corners.clone(), corners[..2].to_vec()].concat(), line))?;
    }
    canvas.draw(&PathElement::new(vec![(left, median), (right, median)], marker.colour.stroke_width(4)))?;
    let marker = if mark.open { marker.unsolved() } else { marker };
    marker.at_most((wide / 2 - 1).max(2)).draw(canvas, (x, median))
}

/// Draws a box with its mark, for the legend.
pub fn whole_box(canvas: &Canvas, (x, y): (i32, i32), marker: Marker) -> Result<(), CanvasError> {
    let corners = vec![(x - 13, y + 11), (x + 13, y + 11), (x + 13, y - 11), (x - 13, y - 11)];
    canvas.draw(&Polygon::new(corners.clone(), marker.tint().filled()))?;
    canvas.draw(&PathElement::new([corners.clone(), corners[..2].to_vec()].concat(), marker.colour.stroke_width(2)))?;
    marker.draw(canvas, (x, y))
}

/// Draws a box that is open above, for the legend.
pub fn open_box(canvas: &Canvas, (x, bottom): (i32, i32), wide: i32, marker: Marker) -> Result<(), CanvasError> {
    let (left, right, top) = (x - wide / 2, x + wide / 2, bottom - 12);
    let outline = vec![(left, top), (left, bottom), (right, bottom), (right, top)];
    canvas.draw(&PathElement::new(outline, marker.colour.stroke_width(2)))?;
    marker.draw_arrow(canvas, (x, top + RADIUS), Arrow::Up)
}

/// Shifts the measured curves apart, so that equal values do not hide each other: the step between neighbours in pixels,
/// and the shift of each. On axes of measured values nothing is shifted.
fn dodge(chart: &Chart, frame: &Frame) -> (f64, Vec<i32>) {
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
