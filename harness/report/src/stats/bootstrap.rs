//! Intervals by drawing the boards anew.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use statrs::distribution::{ContinuousCDF, Normal, StudentsT};

use super::float;
use super::means::{LEAST_UNITS, TAIL, quantile};

/// Samples that are drawn.
const SAMPLES: usize = 4000;

/// Equal figures have equal intervals, whenever and wherever they are computed.
const SEED: u64 = 1;

/// The 95 % interval of a statistic of some units (boards), each of which is as likely to be drawn. `statistic` is given the
/// numbers of those drawn, with repetitions; samples in which there is none do not count. `None` for fewer than [`LEAST_UNITS`]
/// units.
///
/// The interval lies between the quantiles p and 1 - p of the statistics of 4,000 samples. p = Φ(-t √(n / (n - 1))), with t the
/// 97.5 % quantile of Student's distribution with n - 1 degrees of freedom, instead of 2.5 %: for the mean of n values the
/// interval is then as wide as Student's where the values are distributed normally, and follows them where they are skewed. The
/// samples are the same each time.
///
/// Sources: B. Efron, *Bootstrap methods: another look at the jackknife*, Annals of Statistics 7 (1979); for p T. C.
/// Hesterberg, *What teachers should know about the bootstrap*, The American Statistician 69 (2015), section 3.3.
#[must_use]
pub fn bootstrap(units: usize, statistic: impl Fn(&[usize]) -> Option<f64>) -> Option<(f64, f64)> {
    if units < LEAST_UNITS {
        return None;
    }
    let mut rng = ChaCha8Rng::seed_from_u64(SEED);
    let mut drawn = vec![0; units];
    let mut found: Vec<_> = (0..SAMPLES)
        .filter_map(|_| {
            drawn.fill_with(|| rng.random_range(0..units));
            statistic(&drawn)
        })
        .collect();
    found.sort_by(f64::total_cmp);
    let count = float(units);
    let student = StudentsT::new(0.0, 1.0, count - 1.0).ok()?.inverse_cdf(1.0 - TAIL);
    let tail = Normal::standard().sf(student * (count / (count - 1.0)).sqrt());
    (!found.is_empty()).then(|| (quantile(&found, tail), quantile(&found, 1.0 - tail)))
}

/// The geometric mean of quotients over units (boards), each given by the sum of the logarithms of its quotients and their
/// number, and its 95 % interval by [`bootstrap`]: of several quotients of one board, which are not independent, the board is
/// what is drawn. `None` without quotients.
#[must_use]
pub fn mean_quotient(units: &[(f64, f64)]) -> (Option<f64>, Option<(f64, f64)>) {
    let mean = |of: &mut dyn Iterator<Item = &(f64, f64)>| {
        let (sum, values) = of.fold((0.0, 0.0), |all: (f64, f64), unit| (all.0 + unit.0, all.1 + unit.1));
        (values > 0.0).then(|| (sum / values).exp())
    };
    let interval = bootstrap(units.len(), |drawn| mean(&mut drawn.iter().map(|unit| &units[*unit])));
    (mean(&mut units.iter()), interval)
}
