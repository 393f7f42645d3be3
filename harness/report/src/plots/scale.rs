//! Axes: their range, where ticks stand and what they say.

use std::ops::Range;

use plotters::coord::ranged1d::{KeyPointHint, NoDefaultFormatting, Ranged, ValueFormatter};

/// The range and the ticks of an axis.
#[derive(Debug, Clone, PartialEq)]
pub struct Axis {
    /// Lowest value.
    pub low: f64,
    /// Highest value.
    pub high: f64,
    /// Labelled ticks.
    pub ticks: Vec<f64>,
    /// Grid lines without labels.
    pub minor: Vec<f64>,
    /// Whether its values are decadic logarithms.
    pub log: bool,
}

impl Ranged for Axis {
    type FormatOption = NoDefaultFormatting;
    type ValueType = f64;

    #[expect(clippy::cast_possible_truncation, reason = "a position in pixels")]
    fn map(&self, value: &f64, (from, to): (i32, i32)) -> i32 {
        let share = (value - self.low) / (self.high - self.low);
        (f64::from(from) + share * f64::from(to - from)).round() as i32
    }

    fn key_points<Hint: KeyPointHint>(&self, hint: Hint) -> Vec<f64> {
        if hint.weight().allow_light_points() { self.minor.clone() } else { self.ticks.clone() }
    }

    fn range(&self) -> Range<f64> {
        self.low..self.high
    }
}

impl ValueFormatter<f64> for Axis {
    fn format_ext(&self, value: &f64) -> String {
        label(if self.log { 10_f64.powf(*value) } else { *value })
    }
}

/// Shorter times have no place on a logarithmic axis.
pub use crate::stats::SHORTEST_S;

/// More ticks than these run into each other.
const MOST_TICKS: usize = 14;

/// The part of the distance between neighbouring challenge numbers over which curves are shifted apart, so that it is
/// plain which number a marker belongs to.
pub const SHARE: f64 = 0.3;

/// The axis of challenge numbers: a tick at each, unless there are too many of them.
pub fn challenges(values: impl Iterator<Item = f64>) -> Axis {
    let mut ticks: Vec<_> = values.collect();
    ticks.sort_by(f64::total_cmp);
    ticks.dedup();
    let (first, last) = (ticks.first().copied().unwrap_or(0.0), ticks.last().copied().unwrap_or(1.0));
    let gap = gap(&ticks);
    // Room for markers beside the first and the last.
    let margin = ((last - first) * 0.06).max(0.5).max(gap * SHARE / 2.0 + (last - first) * 0.03);
    if ticks.len() > MOST_TICKS || (last - first) / gap > 24.0 {
        ticks = round_ticks(first, last, 10.0);
    }
    Axis { low: first - margin, high: last + margin, ticks, minor: Vec::new(), log: false }
}

/// The smallest distance between neighbours of a sorted list.
pub fn gap(sorted: &[f64]) -> f64 {
    sorted.windows(2).map(|w| w[1] - w[0]).filter(|d| *d > 0.0).reduce(f64::min).unwrap_or(1.0)
}

/// An axis of counts, from 0.
pub fn counts(values: impl Iterator<Item = f64>) -> Axis {
    let most = values.fold(1.0, f64::max);
    Axis {
        low: 0.0,
        high: (most * 1.08).max(most + 0.4),
        ticks: round_ticks(0.0, most, 7.0),
        minor: Vec::new(),
        log: false,
    }
}

/// A logarithmic axis; its values are the decadic logarithms.
pub fn logarithms(values: impl Iterator<Item = f64>) -> Axis {
    let logs: Vec<_> = values.map(logarithm).collect();
    let least = logs.iter().copied().reduce(f64::min).unwrap_or(0.0);
    let most = logs.iter().copied().reduce(f64::max).unwrap_or(0.0);
    let margin = 0.12 + 0.03 * (most - least);
    let (low, high) = (least - margin, most + margin);
    let multiples = |factors: &[f64]| -> Vec<f64> {
        let decades = std::iter::successors(Some(low.floor()), |d| Some(d + 1.0)).take_while(|d| *d <= high);
        let all = decades.flat_map(|d| factors.iter().map(move |f| d + f.log10()));
        all.filter(|t| (low..=high).contains(t)).collect()
    };
    let mut ticks = multiples(&[1.0]);
    if ticks.len() < 2 {
        ticks = multiples(&[1.0, 2.0, 5.0]);
    } else if ticks.len() > 7 {
        ticks = ticks.into_iter().step_by(2).collect();
    }
    Axis { low, high, ticks, minor: multiples(&[2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0]), log: true }
}

/// Where a value stands on a logarithmic axis.
pub fn logarithm(value: f64) -> f64 {
    value.max(SHORTEST_S).log10()
}

/// The label of a tick: 0.01, 1, 100.
fn label(value: f64) -> String {
    if value >= 1.0 || value <= 0.0 {
        return format!("{value:.0}");
    }
    format!("{value:.4}").trim_end_matches('0').to_owned()
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

    #[test]
    fn decades_are_labelled() {
        let axis = logarithms([0.02, 12_944.0].into_iter());
        let labels: Vec<_> = axis.ticks.iter().map(|t| label(10_f64.powf(*t))).collect();
        assert_eq!(labels, ["0.1", "1", "10", "100", "1000", "10000"]);
    }

    #[test]
    fn a_narrow_range_has_ticks_too() {
        let axis = logarithms([1.3, 6.0].into_iter());
        let labels: Vec<_> = axis.ticks.iter().map(|t| label(10_f64.powf(*t))).collect();
        assert_eq!(labels, ["1", "2", "5"]);
    }

    #[test]
    fn ticks_of_counts_are_whole() {
        assert_eq!(counts([1.0, 3.0].into_iter()).ticks, [0.0, 1.0, 2.0, 3.0]);
        assert_eq!(counts([15.0].into_iter()).ticks, [0.0, 5.0, 10.0, 15.0]);
    }
}
