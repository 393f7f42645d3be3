//! Guides: thin, grey and dashed, so that no curve is taken for one.

use plotters::prelude::*;

use super::frame::Frame;
use super::stroke::{Pattern, stroke};
use super::{Canvas, CanvasError};
use crate::figures::{Chart, GuideAt};

const COLOUR: RGBColor = RGBColor(90, 90, 90);
const PATTERN: Pattern = &[(7.0, 5.0)];

/// Draws the guides of a chart.
pub fn draw(canvas: &Canvas, chart: &Chart, frame: &Frame) -> Result<(), CanvasError> {
    let (across, upward) = frame.area();
    for guide in &chart.guides {
        let [from, to] = match guide.at {
            GuideAt::X(value) => [upward.end, upward.start].map(|y| (frame.x(value), y)),
            GuideAt::Y(value) => [across.start, across.end].map(|x| (x, frame.y(value))),
            // Both axes are the same then.
            GuideAt::Equal => [(across.start, upward.end), (across.end, upward.start)],
        };
        line(canvas, from, to)?;
    }
    Ok(())
}

/// Draws a line as guides have it.
pub fn line(canvas: &Canvas, from: (i32, i32), to: (i32, i32)) -> Result<(), CanvasError> {
    stroke(canvas, &[from, to], COLOUR.stroke_width(2), PATTERN)
}

/// Draws a short piece of a guide around a place, for the legend: as steep as the guide is.
pub fn sample(canvas: &Canvas, (x, y): (i32, i32), at: GuideAt) -> Result<(), CanvasError> {
    let (across, upward) = match at {
        GuideAt::X(_) => (0, 14),
        GuideAt::Y(_) => (24, 0),
        GuideAt::Equal => (14, 14),
    };
    line(canvas, (x - across, y + upward), (x + across, y - upward))
}
