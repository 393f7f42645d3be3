//! Means of times over instances, medians and quartiles; and how far a figure would move if other instances had been chosen.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use statrs::distribution::{ContinuousCDF, Normal, StudentsT};

use super::{Score, float};

/// PAR-k: the mean time in seconds, where what was not solved counts as `factor` times its limit. `None` without instances,
/// or where something was not solved and there was no limit.
///
/// Source: PAR-2 ranks the solvers of the SAT competitions (M. J. H. Heule, M. Järvisalo and M. Suda, *SAT
/// Competition 2018*, Journal on Satisfiability, Boolean Modeling and Computation 11 (2019)).
#[must_use]
pub fn par(scores: &[Score], factor: f64) -> Option<f64> {
    let times: Vec<_> = scores.iter().map(|s| s.penalised(factor)).collect::<Option<_>>()?;
    mean(times.into_iter())
}

/// The shifted geometric mean exp(mean of ln(max(v, 0) + s)) - s for the shift s: values far below the shift hardly count. `None`
/// without values.
///
/// Source: T. Achterberg, *Constraint Integer Programming*, thesis, TU Berlin (2007); H. Mittelmann's
/// benchmarks use it with a shift of 10 s.
#[must_use]
pub fn shifted_geometric_mean(values: &[f64], shift: f64) -> Option<f64> {
    Some(mean(values.iter().map(|v| (v.max(0.0) + shift).ln()))?.exp() - shift)
}

/// The geometric mean of positive values, given by their logarithms; `None` without values.
#[must_use]
pub fn geometric_mean(logs: &[f64]) -> Option<f64> {
    mean(logs.iter().copied()).map(f64::exp)
}

fn mean(values: impl ExactSizeIterator<Item = f64>) -> Option<f64> {
    let count = float(values.len());
    (count > 0.0).then(|| values.sum::<f64>() / count)
}

/// Least value, first quartile, median, third quartile, most.
///
/// Between two values a quartile is interpolated linearly; one that lies between a finite value and an infinite one is
/// infinite. All five are not a number if there are no values.
///
/// Source: definition 7 of R. J. Hyndman and Y. Fan, *Sample quantiles in statistical packages*, The American Statistician
/// 50 (1996).
#[must_use]
pub fn quartiles(values: &[f64]) -> [f64; 5] {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    [0.0, 0.25, 0.5, 0.75, 1.0].map(|share| quantile(&sorted, share))
}

/// The value below which that share of the sorted values lies; not a number if there are none.
fn quantile(sorted: &[f64], share: f64) -> f64 {
    let place = share * float(sorted.len().saturating_sub(1));
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "an index: not negative, within the list"
    )]
    let (low, high) = (place.floor() as usize, place.ceil() as usize);
    match (sorted.get(low), sorted.get(high)) {
        // Infinite values have no difference.
        (Some(low), Some(high)) if low < high && place.fract() > 0.0 => low + place.fract() * (high - low),
        (Some(low), Some(_)) => *low,
        _ => f64::NAN,
    }
}

/// The median, the mean of the middle two where they are even in number; `None` without values.
#[must_use]
pub fn median(mut values: Vec<f64>) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    let (low, high) = (values.get(values.len().saturating_sub(1) / 2)?, values.get(values.len() / 2)?);
    Some(f64::midpoint(*low, *high))
}

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
