//! What is compared, a time or the limit within which there was none; the virtual best of all, performance profiles, and survival
//! as cactus plots show it.

use super::float;

/// Seconds. Shorter times cannot be told apart: in quotients they count as this.
pub const SHORTEST_S: f64 = 1e-4;

/// In PAR-2, and where the times of two sides are compared, what was not solved counts as this many times its limit.
pub const PENALTY: f64 = 2.0;

/// What a configuration did on an instance.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Score {
    /// The time in which it solved it, in seconds; `None` if it did not.
    pub time_s: Option<f64>,
    /// The limit of the wall time, in seconds, if there was one.
    pub limit_s: Option<f64>,
}

impl Score {
    /// The time; what was not solved counts as that multiple of the limit. `None` if it was not solved and there was no
    /// limit.
    #[must_use]
    pub fn penalised(self, factor: f64) -> Option<f64> {
        self.time_s.or(self.limit_s.map(|limit| factor * limit))
    }
}

/// The natural logarithm of the quotient of two times on one instance: positive where the first is the longer.
///
/// Where one of them did not solve the instance it counts as its limit, or as the time of the one that did where that is
/// longer, since nobody knows that it would have been faster; without a limit as infinite. Times below [`SHORTEST_S`] count
/// as that. `None` where neither solved the instance.
#[must_use]
pub fn log_ratio(first: Score, second: Score) -> Option<f64> {
    let at_least = |by: Score, other: f64| by.limit_s.map_or(f64::INFINITY, |limit| limit.max(other));
    let (first, second) = match (first.time_s, second.time_s) {
        (Some(first), Some(second)) => (first, second),
        (Some(time), None) => (time, at_least(second, time)),
        (None, Some(time)) => (at_least(first, time), time),
        (None, None) => return None,
    };
    let (first, second) = (first.max(SHORTEST_S), second.max(SHORTEST_S));
    // So that twice the time and half the time are equally far from 0 to the last bit.
    Some(if first < second { -(second / first).ln() } else { (first / second).ln() })
}

/// What a configuration contributes to the virtual best.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Contribution {
    /// Instances that it solved in the least time of all; others may have been as fast.
    pub fastest: u64,
    /// Instances that no other solved.
    pub unique: u64,
}

/// The least time of all on each instance. Where nobody solved it, the least limit of all.
///
/// `scores[configuration][instance]`, with the same instances for all.
///
/// Source: the virtual best solver of the SAT competitions; L. Xu, F. Hutter, H. Hoos and K. Leyton-Brown, *Evaluating
/// component solver contributions to portfolio-based algorithm selectors*, SAT 2012.
#[must_use]
pub fn virtual_best(scores: &[Vec<Score>]) -> Vec<Score> {
    let instances = scores.iter().map(Vec::len).max().unwrap_or(0);
    let least = |of: fn(&Score) -> Option<f64>, instance: usize| {
        scores.iter().filter_map(|configuration| of(configuration.get(instance)?)).reduce(f64::min)
    };
    (0..instances).map(|i| Score { time_s: least(|s| s.time_s, i), limit_s: least(|s| s.limit_s, i) }).collect()
}

/// What each configuration contributes to the virtual best. `scores[configuration][instance]`, with the same instances for all.
#[must_use]
pub fn contributions(scores: &[Vec<Score>]) -> Vec<Contribution> {
    let best = virtual_best(scores);
    let solved: Vec<_> = (0..best.len()).map(|i| scores.iter().filter(|e| e[i].time_s.is_some()).count()).collect();
    let of = |configuration: &Vec<Score>| {
        let own = || configuration.iter().enumerate().filter(|(_, score)| score.time_s.is_some());
        Contribution {
            fastest: own().filter(|(i, score)| score.time_s == best[*i].time_s).count() as u64,
            unique: own().filter(|(i, _)| solved[*i] == 1).count() as u64,
        }
    };
    scores.iter().map(of).collect()
}

/// A step of a curve over instances: where it rises, how high it is from there on, and by which instances it rises there.
#[derive(Debug, Clone, PartialEq)]
pub struct Step {
    /// A time or a ratio.
    pub at: f64,
    /// A number or a share of instances.
    pub level: f64,
    /// Their places; may be none.
    pub instances: Vec<usize>,
}

/// Performance profiles: for each configuration the share of instances that it solves within a multiple of the least time of all.
///
/// `times[configuration][instance]` are seconds, `None` where the instance was not solved, with the same instances for all. The
/// result has the steps of each configuration, by rising ratio: the share holds from there up to the next ratio. The
/// first stands at ratio 1. Instances that nobody solved count in the share and appear in no step, so that the last share is
/// the share of instances that were solved. Times below [`SHORTEST_S`] count as that. Without instances there are no steps.
///
/// Source: E. D. Dolan and J. J. Moré, *Benchmarking optimization software with performance profiles*, Mathematical
/// Programming 91 (2002), section 2.
#[must_use]
pub fn profile(times: &[Vec<Option<f64>>]) -> Vec<Vec<Step>> {
    let time = |of: &[Option<f64>], instance: usize| of[instance].map(|t| t.max(SHORTEST_S));
    let least = |instance| times.iter().filter_map(|of| time(of, instance)).reduce(f64::min);
    let best: Vec<_> = (0..times.first().map_or(0, Vec::len)).map(least).collect();
    let of_one = |of: &Vec<Option<f64>>| {
        let ratio = |instance| Some(time(of, instance)? / best[instance]?);
        let mut steps = steps((0..of.len()).map(ratio), float(of.len()));
        if !of.is_empty() && steps.first().is_none_or(|first| first.at > 1.0) {
            steps.insert(0, Step { at: 1.0, level: 0.0, instances: Vec::new() });
        }
        steps
    };
    times.iter().map(of_one).collect()
}

/// How many instances are solved within a time: steps by rising time, one for each time that occurs. The count holds from there
/// up to the next time.
///
/// `times` are seconds, `None` where the instance was not solved: such instances appear in no step.
///
/// Source: cactus plots of the SAT competitions, for example D. Le Berre and L. Simon, *The essentials of the SAT 2003
/// competition*, SAT 2003. With the axes swapped it is the empirical distribution function of the times.
#[must_use]
pub fn survival(times: &[Option<f64>]) -> Vec<Step> {
    steps(times.iter().copied(), 1.0)
}

/// The steps of the number of instances, in this unit, that have a value or a lesser one.
fn steps(values: impl Iterator<Item = Option<f64>>, unit: f64) -> Vec<Step> {
    let mut sorted: Vec<_> = values.zip(0..).filter_map(|(value, place)| Some((value?, place))).collect();
    sorted.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut reached = 0;
    let step = |equal: &[(f64, usize)]| {
        reached += equal.len();
        let instances = equal.iter().map(|(_, place)| *place).collect();
        Step { at: equal[0].0, level: float(reached) / unit, instances }
    };
    sorted.chunk_by(|a, b| a.0.total_cmp(&b.0).is_eq()).map(step).collect()
}
