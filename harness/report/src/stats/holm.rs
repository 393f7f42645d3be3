//! Several tests at once.

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
        #[expect(clippy::cast_precision_loss, reason = "nobody makes 2^52 tests")]
        let left = (order.len() - rank) as f64;
        largest = largest.max((left * p).min(1.0));
        adjusted[*at] = Some(largest);
    }
    adjusted
}
