//! The legend: below the plot, where it covers nothing.

use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::marker::{Arrow, Marker};
use super::stroke::stroke;
use super::{Canvas, CanvasError, guides, series, text};
use crate::plots::{Chart, Curve, Kind};

/// Height of a line of the legend.
const LINE: i32 = 30;
/// Room for marker and line before a label.
const SAMPLE: i32 = 62;
const GAP: i32 = 26;
const SIZE: f64 = 20.0;

/// What an entry shows before its label.
#[derive(Clone, Copy)]
enum Sample {
    /// A marker on its line.
    Curve(Marker),
    /// A marker alone.
    Mark(Marker),
    /// A marker with an arrow.
    Limit,
    /// The line of a guide.
    Guide,
    /// A box that is open above.
    OpenBox,
}

/// The entries and how they are arranged: column by column, so that related entries stay together.
pub struct Legend {
    columns: Vec<Column>,
}

struct Column {
    left: i32,
    entries: Vec<(Sample, Vec<String>)>,
}

impl Legend {
    /// Arranges the legend of a chart between `left` and `right`. `markers` are those of its curves.
    pub fn of(chart: &Chart, markers: &[Marker], left: i32, right: i32) -> Self {
        let room = right - left - SAMPLE;
        let wrapped = |(sample, label): (Sample, String)| (sample, text::wrap(&label, SIZE, room));
        let entries: Vec<_> = entries(chart, markers).into_iter().map(wrapped).collect();
        // As few lines as the width allows.
        let lines: usize = entries.iter().map(|e| e.1.len()).sum();
        let all = (1..=lines).map(|most| columns(&entries, most, left));
        let fits = |columns: &Vec<Column>| columns.last().is_none_or(|c| c.left + c.width() <= right);
        let columns = all.into_iter().find(fits);
        Self { columns: columns.unwrap_or_else(|| vec![Column { left, entries }]) }
    }

    /// Its height in pixels.
    pub fn height(&self) -> i32 {
        LINE * self.columns.iter().map(Column::lines).max().unwrap_or(0)
    }

    /// Draws it below `top`.
    pub fn draw(&self, canvas: &Canvas, top: i32) -> Result<(), CanvasError> {
        let anchor = Pos::new(HPos::Left, VPos::Center);
        for column in &self.columns {
            let mut y = top + LINE / 2;
            for (sample, label) in &column.entries {
                sample.draw(canvas, (column.left, y))?;
                for line in label {
                    let style = TextStyle::from(text::font(SIZE)).pos(anchor).color(&BLACK);
                    canvas.draw(&Text::new(line.clone(), (column.left + SAMPLE, y + 2), style))?;
                    y += LINE;
                }
            }
        }
        Ok(())
    }
}

impl Column {
    fn lines(&self) -> i32 {
        i32::try_from(self.entries.iter().map(|e| e.1.len()).sum::<usize>()).unwrap_or(i32::MAX / LINE)
    }

    fn width(&self) -> i32 {
        SAMPLE + self.entries.iter().flat_map(|e| &e.1).map(|l| text::width(l, SIZE)).max().unwrap_or(0)
    }
}

/// The entries in columns of at most so many lines.
fn columns(entries: &[(Sample, Vec<String>)], most: usize, left: i32) -> Vec<Column> {
    let mut columns: Vec<Column> = Vec::new();
    for entry in entries {
        match columns.last_mut() {
            Some(column) if column.entries.iter().map(|e| e.1.len()).sum::<usize>() + entry.1.len() <= most => {
                column.entries.push(entry.clone());
            }
            last => {
                let left = last.map_or(left, |column| column.left + column.width() + GAP);
                columns.push(Column { left, entries: vec![entry.clone()] });
            }
        }
    }
    columns
}

fn entries(chart: &Chart, markers: &[Marker]) -> Vec<(Sample, String)> {
    let curves = chart.curves.iter().zip(markers);
    let sample = |curve: &Curve| if curve.line.is_empty() { Sample::Mark } else { Sample::Curve };
    let mut entries: Vec<_> = curves.map(|(c, m)| (sample(c)(*m), c.label.clone())).collect();
    let grey = Marker::grey();
    if chart.has(Kind::Unsolved) {
        entries.push((Sample::Mark(grey.unsolved()), "hollow: ended, not solved (subloops, holes)".to_owned()));
    }
    if chart.has(Kind::Limit) {
        entries.push((Sample::Limit, "arrow: limit reached (lower bound)".to_owned()));
    }
    if chart.curves.iter().flat_map(|c| &c.boxes).any(|b| b.open) {
        entries.push((Sample::OpenBox, "open box: some runs not solved (lower bound)".to_owned()));
    }
    if chart.has(Kind::Error) {
        entries.push((Sample::Mark(Marker::error()), "error in a run".to_owned()));
    }
    if chart.has(Kind::Wrong) {
        entries.push((Sample::Mark(Marker::wrong()), "wrong answer".to_owned()));
    }
    for guide in &chart.guides {
        // One entry for the same on both axes.
        if !entries.iter().any(|(sample, label)| matches!(sample, Sample::Guide) && *label == guide.label) {
            entries.push((Sample::Guide, guide.label.clone()));
        }
    }
    entries
}

impl Sample {
    fn draw(self, canvas: &Canvas, (x, y): (i32, i32)) -> Result<(), CanvasError> {
        let (end, middle) = ((x + SAMPLE - 14, y), (x + (SAMPLE - 14) / 2, y));
        match self {
            Self::Curve(marker) => {
                stroke(canvas, &[(x, y), end], series::line_style(marker), marker.pattern())?;
                marker.draw(canvas, middle)
            }
            Self::Mark(marker) => marker.draw(canvas, middle),
            Self::Limit => {
                let at = (middle.0, y + 5);
                Marker::grey().unsolved().draw(canvas, at)?;
                Marker::grey().draw_arrow(canvas, at, Arrow::Up)
            }
            Self::Guide => guides::line(canvas, (x, y), end),
            Self::OpenBox => series::open_box(canvas, (middle.0, y + 11), 16, Marker::grey()),
        }
    }
}
