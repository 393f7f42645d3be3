//! Curves over the challenge number: one a formulation and solver, one a published formulation.

use std::collections::BTreeMap;

use record::Category;

use super::compared::shortest;
use crate::analysis::{Analysis, Outcome, PublishedOutcome, caveats, repeats};
use crate::figures::{Chart, Curve, Dimension, Kind, Point, Scale, Spread};
use crate::group::by_first;
use crate::results::{conditions, foreign, heading, is_other};
use crate::stats::{float, median};
use crate::text::count;

pub fn total_time(analysis: &Analysis, _: bool) -> Vec<Chart> {
    let quantity = Quantity {
        title: "total time",
        label: "total time (s)",
        log: true,
        measured: &|o| o.total_s.or(o.bound_s.filter(|bound| *bound > 0.0)),
        published: &|p| Some(p.total_s),
        bounded: true,
        spread: true,
    };
    chart(analysis, &quantity)
}

pub fn iterations(analysis: &Analysis, _: bool) -> Vec<Chart> {
    let quantity = Quantity {
        title: "number of iterations",
        label: "iterations (number of solves)",
        log: false,
        measured: &|o| o.solves,
        published: &|p| Some(float(p.solves)),
        bounded: true,
        spread: false,
    };
    chart(analysis, &quantity)
}

pub fn loops(analysis: &Analysis, _: bool) -> Vec<Chart> {
    let quantity = Quantity {
        title: "loops in the first solution",
        label: "loops in iteration 0",
        log: false,
        measured: &|o| o.step(0)?.loops,
        published: &|p| p.first.loops.filter(|_| p.first.iteration == 0).map(float),
        bounded: false,
        spread: false,
    };
    chart(analysis, &quantity)
}

struct Quantity<'a> {
    /// What it is, for titles and the legend.
    title: &'a str,
    /// The same with its unit, for the axis.
    label: &'a str,
    /// Whether to draw it on a logarithmic axis.
    log: bool,
    /// The measured value; for a run that a limit struck, its lower bound.
    measured: &'a dyn Fn(&Outcome) -> Option<f64>,
    published: &'a dyn Fn(&PublishedOutcome) -> Option<f64>,
    /// Whether the value of a run that a limit struck is a lower bound only.
    bounded: bool,
    /// Whether it is the total time, of which the spread is known.
    spread: bool,
}

/// The chart of a quantity; none where no instance has a challenge number or nothing was measured.
fn chart(analysis: &Analysis, quantity: &Quantity) -> Vec<Chart> {
    let mut curves = measured(analysis, quantity);
    if curves.is_empty() {
        return Vec::new();
    }
    curves.extend(published(analysis, quantity));
    let shown: usize = curves.iter().filter(|c| !c.published).map(|c| c.points.len()).sum();
    let left_out = |p: &&PublishedOutcome| !p.solved && (quantity.published)(p).is_some();
    let unsolved = analysis.aggregates().published.iter().filter(left_out).count();
    let outcomes = || with_challenge(analysis).map(|(outcome, _)| outcome);
    let missing = outcomes().count() - shown;
    let bars = curves.iter().flat_map(|c| &c.points).any(|p| p.spread.is_some_and(|s| s.range.is_some()));
    let bars = if bars { "; bars: the least and the most" } else { "" };
    let mut notes: Vec<_> = repeats(&outcomes()).map(|medians| medians + bars).into_iter().collect();
    if missing > 0 {
        notes.push(format!("Not shown: {} without a value (see the tables)", count(missing, "case")));
    }
    notes.extend(shortest(curves.iter().flat_map(|c| &c.points).map(|p| p.y)).filter(|_| quantity.log));
    if unsolved > 0 {
        notes.push(format!("Not shown: {} of what was not solved", count(unsolved, "published figure")));
    }
    let sources = || analysis.aggregates().published.iter().map(|p| p.first.source.as_str());
    let published = if curves.iter().any(|c| c.published) { conditions(sources()) } else { "" };
    vec![Chart {
        title: format!("{}{published}", quantity.title),
        x: Dimension::new("challenge number", Scale::Challenges),
        y: Dimension::new(quantity.label, if quantity.log { Scale::Seconds } else { Scale::Counts }),
        curves,
        notes,
        caveats: caveats::of_shown(outcomes(), false),
        ..Chart::default()
    }]
}

/// Outcomes of instances that have a challenge number, by formulation, solver and instance.
fn with_challenge(analysis: &Analysis) -> impl Iterator<Item = (&Outcome, u64)> + Clone {
    let catalog = &analysis.experiment.catalog;
    let pairs = catalog.formulations.iter().flat_map(|f| catalog.solvers.iter().map(move |s| (&f.name, s)));
    pairs.flat_map(move |(formulation, solver)| of_curve(analysis, formulation, solver))
}

fn of_curve<'a>(
    analysis: &'a Analysis,
    formulation: &'a str,
    solver: &'a str,
) -> impl Iterator<Item = (&'a Outcome, u64)> + Clone {
    let outcome = move |name: &str| analysis.aggregates().outcome(name, formulation, solver);
    analysis.experiment.catalog.instances.iter().filter_map(move |i| Some((outcome(&i.name)?, i.challenge?)))
}

fn measured(analysis: &Analysis, quantity: &Quantity) -> Vec<Curve> {
    let catalog = &analysis.experiment.catalog;
    let mut curves = Vec::new();
    for (number, formulation) in catalog.formulations.iter().enumerate() {
        for (of_solver, solver) in catalog.solvers.iter().enumerate() {
            let points: Vec<_> = of_curve(analysis, &formulation.name, solver)
                .filter_map(|(o, challenge)| point(o, challenge, quantity))
                .collect();
            if points.is_empty() {
                continue;
            }
            let label = match (catalog.formulations.len(), catalog.solvers.len()) {
                (1, _) => solver.clone(),
                (_, 1) => formulation.name.clone(),
                _ => format!("{}, {solver}", formulation.name),
            };
            let line = medians(of_curve(analysis, &formulation.name, solver), quantity);
            curves.push(Curve { label, of: (number, of_solver), points, line, ..Curve::default() });
        }
    }
    curves
}

fn point(outcome: &Outcome, challenge: u64, quantity: &Quantity) -> Option<Point> {
    let y = (quantity.measured)(outcome)?;
    let kind = if outcome.tally.judged(Category::Wrong) > 0 {
        Kind::Wrong
    } else if !quantity.bounded || outcome.is_solved() {
        Kind::Ended
    } else if outcome.total_s.is_some() {
        if outcome.tally.judged(Category::Error) > 0 { Kind::Error } else { Kind::Unsolved }
    } else if outcome.tally.is_limited() {
        Kind::Limit
    } else {
        return None;
    };
    let members = outcome.members.clone();
    let spread = quantity.spread.then(|| Spread::of(outcome));
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

/// What is not solved counts as infinite, whatever became of it; a wrong answer not at all.
fn in_median(outcome: &Outcome, quantity: &Quantity) -> Option<f64> {
    if outcome.tally.judged(Category::Wrong) > 0 {
        None
    } else if quantity.bounded && !outcome.is_solved() {
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

fn published<'a>(analysis: &'a Analysis, quantity: &Quantity) -> Vec<Curve> {
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
    let mut groups = by_first(analysis.aggregates().published.iter().filter(|p| p.solved).filter_map(of_curve));
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
