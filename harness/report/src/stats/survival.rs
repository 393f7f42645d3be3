//! Survival, shown as cactus plots.

/// How many instances are solved within a time: steps (seconds, count), by rising time, one for each time that occurs. The
/// count holds from there up to the next time.
///
/// `times` are seconds, `None` where the instance was not solved: such instances appear in no step.
///
/// Source: cactus plots of the SAT competitions, for example D. Le Berre and L. Simon, *The essentials of the SAT 2003
/// competition*, SAT 2003. With the axes swapped it is the empirical distribution function of the times.
#[must_use]
pub fn survival(times: &[Option<f64>]) -> Vec<(f64, f64)> {
    let mut solved: Vec<_> = times.iter().flatten().copied().collect();
    solved.sort_by(f64::total_cmp);
    let mut steps: Vec<(f64, f64)> = Vec::new();
    for time in solved {
        let count = steps.last().map_or(0.0, |last| last.1) + 1.0;
        match steps.last_mut() {
            #[expect(clippy::float_cmp, reason = "steps are at the very values that occur")]
            Some(last) if last.0 == time => last.1 = count,
            _ => steps.push((time, count)),
        }
    }
    steps
}
