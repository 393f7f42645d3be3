//! The frame of a plot: where its area lies, and its axes with their ranges, grid, ticks and labels.

use puzzle::scene::Rgb;

use super::canvas::{Anchor, BLACK, Canvas, Pen, count, cut, whole, width, wrap_name};
use crate::figures::number::grouped;
use crate::figures::{Chart, FINEST_S, GuideAt, Scale};
use crate::stats::{SHORTEST_S, float};

const HEIGHT: i32 = 430;
/// Width and height where both axes are the same.
const SIDE: i32 = 540;
const TEXT: f64 = 20.0;
const LINE: i32 = 24;
/// The smallest size of upright names, which shrink before some are left out: each names another bar or box.
const SMALLEST: f64 = 10.0;
/// What names on the horizontal axis have at most: level ones lines, upright ones pixels.
const MOST_LINES: usize = 3;
const MOST_UPRIGHT: i32 = 240;
/// Upright lines of the grid: more would be a grey area.
const MOST_UPRIGHT_LINES: usize = 60;
/// Between labels side by side.
const APART: i32 = 14;

pub struct Frame {
    pub across: Axis,
    pub upward: Axis,
    /// Pixels of the widest label of the vertical axis.
    aside: i32,
    /// The labels of the horizontal axis, each in lines.
    labels: Vec<Vec<String>>,
    is_upright: bool,
    /// Their size.
    size: f64,
    /// Where everything that belongs to the frame ends.
    pub bottom: i32,
}

impl Frame {
    /// The frame of a chart between `left`, `right` and `top`.
    pub fn of(chart: &Chart, left: i32, right: i32, top: i32) -> Self {
        let is_square = chart.guides.iter().any(|g| g.at == GuideAt::Equal);
        let [mut across, mut upward] = axes(chart, is_square);
        let aside = widest(upward.ticks.iter().map(|t| &t.label), TEXT);
        // The quantity stands on its side left of the labels.
        let start = left + LINE + 8 + aside + 12;
        let room = right - start;
        let (wide, high) = if is_square { (SIDE.min(room), SIDE.min(room)) } else { (room, HEIGHT) };
        let start = start + (room - wide) / 2;
        (across.from, across.to) = (start, start + wide);
        (upward.from, upward.to) = (top + high, top);
        let level = level_labels(&across, &chart.x.scale);
        let is_upright = level.is_none();
        let room = f64::from(across.length()) / float(across.ticks.len().max(1));
        let size = if is_upright { (TEXT * room / f64::from(LINE)).clamp(SMALLEST, TEXT) } else { TEXT };
        let upright = || across.ticks.iter().map(|t| vec![cut(&t.label, size, MOST_UPRIGHT)]).collect();
        let labels: Vec<Vec<String>> = level.unwrap_or_else(upright);
        let height = match is_upright {
            true => widest(labels.iter().flatten(), size) + 6,
            false => count(labels.iter().map(Vec::len).max().unwrap_or(0)) * LINE,
        };
        let bottom = upward.from + 10 + height + LINE + 8;
        Self { across, upward, aside, labels, is_upright, size, bottom }
    }

    pub fn x(&self, value: f64) -> i32 {
        self.across.pixel(self.across.position(value))
    }

    pub fn y(&self, value: f64) -> i32 {
        self.upward.pixel(self.upward.position(value))
    }

    /// Draws grid and axes; everything else lies on them.
    pub fn draw_grid(&self, canvas: &mut Canvas) {
        let Self { across: x, upward: y, .. } = self;
        let has_upright = x.ticks.len() <= MOST_UPRIGHT_LINES;
        let lines = |xs: Vec<i32>, ys: Vec<i32>, grey: Rgb| (xs, ys, Pen::new(grey, 1));
        let minor = lines(x.pixels(&x.minor), y.pixels(&y.minor), Rgb(236, 236, 236));
        let labelled = lines(x.tick_pixels(), y.tick_pixels(), Rgb(205, 205, 205));
        for (xs, ys, pen) in [minor, labelled] {
            for at in xs.into_iter().filter(|_| has_upright) {
                canvas.line(&[(at, y.to), (at, y.from)], pen);
            }
            for at in ys {
                canvas.line(&[(x.from, at), (x.to, at)], pen);
            }
        }
        canvas.line(&[(x.from, y.to), (x.from, y.from), (x.to, y.from)], Pen::new(BLACK, 2));
    }

