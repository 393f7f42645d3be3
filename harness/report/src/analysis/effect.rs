//! The difference that a choice makes: of two sides over all boards that both were run on, whatever limits struck; and of each
//! constraint family, by pairs of formulations that differ in that family alone, on the same instances under the same solver.
//! Nothing is asked of the config: experiments with `drop-one` and `add-one` have such pairs, and so may others.

use std::cmp::Ordering;
use std::collections::{BTreeSet, HashMap, HashSet};

use record::{Category, Measure, Status};

use crate::analysis::comparison::{Configuration, parts, scores};
use crate::analysis::{Analysis, Outcome, caveats, has_ended, is_final, total_s};
use crate::group::by_first;
use crate::results::{Formulation, Instance, Run, Solve};
use crate::stats::{PENALTY, SHORTEST_S, Score, float, holm, mcnemar, mean_quotient, median, wilcoxon};

/// A loop of at most this many tiles is small.
const SMALL: u64 = 4;

/// A board on which two sides were run.
#[derive(Clone)]
pub struct Case<'a> {
    analysis: &'a Analysis,
    pub instance: &'a Instance,
    pub outcomes: [&'a Outcome; 2],
    /// Their times, within the lesser of their limits.
    pub scores: [Score; 2],
    /// Whether their limits differ.
    limits_differ: bool,
}

