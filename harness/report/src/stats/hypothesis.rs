//! Tests of paired samples, and of several of them at once; shares of boards that have a property, and how sure they are.

use statrs::distribution::{Binomial, ContinuousCDF, DiscreteCDF, Normal};

use super::float;

/// Up to this p-value a difference is called significant.
pub const LEVEL: f64 = 0.05;

/// Up to so many differences other than zero the p-value is exact.
const MOST_EXACT: usize = 100;

/// The two-sided p-value of Wilcoxon's signed-rank test of paired differences, which may be infinite; `None` if none differs from
/// zero.
///
/// Differences are ranked by their absolute values, those that are equal (to 12 digits) with their mean rank. Zeros are ranked with the others and
/// their ranks are then left out (Pratt). If either sign were as likely for each difference, each rank would count as
/// positive with probability 1/2: for up to 100 differences other than zero, p is the share of all assignments of signs whose
/// sum of positive ranks is as far from its mean as what was found, or further. For more it is taken from the normal
/// distribution with the mean and the variance of that sum given these very ranks, the sum of squared ranks over 4, which
/// is the correction for ties, and with a correction for continuity of 1/2.
///
/// Sources: F. Wilcoxon, *Individual comparisons by ranking methods*, Biometrics Bulletin 1 (1945); J. W. Pratt, *Remarks on
/// zeros and ties in the Wilcoxon signed rank procedures*, Journal of the American Statistical Association 54 (1959).
#[must_use]
pub fn wilcoxon(differences: &[f64]) -> Option<f64> {
    let ranks = doubled_ranks(differences);
    let sum = |is: fn(f64) -> bool| -> usize { ranks.iter().filter(|(d, _)| is(*d)).map(|(_, rank)| rank).sum() };
    let least = sum(|d| d > 0.0).min(sum(|d| d < 0.0));
    let signed: Vec<_> = ranks.iter().filter(|(d, _)| *d != 0.0).map(|(_, rank)| *rank).collect();
    if signed.is_empty() {
        return None;
    }
    let tail = if signed.len() <= MOST_EXACT { exact_tail } else { normal_tail };
    Some((2.0 * tail(&signed, least)).min(1.0))
}

/// The differences by absolute value, each with twice its rank: mean ranks may be halves.
fn doubled_ranks(differences: &[f64]) -> Vec<(f64, usize)> {
    let mut sorted = differences.to_vec();
    sorted.sort_by(|a, b| a.abs().total_cmp(&b.abs()));
    let mut ranks = Vec::with_capacity(sorted.len());
    for ties in sorted.chunk_by(|a, b| is_tie(a.abs(), b.abs())) {
        let before = ranks.len();
        ranks.extend(ties.iter().map(|d| (*d, 2 * before + ties.len() + 1)));
    }
    ranks
}

/// Whether two values, the lower first, differ by no more than the rounding of floats.
fn is_tie(low: f64, high: f64) -> bool {
    low == high || (high.is_finite() && high - low <= 1e-12 * high)
}

/// The probability that a sum of these ranks, each with probability 1/2, is at most `least`.
fn exact_tail(ranks: &[usize], least: usize) -> f64 {
    // Of each sum up to `least` its probability, rank by rank.
    let mut sums = vec![0.0; least + 1];
    sums[0] = 1.0;
    for rank in ranks {
        for sum in (0..=least).rev() {
            let with = if sum >= *rank { sums[sum - rank] } else { 0.0 };
            sums[sum] = (sums[sum] + with) / 2.0;
        }
    }
    sums.iter().sum()
}

/// The same from the normal distribution.
fn normal_tail(ranks: &[usize], least: usize) -> f64 {
    let total: usize = ranks.iter().sum();
    let squares: f64 = ranks.iter().map(|rank| float(*rank).powi(2)).sum();
    // Of doubled ranks one is what one half is of ranks.
    let distance = (float(total) / 2.0 - float(least) - 1.0).max(0.0);
    Normal::standard().sf(distance / (squares / 4.0).sqrt())
}

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

