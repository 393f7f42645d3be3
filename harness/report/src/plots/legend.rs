//! The legend: below the plot, where it covers nothing.

use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::marker::{Canvas, CanvasError, Marker};
use super::text;
use super::{Chart, Kind};

/// Height of a line of the legend.
const LINE: i32 = 34;
/// Room for marker and line before a label.
const SAMPLE: i32 = 62;
const GAP: i32 = 26;
const SIZE: f64 = 21.0;

/// The entries and how they are arranged: column by column, so that related entries stay together.
pub struct Legend {
    entries: Vec<(Marker, String)>,
    /// Left edges of the columns.
    columns: Vec<i32>,
    lines: usize,
}

impl Legend {
    /// Arranges the legend of a chart between `left` and `right`. `markers` are those of its curves.
    pub fn of(chart: &Chart, markers: &[Marker], left: i32, right: i32) -> Self {
        let room = right - left - SAMPLE;
        let mut entries: Vec<_> =
            chart.curves.iter().zip(markers).map(|(c, m)| (*m, text::cut(&c.label, SIZE, room))).collect();
        if chart.has(Kind::Unsolved) {
            let grey = Marker { colour: RGBColor(60, 60, 60), ..Marker::of_list(0) };
            entries.push((grey.unsolved(), "hollow: ended, not solved (subloops, holes)".to_owned()));
        }
        if chart.has(Kind::Error) {
            entries.push((Marker::error(), "error in a run".to_owned()));
        }
        if chart.has(Kind::Limit) {
            entries.push((Marker::limit(RGBColor(60, 60, 60)), "limit reached (lower bound)".to_owned()));
        }
        if chart.has(Kind::Wrong) {
            entries.push((Marker::wrong(), "wrong answer".to_owned()));
        }
        // As few lines as the width allows.
        let widths: Vec<_> = entries.iter().map(|e| SAMPLE + text::width(&e.1, SIZE) + GAP).collect();
        for lines in 1..=entries.len() {
            let steps = widths.chunks(lines).map(|c| c.iter().copied().max().unwrap_or(0));
            let columns: Vec<_> = steps.scan(left, |at, step| Some(std::mem::replace(at, *at + step))).collect();
            let last = widths.chunks(lines).last().and_then(|c| c.iter().max()).copied().unwrap_or(0);
            if columns.last().is_none_or(|start| start + last - GAP <= right) {
                return Self { entries, columns, lines };
            }
        }
        Self { lines: entries.len(), entries, columns: vec![left] }
    }

    /// Its height in pixels.
    pub fn height(&self) -> i32 {
        LINE * i32::try_from(self.lines).unwrap_or(i32::MAX / LINE)
    }

    /// Draws it below `top`.
    pub fn draw(&self, canvas: &Canvas, top: i32) -> Result<(), CanvasError> {
        let anchor = Pos::new(HPos::Left, VPos::Center);
        for (column, x) in self.entries.chunks(self.lines.max(1)).zip(&self.columns) {
            for ((marker, label), line) in column.iter().zip(0..) {
                let (x, y) = (*x, top + line * LINE + LINE / 2);
                if marker.line {
                    marker.draw_line(canvas, (x, y), (x + SAMPLE - 14, y))?;
                }
                marker.draw(canvas, (x + (SAMPLE - 14) / 2, y))?;
                let style = TextStyle::from(text::font(SIZE)).pos(anchor).color(&BLACK);
                canvas.draw(&Text::new(label.clone(), (x + SAMPLE, y + 2), style))?;
            }
        }
        Ok(())
    }
}
