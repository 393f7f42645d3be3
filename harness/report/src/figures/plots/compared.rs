//! What the plots of comparisons have in common: when they are shown, what they are of, how they name it.

use record::Category;

use crate::analysis::comparison::{Comparison, Configuration, comparisons};
use crate::analysis::{Analysis, Outcome, repeats};
use crate::figures::number::grouped;
use crate::figures::{Chart, Dimension, Guide, GuideAt, Kind};
use crate::stats::SHORTEST_S;
use crate::text::count;

/// Fewer instances than these show nothing of distributions, unless a config names the plot.
const LEAST_INSTANCES: usize = 5;

/// More curves than these cannot be followed.
const MOST_CURVES: usize = 16;

pub struct Compared<'a> {
    analysis: &'a Analysis,
    pub comparison: Comparison<'a>,
    pub labels: Vec<String>,
}

/// The comparisons that a plot shows, which the config may name.
pub fn compared(analysis: &Analysis, is_named: bool) -> Vec<Compared<'_>> {
    let least = if is_named { 1 } else { LEAST_INSTANCES };
    let solved = |c: &Comparison| c.scores.iter().flatten().any(|s| s.time_s.is_some());
    let shown = comparisons(analysis).into_iter().filter(|c| c.instances.len() >= least && solved(c));
    shown.map(|comparison| Compared { analysis, labels: labels(&comparison.configurations), comparison }).collect()
}

/// What tells the configurations apart: formulation, solver or both.
pub fn labels(configurations: &[Configuration]) -> Vec<String> {
    let differ =
        |label: usize| configurations.windows(2).any(|pair| pair[0].labels()[label] != pair[1].labels()[label]);
    let (formulations, solvers) = (differ(1), differ(2));
    let label = |configuration: &Configuration| match (configuration.labels(), formulations, solvers) {
        ([.., solver], false, _) => solver.to_owned(),
        ([_, formulation, _], true, false) => formulation.to_owned(),
        ([_, formulation, solver], true, true) => format!("{formulation}, {solver}"),
    };
    configurations.iter().map(label).collect()
}

/// Which formulation and which solver of the config a configuration is.
pub fn numbers(analysis: &Analysis, configuration: &Configuration) -> (usize, usize) {
    let catalog = &analysis.experiment.catalog;
    let formulation = catalog.formulations.iter().position(|f| f.name == configuration.formulation.name);
    let solver = catalog.solvers.iter().position(|s| s == configuration.solver);
    (formulation.unwrap_or_default(), solver.unwrap_or_default())
}

/// What an outcome is where a mark stands for it.
pub fn kind(outcome: &Outcome) -> Kind {
    let tally = &outcome.tally;
    if outcome.is_solved() {
        Kind::Ended
    } else if tally.judged(Category::Wrong) > 0 {
        Kind::Wrong
    } else if tally.judged(Category::Error) > 0 {
        Kind::Error
    } else if outcome.total_s.is_some() && !tally.is_limited() {
        Kind::Unsolved
    } else {
        Kind::Limit
    }
}

/// Says how many values are drawn at the shortest time, if any.
pub fn shortest(times: impl Iterator<Item = f64>) -> Option<String> {
    drawn_at(SHORTEST_S, times)
}

/// The same for another shortest time.
pub fn drawn_at(shortest_s: f64, times: impl Iterator<Item = f64>) -> Option<String> {
    let below = times.filter(|t| *t < shortest_s).count();
    (below > 0).then(|| format!("Drawn at {shortest_s} s: {} below that", count(below, "value")))
}

impl<'a> Compared<'a> {
    /// A chart of it without curves: title, axes, what its notes and caveats say whatever is drawn.
    pub fn chart(&self, title: &str, x: Dimension, y: Dimension) -> Chart {
        let comparison = &self.comparison;
        let mut notes = comparison.notes();
        notes.extend(repeats(&comparison.outcomes()));
        Chart {
            key: comparison.key.to_owned(),
            title: format!("{title}{}", comparison.of),
            x,
            y,
            notes,
            caveats: comparison.caveats(),
            ..Chart::default()
        }
    }

    pub fn numbers(&self, configuration: usize) -> (usize, usize) {
        numbers(self.analysis, &self.comparison.configurations[configuration])
    }

    pub fn outcome(&self, configuration: usize, instance: usize) -> Option<&'a Outcome> {
        self.comparison.configurations[configuration].compared(&self.comparison.instances[instance].name)
    }

    /// What it is; solved only if it was within the limit that counts for all.
    pub fn kind(&self, configuration: usize, instance: usize) -> Kind {
        match self.outcome(configuration, instance).map_or(Kind::Limit, kind) {
            Kind::Ended if self.comparison.scores[configuration][instance].time_s.is_none() => Kind::Limit,
            kind => kind,
        }
    }

    /// Those configurations that have a curve, and a sentence about the others, if there are too many for all: the baseline, and
    /// whoever solved the most, in the least time where several solved as many.
    pub fn shown(&self) -> (Vec<usize>, Option<String>) {
        let all = self.labels.len();
        let mut configurations: Vec<_> = (0..all).collect();
        if all <= MOST_CURVES {
            return (configurations, None);
        }
        let merit = |configuration: &usize| {
            let times = self.times(*configuration);
            (times.iter().flatten().count(), times.iter().flatten().sum::<f64>())
        };
        configurations[1..].sort_by(|a, b| {
            let (a, b) = (merit(a), merit(b));
            b.0.cmp(&a.0).then(a.1.total_cmp(&b.1))
        });
        configurations.truncate(MOST_CURVES);
        configurations.sort_unstable();
        let (most, others) = (MOST_CURVES - 1, all - 1);
        let note =
            format!("Shown: the first, and the {most} of {others} others that solved the most, in the least time");
        (configurations, Some(note))
    }

    pub fn times(&self, configuration: usize) -> Vec<Option<f64>> {
        self.comparison.scores[configuration].iter().map(|s| s.time_s).collect()
    }

    /// The time limits of what was not solved, as guides.
    pub fn limits(&self, guide: fn(f64) -> GuideAt) -> Vec<Guide> {
        let unsolved = self.comparison.scores.iter().flatten().filter(|s| s.time_s.is_none());
        let mut limits: Vec<_> = unsolved.filter_map(|s| s.limit_s).collect();
        limits.sort_by(f64::total_cmp);
        limits.dedup();
        let label = |limit: f64| format!("time limit {} s", grouped(&limit.to_string()));
        limits.into_iter().map(|limit| Guide { at: guide(limit), label: label(limit) }).collect()
    }

    pub fn without_any(&self) -> Option<String> {
        let solved = |configuration: &usize| self.comparison.scores[*configuration].iter().any(|s| s.time_s.is_some());
        let none: Vec<_> = (0..self.labels.len()).filter(|c| !solved(c)).map(|c| self.labels[c].as_str()).collect();
        (!none.is_empty()).then(|| format!("Solved none: {}", none.join("; ")))
    }
}
