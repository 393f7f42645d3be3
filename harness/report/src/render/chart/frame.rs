//! The frame of a plot: where its area lies, its axes with grid, ticks and labels.
//!
//! plotters' own axes (`ChartBuilder`) neither measure their labels, nor break names into lines, nor leave out those that would
//! touch: so the frame is drawn here.

use std::ops::Range;

use plotters::prelude::*;
use plotters::style::text_anchor::HPos;

use super::axis::{Axis, Tick};
use super::canvas::{At, Canvas, cut, cut_name, width, wrap_name};
use crate::figures::{Chart, GuideAt, Scale};

const HEIGHT: i32 = 430;
/// Width and height where both axes are the same.
const SIDE: i32 = 540;
const TEXT: f64 = 20.0;
const LINE: i32 = 24;
/// What names on the horizontal axis have at most: level ones lines, upright ones pixels.
const MOST_LINES: usize = 3;
const MOST_UPRIGHT: i32 = 240;
/// What names on the vertical axis have at most, in pixels.
const MOST_ASIDE: i32 = 260;
/// Upright lines of the grid: more would be a grey area.
const MOST_UPRIGHT_LINES: usize = 60;
/// Between labels that stand side by side.
const APART: i32 = 14;
/// Grid lines without and with labels.
const GREYS: [RGBColor; 2] = [RGBColor(236, 236, 236), RGBColor(205, 205, 205)];

pub struct Frame {
    axes: [Axis; 2],
    area: (Range<i32>, Range<i32>),
    /// Pixels of the widest label of the vertical axis.
    aside: i32,
    labels: Labels,
    bottom: i32,
}

/// The labels of the horizontal axis.
enum Labels {
    /// Side by side, each in one or several lines.
    Level(Vec<Vec<String>>),
    Upright(Vec<String>),
}

impl Frame {
    /// The frame of a chart between `left`, `right` and `top`.
    pub fn of(chart: &Chart, left: i32, right: i32, top: i32) -> Self {
        let is_square = chart.guides.iter().any(|g| g.at == GuideAt::Equal);
        let axes = axes(chart, is_square);
        let aside = widest(axes[1].ticks.iter().map(|t| t.label.as_str())).min(MOST_ASIDE);
        // The quantity stands on its side left of the labels.
        let start = left + LINE + 8 + aside + 12;
        let wide = right - start;
        let (start, wide, high) = if is_square {
            let side = SIDE.min(wide);
            (start + (wide - side) / 2, side, side)
        } else {
            (start, wide, HEIGHT)
        };
        let labels = Labels::of(&axes[0], &chart.x.scale, wide);
        let area = (start..start + wide, top..top + high);
        let bottom = area.1.end + 10 + labels.height() + LINE + 8;
        Self { axes, area, aside, labels, bottom }
    }

    /// The pixels of the plot's area, from left to right and from top to bottom.
    pub fn area(&self) -> (Range<i32>, Range<i32>) {
        self.area.clone()
    }

    /// Where everything that belongs to it ends.
    pub fn bottom(&self) -> i32 {
        self.bottom
    }

    pub fn x(&self, value: f64) -> i32 {
        self.across(self.axes[0].share(value))
    }

    pub fn y(&self, value: f64) -> i32 {
        self.upward(self.axes[1].share(value))
    }

    fn across(&self, share: f64) -> i32 {
        self.area.0.start + whole(share * f64::from(self.area.0.end - self.area.0.start))
    }

    fn upward(&self, share: f64) -> i32 {
        self.area.1.end - whole(share * f64::from(self.area.1.end - self.area.1.start))
    }

    fn ticks(&self) -> [Vec<i32>; 2] {
        let [x, y] = self.axes.each_ref().map(|axis| axis.ticks.iter().map(|tick| tick.at).collect::<Vec<_>>());
        self.places(&x, &y)
    }

    /// Where positions of both axes stand, in pixels.
    fn places(&self, xs: &[f64], ys: &[f64]) -> [Vec<i32>; 2] {
        let [x, y] = &self.axes;
        [
            xs.iter().map(|at| self.across(x.share_at(*at))).collect(),
            ys.iter().map(|at| self.upward(y.share_at(*at))).collect(),
        ]
    }

    /// Draws grid and axes; everything else lies on them.
    pub fn draw_grid(&self, canvas: &Canvas) {
        let [x, y] = &self.axes;
        let (across, upward) = &self.area;
        let minor = self.places(&x.minor, &y.minor);
        let has_upright = x.ticks.len() <= MOST_UPRIGHT_LINES;
        for (colour, [xs, ys]) in GREYS.into_iter().zip([minor, self.ticks()]) {
            for x in xs.into_iter().filter(|_| has_upright) {
                canvas.line(&[(x, upward.start), (x, upward.end)], colour.into());
            }
            for y in ys {
                canvas.line(&[(across.start, y), (across.end, y)], colour.into());
            }
        }
        let axes = [(across.start, upward.start), (across.start, upward.end), (across.end, upward.end)];
        canvas.line(&axes, BLACK.stroke_width(2));
    }

