//! How far a figure would move if other instances had been chosen.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::quartiles::quantile;

/// Number of resamples.
pub const RESAMPLES: usize = 10_000;

/// Of fewer units there is no interval: there would be too few different resamples.
pub const LEAST_UNITS: usize = 5;

/// The seed of the resamples: the same units give the same interval.
const SEED: u64 = 1979;

/// The 95 % percentile bootstrap interval of a statistic of some units (instances). `None` for fewer than [`LEAST_UNITS`] of
/// them.
///
/// [`RESAMPLES`] times as many units are drawn with replacement as there are, and the statistic taken of them; the interval
/// goes from the 2.5 % quantile of these values to their 97.5 % quantile. For few units it is too narrow.
///
/// Sources: B. Efron, *Bootstrap methods: another look at the jackknife*, The Annals of Statistics 7 (1979); B. Efron and R. J.
/// Tibshirani, *An Introduction to the Bootstrap* (1993), chapter 13.
#[must_use]
pub fn bootstrap<T: Copy>(units: &[T], statistic: impl Fn(&[T]) -> f64) -> Option<(f64, f64)> {
    if units.len() < LEAST_UNITS {
        return None;
    }
    let mut random = ChaCha8Rng::seed_from_u64(SEED);
    let mut drawn = units.to_vec();
    let mut resample = || {
        drawn.fill_with(|| units[random.random_range(0..units.len())]);
        statistic(&drawn)
    };
    let mut values: Vec<_> = (0..RESAMPLES).map(|_| resample()).collect();
    values.sort_by(f64::total_cmp);
    Some((quantile(&values, 0.025), quantile(&values, 0.975)))
}
