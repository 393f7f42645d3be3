//! The statistics that comparisons of solvers are made with, as functions of plain numbers: they know no runs and no tables.
//!
//! The unit is the instance. docs/statistics.md says how the rows of an experiment become the numbers here.

mod hypothesis;
mod means;
mod score;

pub use hypothesis::{LEVEL, holm, mcnemar, paired_difference, wilcoxon, wilson};
pub use means::{
    LEAST_UNITS, SHIFT_S, Trimmed, bootstrap, geometric_interval, geometric_mean, mean_quotient, median, moderated,
    par, quartiles, shifted_geometric_mean,
};
pub use score::{
    Contribution, PENALTY, SHORTEST_S, Score, Step, contributions, log_ratio, profile, survival, virtual_best,
};

/// A count as it enters means, medians and ratios.
#[expect(clippy::cast_precision_loss, reason = "no count here comes near 2^52")]
pub(crate) fn float(count: impl TryInto<u64>) -> f64 {
    count.try_into().unwrap_or(u64::MAX) as f64
}
