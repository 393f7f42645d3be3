//! Where the middle of few values lies, some of which may be far off, and how sure that is.

use statrs::distribution::{ContinuousCDF, StudentsT};

use super::{float, median};

/// Share of the values that is left out on either side.
const TRIMMED: usize = 5;

/// Most degrees of freedom that the noise of other groups adds to a group.
const MOST_BORROWED: f64 = 12.0;

/// The trimmed mean of some values, with how much it would vary.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Trimmed {
    /// Mean of the middle 60 % of the values.
    pub mean: f64,
    /// Estimated variance of that mean.
    pub variance: f64,
    /// Degrees of freedom of the variance.
    pub freedom: f64,
    /// Number of values.
    pub count: usize,
}

impl Trimmed {
    /// Of fewer values nothing is said.
    pub const LEAST: usize = 2;

    /// The mean of `values` without the g least and the g most of them, where g is a fifth of their number, rounded down, and at least 1,
    /// of two or three 0; `None` for fewer than [`Self::LEAST`].
    ///
    /// With h = n - 2 g values left and the sum of squared deviations S of all n after the values left out are replaced
    /// by the nearest that are not (winsorized), the variance of the mean is S / (h (h - 1)), with h - 1 degrees of freedom.
    ///
    /// Source: K. K. Yuen, *The two-sample trimmed t for unequal population variances*, Biometrika 61 (1974); for one sample J. W.
    /// Tukey and D. H. McLaughlin, *Less vulnerable confidence and significance procedures for location*, Sankhyā A 25 (1963).
    #[must_use]
    pub fn of(values: &[f64]) -> Option<Self> {
        let count = values.len();
        if count < Self::LEAST {
            return None;
        }
        let out = if count < 4 { 0 } else { (count / TRIMMED).max(1) };
        let mut sorted = values.to_vec();
        sorted.sort_by(f64::total_cmp);
        let kept = &sorted[out..count - out];
        let left = float(kept.len());
        let (low, high) = (kept[0], kept[kept.len() - 1]);
        let winsorized = || sorted.iter().map(|value| value.clamp(low, high));
        let middle = winsorized().sum::<f64>() / float(count);
        let squares: f64 = winsorized().map(|value| (value - middle).powi(2)).sum();
        Some(Self {
            mean: kept.iter().sum::<f64>() / left,
            variance: squares / (left * (left - 1.0)),
            freedom: left - 1.0,
            count,
        })
    }

    /// The interval that leaves out the true value with that probability on each side.
    #[must_use]
    pub fn interval(&self, tail: f64) -> (f64, f64) {
        let width = self.margin(tail);
        (self.mean - width, self.mean + width)
    }

    /// Half the width of the interval.
    #[must_use]
    pub fn margin(&self, tail: f64) -> f64 {
        let quantile = StudentsT::new(0.0, 1.0, self.freedom).map_or(f64::INFINITY, |t| t.inverse_cdf(1.0 - tail));
        quantile * self.variance.sqrt()
    }
}

/// The same means with variances that groups measured together lend each other: a group of few values hardly knows how much its
/// mean varies, and what disturbs one group disturbs the others too.
///
/// With s² the variance of a group times its number of values, d its degrees of freedom, s₀² the median of s² over the groups and d₀ the degrees of freedom
/// of the other groups together, at most 12, the variance becomes (d₀ s₀² + d s²) / (d₀ + d) over the number of values, with
/// d₀ + d degrees of freedom. Fewer than three groups lend nothing.
///
/// Source: the moderated t-statistic of G. K. Smyth, *Linear models and empirical Bayes methods for assessing differential
/// expression in microarray experiments*, Statistical Applications in Genetics and Molecular Biology 3 (2004), with a prior
/// that is robust instead of estimated.
#[must_use]
pub fn moderated(groups: &[Trimmed]) -> Vec<Trimmed> {
    let common = median(groups.iter().map(|group| group.variance * float(group.count)).collect());
    let Some(common) = common.filter(|_| groups.len() >= 3) else { return groups.to_vec() };
    let all: f64 = groups.iter().map(|group| group.freedom).sum();
    let one = |group: &Trimmed| {
        let lent = (all - group.freedom).min(MOST_BORROWED);
        let freedom = group.freedom + lent;
        let variance = (lent * common / float(group.count) + group.freedom * group.variance) / freedom;
        Trimmed { variance, freedom, ..*group }
    };
    groups.iter().map(one).collect()
}
