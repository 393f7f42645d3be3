//! Which formulations and solvers are compared, and on which boards.

use std::collections::HashSet;

use record::Status;

use crate::analysis::{Aggregates, Analysis, Outcome};
use crate::results::{Formulation, Instance};

/// A formulation under a solver, with what came of it.
#[derive(Clone)]
pub struct Configuration<'a> {
    pub formulation: &'a Formulation,
    pub solver: &'a str,
    pub outcomes: Vec<&'a Outcome>,
    aggregates: &'a Aggregates,
}

/// Formulations and solvers that were run, the baseline first and then in the order of the config; solvers that are not
/// available are left out.
pub fn configurations(analysis: &Analysis) -> Vec<Configuration<'_>> {
    let mut configurations: Vec<_> =
        all(analysis).into_iter().filter(|configuration| !configuration.is_absent()).collect();
    if let Some(baseline) = analysis.experiment.baseline() {
        configurations.sort_by_key(|configuration| !baseline.is(&configuration.formulation.name, configuration.solver));
    }
    configurations
}

/// The solvers that a table leaves out, in words.
pub fn absent(analysis: &Analysis) -> Option<String> {
    let absent: Vec<_> = all(analysis).into_iter().filter(Configuration::is_absent).collect();
    let is_out = |solver: &&String| absent.iter().any(|configuration| configuration.solver == solver.as_str());
    let names: Vec<_> = analysis.experiment.catalog().solvers.iter().filter(is_out).map(String::as_str).collect();
    (!names.is_empty()).then(|| format!("Left out, since they are not available on the machine: {}", names.join(", ")))
}

fn all(analysis: &Analysis) -> Vec<Configuration<'_>> {
    let catalog = analysis.experiment.catalog();
    let pairs = catalog.formulations.iter().flat_map(|f| catalog.solvers.iter().map(move |s| (f, s)));
    let of = |(formulation, solver): (&'_ Formulation, &'_ String)| {
        let names = catalog.instances.iter().map(|i| i.name.as_str());
        names.filter_map(|name| analysis.aggregates().outcome(name, &formulation.name, solver)).collect::<Vec<_>>()
    };
    let aggregates = analysis.aggregates();
    let configurations =
        pairs.map(|pair| Configuration { formulation: pair.0, solver: pair.1, outcomes: of(pair), aggregates });
    configurations.filter(|configuration| !configuration.outcomes.is_empty()).collect()
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
    pub fn on(&self, instances: &[&Instance]) -> Option<Self> {
        let names: HashSet<_> = instances.iter().map(|i| i.name.as_str()).collect();
        let outcomes: Vec<_> =
            self.outcomes.iter().filter(|o| names.contains(o.key.instance.as_str())).copied().collect();
        let found = Self { outcomes, ..self.clone() };
        (!found.outcomes.is_empty() && !found.is_absent()).then_some(found)
    }

    fn is_absent(&self) -> bool {
        self.outcomes.iter().all(|o| o.tally.ended_as(Status::Unsupported) == o.tally.all)
    }
}

/// What distinguishes instances of a setting.
pub type IsOf = fn(&Instance) -> bool;

/// The settings: in a heading, in a caption, whose instances they are.
pub const SETTINGS: [(&str, &str, IsOf); 4] = [
    ("fixed", "fixed boards", |i| i.has_loops && i.places.is_some() && i.places == i.challenge),
    ("bounded", "bounded boards", |i| i.challenge.zip(i.places).is_some_and(|(challenge, places)| places > challenge)),
    ("open plane", "open plane", |i| i.challenge.is_some() && i.places.is_none()),
    ("fields", "fields of 3SoKu", |i| !i.has_loops && i.places.is_some()),
];

/// Some formulations and solvers, and instances on which they can be compared.
pub struct Part<'a> {
    /// Tells the parts of an experiment apart, in file names; empty where there is one only.
    pub key: &'static str,
    /// What follows in captions; empty where there is one part only.
    pub of: String,
    pub configurations: Vec<Configuration<'a>>,
    pub instances: Vec<&'a Instance>,
}

/// One part a setting: each has formulations of its own.
pub fn by_setting<'a>(configurations: &[Configuration<'a>], instances: &[&'a Instance]) -> Vec<Part<'a>> {
    let other = |i: &Instance| !SETTINGS.iter().any(|(.., is)| is(i));
    let settings = SETTINGS.iter().map(|(name, caption, is)| (*name, *caption, is as &dyn Fn(&Instance) -> bool));
    let all = settings.chain(std::iter::once(("other", "other instances", &other as &dyn Fn(&Instance) -> bool)));
    let mut parts: Vec<_> = all
        .map(|(key, caption, is)| {
            let instances: Vec<_> = instances.iter().copied().filter(|i| is(i)).collect();
            let configurations =
                configurations.iter().filter_map(|configuration| configuration.on(&instances)).collect();
            Part { key, of: format!(", {caption}"), configurations, instances }
        })
        .filter(|part| !part.configurations.is_empty())
        .collect();
    if let [only] = parts.as_mut_slice() {
        (only.key, only.of) = ("", String::new());
    }
    parts
}