    pub fn draw_labels(&self, canvas: &mut Canvas, x_label: &str, y_label: &str) {
        let Self { across: x, upward: y, labels, .. } = self;
        let below = x.tick_pixels();
        let line = whole((self.size / TEXT * f64::from(LINE)).floor());
        let room = |index: usize| if self.is_upright { line } else { widest(&labels[index], TEXT) + APART };
        for index in shown(&below, room) {
            let at = below[index];
            canvas.line(&[(at, y.from), (at, y.from + 5)], Pen::new(BLACK, 1));
            let top = y.from + 10;
            for (number, line) in (0..).zip(&labels[index]) {
                match self.is_upright {
                    true => canvas.upright(line, (at, top), self.size, Anchor::Right),
                    false => canvas.text(line, (at, top + number * LINE + LINE / 2), TEXT, Anchor::Center),
                }
            }
        }
        for (tick, at) in y.ticks.iter().zip(y.tick_pixels()) {
            canvas.line(&[(x.from - 5, at), (x.from, at)], Pen::new(BLACK, 1));
            canvas.text(&tick.label, (x.from - 10, at), TEXT, Anchor::Right);
        }
        let at = (i32::midpoint(x.from, x.to), self.bottom - LINE / 2 - 2);
        canvas.text(&cut(x_label, TEXT, x.length()), at, TEXT, Anchor::Center);
        let at = (x.from - 12 - self.aside - LINE / 2 - 6, i32::midpoint(y.from, y.to));
        canvas.upright(&cut(y_label, TEXT, y.length()), at, TEXT, Anchor::Center);
    }
}

/// Labels side by side, names in several lines; none where a name is too long for that.
fn level_labels(axis: &Axis, scale: &Scale) -> Option<Vec<Vec<String>>> {
    let room = axis.length() / count(axis.ticks.len().max(1)) - APART;
    let lines = |tick: &Tick| match scale {
        Scale::Names(_) => wrap_name(&tick.label, TEXT, room, MOST_LINES),
        _ => Some(vec![tick.label.clone()]),
    };
    axis.ticks.iter().map(lines).collect()
}

/// The labels that are drawn so that none touch, the last among them; `room` is what one needs.
fn shown(places: &[i32], room: impl Fn(usize) -> i32) -> Vec<usize> {
    let apart = |a: usize, b: usize| (places[b] - places[a]).abs() >= i32::midpoint(room(a), room(b));
    let last = places.len().saturating_sub(1);
    let mut shown: Vec<usize> = Vec::new();
    for index in 0..places.len() {
        let has_room = shown.last().is_none_or(|before| apart(*before, index));
        if has_room && (index == 0 || index == last || apart(index, last)) {
            shown.push(index);
        }
    }
    shown
}

