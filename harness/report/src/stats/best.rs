//! The virtual best: who takes the fastest for each instance.

use super::Score;

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