impl<'a> Case<'a> {
    /// Two sides on a board, over the runs that both have; none where one of them was not run, or only interrupted, or a run was lost.
    pub fn of(analysis: &'a Analysis, instance: &'a Instance, sides: [&Configuration<'a>; 2]) -> Option<Self> {
        let outcome = |side: &Configuration<'a>| side.outcome(&instance.name).filter(|outcome| outcome.is_measured());
        let [first, second] = [outcome(sides[0])?, outcome(sides[1])?];
        let outcomes = [first.alike_to(second), second.alike_to(first)];
        let (scores, limits_differ) = scores(&outcomes);
        Some(Self { analysis, instance, outcomes, scores: [scores[0], scores[1]], limits_differ })
    }

    /// Which of the sides solved it.
    pub fn solved(&self) -> [bool; 2] {
        self.scores.map(|score| score.time_s.is_some())
    }

    /// Whether a side completed what is measured: it solved the board or, for the growth of the time, gave any answer that its
    /// formulation asks for (also a loop with a hole, for instance).
    pub fn ended(&self, measure: Measure, side: usize) -> bool {
        let outcome = self.outcomes[side];
        let tally = &outcome.tally;
        match measure {
            Measure::Growth => {
                let failed = tally.judged(Category::Wrong) + tally.judged(Category::Error);
                outcome.total_s.is_some() && failed == 0 && tally.unproven == 0
            }
            _ => self.solved()[side],
        }
    }

    /// Whether the first models of both sides are known to be of one size.
    fn is_alike(&self) -> bool {
        let [first, second] = self.outcomes.map(|o| [o.variables, o.constraints, o.nonzeros]);
        first == second && !first.contains(&None)
    }

    fn solvers(&self) -> [&'a str; 2] {
        self.outcomes.map(|outcome| outcome.key.solver.as_str())
    }

    /// Whether the board counts: for loops and holes it does not if it has no solution to have them, as all runs of a side ended
    /// infeasible and none came to a first solution; for small loops also not if the first solution is known to have a single loop.
    pub fn concerns(&self, measure: Measure) -> bool {
        let is_infeasible = |side: usize| {
            let tally = &self.outcomes[side].tally;
            tally.ended_as(Status::Infeasible) == tally.all && self.has(measure, side).is_none()
        };
        match measure {
            Measure::Subloops | Measure::Holes | Measure::SmallLoops if is_infeasible(0) || is_infeasible(1) => false,
            Measure::SmallLoops => self.has(Measure::Subloops, 0) != Some(false),
            _ => true,
        }
    }

    /// Whether at least one side completed what is measured; if neither did, the case shows no difference.
    pub fn says(&self, measure: Measure) -> bool {
        let ended = |side: usize| match measure {
            Measure::FirstSolve => {
                let time = self.figure(measure, side);
                time.is_some_and(|time| self.scores[side].limit_s.is_none_or(|limit| time <= limit))
            }
            Measure::Spread => self.figure(measure, side).is_some(),
            Measure::Nodes => self.solved()[side] && self.nodes(side).is_some(),
            Measure::Subloops | Measure::Holes | Measure::SmallLoops => self.has(measure, side).is_some(),
            _ => self.ended(measure, side),
        };
        ended(0) || ended(1)
    }

    /// The natural logarithm of the first side's figure over the second's. A number of solves or nodes of a side that did not
    /// solve the board is at least what it came to, and at least the other's: it counts as the greater, and as the same where
    /// neither solved it. `None` where a side has no figure.
    pub fn log_quotient(&self, measure: Measure) -> Option<f64> {
        let [first, second] = [self.figure(measure, 0)?, self.figure(measure, 1)?];
        let log = first.ln() - second.ln();
        Some(match (measure, self.solved()) {
            (Measure::Solves | Measure::Nodes, [false, true]) => log.max(0.0),
            (Measure::Solves | Measure::Nodes, [true, false]) => log.min(0.0),
            (Measure::Solves | Measure::Nodes, [false, false]) => 0.0,
            _ => log,
        })
    }

    /// The figure of a side, which is positive: seconds, or a number.
    pub fn figure(&self, measure: Measure, side: usize) -> Option<f64> {
        let (outcome, score) = (self.outcomes[side], self.scores[side]);
        let solved = score.time_s.is_some();
        match measure {
            Measure::Time => score.penalised(PENALTY).map(|time| time.max(SHORTEST_S)),
            // No more than what is known, for a lower bound.
            Measure::Growth => {
                let time = outcome.total_s.filter(|_| self.ended(measure, side)).or(score.limit_s);
                time.map(|time| time.max(SHORTEST_S))
            }
            Measure::FirstSolve => {
                let within = |time: &f64| score.limit_s.is_none_or(|limit| *time <= limit);
                let first = |run: &Run| first_s(run).filter(within).or_else(|| Some(PENALTY * score.limit_s?));
                let times = self.analysis.runs_of(outcome).map(first).collect::<Option<Vec<_>>>()?;
                median(times).map(|time| time.max(SHORTEST_S))
            }
            // Whoever was stopped in the first had begun one.
            Measure::Solves | Measure::SolvesGrowth => {
                outcome.solves.filter(|count| *count > 0.0).or((!solved).then_some(1.0))
            }
            Measure::Nodes => self.nodes(side).or((!solved).then_some(1.0)),
            Measure::Spread => spread(self.analysis, outcome),
            Measure::Solved | Measure::Subloops | Measure::Holes | Measure::SmallLoops | Measure::LaterSolves => None,
        }
    }

    /// The least and the greatest share of the time that may pass after the first solve: means over the runs of the first side. They are
    /// the same where all runs came to their end.
    pub fn later_solves(&self) -> (f64, f64) {
        let share = |run: &Run| {
            let known = first_s(run).zip(total_s(run));
            // At no time at all there is nothing to share.
            let least = known.map_or(0.0, |(first, total)| if total > first { 1.0 - first / total } else { 0.0 });
            (least, if known.is_some() && has_ended(run.status) { least } else { 1.0 })
        };
        let shares: Vec<_> = self.analysis.runs_of(self.outcomes[0]).map(share).collect();
        let mean = |of: fn(&(f64, f64)) -> f64| shares.iter().map(of).sum::<f64>() / float(shares.len());
        (mean(|share| share.0), mean(|share| share.1))
    }

    /// Median of the nodes that the runs of a side report, one added; `None` where none of them does.
    fn nodes(&self, side: usize) -> Option<f64> {
        let nodes = self.analysis.runs_of(self.outcomes[side]).filter_map(|run| run.nodes).map(float);
        median(nodes.collect()).map(|nodes| nodes + 1.0)
    }

    /// Whether a side solved the board, or whether at least half of its runs with a first solution have the property there; `None`
    /// if no run tells.
    pub fn has(&self, measure: Measure, side: usize) -> Option<bool> {
        let first = |has: fn(&Solve) -> Option<bool>| {
            let runs = self.analysis.runs_of(self.outcomes[side]);
            half(&runs.filter_map(|run| has(first_solve(run)?)).collect::<Vec<_>>())
        };
        match measure {
            Measure::Solved => Some(self.solved()[side]),
            Measure::Subloops => first(|solve| solve.loops.map(|loops| loops > 1)),
            Measure::Holes => first(|solve| solve.holes.map(|holes| holes > 0)),
            Measure::SmallLoops => first(|solve| solve.second_loop.map(|tiles| tiles <= SMALL)),
            _ => None,
        }
    }
}

/// Whether at least half of these are true; `None` if there are none.
pub fn half(of: &[bool]) -> Option<bool> {
    (!of.is_empty()).then(|| 2 * of.iter().filter(|is| **is).count() >= of.len())
}

/// The first solve of a run, if it laid tiles and came to its end. One that was to find the best solution has not, while that is not proven.
fn first_solve(run: &Run) -> Option<&Solve> {
    run.solves.first().filter(|solve| solve.lays_tiles && is_final(run, solve.status))
}

/// The time until the end of the first solve of a run, with that of building the model, which is within the limit too.
fn first_s(run: &Run) -> Option<f64> {
    Some(first_solve(run)?.time_s + run.build_time_s.unwrap_or(0.0))
}

/// Time of the slowest run of a board over that of the fastest. A run that did not end counts as its time limit. `None` for a single
/// run, if no run ended, or if one without a limit did not.
fn spread(analysis: &Analysis, outcome: &Outcome) -> Option<f64> {
    let ended = analysis.runs_of(outcome).any(|run| has_ended(run.status));
    let time = |run: &Run| if has_ended(run.status) { total_s(run) } else { run.time_limit_s };
    let times = analysis.runs_of(outcome).map(time).collect::<Option<Vec<_>>>()?;
    let least = times.iter().copied().reduce(f64::min)?.max(SHORTEST_S);
    let most = times.iter().copied().reduce(f64::max)?.max(SHORTEST_S);
    (ended && times.len() > 1).then_some(most / least)
}

/// Two sides over all boards.
#[derive(Debug, Clone, PartialEq)]
pub struct Contrast {
    /// How many of the cases the first side solved, the second, and both.
    pub solved: [u64; 3],
    /// As [`gained_and_lost`] says them.
    pub gained: u64,
    pub lost: u64,
    pub mcnemar: Option<f64>,
    /// The geometric mean of the quotients of the times, and its interval.
    pub time: Quotient,
    /// The p-value of Wilcoxon's test of the boards' mean logarithms of these quotients.
    pub wilcoxon: Option<f64>,
}

/// A geometric mean of quotients, and its 95 % interval over the boards.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Quotient {
    pub mean: Option<f64>,
    pub interval: Option<(f64, f64)>,
}

