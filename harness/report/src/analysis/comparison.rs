//! What is compared: formulations under solvers, by the kind of their boards, on instances that all of them had.
//!
//! The unit is the instance: several seeds and repeats of one instance count as one, with their median time, since they are
//! no independent sample. An instance is solved if every one of these runs solved it: with a verified solution, or with a
//! proof that there is none. So nobody is judged by more runs of an instance than the others have, nor under a longer limit.
//! [`ranking`] says who was the fastest, in sentences for a terminal.

use std::ops::Deref;

use record::Status;

use crate::analysis::{Analysis, Outcome, caveats};
use crate::results::{Formulation, Instance, ended};
use crate::stats::{SHIFT_S, Score, geometric_interval, geometric_mean, log_ratio, shifted_geometric_mean};
use crate::text::{count, plural};

/// A formulation under a solver, with its outcomes.
#[derive(Clone)]
pub struct Configuration<'a> {
    pub formulation: &'a Formulation,
    pub solver: &'a str,
    pub outcomes: Vec<&'a Outcome>,
    analysis: &'a Analysis,
}

impl<'a> Configuration<'a> {
    /// Kind, formulation and solver.
    pub fn labels(&self) -> [&'a str; 3] {
        [&self.formulation.kind, &self.formulation.name, self.solver]
    }

    /// Which formulation and which solver of the config it is.
    pub fn numbers(&self) -> (usize, usize) {
        let catalog = &self.analysis.experiment.catalog;
        let formulation = catalog.formulations.iter().position(|f| f.name == self.formulation.name);
        let solver = catalog.solvers.iter().position(|s| s == self.solver);
        (formulation.unwrap_or_default(), solver.unwrap_or_default())
    }

    pub fn outcome(&self, instance: &str) -> Option<&'a Outcome> {
        self.analysis.outcome(instance, &self.formulation.name, self.solver)
    }

    /// The outcome of an instance over as many runs as the others have there.
    pub fn compared(&self, instance: &str) -> Option<&'a Outcome> {
        self.outcome(instance).map(Outcome::alike)
    }

    /// The time in which it solved an instance: one that counts in comparisons.
    pub fn time(&self, instance: &str) -> Option<f64> {
        self.compared(instance).filter(|o| o.is_solved()).and_then(|o| o.total_s)
    }

    /// The outcome of an instance, if all its runs found a solution.
    pub fn found(&self, instance: &Instance) -> Option<&'a Outcome> {
        let has_solution = |o: &&Outcome| o.tally.statuses.iter().all(|(status, _)| status.has_solution());
        self.compared(&instance.name).filter(|o| o.is_solved()).filter(has_solution)
    }

    /// Whether a run of it was lost: its instance is not compared then, and the result of that run is not known.
    pub fn has_lost(&self) -> bool {
        self.outcomes.iter().any(|o| o.tally.ended_as(Status::Lost) > 0)
    }

    /// What it did on some of the instances, if it was run on any and could do what was asked.
    fn on(&self, instances: &[&Instance]) -> Option<Self> {
        let outcomes = instances.iter().filter_map(|instance| self.outcome(&instance.name)).collect();
        let found = Self { outcomes, ..self.clone() };
        (!found.outcomes.is_empty() && !found.is_absent()).then_some(found)
    }

    /// Whether none of its runs could be done: its solver is missing, or cannot do what was asked.
    pub fn is_absent(&self) -> bool {
        self.outcomes.iter().all(|o| o.tally.ended_as(Status::Unsupported) == o.tally.all)
    }
}

/// Formulations and solvers that were run, the baseline first and then in the order of the config; without those of which no run
/// could be done.
pub fn configurations(analysis: &Analysis) -> Vec<Configuration<'_>> {
    let mut configurations = all(analysis);
    configurations.retain(|configuration| !configuration.is_absent());
    let experiment = &analysis.experiment;
    if let Some(baseline) = experiment.catalog.baseline(experiment.manifest()) {
        configurations.sort_by_key(|configuration| !baseline.is(&configuration.formulation.name, configuration.solver));
    }
    configurations
}

/// The solvers that a table leaves out, in words.
pub fn absent(analysis: &Analysis) -> Option<String> {
    let absent: Vec<_> = all(analysis).into_iter().filter(Configuration::is_absent).collect();
    let is_out = |solver: &&String| absent.iter().any(|configuration| configuration.solver == solver.as_str());
    let names: Vec<_> = analysis.experiment.catalog.solvers.iter().filter(is_out).map(String::as_str).collect();
    (!names.is_empty())
        .then(|| format!("Left out where they are missing or cannot do what was asked: {}", names.join(", ")))
}

