//! How far a figure would move if other instances had been chosen.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use statrs::distribution::{ContinuousCDF, Normal, StudentsT};

use super::float;
use super::means::quantile;

/// Number of resamples, of not too many units.
pub const RESAMPLES: usize = 10_000;

/// Of very many units fewer resamples are drawn, as long as they are not below a tenth: no more units than this in all.
const MOST_DRAWN: usize = 10_000_000;

/// Of fewer units there is no interval: there would be too few different resamples.
pub const LEAST_UNITS: usize = 5;

/// The seed of the resamples: the same units give the same interval.
const SEED: u64 = 1979;

/// Share of samples whose interval shall leave out the true figure, on either side.
const TAIL: f64 = 0.025;

/// The 95 % bootstrap interval of a statistic of some units (instances), by percentiles that are expanded for small samples.
/// `None` for fewer than [`LEAST_UNITS`] of them.
///
/// [`RESAMPLES`] times (for more than 1,000 units fewer times, at least 1,000) as many units are drawn with replacement as
/// there are, n, and the statistic taken of them. Plain
/// percentiles of these values would be too close for small n, as the quantiles of a normal distribution with an estimated
/// variance are. So the interval goes from their quantile at a to that at 1 - a, where a is the probability that a
/// standard normal variable is below -t sqrt(n / (n - 1)), and t the 97.5 % quantile of Student's distribution with n - 1
/// degrees of freedom; for many units a is 2.5 %.
///
/// Sources: B. Efron, *Bootstrap methods: another look at the jackknife*, The Annals of Statistics 7 (1979); T. C.
/// Hesterberg, *What teachers should know about the bootstrap*, The American Statistician 69 (2015), for the expansion.
#[must_use]
pub fn bootstrap<T: Copy>(units: &[T], statistic: impl Fn(&[T]) -> f64) -> Option<(f64, f64)> {
    if units.len() < LEAST_UNITS {
        return None;
    }
    let tail = expanded(units.len())?;
    let mut random = ChaCha8Rng::seed_from_u64(SEED);
    let mut drawn = units.to_vec();
    let mut resample = || {
        drawn.fill_with(|| units[random.random_range(0..units.len())]);
        statistic(&drawn)
    };
    let resamples = (MOST_DRAWN / units.len()).clamp(RESAMPLES / 10, RESAMPLES);
    let mut values: Vec<_> = (0..resamples).map(|_| resample()).collect();
    values.sort_by(f64::total_cmp);
    Some((quantile(&values, tail), quantile(&values, 1.0 - tail)))
}

/// The share of resamples below the interval.
fn expanded(units: usize) -> Option<f64> {
    let count = float(units);
    let student = StudentsT::new(0.0, 1.0, count - 1.0).ok()?.inverse_cdf(1.0 - TAIL);
    Some(Normal::standard().cdf(-student * (count / (count - 1.0)).sqrt()))
}
