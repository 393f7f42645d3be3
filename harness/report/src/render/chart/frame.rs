//! The frame of a plot: where its area lies, its axes with grid, ticks and labels.

use std::ops::Range;

use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::axis::{Axis, Tick};
use super::stroke::whole;
use super::{Canvas, CanvasError, text};
use crate::figures::{Chart, Dimension, GuideAt, Scale};

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
/// Upright lines of the grid.
const MOST_UPRIGHT_LINES: usize = 60;
/// Between labels that stand side by side.
const APART: i32 = 14;

/// The frame of a chart.
pub struct Frame {
    axes: [Axis; 2],
    area: (Range<i32>, Range<i32>),
    labels: Labels,
    bottom: i32,
}

/// The labels of the horizontal axis.
enum Labels {
    /// Side by side, each in one or several lines.
    Level(Vec<Vec<String>>),
    /// Upright.
    Upright(Vec<String>),
}

impl Frame {
    /// The frame of a chart between `left`, `right` and `top`.
    pub fn of(chart: &Chart, left: i32, right: i32, top: i32) -> Self {
        let same = chart.guides.iter().any(|g| g.at == GuideAt::Equal);
        let axes = axes(chart, same);
        let widest = |axis: &Axis, most: i32| {
            axis.ticks.iter().map(|t| text::width(&t.label, TEXT)).max().unwrap_or(0).min(most)
        };
        // The quantity stands on its side left of the labels.
        let start = left + LINE + 8 + widest(&axes[1], MOST_ASIDE) + 12;
        let wide = right - start;
        let (start, wide, high) = if same {
            let side = SIDE.min(wide);
            (start + (wide - side) / 2, side, side)
        } else {
            (start, wide, HEIGHT)
        };
        let labels = Labels::of(&axes[0], &chart.x.scale, wide);
        let area = (start..start + wide, top..top + high);
        let bottom = area.1.end + 10 + labels.height() + LINE + 8;
        Self { axes, area, labels, bottom }
    }

    /// The pixels of the plot's area, from left to right and from top to bottom.
    pub fn area(&self) -> (Range<i32>, Range<i32>) {
        self.area.clone()
    }

    /// Where everything that belongs to it ends.
    pub fn bottom(&self) -> i32 {
        self.bottom
    }

    /// Where a horizontal value stands.
    pub fn x(&self, value: f64) -> i32 {
        self.across(self.axes[0].share(value))
    }

    /// Where a vertical value stands.
    pub fn y(&self, value: f64) -> i32 {
        self.upward(self.axes[1].share(value))
    }

    fn across(&self, share: f64) -> i32 {
        self.area.0.start + whole(share * f64::from(self.area.0.end - self.area.0.start))
    }

    fn upward(&self, share: f64) -> i32 {
        self.area.1.end - whole(share * f64::from(self.area.1.end - self.area.1.start))
    }

    /// Draws the grid; everything else lies on it.
    pub fn draw_grid(&self, canvas: &Canvas) -> Result<(), CanvasError> {
        let [x, y] = &self.axes;
        let (across, upward) = &self.area;
        let tones = [RGBColor(236, 236, 236), RGBColor(205, 205, 205)];
        let places = |axis: &Axis| [axis.minor.clone(), axis.ticks.iter().map(|t| t.at).collect()];
        // More upright lines than these would be a grey area.
        let has_upright = x.ticks.len() <= MOST_UPRIGHT_LINES;
        for (style, (xs, ys)) in tones.iter().zip(places(x).into_iter().zip(places(y))) {
            for at in xs.into_iter().filter(|_| has_upright) {
                let x = self.across(x.share_at(at));
                canvas.draw(&PathElement::new(vec![(x, upward.start), (x, upward.end)], style))?;
            }
            for at in ys {
                let y = self.upward(y.share_at(at));
                canvas.draw(&PathElement::new(vec![(across.start, y), (across.end, y)], style))?;
            }
        }
        let corner = (across.start, upward.end);
        let axes = vec![(across.start, upward.start), corner, (across.end, upward.end)];
        canvas.draw(&PathElement::new(axes, BLACK.stroke_width(2)))
    }

