//! Curves over the challenge number, one a formulation and solver, one a published formulation; and over the number of the iteration:
//! whether solving again becomes slower with each cut.

use std::collections::{BTreeMap, BTreeSet};

use record::Category;

use super::comparisons::drawn_at;
use super::iterations::meanings_of_iterations;
use super::published::{conditions, heading, is_other};
use crate::analysis::comparison::{Configuration, Part, labels, parts};
use crate::analysis::{Analysis, Outcome, PublishedOutcome, caveats, repeats};
use crate::figures::{Chart, Curve, Dimension, Kind, Point, Scale, Spread};
use crate::group::by_first;
use crate::results::{Instance, foreign, has_family};
use crate::stats::{SHORTEST_S, float, median};
use crate::text::{count, listed};

/// Challenge numbers that are named; the others are counted.
const MOST_NAMED: usize = 8;

pub fn total_time(analysis: &Analysis, _: bool) -> Vec<Chart> {
    let quantity = Quantity {
        title: "total time",
        label: "total time (s)",
        is_time: true,
        is_bounded: true,
        measured: |o| o.total_s.or(o.bound_s.filter(|bound| *bound > 0.0)),
        published: |p| Some(p.total_s),
    };
    charts(analysis, &quantity)
}

pub fn iterations(analysis: &Analysis, _: bool) -> Vec<Chart> {
    let quantity = Quantity {
        title: "number of iterations",
        label: "iterations (number of solves)",
        is_time: false,
        is_bounded: true,
        measured: |o| o.solves,
        published: |p| Some(float(p.solves)),
    };
    charts(analysis, &quantity)
}

pub fn loops(analysis: &Analysis, _: bool) -> Vec<Chart> {
    let quantity = Quantity {
        title: "loops in the first solution",
        label: "loops in iteration 0",
        is_time: false,
        is_bounded: false,
        measured: |o| o.step(0)?.loops,
        published: |p| p.first.loops.filter(|_| p.first.iteration == 0).map(float),
    };
    charts(analysis, &quantity)
}

struct Quantity {
    /// What it is, for titles.
    title: &'static str,
    /// The same with its unit, for the axis.
    label: &'static str,
    /// Whether it is the total time: its axis is logarithmic, and its spread is known.
    is_time: bool,
    /// Whether the value of a run that a limit struck is a lower bound only.
    is_bounded: bool,
    /// The measured value; for a run that a limit struck, its lower bound.
    measured: fn(&Outcome) -> Option<f64>,
    published: fn(&PublishedOutcome) -> Option<f64>,
}

/// The charts of a quantity, one a setting; none where no instance has a challenge number or nothing was measured.
fn charts(analysis: &Analysis, quantity: &Quantity) -> Vec<Chart> {
    let parts = parts(analysis);
    let of_part = |at: usize| {
        let all = analysis.published.iter();
        all.filter(|outcome| part_of(outcome, &parts) == at).collect::<Vec<_>>()
    };
    parts.iter().enumerate().filter_map(|(at, part)| chart(analysis, part, &of_part(at), quantity)).collect()
}

/// The part that a published figure belongs to: one with a board that it fits, of its own setting if there is such a one.
fn part_of(outcome: &PublishedOutcome, parts: &[Part]) -> usize {
    let row = &outcome.first;
    let is_bounded = has_family(&row.formulation, "B1") || row.places.is_some_and(|places| places > row.challenge);
    let own = if is_bounded { "bounded" } else { "fixed" };
    let fits = |part: &Part| part.instances.iter().any(|instance| row.fits(instance));
    (0..parts.len()).min_by_key(|at| (!fits(&parts[*at]), parts[*at].key != own)).unwrap_or_default()
}

