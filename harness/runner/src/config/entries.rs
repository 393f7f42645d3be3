//! The keys of `[[solver]]`, `[[exclude]]` and `[[include]]`. Their comments are what editors show.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;

use super::file::Patterns;
use super::values::{Alternatives, At, Memory, OptionValue, Repeats, Seeds, Threads, Time};

/// A solver with its threads and options.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct SolverFile {
    /// Name of the backend; `tilebench solvers` lists them.
    pub name: At<String>,
    /// How tables and plots name it. Left out: the name.
    pub label: Option<At<String>>,
    /// Threads. Left out: those of the experiment.
    pub threads: Option<At<Threads>>,
    /// Whether proofs of infeasibility are kept, for solvers that can write them. Left out: false.
    #[serde(default)]
    pub proof: bool,
    /// Options by the solver's own names.
    #[serde(default)]
    pub options: BTreeMap<String, OptionValue>,
    /// Keys with several values each: one solver for every combination, named as in `highs threads=2 presolve=off`.
    #[serde(default)]
    pub matrix: SolverMatrix,
}

/// Values of a solver's keys to combine.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct SolverMatrix {
    /// Numbers of threads.
    #[schemars(length(min = 1), extend("uniqueItems" = true))]
    pub threads: Option<Vec<Threads>>,
    /// Values of options: `options.presolve = ["on", "off"]`.
    #[serde(default)]
    pub options: BTreeMap<String, OptionValues>,
}

/// Values of an option.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(transparent)]
#[schemars(inline, extend("uniqueItems" = true))]
pub(super) struct OptionValues(#[schemars(length(min = 1))] pub Vec<OptionValue>);

/// Runs that are not to be done: those that have all of these properties.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ExcludeFile {
    /// Names of instances (their files without the ending), or patterns for them.
    pub instance: Option<At<Alternatives>>,
    /// Challenge numbers.
    pub challenge: Option<At<Alternatives>>,
    /// Designated colours.
    pub colour: Option<At<Alternatives>>,
    /// Names of formulations, or patterns for them.
    pub formulation: Option<At<Alternatives>>,
    /// Kinds of formulations: mip, sat, cp, search, minizinc, asp.
    pub kind: Option<At<Alternatives>>,
    /// Labels of solvers, or patterns for them.
    pub solver: Option<At<Alternatives>>,
    /// Seeds.
    pub seed: Option<At<Alternatives>>,
    /// Only under these profiles. Left out: under every profile and without one.
    #[schemars(length(min = 1))]
    pub profiles: Option<Vec<At<String>>>,
}

/// Further runs.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct IncludeFile {
    /// Names of formulations, or patterns for them. Left out: all.
    #[schemars(length(min = 1))]
    pub formulations: Option<Vec<At<String>>>,
    /// Labels of solvers, or patterns for them. Left out: those of each formulation.
    #[schemars(length(min = 1))]
    pub solvers: Option<Vec<At<String>>>,
    /// Instance files or patterns for them. Left out: those of each formulation.
    #[schemars(length(min = 1))]
    pub instances: Option<Patterns>,
    /// Seeds of the solvers. Left out: those of the experiment.
    pub seeds: Option<At<Seeds>>,
    /// How often each run is done. Left out: as in the experiment.
    pub repeats: Option<Repeats>,
    /// Wall time of a run. Left out: that of the experiment.
    pub time: Option<At<Time>>,
    /// CPU time of a run's worker and of what it starts. Left out: that of the experiment.
    pub cpu: Option<At<Time>>,
    /// Memory of a run's worker and of what it starts. Left out: that of the experiment.
    pub memory: Option<At<Memory>>,
    /// Only under these profiles. Left out: under every profile and without one.
    #[schemars(length(min = 1))]
    pub profiles: Option<Vec<At<String>>>,
}
