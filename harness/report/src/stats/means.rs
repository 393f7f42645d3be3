//! Means of times over instances.

use super::Score;

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
    #[expect(clippy::cast_precision_loss, reason = "no experiment has 2^52 instances")]
    let count = values.len() as f64;
    (count > 0.0).then(|| values.sum::<f64>() / count)
}
