//! The legend: below the plot, where it covers nothing.

use plotters::style::text_anchor::HPos;

use super::canvas::{At, Canvas, width, wrap};
use super::marker::{Arrow, Marker};
use super::series::{guide, sample_bar, sample_box};
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
    Curve(Marker),
    Mark(Marker),
    Limit,
    Guide(GuideAt),
    Bar(Kind, Marker),
    Box(Marker),
}

#[derive(Clone)]
struct Entry {
    /// The curve that it is of.
    curve: Option<usize>,
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
        let entry = |curve: Option<usize>, sample: Sample, label: &str| {
            let label = wrap(label, SIZE, right - left - SAMPLE);
            let width = label.iter().map(|line| width(line, SIZE)).max().unwrap_or(0);
            Entry { curve, sample, label, width }
        };
        let curves = chart.curves.iter().zip(markers).enumerate();
        let curves = curves.map(|(number, (curve, marker))| entry(Some(number), sample(curve, *marker), &curve.label));
        let meanings = meanings(chart).into_iter().map(|(sample, label)| entry(None, sample, &label));
        Self { blocks: [arranged(curves.collect(), left, right), arranged(meanings.collect(), left, right)] }
    }

    pub fn height(&self) -> i32 {
        self.blocks.iter().map(|block| height(block)).sum()
    }

    pub fn draw(&self, canvas: &Canvas, top: i32) {
        let tops = [top, top + height(&self.blocks[0])];
        for (column, top) in self.blocks.iter().zip(tops).flat_map(|(block, top)| block.iter().map(move |c| (c, top))) {
            let mut y = top;
            for entry in &column.entries {
                let at = (column.left, y);
                match entry.curve {
                    Some(number) => canvas.group(
                        &[
                            ("class", "entry"),
                            ("data-curve", &number.to_string()),
                            ("data-text", &entry.label.join(" ")),
                        ],
                        || entry.draw(canvas, at),
                    ),
                    None => entry.draw(canvas, at),
                }
                y += entry.height();
            }
        }
    }
}

impl Entry {
    fn height(&self) -> i32 {
        LINE * i32::try_from(self.label.len()).unwrap_or(i32::MAX / LINE)
    }

    /// Draws it with its upper left corner at a place.
    fn draw(&self, canvas: &Canvas, (left, top): At) {
        canvas.pressed((left, top), (SAMPLE + self.width, self.height()));
        self.sample.draw(canvas, (left, top + LINE / 2));
        for (number, line) in (0..).zip(&self.label) {
            canvas.text(line, (left + SAMPLE, top + number * LINE + LINE / 2 + 2), SIZE, HPos::Left);
        }
    }
}

fn height(block: &[Column]) -> i32 {
    block.iter().map(Column::height).max().unwrap_or(0)
}

impl Column {
    fn height(&self) -> i32 {
        self.entries.iter().map(Entry::height).sum()
    }

    fn right(&self) -> i32 {
        self.left + SAMPLE + self.entries.iter().map(|e| e.width).max().unwrap_or(0)
    }
}

/// In as few lines as the width allows.
fn arranged(entries: Vec<Entry>, left: i32, right: i32) -> Vec<Column> {
    let lines: usize = entries.iter().map(|e| e.label.len()).sum();
    let all = (1..=lines).map(|most| columns(&entries, most, left));
    let fits = |columns: &Vec<Column>| columns.last().is_none_or(|c| c.right() <= right);
    all.into_iter().find(fits).unwrap_or_else(|| vec![Column { left, entries }])
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
                let left = last.map_or(left, |column| column.right() + GAP);
                columns.push(Column { left, entries: vec![entry.clone()] });
            }
        }
    }
    columns
}

fn sample(curve: &Curve, marker: Marker) -> Sample {
    match (curve.boxes.is_empty(), curve.line.is_empty()) {
        _ if curve.trace == Trace::Bars => Sample::Bar(Kind::Ended, marker),
        (false, _) => Sample::Box(marker),
        (_, true) => Sample::Mark(marker),
        (_, false) => Sample::Curve(marker),
    }
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
    /// Draws it to the right of a place.
    fn draw(self, canvas: &Canvas, (x, y): At) {
        let (end, middle) = ((x + SAMPLE - 14, y), (x + (SAMPLE - 14) / 2, y));
        match self {
            Self::Curve(marker) => {
                marker.draw_line(canvas, &[(x, y), end]);
                marker.draw(canvas, middle);
            }
            Self::Mark(marker) => marker.draw(canvas, middle),
            Self::Bar(kind, marker) => sample_bar(canvas, middle, kind, marker),
            Self::Limit => {
                let at = (middle.0, y + 5);
                Marker::grey().unsolved().draw(canvas, at);
                Marker::grey().draw_arrow(canvas, at, Arrow::Up);
            }
            // As steep as the guide is.
            Self::Guide(at) => {
                let (across, upward) = match at {
                    GuideAt::X(_) => (0, 14),
                    GuideAt::Y(_) => (24, 0),
                    GuideAt::Equal => (14, 14),
                };
                guide(canvas, &[(middle.0 - across, y + upward), (middle.0 + across, y - upward)]);
            }
            Self::Box(marker) => sample_box(canvas, middle, marker),
        }
    }
}
