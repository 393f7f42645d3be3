//! What came of the runs of an instance, a formulation and a solver: medians over repeats, and how the runs ended.

use std::collections::{BTreeSet, HashMap};
use std::ops::Range;
use std::sync::Arc;

use record::{Category, RESTRICTED, Status};

use crate::results::{PublishedRow, Run, Setting};

#[derive(Debug, Clone, Default)]
pub struct Aggregates {
    /// One for each instance, formulation and solver, by key.
    pub outcomes: Vec<Outcome>,
    /// One for each published board and formulation.
    pub published: Vec<PublishedOutcome>,
    /// Where the outcomes of an instance stand.
    of_instance: HashMap<String, Range<usize>>,
    /// The outcomes over fewer runs, where others have fewer.
    alike: HashMap<Key, Outcome>,
}

impl Aggregates {
    pub fn new(mut outcomes: Vec<Outcome>, alike: Vec<Outcome>, published: Vec<PublishedOutcome>) -> Self {
        outcomes.sort_by(|a, b| a.key.cmp(&b.key));
        let mut of_instance = HashMap::new();
        let mut start = 0;
        for group in outcomes.chunk_by(|a, b| a.key.instance == b.key.instance) {
            of_instance.insert(group[0].key.instance.clone(), start..start + group.len());
            start += group.len();
        }
        let alike = alike.into_iter().map(|outcome| (outcome.key.clone(), outcome)).collect();
        Self { outcomes, published, of_instance, alike }
    }

    pub fn outcome(&self, instance: &str, formulation: &str, solver: &str) -> Option<&Outcome> {
        let of_instance = &self.outcomes[self.of_instance.get(instance)?.clone()];
        let key = (instance, formulation, solver);
        of_instance.binary_search_by(|outcome| outcome.key.parts().cmp(&key)).ok().map(|place| &of_instance[place])
    }

    /// The same over as many runs as all have that were run on the instance (the first by seed and repeat), so that nobody is judged
    /// by more runs than another; without its iterations where these are fewer than all.
    pub fn alike<'a>(&'a self, outcome: &'a Outcome) -> &'a Outcome {
        self.alike.get(&outcome.key).unwrap_or(outcome)
    }
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key {
    pub instance: String,
    pub formulation: String,
    pub solver: String,
}

impl Key {
    /// Instance, formulation and solver.
    pub fn parts(&self) -> (&str, &str, &str) {
        (&self.instance, &self.formulation, &self.solver)
    }
}

/// The runs (one for each seed and repeat, often one) of an instance, formulation and solver.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome {
    pub key: Key,
    pub tally: Tally,
    /// How they were measured: what differs between them.
    pub settings: Vec<Arc<Setting>>,
    /// Which runs they are: places among the runs of the experiment, in order.
    pub members: Vec<u32>,
    pub seeds: u64,
    /// Number of different repeats of one seed.
    pub repeats: u64,
    /// Number of single-threaded runs that took longer than their CPU time: they waited or were disturbed.
    pub disturbed: u64,
    /// Number of runs that took more CPU time than their threads can use.
    pub overdrawn: u64,
    /// Median total time: of building the model (compiling, grounding) and of all solves, all of which is within the limit. `None` if
    /// the median run did not come to its end.
    pub total_s: Option<f64>,
    /// Median of the solves alone.
    pub solve_s: Option<f64>,
    /// Median of the time spent, also where the last solve was cut off: a lower bound.
    pub bound_s: Option<f64>,
    /// Least and most total time; `None` where there is but one run, or none came to its end.
    pub range: Option<TimeRange>,
    /// Median loops of the last solution.
    pub loops: Option<f64>,
    /// Median holes of the last solution.
    pub holes: Option<f64>,
    /// Median number of solves.
    pub solves: Option<f64>,
    pub variables: Option<f64>,
    pub constraints: Option<f64>,
    pub nonzeros: Option<f64>,
    /// Median time to build the model.
    pub build_s: Option<f64>,
    pub steps: Vec<Step>,
}

impl Outcome {
    /// Whether every repeat solved the puzzle: the judge is content, the time is a time, and nothing is left to prove.
    pub fn is_solved(&self) -> bool {
        let (tally, ended) = (&self.tally, self.total_s.is_some());
        ended && tally.judged(Category::Correct) == tally.all && tally.unproven == 0
    }

    /// The time of its slowest run.
    pub fn slowest_s(&self) -> Option<f64> {
        self.range.map(|range| range.most_s).or(self.total_s)
    }