/// The same with those that are left out, in the order of the config.
pub fn all(analysis: &Analysis) -> Vec<Configuration<'_>> {
    let catalog = &analysis.experiment.catalog;
    let pairs = catalog.formulations.iter().flat_map(|f| catalog.solvers.iter().map(move |s| (f, s)));
    let configurations = pairs.map(|(formulation, solver)| {
        let of = |i: &Instance| analysis.outcome(&i.name, &formulation.name, solver);
        Configuration { formulation, solver, outcomes: catalog.instances.iter().filter_map(of).collect(), analysis }
    });
    configurations.filter(|configuration| !configuration.outcomes.is_empty()).collect()
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

pub fn has_kinds(configurations: &[Configuration]) -> bool {
    configurations.windows(2).any(|pair| pair[0].formulation.kind != pair[1].formulation.kind)
}

pub type IsOf = fn(&Instance) -> bool;

/// Whether a board may have empty places, or is treated as one that may.
pub fn is_bounded(instance: &Instance) -> bool {
    let places = instance.challenge.zip(instance.places);
    places.is_some_and(|(challenge, places)| places > challenge || instance.has_bounded_model)
}

/// The settings: in a heading, in a caption, whose instances they are.
pub const SETTINGS: [(&str, &str, IsOf); 4] = [
    ("fixed", "fixed boards", |i| i.has_loops && i.places.is_some() && i.places == i.challenge && !i.has_bounded_model),
    ("bounded", "bounded boards", is_bounded),
    ("open plane", "open plane", |i| i.challenge.is_some() && i.places.is_none()),
    ("fields", "puzzles without loops", |i| !i.has_loops && i.places.is_some()),
];

const OTHERS: (&str, &str, IsOf) = ("other", "other instances", |i| !SETTINGS.iter().any(|(.., is)| is(i)));

/// Some formulations and solvers, and instances on which they can be compared.
pub struct Part<'a> {
    /// Tells the parts of an experiment apart, in file names; empty where there is one only.
    pub key: &'static str,
    /// What follows in captions; empty where there is one part only.
    pub of: String,
    /// In the order of the config, but for the baseline, which is the first.
    pub configurations: Vec<Configuration<'a>>,
    pub instances: Vec<&'a Instance>,
}

/// One part a setting: each has formulations of its own.
pub fn parts(analysis: &Analysis) -> Vec<Part<'_>> {
    let all = configurations(analysis);
    let part = |(key, caption, is): (&'static str, &str, IsOf)| {
        let instances: Vec<_> = analysis.experiment.catalog.instances.iter().filter(|i| is(i)).collect();
        let configurations: Vec<_> = all.iter().filter_map(|configuration| configuration.on(&instances)).collect();
        (!configurations.is_empty()).then(|| Part { key, of: format!(", {caption}"), configurations, instances })
    };
    let mut parts: Vec<_> = SETTINGS.into_iter().chain([OTHERS]).filter_map(part).collect();
    if let [only] = parts.as_mut_slice() {
        (only.key, only.of) = ("", String::new());
    }
    parts
}

impl<'a> Part<'a> {
    /// The instances that were solved by all configurations that solved any.
    pub fn solved_by_all(&self) -> Vec<&'a Instance> {
        let solved = |c: &Configuration| self.instances.iter().any(|i| c.time(&i.name).is_some());
        let any: Vec<_> = self.configurations.iter().filter(|c| solved(c)).collect();
        let by_all = |i: &&&Instance| !any.is_empty() && any.iter().all(|c| c.time(&i.name).is_some());
        self.instances.iter().filter(by_all).copied().collect()
    }

    /// The instances that all configurations were run on.
    fn in_common(&self) -> Vec<&'a Instance> {
        let measured = |c: &Configuration, i: &Instance| c.outcome(&i.name).is_some_and(Outcome::is_measured);
        let by_all = |i: &&&Instance| self.configurations.iter().all(|c| measured(c, i));
        self.instances.iter().filter(by_all).copied().collect()
    }

    /// The number of instances on which not all runs count.
    fn with_fewer_runs(&self) -> usize {
        let fewer = |i: &&&Instance| {
            let runs = |c: &Configuration| Some((c.outcome(&i.name)?.tally.all, c.compared(&i.name)?.tally.all));
            self.configurations.iter().filter_map(runs).any(|(all, compared)| compared < all)
        };
        self.instances.iter().filter(fewer).count()
    }
}

