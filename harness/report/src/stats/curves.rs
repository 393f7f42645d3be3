//! Performance profiles, and survival as cactus plots show it.

use super::{SHORTEST_S, float};

/// Performance profiles: for each configuration the share of instances that it solves within a multiple of the least time of all.
///
/// `times[configuration][instance]` are seconds, `None` where the instance was not solved, with the same instances for all. The
/// result has steps (ratio, share) for each configuration, by rising ratio: the share holds from there up to the next ratio. The
/// first stands at ratio 1. Instances that nobody solved count in the share and appear in no step, so that the last share is
/// the share of instances that were solved. Times below [`SHORTEST_S`] count as that. Without instances there are no steps.
///
/// Source: E. D. Dolan and J. J. Moré, *Benchmarking optimization software with performance profiles*, Mathematical
/// Programming 91 (2002), section 2.
#[must_use]
pub fn profile(times: &[Vec<Option<f64>>]) -> Vec<Vec<(f64, f64)>> {
    let instances = times.iter().map(Vec::len).max().unwrap_or(0);
    let time = |of: &[Option<f64>], instance: usize| of.get(instance).copied().flatten().map(|t| t.max(SHORTEST_S));
    let least = |instance| times.iter().filter_map(|of| time(of, instance)).reduce(f64::min);
    let best: Vec<_> = (0..instances).map(least).collect();
    let steps = |of: &Vec<Option<f64>>| {
        let ratio = |(instance, best): (usize, &Option<f64>)| Some(time(of, instance)? / (*best)?);
        let mut ratios: Vec<_> = best.iter().enumerate().filter_map(ratio).collect();
        ratios.sort_by(f64::total_cmp);
        shares(&ratios, instances)
    };
    times.iter().map(steps).collect()
}

/// The share of all instances up to each of the sorted ratios, from ratio 1 on.
fn shares(ratios: &[f64], instances: usize) -> Vec<(f64, f64)> {
    let mut steps: Vec<(f64, f64)> = Vec::new();
    if instances > 0 {
        steps.push((1.0, 0.0));
    }
    for (index, ratio) in ratios.iter().enumerate() {
        let share = float(index + 1) / float(instances);
        match steps.last_mut() {
            #[expect(clippy::float_cmp, reason = "steps are at the very values that occur")]
            Some(last) if last.0 == *ratio => last.1 = share,
            _ => steps.push((*ratio, share)),
        }
    }
    steps
}

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