/// Boards that the first side solved in more cases than the second, and in fewer, and the p-value of McNemar's test of these. Cases of one
/// board, which follow each other, are no independent sample: the board is what counts.
pub fn gained_and_lost(cases: &[Case]) -> (u64, u64, Option<f64>) {
    let of_board = |cases: &[Case]| {
        let solved = |side: usize| cases.iter().filter(|case| case.solved()[side]).count();
        solved(0).cmp(&solved(1))
    };
    let count_boards = |order| boards(cases).filter(|cases| of_board(cases) == order).count() as u64;
    let (gained, lost) = (count_boards(Ordering::Greater), count_boards(Ordering::Less));
    (gained, lost, mcnemar(gained, lost))
}

/// What the first side does compared with the second; cases of one board follow each other.
pub fn contrast(cases: &[Case]) -> Contrast {
    let count = |is: fn([bool; 2]) -> bool| cases.iter().filter(|case| is(case.solved())).count() as u64;
    let (gained, lost, mcnemar) = gained_and_lost(cases);
    let sums = sums(cases, |case| case.log_quotient(Measure::Time));
    let means: Vec<_> = sums.iter().flatten().map(|(sum, values)| sum / values).collect();
    Contrast {
        solved: [count(|[first, _]| first), count(|[_, second]| second), count(|[first, second]| first && second)],
        gained,
        lost,
        mcnemar,
        time: quotient(cases, Measure::Time),
        wilcoxon: wilcoxon(&means).filter(|_| !sums.contains(&None)),
    }
}

