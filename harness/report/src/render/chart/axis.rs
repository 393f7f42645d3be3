//! Axes: their range, where ticks stand and what they say.

use crate::figures::number::grouped;
use crate::figures::{FINEST_S, Scale};
use crate::stats::SHORTEST_S;

/// The range and the ticks of an axis. Its positions are values, or their decadic logarithms.
#[derive(Debug, Clone, PartialEq)]
pub struct Axis {
    low: f64,
    high: f64,
    pub ticks: Vec<Tick>,
    /// Positions of grid lines without labels.
    pub minor: Vec<f64>,
    /// The least value on a logarithmic axis; lower ones are drawn there. `None` where it is not logarithmic.
    floor: Option<f64>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Tick {
    pub at: f64,
    pub label: String,
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
    pub fn of(scale: &Scale, values: &[f64], across: bool) -> Self {
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

    /// Where a value stands: 0 at the low end, 1 at the high one, never beyond.
    pub fn share(&self, value: f64) -> f64 {
        let at = self.floor.map_or(value, |floor| value.max(floor).log10());
        self.share_at(at)
    }

    /// The same of a position.
    pub fn share_at(&self, at: f64) -> f64 {
        ((at - self.low) / (self.high - self.low)).clamp(0.0, 1.0)
    }

    fn even(low: f64, high: f64, ticks: Vec<f64>) -> Self {
        let ticks = ticks.into_iter().map(|at| Tick { at, label: label(at) }).collect();
        Self { low, high, ticks, minor: Vec::new(), floor: None }
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
    let ticks: Vec<_> = std::iter::successors(Some(0.0), |at| Some(at + 1.0))
        .zip(names)
        .map(|(at, name)| Tick { at, label: name.clone() })
        .collect();
    let last = ticks.last().map_or(0.0, |t| t.at);
    Axis { low: -0.5, high: last + 0.5, ticks, minor: Vec::new(), floor: None }
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
    let mut ticks = multiples(&[1.0]);
    if ticks.len() < 2 {
        ticks = multiples(&[1.0, 2.0, 5.0]);
    } else if ticks.len() > 9 {
        ticks = ticks.into_iter().step_by(2).collect();
    }
    let ticks = ticks.into_iter().map(|at| Tick { at, label: label(10_f64.powf(at)) }).collect();
    let minor = multiples(&[2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0]);
    Axis { low, high, ticks, minor, floor: Some(floor) }
}

/// The label of a tick: 0.01, 1, 10,000.
fn label(value: f64) -> String {
    if value <= 0.0 || value >= 0.999 {
        // 1.2 is no tick, and what is left of powers of ten are errors of rounding.
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
            let axis = Axis::of(&scale, &[0.0, 3.0, f64::INFINITY], true);
            for value in [-5.0, 0.0, 1e-12, 3.0, 1e12, f64::INFINITY] {
                assert!((0.0..=1.0).contains(&axis.share(value)), "{scale:?}: {value}");
            }
        }
    }
}
