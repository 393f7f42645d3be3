//! Bars that stand on the axis: filled where the instance was solved, hatched or empty where it was not.

use plotters::prelude::*;

use super::frame::Frame;
use super::marker::Marker;
use super::stroke::whole;
use super::{Canvas, CanvasError};
use crate::figures::{Curve, Kind, Point, Scale};

/// The part of the room of an instance that its bar fills, and the most pixels.
const FILLED: f64 = 0.8;
const MOST_WIDE: f64 = 40.0;
/// Between the strokes of a hatched bar.
const APART: i32 = 7;

/// Draws the bars of a curve.
pub fn draw(canvas: &Canvas, frame: &Frame, scale: &Scale, curve: &Curve, marker: Marker) -> Result<(), CanvasError> {
    let (across, upward) = frame.area();
    let places = if let Scale::Names(names) = scale { names.len() } else { curve.points.len() };
    let room = f64::from(across.end - across.start) / (places.max(1) as f64);
    let wide = whole((room * FILLED).min(MOST_WIDE)).max(1);
    for point in &curve.points {
        let left = frame.x(point.x) - wide / 2;
        let bar = Bar { left, right: left + wide, top: frame.y(point.y), bottom: upward.end };
        bar.draw(canvas, point.kind, marker)?;
        draw_range(canvas, frame, point)?;
    }
    Ok(())
}

/// From the least to the most of several runs.
fn draw_range(canvas: &Canvas, frame: &Frame, point: &Point) -> Result<(), CanvasError> {
    let Some((least, most)) = point.spread.and_then(|s| s.range) else { return Ok(()) };
    let x = frame.x(point.x);
    canvas.draw(&PathElement::new(vec![(x, frame.y(least)), (x, frame.y(most))], BLACK.stroke_width(2)))
}

/// Draws a bar around a place, for the legend.
pub fn sample(canvas: &Canvas, (x, y): (i32, i32), kind: Kind, marker: Marker) -> Result<(), CanvasError> {
    Bar { left: x - 8, right: x + 8, top: y - 11, bottom: y + 11 }.draw(canvas, kind, marker)
}

struct Bar {
    left: i32,
    right: i32,
    top: i32,
    bottom: i32,
}

impl Bar {
    fn draw(&self, canvas: &Canvas, kind: Kind, marker: Marker) -> Result<(), CanvasError> {
        let Self { left, right, top, bottom } = *self;
        let corners = vec![(left, bottom), (left, top), (right, top), (right, bottom)];
        if kind == Kind::Ended {
            return canvas.draw(&Polygon::new(corners, marker.colour.filled()));
        }
        canvas.draw(&Polygon::new(corners.clone(), WHITE.filled()))?;
        if kind == Kind::Limit {
            for y in (top..bottom).step_by(usize::try_from(APART).unwrap_or(1)) {
                let end = (y + right - left).min(bottom);
                let stroke = vec![(left, y), (left + end - y, end)];
                canvas.draw(&PathElement::new(stroke, marker.colour.stroke_width(2)))?;
            }
        }
        canvas.draw(&PathElement::new(corners, marker.colour.stroke_width(2)))?;
        let cross = match kind {
            Kind::Wrong => Marker::wrong(),
            Kind::Error => Marker::error(),
            _ => return Ok(()),
        };
        cross.at_most(((right - left) / 2).max(3)).draw(canvas, (i32::midpoint(left, right), top))
    }
}