fn widest<'a>(lines: impl IntoIterator<Item = &'a String>, size: f64) -> i32 {
    lines.into_iter().map(|line| width(line, size)).max().unwrap_or(0)
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

/// The range and the ticks of an axis. Its positions are values, or their decadic logarithms.
pub struct Axis {
    low: f64,
    high: f64,
    ticks: Vec<Tick>,
    /// Positions of grid lines without labels.
    minor: Vec<f64>,
    /// The least value on a logarithmic axis; lower ones are drawn there. `None` where it is not logarithmic.
    floor: Option<f64>,
    /// The pixels of the low and of the high end.
    pub from: i32,
    pub to: i32,
}

struct Tick {
    at: f64,
    label: String,
}

/// Challenge numbers: more ticks than these run into each other.
const MOST_TICKS: usize = 14;

/// Challenge numbers of which the greatest is more than so many times the least are laid out by their logarithm.
const FAR_APART: f64 = 50.0;

/// The part of the distance between neighbouring challenge numbers over which curves are shifted apart, so that it is
/// plain which number a marker belongs to.
pub const SHARE: f64 = 0.3;

/// Quotients below this are drawn there.
const LEAST_RATIO: f64 = 1e-9;

impl Axis {
    /// The axis of a scale on which these values are to be shown. An `across` axis has room for marks left of its first
    /// count.
    fn of(scale: &Scale, values: &[f64], across: bool) -> Self {
        let finite = || values.iter().copied().filter(|v| v.is_finite());
        match scale {
            Scale::Challenges => challenges(finite()),
            Scale::Counts => counts(finite(), across),
            Scale::Shares => Self::even(0.0, 1.03, vec![0.0, 0.2, 0.4, 0.6, 0.8, 1.0]),
            Scale::Seconds => logarithms(finite(), SHORTEST_S),
            Scale::SecondsWithin(least, most) => logarithms([*least, *most].into_iter(), FINEST_S),
            Scale::Ratios => logarithms(finite().chain(std::iter::once(1.0)), LEAST_RATIO),
            Scale::Names(names) => named(names),
        }
    }

    fn even(low: f64, high: f64, ticks: Vec<f64>) -> Self {
        let ticks = ticks.into_iter().map(|at| Tick { at, label: label(at) }).collect();
        Self { low, high, ticks, minor: Vec::new(), floor: None, from: 0, to: 0 }
    }

    fn position(&self, value: f64) -> f64 {
        self.floor.map_or(value, |floor| value.max(floor).log10())
    }

    /// Where a position lies between both ends, never beyond.
    fn pixel(&self, position: f64) -> i32 {
        let share = ((position - self.low) / (self.high - self.low)).clamp(0.0, 1.0);
        self.from + whole(share * f64::from(self.to - self.from))
    }

    fn pixels(&self, positions: &[f64]) -> Vec<i32> {
        positions.iter().map(|position| self.pixel(*position)).collect()
    }

    fn tick_pixels(&self) -> Vec<i32> {
        self.ticks.iter().map(|tick| self.pixel(tick.at)).collect()
    }

    /// Its pixels from end to end.
    pub fn length(&self) -> i32 {
        (self.to - self.from).abs()
    }
}

/// The axis of challenge numbers: a tick at each, unless there are too many of them, or they are far apart.
fn challenges(values: impl Iterator<Item = f64>) -> Axis {
    let mut ticks: Vec<_> = values.collect();
    ticks.sort_by(f64::total_cmp);
    ticks.dedup();
    let (first, last) = (ticks.first().copied().unwrap_or(0.0), ticks.last().copied().unwrap_or(1.0));
    if last > FAR_APART * first.max(1.0) {
        return logarithms(ticks.into_iter(), 1.0);
    }
    let gap = gap(&ticks);
    // Room for markers beside the first and the last.
    let margin = ((last - first) * 0.06).max(0.5).max(gap * SHARE / 2.0 + (last - first) * 0.03);
    if ticks.len() > MOST_TICKS || (last - first) / gap > 24.0 {
        ticks = round_ticks(first, last, 10.0);
    }
    Axis::even(first - margin, last + margin, ticks)
}

/// The smallest distance between neighbours of a sorted list.
pub fn gap(sorted: &[f64]) -> f64 {
    sorted.windows(2).map(|w| w[1] - w[0]).filter(|d| *d > 0.0).reduce(f64::min).unwrap_or(1.0)
}

fn counts(values: impl Iterator<Item = f64>, across: bool) -> Axis {
    let most = values.fold(1.0, f64::max);
    let high = (most * 1.08).max(most + 0.4);
    Axis::even(if across { -0.03 * high } else { 0.0 }, high, round_ticks(0.0, most, 7.0))
}

/// An axis of names, each in the middle of as much room.
fn named(names: &[String]) -> Axis {
    let ticks = names.iter().enumerate().map(|(at, name)| Tick { at: float(at), label: name.clone() });
    let last = float(names.len().saturating_sub(1));
    Axis { ticks: ticks.collect(), ..Axis::even(-0.5, last + 0.5, Vec::new()) }
}

fn logarithms(values: impl Iterator<Item = f64>, floor: f64) -> Axis {
    let logs: Vec<_> = values.map(|v| v.max(floor).log10()).collect();
    let least = logs.iter().copied().reduce(f64::min).unwrap_or(0.0);
    let most = logs.iter().copied().reduce(f64::max).unwrap_or(0.0);
    let margin = 0.12 + 0.03 * (most - least);
    let (low, high) = (least - margin, most + margin);
    let multiples = |factors: &[f64]| -> Vec<f64> {
        let decades = std::iter::successors(Some(low.floor()), |d| Some(d + 1.0)).take_while(|d| *d <= high);
        let all = decades.flat_map(|d| factors.iter().map(move |f| d + f.log10()));
        all.filter(|t| (low..=high).contains(t)).collect()
    };
    // Three ticks at least, where there are as many: two hardly tell what lies between them.
    let factors: [&[f64]; 3] =
        [&[1.0], &[1.0, 2.0, 5.0], &[1.0, 1.2, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0]];
    let mut ticks =
        factors.into_iter().map(multiples).reduce(|a, b| if a.len() > 2 { a } else { b }).unwrap_or_default();
    if ticks.len() > 9 {
        ticks = ticks.into_iter().step_by(2).collect();
    }
    let ticks = ticks.into_iter().map(|at| Tick { at, label: label(10_f64.powf(at)) }).collect();
    let minor = multiples(&[2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0]);
    Axis { ticks, minor, floor: Some(floor), ..Axis::even(low, high, Vec::new()) }
}

/// The label of a tick: 0.01, 1.2, 10,000.
fn label(value: f64) -> String {
    // Powers of ten have errors of rounding.
    if (value - value.round()).abs() <= 1e-9 * value.abs() {
        return grouped(&format!("{value:.0}"));
    }
    format!("{value:.9}").trim_end_matches('0').to_owned()
}

/// Ticks at multiples of 1, 2 or 5 times a power of ten, at whole numbers only.
fn round_ticks(first: f64, last: f64, most: f64) -> Vec<f64> {
    let steps = (0..).flat_map(|power| [1.0, 2.0, 5.0].map(|factor| factor * 10_f64.powi(power)));
    let step = steps.take(60).find(|s| (last - first) / s <= most).unwrap_or(1.0);
    let start = (first / step).ceil() * step;
    std::iter::successors(Some(start), |t| Some(t + step)).take_while(|t| *t <= last + 1e-9).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(scale: &Scale, values: &[f64]) -> Vec<String> {
        Axis::of(scale, values, false).ticks.into_iter().map(|t| t.label).collect()
    }

    #[test]
    fn decades_are_labelled() {
        let expected = ["0.1", "1", "10", "100", "1,000", "10,000"];
        assert_eq!(labels(&Scale::Seconds, &[0.02, 12_944.0]), expected);
    }

    #[test]
    fn a_narrow_range_has_ticks_too() {
        assert_eq!(labels(&Scale::Seconds, &[1.3, 6.0]), ["1", "2", "5"]);
        assert_eq!(labels(&Scale::Seconds, &[0.13, 0.14]), ["0.1", "0.12", "0.15"]);
        for at in 1..100 {
            let value = 1.07_f64.powi(at - 50);
            assert!(labels(&Scale::Seconds, &[value]).len() > 1, "{value}");
        }
    }

    #[test]
    fn ticks_of_counts_are_whole() {
        assert_eq!(labels(&Scale::Counts, &[1.0, 3.0]), ["0", "1", "2", "3"]);
        assert_eq!(labels(&Scale::Counts, &[15.0]), ["0", "5", "10", "15"]);
        assert_eq!(labels(&Scale::Counts, &[1_200_000.0])[1], "200,000");
    }

    #[test]
    fn challenges_that_are_far_apart_have_decades() {
        assert_eq!(labels(&Scale::Challenges, &[40.0, 400.0]), ["40", "400"]);
        assert_eq!(labels(&Scale::Challenges, &[40.0, 400.0, 10_000.0]), ["100", "1,000", "10,000"]);
    }

    #[test]
    fn shares_names_and_quotients() {
        assert_eq!(labels(&Scale::Shares, &[]), ["0", "0.2", "0.4", "0.6", "0.8", "1"]);
        assert_eq!(labels(&Scale::Names(vec!["a".to_owned(), "b".to_owned()]), &[]), ["a", "b"]);
        // 1 is on the axis, though all are above it.
        assert_eq!(labels(&Scale::Ratios, &[20.0, 500.0]), ["1", "10", "100"]);
        assert_eq!(labels(&Scale::Ratios, &[0.001]), ["0.001", "0.01", "0.1", "1"]);
    }

    #[test]
    fn nothing_stands_beyond_an_axis() {
        let names = Scale::Names(vec!["a".to_owned()]);
        for scale in [
            Scale::Challenges,
            Scale::Counts,
            Scale::Shares,
            Scale::Seconds,
            Scale::SecondsWithin(0.1, 2.0),
            Scale::Ratios,
            names,
        ] {
            let mut axis = Axis::of(&scale, &[0.0, 3.0, f64::INFINITY], true);
            (axis.from, axis.to) = (400, 100);
            for value in [-5.0, 0.0, 1e-12, 3.0, 1e12, f64::INFINITY] {
                assert!((100..=400).contains(&axis.pixel(axis.position(value))), "{scale:?}: {value}");
            }
        }
    }
}
