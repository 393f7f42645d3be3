//! What is compared: formulations under solvers, by the kind of their boards, on instances that all of them had.
//!
//! The unit is the instance: several seeds and repeats of one instance count as one, with their median time, since they are
//! no independent sample. An instance is solved if every one of these runs solved it: with a verified solution, or with a
//! proof that there is none.

use std::collections::HashSet;
use std::ops::Deref;

use record::Status;

use crate::analysis::{Aggregates, Analysis, Outcome, caveats};
use crate::results::{Formulation, Instance};
use crate::stats::Score;
use crate::text::count;

/// A formulation under a solver, with what came of it.
#[derive(Clone)]
pub struct Configuration<'a> {
    pub formulation: &'a Formulation,
    pub solver: &'a str,
    pub outcomes: Vec<&'a Outcome>,
    aggregates: &'a Aggregates,
}

impl<'a> Configuration<'a> {
    /// Kind, formulation and solver.
    pub fn labels(&self) -> [&'a str; 3] {
        [&self.formulation.kind, &self.formulation.name, self.solver]
    }

    pub fn outcome(&self, instance: &str) -> Option<&'a Outcome> {
        self.aggregates.outcome(instance, &self.formulation.name, self.solver)
    }

    /// The time in which it solved an instance: one that counts in comparisons.
    pub fn time(&self, instance: &str) -> Option<f64> {
        self.outcome(instance).filter(|o| o.is_solved()).and_then(|o| o.total_s)
    }

    /// What it did on some of the instances, if it was run on any and could do what was asked.
    fn on(&self, instances: &[&Instance]) -> Option<Self> {
        let names: HashSet<_> = instances.iter().map(|i| i.name.as_str()).collect();
        let outcomes = self.outcomes.iter().filter(|o| names.contains(o.key.instance.as_str()));
        let found = Self { outcomes: outcomes.copied().collect(), ..self.clone() };
        (!found.outcomes.is_empty() && !found.is_absent()).then_some(found)
    }

    fn is_absent(&self) -> bool {
        self.outcomes.iter().all(|o| o.tally.ended_as(Status::Unsupported) == o.tally.all)
    }
}

/// Formulations and solvers that were run, the baseline first and then in the order of the config; solvers that are not
/// available are left out.
pub fn configurations(analysis: &Analysis) -> Vec<Configuration<'_>> {
    let mut configurations = all(analysis);
    configurations.retain(|configuration| !configuration.is_absent());
    if let Some(baseline) = analysis.experiment.baseline() {
        configurations.sort_by_key(|configuration| !baseline.is(&configuration.formulation.name, configuration.solver));
    }
    configurations
}

/// The solvers that a table leaves out, in words.
pub fn absent(analysis: &Analysis) -> Option<String> {
    let absent: Vec<_> = all(analysis).into_iter().filter(Configuration::is_absent).collect();
    let is_out = |solver: &&String| absent.iter().any(|configuration| configuration.solver == solver.as_str());
    let names: Vec<_> = analysis.experiment.catalog.solvers.iter().filter(is_out).map(String::as_str).collect();
    (!names.is_empty()).then(|| format!("Left out, since they are not available on the machine: {}", names.join(", ")))
}

/// The same with those that are not available, in the order of the config.
pub fn all(analysis: &Analysis) -> Vec<Configuration<'_>> {
    let (catalog, aggregates) = (&analysis.experiment.catalog, analysis.aggregates());
    let pairs = catalog.formulations.iter().flat_map(|f| catalog.solvers.iter().map(move |s| (f, s)));
    let configurations = pairs.map(|(formulation, solver)| {
        let of = |i: &Instance| aggregates.outcome(&i.name, &formulation.name, solver);
        Configuration { formulation, solver, outcomes: catalog.instances.iter().filter_map(of).collect(), aggregates }
    });
    configurations.filter(|configuration| !configuration.outcomes.is_empty()).collect()
}

pub fn has_kinds(configurations: &[Configuration]) -> bool {
    configurations.windows(2).any(|pair| pair[0].formulation.kind != pair[1].formulation.kind)
}

pub type IsOf = fn(&Instance) -> bool;

/// The settings: in a heading, in a caption, whose instances they are.
pub const SETTINGS: [(&str, &str, IsOf); 4] = [
    ("fixed", "fixed boards", |i| i.has_loops && i.places.is_some() && i.places == i.challenge),
    ("bounded", "bounded boards", |i| i.challenge.zip(i.places).is_some_and(|(challenge, places)| places > challenge)),
    ("open plane", "open plane", |i| i.challenge.is_some() && i.places.is_none()),
    ("fields", "fields of 3SoKu", |i| !i.has_loops && i.places.is_some()),
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

/// A part with the instances that all configurations of it had, and what each of them did on these.
pub struct Comparison<'a> {
    pub part: Part<'a>,
    /// How many instances are not compared, since not all of them had them.
    pub left_out: usize,
    /// What each did on each of the instances.
    pub scores: Vec<Vec<Score>>,
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

    /// The name of the first configuration, with whom the others are compared.
    pub fn baseline(&self) -> String {
        let [_, formulation, solver] = self.configurations[0].labels();
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
            1 => "; 1 other is left out".to_owned(),
            others => format!("; {others} others are left out"),
        };
        format!("Over the {instances} that {all} were run on{others}")
    }

    /// What its figures must not be compared without knowing.
    pub fn caveats(&self) -> Vec<String> {
        let mut found = caveats::of_shown(self.outcomes(), false);
        let limits = |instance: usize| self.scores.iter().map(move |scores| scores[instance].limit_s);
        let differ = |instance: &usize| limits(*instance).any(|limit| limit != self.scores[0][*instance].limit_s);
        let differing = (0..self.instances.len()).filter(differ).count();
        if differing > 0 {
            found.push(format!("time limits that are not the same for all, on {}", count(differing, "instance")));
        }
        found
    }

    pub fn outcomes(&self) -> impl Iterator<Item = &Outcome> + Clone {
        self.configurations.iter().flat_map(|c| self.instances.iter().filter_map(|i| c.outcome(&i.name)))
    }
}

/// One comparison for each part in which at least two configurations had an instance in common.
pub fn comparisons(analysis: &Analysis) -> Vec<Comparison<'_>> {
    parts(analysis).into_iter().filter_map(|part| comparison(analysis, part)).collect()
}

fn comparison<'a>(analysis: &'a Analysis, mut part: Part<'a>) -> Option<Comparison<'a>> {
    let total = part.instances.len();
    // What was interrupted or lost measured nothing.
    let measured = |o: &Outcome| o.tally.ended_as(Status::Interrupted) + o.tally.ended_as(Status::Lost) == 0;
    part.instances.retain(|i| part.configurations.iter().all(|c| c.outcome(&i.name).is_some_and(measured)));
    if part.configurations.len() < 2 || part.instances.is_empty() {
        return None;
    }
    let score = |c: &Configuration, i: &Instance| Score {
        time_s: c.time(&i.name),
        limit_s: c.outcome(&i.name).and_then(|outcome| analysis.time_limit(outcome)),
    };
    let scores = part.configurations.iter().map(|c| part.instances.iter().map(|i| score(c, i)).collect()).collect();
    Some(Comparison { left_out: total - part.instances.len(), scores, part })
}
