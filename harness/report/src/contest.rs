//! What the statistics of solver comparisons start from: formulations under solvers, on instances that all of them had.
//!
//! The unit is the instance: several seeds and repeats of one instance count as one, with their median time, since they are
//! no independent sample. An instance is solved if its median run was: verified, or correctly shown to have no solution.

use crate::Experiment;
use crate::entrants::{Entrant, Part, by_setting, entrants};
use crate::experiment::Instance;

/// Formulations under solvers on the instances that all of them had.
pub struct Contest<'a> {
    /// Tells the contests of an experiment apart, in file names; empty where there is one only.
    pub key: &'static str,
    /// What follows in captions; empty where there is one only.
    pub of: String,
    /// Who is compared, in the order of the config. The first is the baseline.
    pub entrants: Vec<Entrant<'a>>,
    /// The instances that all of them had.
    pub instances: Vec<&'a Instance>,
    /// How many instances are not compared, since not all of them had them.
    pub left_out: usize,
    /// What each did on each of the instances.
    pub scores: Vec<Vec<Score>>,
}

/// What an entrant did on an instance.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Score {
    /// The median time in which it solved it, in seconds; `None` if it did not.
    pub time_s: Option<f64>,
    /// The limit of the wall time of a run, if there was one.
    pub limit_s: Option<f64>,
}

impl Score {
    /// The time; what was not solved counts as that multiple of the limit. `None` if it was not solved and there was no
    /// limit.
    pub fn penalised(self, factor: f64) -> Option<f64> {
        self.time_s.or(self.limit_s.map(|limit| factor * limit))
    }
}

/// One contest for each setting in which at least two entrants had an instance in common.
pub fn contests(experiment: &Experiment) -> Vec<Contest<'_>> {
    let instances: Vec<_> = experiment.catalog().instances.iter().collect();
    let parts = by_setting(&entrants(experiment), &instances);
    parts.into_iter().filter_map(|part| contest(experiment, part)).collect()
}

fn contest<'a>(experiment: &'a Experiment, part: Part<'a>) -> Option<Contest<'a>> {
    let Part { key, of, entrants, instances } = part;
    let total = instances.len();
    let common: Vec<_> =
        instances.into_iter().filter(|i| entrants.iter().all(|e| e.outcome(&i.name).is_some())).collect();
    if entrants.len() < 2 || common.is_empty() {
        return None;
    }
    let limit = |entrant: &Entrant, instance: &str| {
        let first = *entrant.outcome(instance)?.members.first()?;
        experiment.runs().get(first as usize)?.time_limit_s
    };
    let score = |e: &Entrant, i: &Instance| Score { time_s: e.time(&i.name), limit_s: limit(e, &i.name) };
    let scores = entrants.iter().map(|e| common.iter().map(|i| score(e, i)).collect()).collect();
    Some(Contest { key, of, left_out: total - common.len(), instances: common, entrants, scores })
}
