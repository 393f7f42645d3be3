//! McNemar's test: whether one of two solves more of the same instances than the other.

use statrs::distribution::{Binomial, DiscreteCDF};

/// The two-sided p-value of McNemar's test in its exact form: `first` instances were solved by the first only, `second` by
/// the second only. `None` if there are no such instances, on which alone the test rests.
///
/// If both were as likely to solve what only one of them solved, `first` would be binomially distributed with
/// n = `first` + `second` and probability 1/2; p = min(1, 2 P(X <= min(first, second))). No mid-p.
///
/// Source: Q. McNemar, *Note on the sampling error of the difference between correlated proportions or percentages*,
/// Psychometrika 12 (1947).
#[must_use]
pub fn mcnemar(first: u64, second: u64) -> Option<f64> {
    let all = first + second;
    let distribution = Binomial::new(0.5, all).ok().filter(|_| all > 0)?;
    Some((2.0 * distribution.cdf(first.min(second))).min(1.0))
}