fn chart(analysis: &Analysis, part: &Part, theirs: &[&PublishedOutcome], quantity: &Quantity) -> Option<Chart> {
    let all = part.configurations.as_slice();
    let mut curves = measured(part, quantity);
    if curves.is_empty() {
        return None;
    }
    curves.extend(published(analysis, theirs, quantity));
    let shown: usize = curves.iter().filter(|c| !c.published).map(|c| c.points.len()).sum();
    let left_out = |p: &&&PublishedOutcome| !p.solved && (quantity.published)(p).is_some();
    let unsolved = theirs.iter().filter(left_out).count();
    let outcomes = || all.iter().flat_map(|c| with_challenge(part, c)).map(|(outcome, _)| outcome);
    let missing = outcomes().count() - shown;
    let bars = curves.iter().flat_map(|c| &c.points).any(|p| p.spread.is_some_and(|s| s.range.is_some()));
    let bars = if bars { "; bars: the least and the most" } else { "" };
    let mut notes: Vec<_> = repeats(&outcomes()).map(|medians| medians + bars).into_iter().collect();
    let several = |c: &Curve| (1..c.points.len()).any(|at| c.points[..at].iter().any(|p| p.x == c.points[at].x));
    if curves.iter().any(|c| !c.published && several(c)) {
        let gap = if quantity.is_bounded { ", with a gap where the median board was not solved" } else { "" };
        notes.push(format!("Lines: medians over boards{gap}"));
    }
    notes.extend(other_boards(part, quantity));
    if missing > 0 {
        notes.push(format!("Not shown: {} without a value (see the tables)", count(missing, "case")));
    }
    notes.extend(drawn_at(SHORTEST_S, curves.iter().flat_map(|c| &c.points).map(|p| p.y)).filter(|_| quantity.is_time));
    if unsolved > 0 {
        notes.push(format!("Not shown: {} of what was not solved", count(unsolved, "published figure")));
    }
    let sources = theirs.iter().map(|p| p.first.source.as_str());
    let published = if curves.iter().any(|c| c.published) { conditions(sources) } else { "" };
    Some(Chart {
        key: part.key.to_owned(),
        title: format!("{}{}{published}", quantity.title, part.of),
        x: Dimension::new("challenge number", Scale::Challenges),
        y: Dimension::new(quantity.label, if quantity.is_time { Scale::Seconds } else { Scale::Counts }),
        curves,
        notes,
        caveats: caveats::of_shown(outcomes(), false),
        ..Chart::default()
    })
}

/// The challenge numbers at which not all curves are of the same boards.
fn other_boards(part: &Part, quantity: &Quantity) -> Option<String> {
    let mut boards: BTreeMap<u64, BTreeSet<Vec<&str>>> = BTreeMap::new();
    let is_drawn = |c: &&Configuration| with_challenge(part, c).any(|(o, n)| point(o, n, quantity).is_some());
    for configuration in part.configurations.iter().filter(is_drawn) {
        let mut own: BTreeMap<u64, Vec<&str>> = BTreeMap::new();
        with_challenge(part, configuration).for_each(|(o, n)| own.entry(n).or_default().push(&o.key.instance));
        for (challenge, names) in own {
            boards.entry(challenge).or_default().insert(names);
        }
    }
    let differing = boards.iter().filter(|(_, sets)| sets.len() > 1).map(|(challenge, _)| challenge.to_string());
    let named = listed(differing, MOST_NAMED);
    (!named.is_empty()).then(|| format!("Not all curves are of the same boards where the challenge number is {named}"))
}

/// Outcomes of a configuration on instances that have a challenge number.
fn with_challenge<'a>(
    part: &'a Part<'a>,
    configuration: &'a Configuration,
) -> impl Iterator<Item = (&'a Outcome, u64)> + Clone {
    let instances = part.instances.iter();
    instances.filter_map(|instance| Some((configuration.outcome(&instance.name)?, instance.challenge?)))
}

fn measured(part: &Part, quantity: &Quantity) -> Vec<Curve> {
    let curve = |(configuration, label)| {
        let outcomes = with_challenge(part, configuration);
        let points: Vec<_> = outcomes.clone().filter_map(|(o, challenge)| point(o, challenge, quantity)).collect();
        let (of, line) = (configuration.numbers(), medians(outcomes, quantity));
        (!points.is_empty()).then(|| Curve { label, of, points, line, ..Curve::default() })
    };
    part.configurations.iter().zip(labels(&part.configurations)).filter_map(curve).collect()
}