/// Says of parts that some runs do not count where configurations are compared, if so.
pub fn fewer_runs(parts: &[Part<'_>]) -> Option<String> {
    let fewer = parts.iter().map(Part::with_fewer_runs).sum::<usize>();
    (fewer > 0).then(|| {
        let on = count(fewer, "instance");
        format!("On {on} not all have as many runs: compared are the seeds and repeats that all have, or as many of the first")
    })
}

/// A part with the instances that all configurations of it had, and what each of them did on these.
pub struct Comparison<'a> {
    pub part: Part<'a>,
    /// How many instances are not compared, since not all of them had them.
    pub left_out: usize,
    /// What each did on each of the instances, under one limit for all: the least of theirs.
    pub scores: Vec<Vec<Score>>,
    /// On how many instances their limits differ.
    differing: usize,
}

impl<'a> Deref for Comparison<'a> {
    type Target = Part<'a>;

    fn deref(&self) -> &Part<'a> {
        &self.part
    }
}

impl<'a> Comparison<'a> {
    pub fn stubs(&self) -> &'static [&'static str] {
        &["kind", "formulation", "solver"][usize::from(!has_kinds(&self.configurations))..]
    }

    /// What a row is headed by: the kind, where there are several, formulation and solver.
    pub fn labels(&self, configuration: &Configuration<'a>) -> Vec<&'a str> {
        configuration.labels()[usize::from(!has_kinds(&self.configurations))..].to_vec()
    }

    /// The name of a configuration; the first is the one with which the others are compared.
    pub fn name(&self, configuration: usize) -> String {
        let [_, formulation, solver] = self.configurations[configuration].labels();
        format!("{formulation}, {solver}")
    }

    pub fn scope(&self) -> String {
        let instances = count(self.instances.len(), "instance");
        let all = match self.configurations.len() {
            2 => "both".to_owned(),
            several => format!("all {several}"),
        };
        let others = match self.left_out {
            0 => String::new(),
            others => format!("; {} left out", plural(others, "other is", "others are")),
        };
        format!("Over the {instances} that {all} were run on{others}")
    }

    /// What is compared.
    pub fn notes(&self) -> Vec<String> {
        let lost: Vec<_> =
            self.configurations.iter().filter(|c| c.has_lost()).map(|c| c.labels()[1..].join(", ")).collect();
        let lost = (!lost.is_empty()).then(|| {
            format!("Runs were lost, on instances that are left out for all; never bold: {}", lost.join("; "))
        });
        std::iter::once(self.scope()).chain(fewer_runs(std::slice::from_ref(&self.part))).chain(lost).collect()
    }

    /// What its figures must not be compared without knowing.
    pub fn caveats(&self) -> Vec<String> {
        [caveats::of_shown(self.outcomes(), false), caveats::of_limits(self.differing)].concat()
    }

    pub fn outcomes(&self) -> impl Iterator<Item = &Outcome> + Clone {
        self.configurations.iter().flat_map(|c| self.instances.iter().filter_map(|i| c.compared(&i.name)))
    }

    /// Whether the configuration of that number may be said to be the best: it solved something, and no run of it was lost.
    pub fn may_lead(&self, configuration: usize) -> bool {
        let solved = self.scores[configuration].iter().any(|score| score.time_s.is_some());
        solved && !self.configurations[configuration].has_lost()
    }
}

/// One comparison for each part in which at least two configurations had an instance in common.
pub fn comparisons(analysis: &Analysis) -> Vec<Comparison<'_>> {
    parts(analysis).into_iter().filter_map(comparison).collect()
}

/// Says of parts that nothing is compared in them, as their configurations have no instance in common.
pub fn incomparable(analysis: &Analysis) -> Vec<String> {
    // While runs are missing there may be some yet.
    if (ended(analysis.experiment.runs()) as u64) < analysis.experiment.manifest().planned {
        return Vec::new();
    }
    let parts = parts(analysis).into_iter().filter(|part| part.configurations.len() > 1 && part.in_common().is_empty());
    let sentence = |part: Part| {
        let (of, all) = (part.of.trim_start_matches(", "), part.configurations.len());
        let of = if of.is_empty() { String::new() } else { format!(" of {of}") };
        format!("no comparison{of}: no instance was run by all {all} configurations")
    };
    parts.map(sentence).collect()
}

