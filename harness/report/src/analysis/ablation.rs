//! What each constraint family contributes: pairs of formulations that differ in that family alone, on the same instances under
//! the same solver.
//!
//! Nothing is asked of the config: experiments with `drop-one`, `add-one` and `powerset` have such pairs, and so may others.

use std::collections::{BTreeSet, HashMap};

use crate::analysis::comparison::{Configuration, parts};
use crate::analysis::{Analysis, Outcome};
use crate::results::{Formulation, Instance};
use crate::stats::{Score, bootstrap, float, geometric_mean, log_ratio, median};

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
    /// How many of the cases were solved with the family, without it, and both ways.
    pub solved: [u64; 3],
    /// Geometric mean of the time with over the time without, over the cases solved both ways.
    pub time: Option<f64>,
    /// Its 95 % bootstrap interval over the instances.
    pub interval: Option<(f64, f64)>,
    /// The same quotient of the numbers of solves.
    pub iterations: Option<f64>,
    /// The same quotient of the numbers of nodes, each counted one higher, since there may be none.
    pub nodes: Option<f64>,
    /// What it does to the root bound, where that was asked for.
    pub root: Option<RootBounds>,
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
                let cases = cases(&contexts, &part.instances);
                if !cases.is_empty() {
                    found.push(effect(analysis, part.key, (solver, family), &cases));
                }
            }
        }
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

struct Case<'a> {
    instance: &'a Instance,
    context: usize,
    outcomes: [&'a Outcome; 2],
}

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
    let mut found: Vec<(&str, Vec<Context>)> = Vec::new();
    for with in configurations {
        let (settings, families) = definition(with.formulation);
        for family in with.formulation.families.split_whitespace() {
            let others = families.iter().copied().filter(|other| *other != family).collect();
            let Some(without) = by_definition.get(&(settings, others)) else { continue };
            let context = [*with, *without];
            match found.iter_mut().find(|(known, _)| *known == family) {
                Some((_, contexts)) => contexts.push(context),
                None => found.push((family, vec![context])),
            }
        }
    }
    found
}

fn cases<'a>(contexts: &[Context<'a>], instances: &[&'a Instance]) -> Vec<Case<'a>> {
    let mut found = Vec::new();
    for instance in instances {
        for (context, [with, without]) in contexts.iter().enumerate() {
            if let Some(pair) = with.outcome(&instance.name).zip(without.outcome(&instance.name)) {
                found.push(Case { instance, context, outcomes: pair.into() });
            }
        }
    }
    found
}

fn effect(analysis: &Analysis, setting: &'static str, (solver, family): (&str, &str), cases: &[Case]) -> Effect {
    let solved = |case: &Case| case.outcomes.map(Outcome::is_solved);
    let count = |is: fn([bool; 2]) -> bool| cases.iter().filter(|case| is(solved(case))).count() as u64;
    let both: Vec<_> = cases.iter().filter(|case| solved(case) == [true; 2]).collect();
    let mean = |of: &dyn Fn(&Case) -> Option<f64>| {
        geometric_mean(&both.iter().filter_map(|case| of(case)).collect::<Vec<_>>())
    };
    let quotient = |case: &Case, of: &dyn Fn(&Outcome) -> Option<f64>| {
        let [with, without] = case.outcomes.map(of);
        Some(with?.ln() - without?.ln())
    };
    let nodes = |outcome: &Outcome| {
        let nodes = analysis.runs_of(outcome).filter_map(|run| run.nodes).map(float);
        median(nodes.collect()).map(|nodes| nodes + 1.0)
    };
    // Cases of one instance are no independent sample: the instance is what is drawn.
    let mut sums: Vec<(f64, f64)> = Vec::new();
    for of_instance in both.chunk_by(|a, b| a.instance.name == b.instance.name) {
        let logs: Vec<_> = of_instance.iter().filter_map(|case| time(case)).collect();
        sums.push((logs.iter().sum(), float(logs.len() as u64)));
    }
    let mean_of_sums = |sums: &[(f64, f64)]| {
        let (sum, count) = sums.iter().fold((0.0, 0.0), |all, one| (all.0 + one.0, all.1 + one.1));
        (sum / count).exp()
    };
    let contexts: BTreeSet<_> = cases.iter().map(|case| case.context).collect();
    let members: BTreeSet<_> = cases.iter().flat_map(|c| c.outcomes).flat_map(|o| &o.members).copied().collect();
    Effect {
        setting,
        solver: solver.to_owned(),
        family: family.to_owned(),
        contexts: contexts.len() as u64,
        cases: cases.len() as u64,
        solved: [count(|[with, _]| with), count(|[_, without]| without), both.len() as u64],
        time: mean(&time),
        interval: bootstrap(&sums, mean_of_sums),
        iterations: mean(&|case| quotient(case, &|outcome| outcome.solves)),
        nodes: mean(&|case| quotient(case, &nodes)),
        root: root_bounds(analysis, cases),
        members: members.into_iter().collect(),
    }
}

/// The logarithm of the time with the family over the time without it.
fn time(case: &Case) -> Option<f64> {
    let [with, without] = case.outcomes.map(|o| Score { time_s: o.total_s, limit_s: None });
    log_ratio(with, without)
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
