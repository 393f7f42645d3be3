//! Quartiles, shown as box plots.

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
pub fn quantile(sorted: &[f64], share: f64) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "nobody sorts 2^52 values")]
    let place = share * sorted.len().saturating_sub(1) as f64;
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
