//! Means of times over instances, medians and quartiles; and how far a figure would move if other instances had been chosen.

use statrs::distribution::{ContinuousCDF, StudentsT};

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
pub(super) fn quantile(sorted: &[f64], share: f64) -> f64 {
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
pub(super) const TAIL: f64 = 0.025;

/// The 95 % interval of a geometric mean over units (instances), each given by the sum of its logarithms and their number: of several
/// values of one unit, which are not independent, the unit is what is drawn. `None` for fewer than [`LEAST_UNITS`] units.
///
/// With n units of sums s(i) and numbers c(i), the logarithm of the mean is m = Σ s(i) / Σ c(i), and its variance, that of a ratio of
/// sums, v = n / (n - 1) Σ (s(i) - m c(i))² / (Σ c(i))²; where each unit has one value that is the variance of a mean. The
/// interval is exp(m ± t √v), with t the 97.5 % quantile of Student's distribution with n - 1 degrees of freedom. It is exact
/// for quotients that are distributed log-normally, and covers less if their logarithms are skewed.
///
/// Sources: Student, *The probable error of a mean*, Biometrika 6 (1908); W. G. Cochran, *Sampling techniques*, 3rd edition
/// (1977), section 2.11, for the ratio.
#[must_use]
pub fn geometric_interval(units: &[(f64, f64)]) -> Option<(f64, f64)> {
    if units.len() < LEAST_UNITS {
        return None;
    }
    let count = float(units.len());
    let (sum, values) = units.iter().fold((0.0, 0.0), |all, unit| (all.0 + unit.0, all.1 + unit.1));
    let middle = sum / values;
    let squares: f64 = units.iter().map(|(sum, values)| (sum - middle * values).powi(2)).sum();
    let student = StudentsT::new(0.0, 1.0, count - 1.0).ok()?.inverse_cdf(1.0 - TAIL);
    let width = student * (count / (count - 1.0) * squares).sqrt() / values;
    Some(((middle - width).exp(), (middle + width).exp()))
}