    /// Whether all of its runs came to some end: what was interrupted or lost measured nothing.
    pub fn is_measured(&self) -> bool {
        self.tally.ended_as(Status::Interrupted) + self.tally.ended_as(Status::Lost) == 0
    }

    pub fn step(&self, iteration: u64) -> Option<&Step> {
        self.steps.iter().find(|step| step.iteration == iteration)
    }
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TimeRange {
    /// The least of those that came to their end.
    pub least_s: f64,
    /// The most, or a lower bound of it: what was spent, whether the run came to its end or not.
    pub most_s: f64,
    /// Whether some run did not come to its end, so that the most is not known.
    pub open: bool,
}

/// One iteration over the runs that had it.
#[derive(Debug, Clone, PartialEq)]
pub struct Step {
    /// 0 for the first solve.
    pub iteration: u64,
    pub tally: Tally,
    /// Median time; `None` if the median solve did not come to its end.
    pub total_s: Option<f64>,
    /// Median of the time spent, also where the solve did not come to its end.
    pub bound_s: Option<f64>,
    /// Median loops of the solution.
    pub loops: Option<f64>,
}

/// How many runs or solves ended in which way; only what occurs is listed.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Tally {
    pub all: u64,
    pub statuses: Vec<(Status, u64)>,
    /// By category; empty for solves, which are not judged one by one.
    pub categories: Vec<(Category, u64)>,
    /// How many found a solution and not the proof that it is the best, where the best was asked for.
    pub unproven: u64,
    /// How many claims of infeasibility prove nothing, as the formulation forbids some solutions too.
    pub restricted: u64,
}

impl Tally {
    pub fn ended_as(&self, status: Status) -> u64 {
        self.statuses.iter().find(|s| s.0 == status).map_or(0, |s| s.1)
    }

    pub fn judged(&self, category: Category) -> u64 {
        self.categories.iter().find(|c| c.0 == category).map_or(0, |c| c.1)
    }

    /// The most frequent way of not coming to an end.
    pub fn failure(&self) -> Option<Status> {
        let failed = self.statuses.iter().filter(|s| !has_ended(s.0));
        failed.max_by_key(|s| s.1).map(|s| s.0)
    }

    /// Whether the time that was spent is a lower bound of the time that was needed: a limit struck.
    pub fn is_limited(&self) -> bool {
        self.failure().map_or(self.unproven > 0, |failure| failure == Status::Timeout)
    }
}

/// A published solution process: the sum and the extent of its iterations.
#[derive(Debug, Clone, PartialEq)]
pub struct PublishedOutcome {
    /// Its first row: source, formulation and board are those of all.
    pub first: PublishedRow,
    pub total_s: f64,
    pub solves: u64,
    /// Loops and hole of its last solution, where they are printed.
    pub loops: Option<u64>,
    pub hole: Option<bool>,
    pub solved: bool,
}

/// Whether a solve with this status came to its end, so that its time is a time and not a lower bound.
pub fn has_ended(status: Status) -> bool {
    status.has_solution() || status == Status::Infeasible
}

/// Objectives that any solution serves: `virtual` asks for no more than a model wants, `none` for nothing, `random` for what means nothing.
const ANY_SOLUTION: [&str; 3] = ["virtual", "none", "random"];

/// Whether the best solution was asked for and a limit struck before one was proven to be that.
pub fn is_unproven(status: Status, objective: &str) -> bool {
    status == Status::Feasible && !ANY_SOLUTION.contains(&objective)
}

/// Whether a claim of infeasibility in a run proves nothing of the puzzle.
pub fn is_restricted(run: &Run, status: Status) -> bool {
    status == Status::Infeasible && run.termination_reason == RESTRICTED
}

/// Says that figures are medians, where they are, and of what.
pub fn repeats<'a>(outcomes: &(impl Iterator<Item = &'a Outcome> + Clone)) -> Option<String> {
    let counts: BTreeSet<_> = outcomes.clone().map(|o| o.tally.all).collect();
    let most = counts.last().copied().filter(|most| *most > 1)?;
    let up_to = if counts.len() > 1 { "up to " } else { "" };
    let several = |of: fn(&Outcome) -> u64| outcomes.clone().any(|o| of(o) > 1);
    let what = match (several(|o| o.seeds), several(|o| o.repeats)) {
        (true, true) => " (seeds and repeats)",
        (true, false) => " (seeds)",
        (false, true) => " (repeats)",
        (false, false) => "",
    };
    Some(format!("Medians of {up_to}{most} runs{what}"))
}