    /// Draws what stands beside the axes.
    pub fn draw_labels(&self, canvas: &Canvas, x: &Dimension, y: &Dimension) -> Result<(), CanvasError> {
        self.draw_ticks(canvas)?;
        let (across, upward) = &self.area;
        let style = TextStyle::from(text::font(TEXT)).pos(Pos::new(HPos::Center, VPos::Center)).color(&BLACK);
        let at = (i32::midpoint(across.start, across.end), self.bottom - LINE / 2 - 2);
        let left = across.start - 12 - self.widest() - LINE / 2 - 6;
        let upright = style.clone().transform(FontTransform::Rotate270);
        let at_left = (left, i32::midpoint(upward.start, upward.end));
        canvas.draw(&Text::new(text::cut(&x.label, TEXT, across.end - across.start), at, style))?;
        canvas.draw(&Text::new(text::cut(&y.label, TEXT, upward.end - upward.start), at_left, upright))
    }

    fn widest(&self) -> i32 {
        self.axes[1].ticks.iter().map(|t| text::width(&t.label, TEXT)).max().unwrap_or(0).min(MOST_ASIDE)
    }

    fn draw_ticks(&self, canvas: &Canvas) -> Result<(), CanvasError> {
        let style = |h, v| TextStyle::from(text::font(TEXT)).pos(Pos::new(h, v)).color(&BLACK);
        let (across, upward) = &self.area;
        let beside: Vec<_> = self.axes[1].ticks.iter().map(|t| self.upward(self.axes[1].share_at(t.at))).collect();
        let every = thinning(&beside, |_| LINE);
        for (tick, y) in self.axes[1].ticks.iter().zip(beside).step_by(every) {
            let label = text::cut_name(&tick.label, TEXT, MOST_ASIDE);
            canvas.draw(&PathElement::new(vec![(across.start - 5, y), (across.start, y)], BLACK))?;
            canvas.draw(&Text::new(label, (across.start - 10, y), style(HPos::Right, VPos::Center)))?;
        }
        let below: Vec<_> = self.axes[0].ticks.iter().map(|t| self.across(self.axes[0].share_at(t.at))).collect();
        let tick = |x: i32| PathElement::new(vec![(x, upward.end), (x, upward.end + 5)], BLACK);
        match &self.labels {
            Labels::Level(labels) => {
                let every = thinning(&below, |index| widest_line(&labels[index]) + APART);
                for (lines, x) in labels.iter().zip(below).step_by(every) {
                    canvas.draw(&tick(x))?;
                    for (line, content) in (0..).zip(lines) {
                        let at = (x, upward.end + 10 + line * LINE + LINE / 2);
                        canvas.draw(&Text::new(content.clone(), at, style(HPos::Center, VPos::Center)))?;
                    }
                }
            }
            Labels::Upright(labels) => {
                let upright = style(HPos::Right, VPos::Center).transform(FontTransform::Rotate270);
                for (label, x) in labels.iter().zip(&below).step_by(thinning(&below, |_| LINE)) {
                    canvas.draw(&tick(*x))?;
                    canvas.draw(&Text::new(label.clone(), (*x, upward.end + 10), upright.clone()))?;
                }
            }
        }
        Ok(())
    }
}

impl Labels {
    fn of(axis: &Axis, scale: &Scale, wide: i32) -> Self {
        let label = |tick: &Tick| tick.label.clone();
        if !matches!(scale, Scale::Names(_)) {
            return Self::Level(axis.ticks.iter().map(|t| vec![label(t)]).collect());
        }
        let slot = wide / i32::try_from(axis.ticks.len().max(1)).unwrap_or(i32::MAX) - APART;
        let wrapped = |tick: &Tick| text::wrap_names(&tick.label, TEXT, slot, MOST_LINES);
        match axis.ticks.iter().map(wrapped).collect() {
            Some(labels) => Self::Level(labels),
            None => Self::Upright(axis.ticks.iter().map(|t| text::cut_name(&t.label, TEXT, MOST_UPRIGHT)).collect()),
        }
    }

    fn height(&self) -> i32 {
        match self {
            Self::Level(labels) => {
                labels.iter().map(|l| l.len()).max().map_or(0, |l| i32::try_from(l).unwrap_or(1)) * LINE
            }
            Self::Upright(labels) => labels.iter().map(|l| text::width(l, TEXT)).max().unwrap_or(0) + 6,
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

fn widest_line(lines: &[String]) -> i32 {
    lines.iter().map(|l| text::width(l, TEXT)).max().unwrap_or(0)
}

/// The axes of a chart, which show all that is drawn.
fn axes(chart: &Chart, same: bool) -> [Axis; 2] {
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
    if same {
        xs.append(&mut ys);
        ys.clone_from(&xs);
    }
    [Axis::of(&chart.x.scale, &xs, true), Axis::of(&chart.y.scale, &ys, false)]
}