    pub fn draw_labels(&self, canvas: &Canvas, x: &str, y: &str) {
        let (across, upward) = &self.area;
        self.draw_below(canvas);
        let [_, beside] = self.ticks();
        let every = thinning(&beside, |_| LINE);
        for (tick, y) in self.axes[1].ticks.iter().zip(beside).step_by(every) {
            canvas.line(&[(across.start - 5, y), (across.start, y)], BLACK.into());
            canvas.text(&cut_name(&tick.label, TEXT, MOST_ASIDE), (across.start - 10, y), TEXT, HPos::Right);
        }
        let middle = |of: &Range<i32>| i32::midpoint(of.start, of.end);
        let below = (middle(across), self.bottom - LINE / 2 - 2);
        canvas.text(&cut(x, TEXT, across.end - across.start), below, TEXT, HPos::Center);
        let left = (across.start - 12 - self.aside - LINE / 2 - 6, middle(upward));
        canvas.upright(&cut(y, TEXT, upward.end - upward.start), left, TEXT, HPos::Center);
    }

    fn draw_below(&self, canvas: &Canvas) {
        let bottom = self.area.1.end;
        let [below, _] = self.ticks();
        let room = |index: usize| match &self.labels {
            Labels::Level(labels) => widest(labels[index].iter().map(String::as_str)) + APART,
            Labels::Upright(_) => LINE,
        };
        for (index, x) in below.iter().copied().enumerate().step_by(thinning(&below, room)) {
            canvas.line(&[(x, bottom), (x, bottom + 5)], BLACK.into());
            let at: At = (x, bottom + 10);
            match &self.labels {
                Labels::Level(labels) => {
                    for (number, line) in (0..).zip(&labels[index]) {
                        canvas.text(line, (at.0, at.1 + number * LINE + LINE / 2), TEXT, HPos::Center);
                    }
                }
                Labels::Upright(labels) => canvas.upright(&labels[index], at, TEXT, HPos::Right),
            }
        }
    }
}

impl Labels {
    fn of(axis: &Axis, scale: &Scale, wide: i32) -> Self {
        if !matches!(scale, Scale::Names(_)) {
            return Self::Level(axis.ticks.iter().map(|t| vec![t.label.clone()]).collect());
        }
        let slot = wide / i32::try_from(axis.ticks.len().max(1)).unwrap_or(i32::MAX) - APART;
        let wrapped = |tick: &Tick| wrap_name(&tick.label, TEXT, slot, MOST_LINES);
        match axis.ticks.iter().map(wrapped).collect() {
            Some(labels) => Self::Level(labels),
            None => Self::Upright(axis.ticks.iter().map(|t| cut_name(&t.label, TEXT, MOST_UPRIGHT)).collect()),
        }
    }

    fn height(&self) -> i32 {
        match self {
            Self::Level(labels) => {
                labels.iter().map(Vec::len).max().map_or(0, |lines| i32::try_from(lines).unwrap_or(1)) * LINE
            }
            Self::Upright(labels) => widest(labels.iter().map(String::as_str)) + 6,
        }
    }
}

/// Every how many labels one is drawn so that none touch; `room` is what one needs.
fn thinning(places: &[i32], room: impl Fn(usize) -> i32) -> usize {
    let fits = |every: &usize| {
        let shown: Vec<_> = (0..places.len()).step_by(*every).collect();
        shown.windows(2).all(|w| (places[w[1]] - places[w[0]]).abs() >= i32::midpoint(room(w[0]), room(w[1])))
    };
    (1..places.len()).find(fits).unwrap_or(places.len().max(1))
}

fn widest<'a>(lines: impl Iterator<Item = &'a str>) -> i32 {
    lines.map(|line| width(line, TEXT)).max().unwrap_or(0)
}

#[expect(clippy::cast_possible_truncation, reason = "the picture has a few hundred pixels")]
pub fn whole(pixels: f64) -> i32 {
    pixels.round() as i32
}

/// The axes of a chart, which show all that is drawn.
fn axes(chart: &Chart, is_square: bool) -> [Axis; 2] {
    let (mut xs, mut ys) = (Vec::new(), Vec::new());
    for curve in &chart.curves {
        for point in &curve.points {
            let range = point.spread.and_then(|s| s.range);
            xs.push(point.x);
            ys.extend([Some(point.y), range.map(|r| r.0), range.map(|r| r.1)].into_iter().flatten());
        }
        for (x, y) in &curve.line {
            xs.push(*x);
            ys.extend(y);
        }
        for mark in &curve.boxes {
            xs.push(mark.x);
            ys.extend(mark.five);
        }
    }
    for guide in &chart.guides {
        match guide.at {
            GuideAt::X(value) => xs.push(value),
            GuideAt::Y(value) => ys.push(value),
            GuideAt::Equal => {}
        }
    }
    if is_square {
        xs.append(&mut ys);
        ys.clone_from(&xs);
    }
    [Axis::of(&chart.x.scale, &xs, true), Axis::of(&chart.y.scale, &ys, false)]
}
