//! Shares of boards that have a property, and how sure they are.

use super::float;

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