/// The geometric mean over all cases of the first side's figure divided by the second's; `None` if no side completed any case.
///
/// For times it is also `None` if a board was not solved and had no limit: a mean over the other boards alone would favour the side
/// that failed there. For nodes only [those that are known](known) count.
pub fn quotient(cases: &[Case], measure: Measure) -> Quotient {
    let cases = known(cases, measure);
    let sums = sums(&cases, |case| case.log_quotient(measure));
    let is_time = matches!(measure, Measure::Time | Measure::FirstSolve);
    if (is_time && sums.contains(&None)) || !cases.iter().any(|case| case.says(measure)) {
        return Quotient { mean: None, interval: None };
    }
    let (mean, interval) = mean_quotient(&sums.into_iter().flatten().collect::<Vec<_>>());
    Quotient { mean, interval }
}

/// The cases of which a figure may be known: for nodes those of pairs of solvers that both reported nodes on some board. Of others, boards
/// that neither solved would look like no difference.
pub fn known<'a>(cases: &[Case<'a>], measure: Measure) -> Vec<Case<'a>> {
    let reports = |case: &Case| (0..2).all(|side| case.nodes(side).is_some());
    let reporting: HashSet<_> = cases.iter().filter(|case| reports(case)).map(Case::solvers).collect();
    cases.iter().filter(|case| measure != Measure::Nodes || reporting.contains(&case.solvers())).cloned().collect()
}

/// For each board the sum of its cases' logarithms and the number of cases; `None` if a case has no figure.
fn sums(cases: &[Case], log: impl Fn(&Case) -> Option<f64>) -> Vec<Option<(f64, f64)>> {
    let of_board = |cases: &[Case]| {
        let logs: Vec<_> = cases.iter().map(&log).collect::<Option<_>>()?;
        Some((logs.iter().sum::<f64>(), float(logs.len())))
    };
    boards(cases).map(of_board).collect()
}

/// The cases of each board, which follow each other.
pub fn boards<'b, 'a>(cases: &'b [Case<'a>]) -> impl Iterator<Item = &'b [Case<'a>]> {
    cases.chunk_by(|a, b| a.instance.name == b.instance.name)
}

/// What figures over some cases are made of.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Basis {
    /// The runs: places in [`Experiment::runs`].
    pub members: Vec<u32>,
    /// Boards on which the time limits of both sides differ.
    differing: BTreeSet<String>,
}

impl Basis {
    pub fn of(cases: &[Case]) -> Self {
        let members: BTreeSet<_> = cases.iter().flat_map(|c| c.outcomes).flat_map(|o| &o.members).copied().collect();
        let differing = cases.iter().filter(|case| case.limits_differ).map(|case| case.instance.name.clone());
        Self { members: members.into_iter().collect(), differing: differing.collect() }
    }

