//! The keys of `[[formulation]]`, `[[solver]]`, `[[exclude]]` and `[[include]]`. Their comments are what editors show.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;

use super::file::Patterns;
use super::values::{
    Alternatives, AroundEmpty, At, CardinalityWord, CutsWord, Families, HolesWord, KindWord, Memory, ObjectiveWord,
    OptionValue, Repeats, Seeds, ShortLoops, StrategyWord, SubloopsWord, SymmetryBreaking, Threads, Time,
};

/// A formulation: what a solver is given, and what to do about subloops and holes.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct FormulationFile {
    /// How tables and plots name it.
    pub name: At<String>,
    /// What a solver is given: a linear model (mip), clauses (sat), constraints (cp), the puzzle itself (search), a
    /// program in MiniZinc or for answer set solvers (minizinc, asp; 3SoKu). Left out:
    /// mip.
    pub kind: Option<KindWord>,
    /// Kind mip: constraint families, separated by spaces; `tilebench formulations` lists them. Left out only where the
    /// matrix has them.
    pub families: Option<At<Families>>,
    /// Kind mip: what is minimised. Left out: virtual.
    pub objective: Option<At<ObjectiveWord>>,
    /// What to do about subloops (propagate: kinds sat and cp). Left out: kind mip: resolve where a cutting family
    /// (C5, C5x) is listed, else report; kinds sat and cp: resolve.
    pub subloops: Option<At<SubloopsWord>>,
    /// Which cuts to draw against subloops (loop: kinds sat and cp). Left out: kind mip: each; kinds sat and cp: loop.
    pub cuts: Option<At<CutsWord>>,
    /// What to do about holes on bounded boards and the open plane. Left out: report.
    pub holes: Option<At<HolesWord>>,
    /// Kind sat: how clauses count tiles. Left out: totalizer.
    pub cardinality: Option<At<CardinalityWord>>,
    /// Kinds sat and cp: designated loops of up to so many places are forbidden in advance; 0: none. Left out: 7.
    pub short_loops: Option<At<ShortLoops>>,
    /// Kinds sat and cp, bounded boards and the open plane: at most so many tiles around an empty place. Left out: no such
    /// rule.
    pub around_empty: Option<At<AroundEmpty>>,
    /// Kind search: the algorithm (walk: Tantrix; least-capacity, count: 3SoKu). Left out: propagate. Kind minizinc: how the
    /// program says to search (random-restarts). Left out: it does not.
    pub strategy: Option<At<StrategyWord>>,
    /// Kinds minizinc and asp: whether uniform tiles are not rotated and equal tiles lie in order. Left out: true.
    pub symmetry_breaking: Option<At<SymmetryBreaking>>,
    /// Kind mip: whether each run also solves the linear relaxation of the model, for the column root_bound. Left out: false.
    pub root_bound: Option<At<bool>>,
    /// Instances instead of those of the experiment.
    pub instances: Option<Patterns>,
    /// Only these solvers, by label or pattern. Left out: all.
    #[schemars(length(min = 1))]
    pub solvers: Option<Vec<At<String>>>,
    /// Keys with several values each: one formulation for every combination, named as in `colour objective=none`.
    #[serde(default)]
    pub matrix: FormulationMatrix,
    /// Families, all of them listed: the formulation as it is, and once without each of them, named as in
    /// `colour -C7`.
    pub drop_one: Option<At<Families>>,
    /// Families: the formulation without all of them, and once with each of them, named as in `colour +C7`.
    pub add_one: Option<At<Families>>,
    /// Families, all of them listed, at most 12: the formulation with every subset of them, named as in
    /// `colour {C7 C9}`.
    pub powerset: Option<At<Families>>,
}

/// Values of a formulation's keys to combine.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct FormulationMatrix {
    /// Whole lists of families.
    #[schemars(length(min = 1), extend("uniqueItems" = true))]
    pub families: Option<Vec<At<Families>>>,
    /// Objectives.
    #[schemars(length(min = 1), extend("uniqueItems" = true))]
    pub objective: Option<Vec<At<ObjectiveWord>>>,
    /// Treatments of subloops.
    #[schemars(length(min = 1), extend("uniqueItems" = true))]
    pub subloops: Option<Vec<At<SubloopsWord>>>,
    /// Choices of cuts.
    #[schemars(length(min = 1), extend("uniqueItems" = true))]
    pub cuts: Option<Vec<At<CutsWord>>>,
    /// Treatments of holes.
    #[schemars(length(min = 1), extend("uniqueItems" = true))]
    pub holes: Option<Vec<At<HolesWord>>>,
    /// Ways to count.
    #[schemars(length(min = 1), extend("uniqueItems" = true))]
    pub cardinality: Option<Vec<At<CardinalityWord>>>,
    /// Lengths up to which loops are forbidden in advance.
    #[schemars(length(min = 1), extend("uniqueItems" = true))]
    pub short_loops: Option<Vec<At<ShortLoops>>>,
    /// Most tiles around an empty place.
    #[schemars(length(min = 1), extend("uniqueItems" = true))]
    pub around_empty: Option<Vec<At<AroundEmpty>>>,
    /// Algorithms.
    #[schemars(length(min = 1), extend("uniqueItems" = true))]
    pub strategy: Option<Vec<At<StrategyWord>>>,
    /// Whether symmetries are broken.
    #[schemars(length(min = 1), extend("uniqueItems" = true))]
    pub symmetry_breaking: Option<Vec<At<SymmetryBreaking>>>,
}

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
