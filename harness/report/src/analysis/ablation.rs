//! What each constraint family contributes: pairs of formulations that differ in that family alone, on the same instances under
//! the same solver.
//!
//! Nothing is asked of the config: experiments with `drop-one`, `add-one` and `powerset` have such pairs, and so may others.

use std::collections::{BTreeSet, HashMap};

use crate::analysis::comparison::{Configuration, parts};
use crate::analysis::{Analysis, Outcome};
use crate::group::by_first;
use crate::results::{Formulation, Instance};
use crate::stats::{Score, float, geometric_interval, geometric_mean, holm, log_ratio, median, wilcoxon};

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
    /// Geometric mean of the time with over the time without, over the cases solved either way; what was not solved counts at its limit.
    pub time: Option<f64>,
    /// Its 95 % interval over the instances.
    pub interval: Option<(f64, f64)>,
    /// The p-value of Wilcoxon's test of the instances' mean logarithms of these quotients, and the same after Holm's correction over all
    /// effects.
    pub p: [Option<f64>; 2],
    /// The quotient of the numbers of solves, over the cases solved both ways.
    pub iterations: Option<f64>,
    /// The same quotient of the numbers of nodes, each counted one higher, since there may be none.
    pub nodes: Option<f64>,
    /// What it does to the root bound, where that was asked for.
    pub root: Option<RootBounds>,
    /// Whether it may be bold: something was solved both with the family and without it, and no run was lost.
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
                let cases = cases(analysis, &contexts, &part.instances);
                if !cases.is_empty() {
                    let lost = contexts.iter().flatten().any(|configuration| configuration.has_lost());
                    found.push(effect(analysis, part.key, (solver, family), &cases, lost));
                }
            }
        }
    }
    let adjusted = holm(&found.iter().map(|effect| effect.p[0]).collect::<Vec<_>>());
    for (effect, adjusted) in found.iter_mut().zip(adjusted) {
        effect.p[1] = adjusted;
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
    scores: [Score; 2],
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

/// The times of both within the lesser of their limits.
fn scores(analysis: &Analysis, outcomes: [&Outcome; 2]) -> [Score; 2] {
    let limits = outcomes.map(|outcome| analysis.time_limit(outcome));
    let limit_s = limits.into_iter().flatten().reduce(f64::min);
    // Nobody knows whether the other would have solved it too in a time that it was not given.
    let within = |outcome: &Outcome| {
        limits[0] == limits[1] || outcome.slowest_s().zip(limit_s).is_none_or(|(time, limit)| time <= limit)
    };
    outcomes.map(|o| Score { time_s: o.total_s.filter(|_| o.is_solved() && within(o)), limit_s })
}

fn cases<'a>(analysis: &Analysis, contexts: &[Context<'a>], instances: &[&'a Instance]) -> Vec<Case<'a>> {
    let mut found = Vec::new();
    for instance in instances {
        for (context, [with, without]) in contexts.iter().enumerate() {
            let measured = |of: &Configuration| of.outcome(&instance.name).is_some_and(Outcome::is_measured);
            let pair = with.compared(&instance.name).zip(without.compared(&instance.name));
            if let Some(outcomes) = pair.filter(|_| measured(with) && measured(without)) {
                let outcomes: [&Outcome; 2] = outcomes.into();
                found.push(Case { instance, context, outcomes, scores: scores(analysis, outcomes) });
            }
        }
    }
    found
}

fn effect(
    analysis: &Analysis,
    setting: &'static str,
    (solver, family): (&str, &str),
    cases: &[Case],
    lost: bool,
) -> Effect {
    let solved = |case: &Case| case.scores.map(|score| score.time_s.is_some());
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
    let (mut sums, mut means) = (Vec::new(), Vec::new());
    for of_instance in cases.chunk_by(|a, b| a.instance.name == b.instance.name) {
        let logs: Vec<_> = of_instance.iter().filter_map(|case| log_ratio(case.scores[0], case.scores[1])).collect();
        let (sum, values) = (logs.iter().sum::<f64>(), float(logs.len()));
        // Infinite where there was no limit: a rank, and no figure. Both infinities are none either.
        means.extend(Some(sum / values).filter(|mean| !mean.is_nan()));
        sums.extend((sum.is_finite() && values > 0.0).then_some((sum, values)));
    }
    let (sum, values) = sums.iter().fold((0.0, 0.0), |all: (f64, f64), one| (all.0 + one.0, all.1 + one.1));
    let contexts: BTreeSet<_> = cases.iter().map(|case| case.context).collect();
    let members: BTreeSet<_> = cases.iter().flat_map(|c| c.outcomes).flat_map(|o| &o.members).copied().collect();
    Effect {
        setting,
        solver: solver.to_owned(),
        family: family.to_owned(),
        contexts: contexts.len() as u64,
        cases: cases.len() as u64,
        solved: [count(|[with, _]| with), count(|[_, without]| without), both.len() as u64],
        may_lead: !lost && count(|[with, _]| with) > 0 && count(|[_, without]| without) > 0,
        time: (values > 0.0).then(|| (sum / values).exp()),
        interval: geometric_interval(&sums),
        p: [wilcoxon(&means).map(|test| test.p), None],
        iterations: mean(&|case| quotient(case, &|outcome| outcome.solves)),
        nodes: mean(&|case| quotient(case, &nodes)),
        root: root_bounds(analysis, cases),
        members: members.into_iter().collect(),
    }
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
