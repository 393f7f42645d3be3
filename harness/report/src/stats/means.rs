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

/// The shift of the geometric means by which configurations are ranked and times compared, in seconds.
pub const SHIFT_S: f64 = 1.0;

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

/// Of fewer units there is no interval.
pub const LEAST_UNITS: usize = 6;

/// Share of samples whose interval shall leave out the true figure, on either side.
const TAIL: f64 = 0.025;

/// The 95 % interval of a geometric mean, of the logarithms of the values, one of each unit (instance). `None` for fewer than
/// [`LEAST_UNITS`] units.
///
/// With m the mean of the n logarithms and v the variance of that mean, it is exp(m ± t √v), with t the 97.5 % quantile of Student's
/// distribution with n - 1 degrees of freedom. It is exact for quotients that are distributed log-normally, and covers less if
/// their logarithms are skewed.
///
/// Source: Student, *The probable error of a mean*, Biometrika 6 (1908).
#[must_use]
pub fn geometric_interval(logs: &[f64]) -> Option<(f64, f64)> {
    if logs.len() < LEAST_UNITS {
        return None;
    }
    let count = float(logs.len());
    let middle = logs.iter().sum::<f64>() / count;
    let squares: f64 = logs.iter().map(|log| (log - middle).powi(2)).sum();
    let student = student(count - 1.0, TAIL)?;
    let width = student * (count / (count - 1.0) * squares).sqrt() / count;
    Some(((middle - width).exp(), (middle + width).exp()))
}

/// The value above which Student's distribution with that many degrees of freedom has that share.
fn student(freedom: f64, tail: f64) -> Option<f64> {
    StudentsT::new(0.0, 1.0, freedom).ok().map(|distribution| distribution.inverse_cdf(1.0 - tail))
}

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
    let student = student(count - 1.0, TAIL)?;
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
        student(self.freedom, tail).unwrap_or(f64::INFINITY) * self.variance.sqrt()
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
