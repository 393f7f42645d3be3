//! The legend: below the plot, where it covers nothing.

use super::canvas::{Anchor, At, Canvas, count, width, wrap};
use super::marks::{Arrow, Marker, draw_bar, draw_body, draw_guide};
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

struct Entry {
    /// The curve that it is of.
    curve: Option<usize>,
    sample: Sample,
    label: Vec<String>,
    /// Of the widest line, in pixels.
    width: i32,
    /// Its upper left corner, below the top of the legend.
    at: At,
}

/// The curves, and below them what marks and guides mean: each column by column, so that related entries stay together.
pub struct Legend {
    entries: Vec<Entry>,
    pub height: i32,
}

impl Legend {
    /// Arranges the legend of a chart between `left` and `right`. `markers` are those of its curves.
    pub fn of(chart: &Chart, markers: &[Marker], left: i32, right: i32) -> Self {
        let entry = |curve: Option<usize>, sample: Sample, label: &str| {
            let label = wrap(label, SIZE, right - left - SAMPLE);
            let width = label.iter().map(|line| width(line, SIZE)).max().unwrap_or(0);
            Entry { curve, sample, label, width, at: (left, 0) }
        };
        let curves = chart.curves.iter().zip(markers).enumerate();
        let curves = curves.map(|(number, (curve, marker))| entry(Some(number), sample(curve, *marker), &curve.label));
        let meanings = meanings(chart).into_iter().map(|(sample, label)| entry(None, sample, &label));
        let mut legend = Self { entries: Vec::new(), height: 0 };
        for mut block in [curves.collect::<Vec<_>>(), meanings.collect()] {
            // In as few lines as the width allows; at last all below each other.
            let lines: usize = block.iter().map(|entry| entry.label.len()).sum();
            let top = legend.height;
            for most in 1..=lines {
                let (end, bottom) = arrange(&mut block, most, (left, top));
                legend.height = bottom;
                if end <= right {
                    break;
                }
            }
            legend.entries.append(&mut block);
        }
        legend
    }

    pub fn draw(&self, canvas: &mut Canvas, top: i32) {
        for entry in &self.entries {
            let at = (entry.at.0, entry.at.1 + top);
            let Some(number) = entry.curve else {
                entry.draw(canvas, at);
                continue;
            };
            let (number, text) = (number.to_string(), entry.label.join(" "));
            let attributes = [("class", "entry"), ("data-curve", number.as_str()), ("data-text", text.as_str())];
            canvas.group(&attributes, |canvas| entry.draw(canvas, at));
        }
    }
}

impl Entry {
    /// Draws it with its upper left corner at a place.
    fn draw(&self, canvas: &mut Canvas, (left, top): At) {
        canvas.pressed((left, top), (SAMPLE + self.width, LINE * count(self.label.len())));
        self.sample.draw(canvas, (left, top + LINE / 2));
        for (number, line) in (0..).zip(&self.label) {
            canvas.text(line, (left + SAMPLE, top + number * LINE + LINE / 2 + 2), SIZE, Anchor::Left);
        }
    }
}

/// Places entries in columns of at most `most` lines from an upper left corner on; gives their lower right corner.
fn arrange(entries: &mut [Entry], most: usize, (left, top): At) -> At {
    let (mut x, mut lines, mut right, mut bottom) = (left, 0, left, top);
    for entry in entries {
        if lines > 0 && lines + entry.label.len() > most {
            (x, lines) = (right + GAP, 0);
        }
        entry.at = (x, top + LINE * count(lines));
        lines += entry.label.len();
        right = right.max(x + SAMPLE + entry.width);
        bottom = bottom.max(top + LINE * count(lines));
    }
    (right, bottom)
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
        // Of several runs the median may have ended though a limit struck some of them.
        let label = if unsolved().any(|p| p.members.len() > 1) {
            "hollow: ended, not solved by all runs (subloops, holes, no solution, or a limit in some)"
        } else {
            "hollow: ended, not solved (subloops, holes, no solution)"
        };
        let hollow = Marker::grey().unsolved();
        entries.push((
            if has_bars { Sample::Bar(Kind::Unsolved, hollow) } else { Sample::Mark(hollow) },
            label.to_owned(),
        ));
    }
    if chart.has(Kind::Limit) && has_bars {
        let hatched = Sample::Bar(Kind::Limit, Marker::grey());
        entries.push((hatched, "hatched: limit reached (lower bound)".to_owned()));
    } else if chart.has(Kind::Limit) {
        entries.push((Sample::Limit, "arrow: limit reached (lower bound)".to_owned()));
    }
    if chart.has(Kind::Error) {
        entries.push((Sample::Mark(Marker::cross(Kind::Error)), "error in a run".to_owned()));
    }
    if chart.has(Kind::Wrong) {
        entries.push((Sample::Mark(Marker::cross(Kind::Wrong)), "wrong answer".to_owned()));
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
    fn draw(self, canvas: &mut Canvas, (x, y): At) {
        let (end, middle) = ((x + SAMPLE - 14, y), (x + (SAMPLE - 14) / 2, y));
        match self {
            Self::Curve(marker) => {
                marker.draw_line(canvas, &[(x, y), end]);
                marker.draw(canvas, middle);
            }
            Self::Mark(marker) => marker.draw(canvas, middle),
            Self::Bar(kind, marker) => {
                draw_bar(canvas, [middle.0 - 8, middle.0 + 8, y - 11, y + 11], kind, marker);
            }
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
                draw_guide(canvas, &[(middle.0 - across, y + upward), (middle.0 + across, y - upward)]);
            }
            Self::Box(marker) => {
                draw_body(canvas, [middle.0 - 13, middle.0 + 13, y + 11, y - 11], marker);
                marker.draw(canvas, middle);
            }
        }
    }
}