/// Holm's step-down correction: the adjusted p-values of tests that belong together. If all those below a level are
/// called significant, the probability that any of these calls is false is at most that level, however the tests depend on each
/// other. `None` stands for a test that could not be made: it counts as none.
///
/// With the m p-values in rising order, the adjusted i-th (from 1) is the largest of min(1, (m + 1 - j) p(j)) over j up to i.
///
/// Source: S. Holm, *A simple sequentially rejective multiple test procedure*, Scandinavian Journal of Statistics 6 (1979).
#[must_use]
pub fn holm(p_values: &[Option<f64>]) -> Vec<Option<f64>> {
    let mut order: Vec<_> = p_values.iter().enumerate().filter_map(|(at, p)| Some((at, (*p)?))).collect();
    order.sort_by(|a, b| a.1.total_cmp(&b.1));
    let mut adjusted = vec![None; p_values.len()];
    let mut largest = 0.0_f64;
    for (rank, (at, p)) in order.iter().enumerate() {
        let left = float(order.len() - rank);
        largest = largest.max((left * p).min(1.0));
        adjusted[*at] = Some(largest);
    }
    adjusted
}

/// The 97.5 % quantile of the normal distribution.
const NORMAL: f64 = 1.959_963_984_540_054;

/// The 95 % interval of a share of which `found` of `all` were seen; from 0 to 1 for none.
///
/// With p = found / n and z = 1.96 its ends are (p + z² / 2n ± z √(p (1 - p) / n + z² / 4n²)) / (1 + z² / n).
///
/// Source: E. B. Wilson, *Probable inference, the law of succession, and statistical inference*, Journal of the American
/// Statistical Association 22 (1927).
#[must_use]
pub fn wilson(found: u64, all: u64) -> (f64, f64) {
    if all == 0 {
        return (0.0, 1.0);
    }
    let (count, share) = (float(all), float(found) / float(all));
    let square = NORMAL * NORMAL;
    let middle = share + square / (2.0 * count);
    let width = NORMAL * (share * (1.0 - share) / count + square / (4.0 * count * count)).sqrt();
    let end = |value: f64| (value / (1.0 + square / count)).clamp(0.0, 1.0);
    (end(middle - width), end(middle + width))
}

/// The difference of two shares of the same boards, of the first less the second, with its 95 % interval. Each board says
/// whether it has the property on the first side, and on the second. `None` without boards.
///
/// With a boards that have it on both sides, b on the first only, c on the second only and d on neither, shares p = (a + b) / n
/// and q = (a + c) / n, and their intervals by [`wilson`] from l to u and from m to v, the interval goes from p - q - δ to p -
/// q + ε, where δ² = (p - l)² - 2 φ (p - l) (v - q) + (v - q)², ε² = (u - p)² - 2 φ (u - p) (q - m) + (q - m)², and φ = (a d -
/// b c) / √((a + b) (c + d) (a + c) (b + d)), of whose numerator n / 2 is taken off where it is positive, down to 0; φ = 0
/// where the root is 0.
///
/// Source: R. G. Newcombe, *Improved confidence intervals for the difference between binomial proportions based on paired
/// data*, Statistics in Medicine 17 (1998), method 10.
#[must_use]
pub fn paired_difference(boards: &[(bool, bool)]) -> Option<(f64, (f64, f64))> {
    let all = boards.len() as u64;
    if all == 0 {
        return None;
    }
    let count = |wanted| boards.iter().filter(|board| **board == wanted).count() as u64;
    let [both, first, second, neither] = [(true, true), (true, false), (false, true), (false, false)].map(count);
    let (p, (l, u)) = (float(both + first) / float(all), wilson(both + first, all));
    let (q, (m, v)) = (float(both + second) / float(all), wilson(both + second, all));
    let root =
        [both + first, second + neither, both + second, first + neither].map(float).iter().product::<f64>().sqrt();
    let product = float(both) * float(neither) - float(first) * float(second);
    let product = if product > 0.0 { (product - float(all) / 2.0).max(0.0) } else { product };
    let phi = if root > 0.0 { product / root } else { 0.0 };
    let width = |a: f64, b: f64| (a * a - 2.0 * phi * a * b + b * b).max(0.0).sqrt();
    Some((p - q, (p - q - width(p - l, v - q), p - q + width(u - p, q - m))))
}
