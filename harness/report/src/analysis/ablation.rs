//! What each constraint family contributes: pairs of formulations that differ in that family alone, on the same instances under
//! the same solver.
//!
//! Nothing is asked of the config: experiments with `drop-one` and `add-one` have such pairs, and so may others.

use std::collections::{BTreeSet, HashMap};

use record::Measure;

use crate::analysis::comparison::{Configuration, parts};
use crate::analysis::effect::{self, Case, Quotient, effect, quotient};
use crate::analysis::{Analysis, Outcome};
use crate::group::by_first;
use crate::results::{Formulation, Instance};
use crate::stats::{float, holm};

/// What a family contributes under a solver.
#[derive(Debug, Clone, PartialEq)]
pub struct Effect {
    /// The setting, where there are several; else empty.
    pub setting: &'static str,
    pub solver: String,
    pub family: String,
    /// Pairs of formulations, one with the family and one without.
    pub contexts: u64,
    /// Cases: instances on which both of a pair were run, over all pairs.
    pub cases: u64,
    /// What it makes of the times with it over those without.
    pub of: effect::Effect,
    /// The p-value of Wilcoxon's test after Holm's correction over all effects.
    pub holm: Option<f64>,
    /// The quotients of the numbers of solves and of nodes.
    pub iterations: Quotient,
    pub nodes: Quotient,
    /// What it does to the root bound, where that was asked for.
    pub root: Option<RootBounds>,
    /// Whether it may be bold: something was solved both with the family and without it, no run was lost, and what it saves in
    /// time it does not lose in boards.
    pub may_lead: bool,
    /// The runs that it is made of: places in [`Experiment::runs`].
    pub members: Vec<u32>,
}

/// Root bounds with a family and without it, over the cases in which both are known.
#[derive(Debug, Clone, PartialEq)]
pub struct RootBounds {
    pub cases: u64,
    /// In how many the bound is higher with the family.
    pub raised: u64,
    /// Means with it and without it, over the cases in which both are finite.
    pub means: Option<[f64; 2]>,
}

/// The effects of all families of which there are pairs, by setting and solver, in the order of the config.
pub fn effects(analysis: &Analysis) -> Vec<Effect> {
    let mut found = Vec::new();
    for part in parts(analysis) {
        for solver in &analysis.experiment.catalog.solvers {
            let configurations: Vec<_> = part.configurations.iter().filter(|c| c.solver == solver).collect();
            for (family, contexts) in families(&configurations) {
                found.extend(of_family(analysis, (part.key, solver, family), &contexts, &part.instances));
            }
        }
    }
    let adjusted = holm(&found.iter().map(|effect| effect.of.wilcoxon).collect::<Vec<_>>());
    for (effect, adjusted) in found.iter_mut().zip(adjusted) {
        effect.holm = adjusted;
    }
    found
}

pub fn families_of(effects: &[Effect]) -> Vec<&str> {
    let mut seen = BTreeSet::new();
    effects.iter().map(|effect| effect.family.as_str()).filter(|family| seen.insert(*family)).collect()
}

/// The outcomes that these are made of.
pub fn shown<'a>(analysis: &'a Analysis, effects: &'a [Effect]) -> impl Iterator<Item = &'a Outcome> + Clone {
    let is_shown = |run: &u32| effects.iter().any(|effect| effect.members.binary_search(run).is_ok());
    analysis.aggregates().outcomes.iter().filter(move |outcome| outcome.members.iter().any(is_shown))
}

/// A formulation with a family and the same without.
type Context<'a> = [&'a Configuration<'a>; 2];

/// What tells formulations apart, the families sorted.
type Definition<'a> = ([&'a str; 4], Vec<&'a str>);

fn definition(formulation: &Formulation) -> Definition<'_> {
    let mut families: Vec<_> = formulation.families.split_whitespace().collect();
    families.sort_unstable();
    let Formulation { kind, objective, subloops, holes, .. } = formulation;
    ([kind, objective, subloops, holes], families)
}

/// The families of which there are pairs, in the order in which the formulations name them.
fn families<'a>(configurations: &[&'a Configuration<'a>]) -> Vec<(&'a str, Vec<Context<'a>>)> {
    let by_definition: HashMap<_, _> = configurations.iter().map(|c| (definition(c.formulation), *c)).collect();
    let contexts = configurations.iter().flat_map(|with| {
        let (settings, families) = definition(with.formulation);
        let by_definition = &by_definition;
        with.formulation.families.split_whitespace().filter_map(move |family| {
            let others = families.iter().copied().filter(|other| *other != family).collect();
            Some((family, [*with, *by_definition.get(&(settings, others))?]))
        })
    });
    by_first(contexts)
}

fn of_family<'a>(
    analysis: &'a Analysis,
    (setting, solver, family): (&'static str, &str, &str),
    contexts: &[Context<'a>],
    instances: &[&'a Instance],
) -> Option<Effect> {
    let mut used = BTreeSet::new();
    let mut cases = Vec::new();
    for instance in instances {
        for (number, context) in contexts.iter().enumerate() {
            if let Some(case) = Case::of(analysis, instance, *context) {
                used.insert(number);
                cases.push(case);
            }
        }
    }
    let of = effect(&cases);
    let lost = contexts.iter().flatten().any(|configuration| configuration.has_lost());
    let pays = of.lost > of.gained && of.time.mean.is_some_and(|mean| mean < 1.0);
    let members: BTreeSet<_> = cases.iter().flat_map(|c| c.outcomes).flat_map(|o| &o.members).copied().collect();
    (!cases.is_empty()).then(|| Effect {
        setting,
        solver: solver.to_owned(),
        family: family.to_owned(),
        contexts: used.len() as u64,
        cases: cases.len() as u64,
        may_lead: !lost && !pays && of.solved[0] > 0 && of.solved[1] > 0,
        of,
        holm: None,
        iterations: quotient(&cases, Measure::Solves),
        nodes: quotient(&cases, Measure::Nodes),
        root: root_bounds(analysis, &cases),
        members: members.into_iter().collect(),
    })
}

/// Relative difference of root bounds (absolute below 1) that is no more than the tolerance of the solver.
const SAME_BOUND: f64 = 1e-6;

fn root_bounds(analysis: &Analysis, cases: &[Case]) -> Option<RootBounds> {
    // All runs of a model have one bound, unless it was not found in time.
    let bound = |outcome: &Outcome| analysis.runs_of(outcome).find_map(|run| run.root_bound);
    let both = |case: &Case| {
        let [with, without] = case.outcomes.map(bound);
        Some([with?, without?])
    };
    let known: Vec<_> = cases.iter().filter_map(both).collect();
    let raised = |[with, without]: &&[f64; 2]| with - without > SAME_BOUND * without.abs().max(1.0);
    let finite: Vec<_> = known.iter().filter(|pair| pair.iter().all(|bound| bound.is_finite())).collect();
    let mean = |side: usize| finite.iter().map(|pair| pair[side]).sum::<f64>() / float(finite.len() as u64);
    (!known.is_empty()).then(|| RootBounds {
        cases: known.len() as u64,
        raised: known.iter().filter(raised).count() as u64,
        means: (!finite.is_empty()).then(|| [mean(0), mean(1)]),
    })
}