fn point(outcome: &Outcome, challenge: u64, quantity: &Quantity) -> Option<Point> {
    let y = (quantity.measured)(outcome)?;
    let kind = if outcome.tally.judged(Category::Wrong) > 0 {
        Kind::Wrong
    } else if !quantity.is_bounded || outcome.is_solved() {
        Kind::Ended
    } else if outcome.total_s.is_some() {
        if outcome.tally.judged(Category::Error) > 0 { Kind::Error } else { Kind::Unsolved }
    } else if outcome.tally.is_limited() {
        Kind::Limit
    } else {
        return None;
    };
    let members = outcome.members.clone();
    let spread = quantity.is_time.then(|| Spread::of(outcome));
    Some(Point { x: float(challenge), y, kind, instance: outcome.key.instance.clone(), members, spread })
}

/// Medians over the instances of a challenge, whether they are shown as points or not.
fn medians<'a>(outcomes: impl Iterator<Item = (&'a Outcome, u64)>, quantity: &Quantity) -> Vec<(f64, Option<f64>)> {
    let mut groups: BTreeMap<u64, Vec<f64>> = BTreeMap::new();
    for (outcome, challenge) in outcomes {
        if let Some(y) = in_median(outcome, quantity) {
            groups.entry(challenge).or_default().push(y);
        }
    }
    groups.into_iter().map(|(x, ys)| (float(x), median(ys).filter(|m| m.is_finite()))).collect()
}

/// The value that counts in a median: infinite if not solved, for whatever reason; none for a wrong answer.
fn in_median(outcome: &Outcome, quantity: &Quantity) -> Option<f64> {
    if outcome.tally.judged(Category::Wrong) > 0 {
        None
    } else if quantity.is_bounded && !outcome.is_solved() {
        Some(f64::INFINITY)
    } else {
        (quantity.measured)(outcome)
    }
}

/// Published figures that share a curve.
#[derive(PartialEq)]
struct Figures<'a> {
    families: &'a str,
    objective: Option<&'a str>,
    source: &'a str,
}

fn published<'a>(analysis: &'a Analysis, theirs: &[&'a PublishedOutcome], quantity: &Quantity) -> Vec<Curve> {
    let Some(spec) = &analysis.experiment.manifest().report.published else {
        return Vec::new();
    };
    let of_curve = |outcome: &'a PublishedOutcome| {
        let y = (quantity.published)(outcome)?;
        let point = Point { x: float(outcome.first.challenge), y, kind: Kind::Published, ..Point::default() };
        // What the label does not name has a curve of its own.
        let source = if spec.sources.is_empty() { "" } else { outcome.first.source.as_str() };
        let (families, objective) = (outcome.first.formulation.as_str(), outcome.first.objective.as_deref());
        Some((Figures { families, objective, source }, point))
    };
    let mut groups = by_first(theirs.iter().copied().filter(|p| p.solved).filter_map(of_curve));
    groups.sort_by_key(|g| !spec.sources.is_empty() && is_other(spec, g.0.source));
    let formulations = &analysis.experiment.catalog.formulations;
    let name = |of: &Figures| {
        let ours = formulations.iter().find(|f| f.is(of.families, of.objective));
        ours.map_or_else(|| foreign(of.families, of.objective), |f| f.name.clone())
    };
    let differ = |a: &Figures, b: &Figures| (a.families, a.objective) != (b.families, b.objective);
    let several = groups.iter().any(|g| differ(&g.0, &groups[0].0)) || formulations.len() > 1;
    let label = |of: &Figures| {
        let heading = heading(spec, std::iter::once(of.source));
        if several { format!("{heading}, {}", name(of)) } else { heading }
    };
    let curve = |(number, (of, points)): (usize, (Figures, Vec<Point>))| Curve {
        label: label(&of),
        published: true,
        of: (number, 0),
        points,
        ..Curve::default()
    };
    groups.into_iter().enumerate().map(curve).collect()
}

