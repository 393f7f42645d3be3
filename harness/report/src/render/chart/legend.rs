//! The legend: below the plot, where it covers nothing.

use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::marker::{Arrow, Marker};
use super::stroke::stroke;
use super::{Canvas, CanvasError, bars, guides, series, text};
use crate::figures::{Chart, Curve, GuideAt, Kind, Trace};

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
    /// A piece of a guide.
    Guide(GuideAt),
    /// A bar of a kind.
    Bar(Kind, Marker),
    /// A box with its marker.
    Box(Marker),
    /// A box that is open above.
    OpenBox,
}

/// A sample and the lines of its label.
#[derive(Clone)]
struct Entry {
    sample: Sample,
    label: Vec<String>,
    /// Of the widest line, in pixels.
    width: i32,
}

/// The curves, and below them what marks and guides mean: each column by column, so that related entries stay together.
pub struct Legend {
    blocks: [Vec<Column>; 2],
}

struct Column {
    left: i32,
    entries: Vec<Entry>,
}

impl Legend {
    /// Arranges the legend of a chart between `left` and `right`. `markers` are those of its curves.
    pub fn of(chart: &Chart, markers: &[Marker], left: i32, right: i32) -> Self {
        let wrapped = |(sample, label): (Sample, String)| {
            let label = text::wrap(&label, SIZE, right - left - SAMPLE);
            let width = label.iter().map(|line| text::width(line, SIZE)).max().unwrap_or(0);
            Entry { sample, label, width }
        };
        let block = |entries: Vec<(Sample, String)>| arranged(entries.into_iter().map(wrapped).collect(), left, right);
        Self { blocks: [block(curves(chart, markers)), block(meanings(chart))] }
    }

    /// Its height in pixels.
    pub fn height(&self) -> i32 {
        self.blocks.iter().map(|b| height(b)).sum()
    }

    /// Draws it below `top`.
    pub fn draw(&self, canvas: &Canvas, top: i32) -> Result<(), CanvasError> {
        let anchor = Pos::new(HPos::Left, VPos::Center);
        let tops = [top, top + height(&self.blocks[0])];
        for (column, top) in self.blocks.iter().zip(tops).flat_map(|(block, top)| block.iter().map(move |c| (c, top))) {
            let mut y = top + LINE / 2;
            for Entry { sample, label, .. } in &column.entries {
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

fn height(block: &[Column]) -> i32 {
    LINE * block.iter().map(Column::lines).max().unwrap_or(0)
}

/// In as few lines as the width allows.
fn arranged(entries: Vec<Entry>, left: i32, right: i32) -> Vec<Column> {
    let lines: usize = entries.iter().map(|e| e.label.len()).sum();
    let all = (1..=lines).map(|most| columns(&entries, most, left));
    let fits = |columns: &Vec<Column>| columns.last().is_none_or(|c| c.left + c.width() <= right);
    all.into_iter().find(fits).unwrap_or_else(|| vec![Column { left, entries }])
}

impl Column {
    fn lines(&self) -> i32 {
        i32::try_from(self.entries.iter().map(|e| e.label.len()).sum::<usize>()).unwrap_or(i32::MAX / LINE)
    }

    fn width(&self) -> i32 {
        SAMPLE + self.entries.iter().map(|e| e.width).max().unwrap_or(0)
    }
}

/// The entries in columns of at most so many lines.
fn columns(entries: &[Entry], most: usize, left: i32) -> Vec<Column> {
    let mut columns: Vec<Column> = Vec::new();
    for entry in entries {
        match columns.last_mut() {
            Some(column) if column.entries.iter().map(|e| e.label.len()).sum::<usize>() + entry.label.len() <= most => {
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

fn curves(chart: &Chart, markers: &[Marker]) -> Vec<(Sample, String)> {
    let sample = |curve: &Curve| match (curve.boxes.is_empty(), curve.line.is_empty()) {
        _ if curve.trace == Trace::Bars => |marker| Sample::Bar(Kind::Ended, marker),
        (false, _) => Sample::Box,
        (_, true) => Sample::Mark,
        (_, false) => Sample::Curve,
    };
    chart.curves.iter().zip(markers).map(|(c, m)| (sample(c)(*m), c.label.clone())).collect()
}

fn meanings(chart: &Chart) -> Vec<(Sample, String)> {
    let mut entries = Vec::new();
    let has_bars = chart.curves.iter().any(|c| c.trace == Trace::Bars);
    let unsolved = || chart.points().filter(|p| p.kind == Kind::Unsolved);
    if unsolved().next().is_some() {
        let by = if unsolved().any(|p| p.members.len() > 1) { " by all runs" } else { "" };
        let label = format!("hollow: ended, not solved{by} (subloops, holes)");
        let hollow = Marker::grey().unsolved();
        entries.push((if has_bars { Sample::Bar(Kind::Unsolved, hollow) } else { Sample::Mark(hollow) }, label));
    }
    if chart.has(Kind::Limit) && has_bars {
        let hatched = Sample::Bar(Kind::Limit, Marker::grey());
        entries.push((hatched, "hatched: limit reached (lower bound)".to_owned()));
    } else if chart.has(Kind::Limit) {
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
        if !entries.iter().any(|(sample, label)| matches!(sample, Sample::Guide(_)) && *label == guide.label) {
            entries.push((Sample::Guide(guide.at), guide.label.clone()));
        }
    }
    entries
}

impl Sample {
    fn draw(self, canvas: &Canvas, (x, y): (i32, i32)) -> Result<(), CanvasError> {
        let (end, middle) = ((x + SAMPLE - 14, y), (x + (SAMPLE - 14) / 2, y));
        match self {
            Self::Curve(marker) => {
                stroke(canvas, &[(x, y), end], marker.line_style(), marker.pattern())?;
                marker.draw(canvas, middle)
            }
            Self::Mark(marker) => marker.draw(canvas, middle),
            Self::Bar(kind, marker) => bars::sample(canvas, middle, kind, marker),
            Self::Limit => {
                let at = (middle.0, y + 5);
                Marker::grey().unsolved().draw(canvas, at)?;
                Marker::grey().draw_arrow(canvas, at, Arrow::Up)
            }
            Self::Guide(at) => guides::sample(canvas, middle, at),
            Self::Box(marker) => series::whole_box(canvas, middle, marker),
            Self::OpenBox => series::open_box(canvas, (middle.0, y + 11), 16, Marker::grey()),
        }
    }
}