    /// What a table or plot of figures with these must not be compared without knowing.
    pub fn caveats<'a>(analysis: &Analysis, bases: impl Iterator<Item = &'a Self>) -> Vec<String> {
        let (mut members, mut differing) = (HashSet::<&u32>::new(), HashSet::<&String>::new());
        for basis in bases {
            members.extend(&basis.members);
            differing.extend(&basis.differing);
        }
        let is_shown = |outcome: &&Outcome| outcome.members.iter().any(|run| members.contains(run));
        let shown = analysis.outcomes.iter().filter(is_shown);
        [caveats::of_shown(shown, false), caveats::of_limits(differing.len())].concat()
    }
}

/// What a family contributes under a solver.
#[derive(Debug, Clone, PartialEq)]
pub struct Effect {
    /// The setting, where there are several; else empty.
    pub setting: &'static str,
    pub solver: String,
    /// The objective of its formulations, where the effects are of several; else empty.
    pub objective: String,
    pub family: String,
    /// Pairs of formulations, one with the family and one without.
    pub contexts: u64,
    /// Cases: instances on which both of a pair were run, over all pairs.
    pub cases: u64,
    /// Cases in which the first models are of one size.
    pub alike: u64,
    /// Formulations with the family compared with those without.
    pub of: Contrast,
    /// The p-value of Wilcoxon's test after Holm's correction over all effects.
    pub holm: Option<f64>,
    /// The quotients of the numbers of solves and of nodes.
    pub iterations: Quotient,
    pub nodes: Quotient,
    /// Root bounds with and without it, where the config asks for them.
    pub root: Option<RootBounds>,
    /// Whether it may be bold: something was solved both with the family and without it, no run was lost, and what it saves in
    /// time it does not lose in boards.
    pub may_lead: bool,
    pub basis: Basis,
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

/// The effects of all families of which there are pairs, by setting, solver and objective, in the order of the config.
pub fn effects(analysis: &Analysis) -> Vec<Effect> {
    let mut found = Vec::new();
    for part in parts(analysis) {
        for solver in &analysis.experiment.catalog.solvers {
            let of_solver = part.configurations.iter().filter(|c| c.solver == solver);
            for (objective, configurations) in by_first(of_solver.map(|c| (&c.formulation.objective, c))) {
                for (family, contexts) in families(&configurations) {
                    let labels = [solver, objective, family];
                    found.extend(of_family(analysis, part.key, labels, &contexts, &part.instances));
                }
            }
        }
    }
    if found.windows(2).all(|pair| pair[0].objective == pair[1].objective) {
        found.iter_mut().for_each(|effect| effect.objective.clear());
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

/// A formulation with a family and the same without.
type Context<'a> = [&'a Configuration<'a>; 2];

/// What tells formulations apart, the families sorted.
type Definition<'a> = ([&'a str; 5], Vec<&'a str>);

fn definition(formulation: &Formulation) -> Definition<'_> {
    let mut families: Vec<_> = formulation.families.split_whitespace().collect();
    families.sort_unstable();
    let Formulation { kind, objective, subloops, holes, options, .. } = formulation;
    ([kind, objective, subloops, holes, options], families)
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
    setting: &'static str,
    [solver, objective, family]: [&str; 3],
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
    let of = contrast(&cases);
    let lost = contexts.iter().flatten().any(|configuration| configuration.has_lost());
    let pays = of.lost > of.gained && of.time.mean.is_some_and(|mean| mean < 1.0);
    (!cases.is_empty()).then(|| Effect {
        setting,
        solver: solver.to_owned(),
        objective: objective.to_owned(),
        family: family.to_owned(),
        contexts: used.len() as u64,
        cases: cases.len() as u64,
        alike: cases.iter().filter(|case| case.is_alike()).count() as u64,
        may_lead: !lost && !pays && of.solved[0] > 0 && of.solved[1] > 0,
        of,
        holm: None,
        iterations: quotient(&cases, Measure::Solves),
        nodes: quotient(&cases, Measure::Nodes),
        root: root_bounds(analysis, &cases),
        basis: Basis::of(&cases),
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