/// Fewer iterations than these are no curve.
const LEAST_ITERATIONS: usize = 3;

pub fn by_iteration(analysis: &Analysis, _: bool) -> Vec<Chart> {
    parts(analysis).iter().filter_map(of_part).collect()
}

fn of_part(part: &Part) -> Option<Chart> {
    let had = |instance: &&&Instance| part.configurations.iter().all(|c| c.outcome(&instance.name).is_some());
    let instances: Vec<_> = part.instances.iter().filter(had).copied().collect();
    let labels = labels(&part.configurations);
    let curve = |(configuration, label): (&Configuration, String)| pooled_curve(configuration, label, &instances);
    let curves: Vec<_> = part.configurations.iter().zip(labels).map(curve).collect();
    if curves.iter().all(|c| c.points.len() < LEAST_ITERATIONS) {
        return None;
    }
    let (curves, empty): (Vec<_>, Vec<_>) = curves.into_iter().partition(|c| !c.points.is_empty());
    let shown = || part.configurations.iter().flat_map(|c| instances.iter().filter_map(|i| c.outcome(&i.name)));
    let mut notes = vec![
        scope(&instances, part),
        "Medians over those instances that had the iteration: later ones are of fewer and harder instances".to_owned(),
        "A solve that did not come to its end counts as infinitely slow".to_owned(),
    ];
    let meanings = part.configurations.iter().flat_map(|c| meanings_of_iterations(c.formulation));
    notes.extend(meanings.collect::<BTreeSet<_>>());
    if !empty.is_empty() {
        let names: Vec<_> = empty.iter().map(|c| c.label.as_str()).collect();
        notes.push(format!("Without a curve, as infinitely slow in every iteration: {}", names.join("; ")));
    }
    notes.extend(repeats(&shown()));
    notes.extend(drawn_at(SHORTEST_S, curves.iter().flat_map(|c| &c.points).map(|p| p.y)));
    Some(Chart {
        key: part.key.to_owned(),
        title: format!("time by iteration{}", part.of),
        x: Dimension::new("iteration", Scale::Counts),
        y: Dimension::new("time of the iteration (s)", Scale::Seconds),
        curves,
        notes,
        caveats: caveats::of_shown(shown(), false),
        ..Chart::default()
    })
}

fn scope(instances: &[&Instance], part: &Part) -> String {
    let of = if part.configurations.len() > 1 { " that all of them were run on" } else { "" };
    let left_out = match part.instances.len() - instances.len() {
        0 => String::new(),
        others => format!("; {} left out", count(others, "other")),
    };
    format!("Over the {}{of}{left_out}", count(instances.len(), "instance"))
}

/// What several instances had in one iteration.
#[derive(Default)]
struct Pooled<'a> {
    times: Vec<f64>,
    instances: Vec<&'a str>,
    members: Vec<u32>,
}

fn pooled_curve(configuration: &Configuration, label: String, instances: &[&Instance]) -> Curve {
    let mut pooled: BTreeMap<u64, Pooled> = BTreeMap::new();
    for outcome in instances.iter().filter_map(|i| configuration.outcome(&i.name)) {
        for step in &outcome.steps {
            let of = pooled.entry(step.iteration).or_default();
            of.times.push(step.total_s.unwrap_or(f64::INFINITY));
            of.instances.push(&outcome.key.instance);
            of.members.extend(&outcome.members);
        }
    }
    let mut curve = Curve { label, of: configuration.numbers(), ..Curve::default() };
    for (iteration, Pooled { times, instances, members }) in pooled {
        let (x, median) = (float(iteration), median(times).filter(|m| m.is_finite()));
        let point = |y| Point { x, y, instance: instances.join(", "), members, ..Point::default() };
        curve.points.extend(median.map(point));
        curve.line.push((x, median));
    }
    curve
}