fn comparison(mut part: Part<'_>) -> Option<Comparison<'_>> {
    let total = part.instances.len();
    part.instances = part.in_common();
    if part.configurations.len() < 2 || part.instances.is_empty() {
        return None;
    }
    let outcomes = |i: &&Instance| part.configurations.iter().filter_map(|c| c.compared(&i.name)).collect::<Vec<_>>();
    let by_instance: Vec<_> = part.instances.iter().map(|i| scores(&outcomes(i))).collect();
    let of = |configuration: usize| by_instance.iter().map(|(scores, _)| scores[configuration]).collect();
    Some(Comparison {
        left_out: total - part.instances.len(),
        scores: (0..part.configurations.len()).map(of).collect(),
        differing: by_instance.iter().filter(|(_, differ)| *differ).count(),
        part,
    })
}

/// What some outcomes of an instance count as under one limit for all, the least of theirs; and whether their limits differ. Nobody knows
/// whether one of them would have solved it too in a time that it was not given.
pub fn scores(outcomes: &[&Outcome]) -> (Vec<Score>, bool) {
    let limits: Vec<_> = outcomes.iter().map(|outcome| outcome.limit_s).collect();
    let limit_s = limits.iter().flatten().copied().reduce(f64::min);
    let differ = limits.windows(2).any(|pair| pair[0] != pair[1]);
    let within = |o: &Outcome| !differ || o.slowest_s().zip(limit_s).is_none_or(|(time, limit)| time <= limit);
    let score = |o: &&Outcome| Score { time_s: o.total_s.filter(|_| o.is_solved() && within(o)), limit_s };
    (outcomes.iter().map(score).collect(), differ)
}

/// Configurations that a ranking names.
const NAMED: usize = 5;

/// The rankings of an experiment, one for each setting in which several configurations had instances in common and one solved any.
/// Configurations are ranked by how many instances they solved, then by their shifted geometric means, where what was not solved
/// counts as the limit. A line says where they had none.
#[must_use]
pub fn ranking(analysis: &Analysis) -> Vec<String> {
    comparisons(analysis).iter().flat_map(lines).chain(incomparable(analysis)).collect()
}

fn lines(comparison: &Comparison) -> Vec<String> {
    let mut ranked: Vec<usize> = (0..comparison.configurations.len()).filter(|at| comparison.may_lead(*at)).collect();
    let solved = |at: usize| comparison.scores[at].iter().filter(|score| score.time_s.is_some()).count();
    let mean = |at: usize| {
        let times: Option<Vec<_>> = comparison.scores[at].iter().map(|score| score.penalised(1.0)).collect();
        times.and_then(|times| shifted_geometric_mean(&times, SHIFT_S)).unwrap_or(f64::INFINITY)
    };
    ranked.sort_by(|a, b| solved(*b).cmp(&solved(*a)).then(mean(*a).total_cmp(&mean(*b))));
    let Some((first, others)) = ranked.split_first() else {
        return Vec::new();
    };
    let instances = count(comparison.instances.len(), "instance");
    let names = labels(&comparison.configurations);
    let mut lines = vec![format!("ranking on {instances}{}:", comparison.of)];
    lines.push(format!("  1. {}: {} solved", names[*first], solved(*first)));
    for (rank, other) in (2..).zip(others.iter().take(NAMED - 1)) {
        let faster = faster(&comparison.scores[*first], &comparison.scores[*other]);
        let faster = faster.map(|faster| format!("; {} was {faster}", names[*first])).unwrap_or_default();
        lines.push(format!("  {rank}. {}: {} solved{faster}", names[*other], solved(*other)));
    }
    match comparison.configurations.len() - ranked.len().min(NAMED) {
        0 => {}
        rest => lines.push(format!("  and {}; `tilebench table DIR scores` shows all", count(rest, "other"))),
    }
    lines.extend(comparison.caveats().iter().map(|caveat| format!("  warning: {caveat}")));
    lines
}

/// How much faster the first was, over the instances that both solved: the geometric mean of the quotients with its 95 % interval,
/// where there are enough.
fn faster(first: &[Score], other: &[Score]) -> Option<String> {
    let both = first.iter().zip(other).filter(|(first, other)| first.time_s.is_some() && other.time_s.is_some());
    let logs: Vec<f64> = both.filter_map(|(first, other)| log_ratio(*other, *first)).collect();
    let mean = geometric_mean(&logs)?;
    let interval = geometric_interval(&logs);
    let interval = interval.map(|(from, to)| format!(" ({} to {})", ratio(from), ratio(to))).unwrap_or_default();
    Some(format!("{}{interval} times as fast on {} that both solved", ratio(mean), logs.len()))
}

/// Two digits at least.
fn ratio(value: f64) -> String {
    match value {
        ..0.995 => format!("{value:.2}"),
        ..9.95 => format!("{value:.1}"),
        _ => format!("{value:.0}"),
    }
}
