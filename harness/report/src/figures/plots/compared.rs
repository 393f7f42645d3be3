//! What the plots of comparisons have in common: when they are shown, what they are of, how they name it.

use record::Category;

use super::{Chart, Dimension, Guide, GuideAt, Kind};
use crate::analysis::comparison::{Comparison, comparisons};
use crate::analysis::configurations::Configuration;
use crate::analysis::{Analysis, Outcome, repeats};
use crate::figures::number::grouped;
use crate::stats::SHORTEST_S;
use crate::text::count;

/// Fewer instances than these show nothing of distributions, unless a config names the plot.
const LEAST_INSTANCES: usize = 5;

/// More curves than these cannot be followed.
const MOST_CURVES: usize = 16;

/// A comparison, with what its curves are called.
pub struct Compared<'a> {
    analysis: &'a Analysis,
    pub comparison: Comparison<'a>,
    /// The names of its configurations.
    pub labels: Vec<String>,
}

/// The comparisons that a plot shows.
pub fn compared<'a>(analysis: &'a Analysis, plot: &str) -> Vec<Compared<'a>> {
    let least = if is_named(analysis, plot) { 1 } else { LEAST_INSTANCES };
    let solved = |c: &Comparison| c.scores.iter().flatten().any(|s| s.time_s.is_some());
    let shown = comparisons(analysis).into_iter().filter(|c| c.instances.len() >= least && solved(c));
    shown.map(|comparison| Compared { analysis, labels: labels(&comparison.configurations), comparison }).collect()
}

/// Whether the config of the experiment names the plot.
pub fn is_named(analysis: &Analysis, plot: &str) -> bool {
    analysis.experiment.manifest().report.plots.iter().any(|p| p == plot)
}

/// What tells the configurations apart: formulation, solver or both.
pub fn labels(configurations: &[Configuration]) -> Vec<String> {
    let differ = |of: fn(&Configuration) -> String| configurations.windows(2).any(|pair| of(&pair[0]) != of(&pair[1]));
    let (formulations, solvers) = (differ(|e| e.formulation.name.clone()), differ(|e| e.solver.to_owned()));
    let label = |e: &Configuration| match (formulations, solvers) {
        (false, _) => e.solver.to_owned(),
        (true, false) => e.formulation.name.clone(),
        (true, true) => format!("{}, {}", e.formulation.name, e.solver),
    };
    configurations.iter().map(label).collect()
}

/// Which formulation and which solver of the config a configuration is.
pub fn numbers(analysis: &Analysis, configuration: &Configuration) -> (usize, usize) {
    let catalog = analysis.experiment.catalog();
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
        let mut notes = vec![comparison.scope()];
        notes.extend(repeats(&comparison.outcomes()));
        Chart {
            key: comparison.key.to_owned(),
            title: format!("{}: {title}{}", self.analysis.experiment.name(), comparison.of),
            x,
            y,
            curves: Vec::new(),
            guides: Vec::new(),
            notes,
            caveats: comparison.caveats(),
        }
    }

    /// Which formulation and which solver of the config a configuration of it is.
    pub fn numbers(&self, configuration: usize) -> (usize, usize) {
        numbers(self.analysis, &self.comparison.configurations[configuration])
    }

    /// What came of a configuration on an instance of it.
    pub fn outcome(&self, configuration: usize, instance: usize) -> Option<&'a Outcome> {
        self.comparison.configurations[configuration].outcome(&self.comparison.instances[instance].name)
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

    /// The times of a configuration, by instance.
    pub fn times(&self, configuration: usize) -> Vec<Option<f64>> {
        self.comparison.scores[configuration].iter().map(|s| s.time_s).collect()
    }

    /// Names and runs of these instances, as a mark stands for them.
    pub fn behind(&self, configuration: usize, instances: &[usize]) -> (String, Vec<u32>) {
        let names: Vec<_> = instances.iter().map(|i| self.comparison.instances[*i].name.as_str()).collect();
        let runs = instances.iter().filter_map(|i| self.outcome(configuration, *i)).flat_map(|o| o.members.clone());
        (names.join(", "), runs.collect())
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

    /// Who solved nothing, as a sentence.
    pub fn without_any(&self) -> Option<String> {
        let solved = |configuration: &usize| self.comparison.scores[*configuration].iter().any(|s| s.time_s.is_some());
        let none: Vec<_> = (0..self.labels.len()).filter(|e| !solved(e)).map(|e| self.labels[e].as_str()).collect();
        (!none.is_empty()).then(|| format!("Solved none: {}", none.join("; ")))
    }
}

/// Instances by a value of theirs; a search for each step of a curve over all of them would take too long.
pub struct Places {
    sorted: Vec<(f64, usize)>,
}

impl Places {
    /// Of the instances that have a value.
    pub fn of(values: &[Option<f64>]) -> Self {
        let mut sorted: Vec<_> =
            values.iter().enumerate().filter_map(|(place, value)| Some(((*value)?, place))).collect();
        sorted.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        Self { sorted }
    }

    /// The instances with that value.
    pub fn at(&self, value: f64) -> Vec<usize> {
        let start = self.sorted.partition_point(|(found, _)| found.total_cmp(&value).is_lt());
        self.sorted[start..].iter().take_while(|(found, _)| found.total_cmp(&value).is_eq()).map(|(_, i)| *i).collect()
    }
}
