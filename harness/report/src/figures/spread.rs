//! Times by instance: boxes over the runs of each cell, and bars with their mean.

use std::collections::HashSet;

use record::{Category, Status};

use super::comparisons::{drawn_at, kind};
use crate::analysis::comparison::{Configuration, Part, labels, parts};
use crate::analysis::{Analysis, Outcome, caveats, is_final, repeats, total_s};
use crate::figures::number::seconds;
use crate::figures::{BoxMark, Chart, Curve, Dimension, FINEST_S, Guide, GuideAt, Kind, Point, Scale, Spread, Trace};
use crate::results::{Instance, Run};
use crate::stats::{SHORTEST_S, float, median, quartiles};
use crate::text::count;

/// Fewer runs than these are no distribution.
const LEAST_RUNS: usize = 3;

/// More boxes than these do not fit side by side.
const MOST_BOXES: usize = 48;

/// How far the runs of one cell lie apart, by seed and repeat: a box a cell, or one for all cells of a configuration. Boxes are of times;
/// what reached a limit has none, and stands apart at that limit.
pub fn boxes(analysis: &Analysis, is_named: bool) -> Vec<Chart> {
    parts(analysis).iter().filter_map(|part| box_chart(analysis, part, is_named)).collect()
}

/// A cell with enough runs.
struct Cell<'a> {
    configuration: usize,
    instance: &'a str,
    /// The times of the runs that solved the puzzle, and which these are.
    times: Vec<f64>,
    solved: Vec<u32>,
    /// The runs that reached a limit of time, and when the first of them did.
    limited: Vec<u32>,
    limit_s: Option<f64>,
    outcome: &'a Outcome,
}

fn box_chart(analysis: &Analysis, part: &Part, is_named: bool) -> Option<Chart> {
    let cells = cells(analysis, part);
    let all: usize = part.configurations.iter().map(|c| c.outcomes.len()).sum();
    // A few cells that were repeated are no picture of the spread, unless a config names the plot.
    let few = 2 * cells.len() < all && !is_named;
    if few || cells.iter().all(|c| c.times.is_empty()) {
        return None;
    }
    let with: HashSet<_> = cells.iter().map(|c| c.instance).collect();
    let instances: Vec<_> = part.instances.iter().filter(|i| with.contains(i.name.as_str())).collect();
    let labels = labels(&part.configurations);
    let direct = instances.len() * labels.len() <= MOST_BOXES;
    let mut chart = Chart {
        key: part.key.to_owned(),
        title: format!("spread of the time over runs{}", part.of),
        notes: box_notes(all, &cells),
        caveats: caveats::of_shown(cells.iter().map(|c| c.outcome), false),
        ..Chart::default()
    };
    let of = |configuration: usize| cells.iter().filter(move |c| c.configuration == configuration);
    if direct {
        chart.x = Dimension::named("instance", instances.iter().map(|i| &i.name));
        chart.y = Dimension::new("total time (s)", Scale::Seconds);
        chart.notes.extend(drawn_at(SHORTEST_S, cells.iter().flat_map(|c| c.times.iter().copied())));
        for (number, label) in labels.into_iter().enumerate() {
            let place = |name: &str| float(instances.iter().take_while(|i| i.name != name).count());
            let boxes = of(number).filter_map(|c| box_mark(place(c.instance), &[c], |c| Some(c.times.clone())));
            let points = of(number).filter_map(|c| c.point(place(c.instance)));
            let of = part.configurations[number].numbers();
            let (boxes, points) = (boxes.collect(), points.collect());
            chart.curves.push(Curve { label, of, boxes, points, ..Curve::default() });
        }
        chart.curves.retain(|curve| !(curve.boxes.is_empty() && curve.points.is_empty()));
    } else {
        let boxes = (0..labels.len()).filter_map(|c| box_mark(float(c), &of(c).collect::<Vec<_>>(), |c| c.quotients()));
        let (label, boxes) = ("runs of all cells".to_owned(), boxes.collect());
        chart.curves.push(Curve { label, boxes, ..Curve::default() });
        chart.x = Dimension::named("formulation, solver", labels);
        chart.y = Dimension::new("time of a run / median of its cell", Scale::Ratios);
        chart.guides.push(Guide { at: GuideAt::Y(1.0), label: "median of the cell".to_owned() });
        let shown: Vec<_> = cells.iter().filter(|c| c.median().is_some()).flat_map(|c| &c.times).collect();
        let short = shown.iter().filter(|time| ***time < SHORTEST_S).count();
        if short > 0 {
            chart.notes.push(format!("Times below {SHORTEST_S} s count as that: {short} of {}", shown.len()));
        }
        let unsolved = cells.iter().filter(|c| c.median().is_none()).count();
        if unsolved > 0 {
            chart.notes.push(format!("Not shown: {unsolved} of {} cells whose median run is not solved", cells.len()));
        }
    }
    chart.curves.iter().any(|c| !c.boxes.is_empty()).then_some(chart)
}

fn cells<'a>(analysis: &Analysis, part: &Part<'a>) -> Vec<Cell<'a>> {
    let outcomes = part.configurations.iter().enumerate().flat_map(|(c, of)| of.outcomes.iter().map(move |o| (c, *o)));
    let cell = |(configuration, outcome): (usize, &'a Outcome)| {
        let instance = outcome.key.instance.as_str();
        let (times, solved, limited) = (Vec::new(), Vec::new(), Vec::new());
        let mut cell = Cell { configuration, instance, times, solved, limited, limit_s: None, outcome };
        for (member, run) in outcome.members.iter().zip(analysis.runs_of(outcome)) {
            match time(run) {
                Some(time) => {
                    cell.times.push(time);
                    cell.solved.push(*member);
                }
                None if run.status == Status::Timeout => {
                    cell.limited.push(*member);
                    let ended = [cell.limit_s, total_s(run)];
                    cell.limit_s = ended.into_iter().flatten().reduce(f64::min);
                }
                None => {}
            }
        }
        (outcome.members.len() >= LEAST_RUNS).then_some(cell)
    };
    outcomes.filter_map(cell).collect()
}

fn box_notes(all: usize, cells: &[Cell]) -> Vec<String> {
    let runs = || cells.iter().map(|c| c.outcome.members.len());
    let (least, most) = (runs().min().unwrap_or(0), runs().max().unwrap_or(0));
    let number = if least == most { least.to_string() } else { format!("{least} to {most}") };
    let mut notes = vec![format!("{number} runs a cell; box: quartiles and median; whiskers: least and most")];
    let solved: usize = cells.iter().map(|c| c.times.len()).sum();
    let limited: usize = cells.iter().map(|c| c.limited.len()).sum();
    let unsolved = runs().sum::<usize>() - solved;
    if unsolved > 0 {
        let of = count(runs().sum::<usize>(), "run");
        notes.push(format!(
            "In no box: {unsolved} of {of}, which did not solve the puzzle; {limited} of them reached a time limit"
        ));
    }
    let too_few = all - cells.len();
    if too_few > 0 {
        notes.push(format!("Not shown: {} of fewer than {LEAST_RUNS} runs", count(too_few, "cell")));
    }
    notes
}

/// The time of a run, of building and of solving; none if it did not solve the puzzle.
fn time(run: &Run) -> Option<f64> {
    let solved = is_final(run, run.status) && run.category == Category::Correct;
    total_s(run).filter(|_| solved)
}

impl Cell<'_> {
    /// Times that quotients are made of.
    fn counted(&self) -> impl Iterator<Item = f64> {
        self.times.iter().map(|time| time.max(SHORTEST_S))
    }

    /// The median of its runs; none if the median run did not solve the puzzle.
    fn median(&self) -> Option<f64> {
        let unsolved = self.outcome.members.len() - self.times.len();
        let times = self.counted().chain(std::iter::repeat_n(f64::INFINITY, unsolved));
        median(times.collect()).filter(|m| m.is_finite())
    }

    /// Times over the median, if there is one.
    fn quotients(&self) -> Option<Vec<f64>> {
        let median = self.median()?;
        Some(self.counted().map(|time| time / median).collect())
    }

    /// The mark of the runs that reached the limit.
    fn point(&self, x: f64) -> Option<Point> {
        let y = self.limit_s.filter(|_| !self.limited.is_empty())?;
        let (instance, members) = (self.instance.to_owned(), self.limited.clone());
        Some(Point { x, y, kind: Kind::Limit, instance, members, spread: None })
    }
}

/// A box over the values of the solved runs of these cells; cells without any are left out.
fn box_mark(x: f64, cells: &[&Cell], values: impl Fn(&Cell) -> Option<Vec<f64>>) -> Option<BoxMark> {
    let cells: Vec<_> = cells.iter().filter_map(|c| Some((*c, values(c)?))).collect();
    let members = cells.iter().flat_map(|(c, _)| c.solved.clone()).collect();
    let values = cells.into_iter().flat_map(|(_, values)| values).collect::<Vec<_>>();
    (!values.is_empty()).then(|| BoxMark { x, five: quartiles(&values), members })
}

/// Time on each instance as a bar, a chart for each formulation and solver, all on one scale, with the mean drawn across (Rizzo,
/// *CSP Modeling of IcoSoKu*, section 5.1). Only where a config names it.
///
/// The axis is logarithmic, where the source has a linear one that cuts off what is long: the times of one experiment span six orders
/// of magnitude, of which a linear axis shows one. Bars stand on the lower end of the axis, so that their upper ends can be compared
/// and their lengths cannot.
pub fn bars(analysis: &Analysis, is_named: bool) -> Vec<Chart> {
    if !is_named {
        return Vec::new();
    }
    let mut charts: Vec<_> = parts(analysis).iter().flat_map(of_part).collect();
    let values = || charts.iter().flat_map(Chart::points).map(|point| point.y);
    let range = values().reduce(f64::min).zip(values().reduce(f64::max));
    let all = charts.len();
    for chart in &mut charts {
        if let Some((least, most)) = range {
            chart.y.scale = Scale::SecondsWithin(least, most);
        }
        let scale =
            if all > 1 { format!("All {all} charts have one scale, which is") } else { "The scale is".to_owned() };
        chart.notes.push(format!("{scale} logarithmic: the ends of bars compare, their lengths do not"));
    }
    charts
}

fn of_part(part: &Part) -> Vec<Chart> {
    let had = |instance: &&&Instance| part.configurations.iter().any(|c| c.outcome(&instance.name).is_some());
    let instances: Vec<_> = part.instances.iter().filter(had).copied().collect();
    let all = part.configurations.iter().zip(labels(&part.configurations));
    all.filter_map(|(configuration, label)| bar_chart(part, (configuration, &label), &instances)).collect()
}

fn bar_chart(part: &Part, (configuration, label): (&Configuration, &str), instances: &[&Instance]) -> Option<Chart> {
    let found: Vec<_> =
        instances.iter().enumerate().filter_map(|(at, i)| Some((at, configuration.outcome(&i.name)?))).collect();
    let bars: Vec<_> = found.iter().filter_map(|(at, outcome)| bar(*at, outcome)).collect();
    let mean = bars.iter().map(|bar| bar.y).sum::<f64>() / float(bars.len() as u64);
    let worst = bars.iter().filter(|bar| bar.kind == Kind::Ended).max_by(|a, b| a.y.total_cmp(&b.y));
    let unsolved = bars.iter().filter(|bar| bar.kind != Kind::Ended).count();
    let outcomes = || found.iter().map(|(_, outcome)| *outcome);
    let mut notes = Vec::new();
    if let Some(worst) = worst {
        let solved = count(bars.len() - unsolved, "instance");
        notes.push(format!("Solved: {solved}, the slowest, {}, in {} s", worst.instance, seconds(worst.y)));
    }
    if unsolved > 0 {
        let of = count(bars.len(), "instance");
        notes.push(format!("Not solved: {unsolved} of {of}; counted at the time limit, so the mean is a lower bound"));
    }
    if found.len() > bars.len() {
        let missing = found.len() - bars.len();
        notes.push(format!("Without a bar, and not in the mean: {missing} not solved, under no time limit"));
    }
    notes.extend(repeats(&outcomes()));
    notes.extend(drawn_at(FINEST_S, bars.iter().map(|bar| bar.y)));
    let at_least = if unsolved > 0 { "at least " } else { "" };
    let shown = caveats::of_shown(outcomes(), false);
    let of_name = label.replace(", ", "-");
    (!bars.is_empty()).then(|| Chart {
        key: if part.key.is_empty() { of_name } else { format!("{}-{of_name}", part.key) },
        title: format!("time by instance, {label}{}", part.of),
        x: Dimension::named("instance", instances.iter().map(|i| &i.name)),
        y: Dimension::new("total time (s)", Scale::Seconds),
        curves: vec![Curve {
            label: label.to_owned(),
            of: configuration.numbers(),
            points: bars,
            trace: Trace::Bars,
            ..Curve::default()
        }],
        guides: vec![Guide { at: GuideAt::Y(mean), label: format!("mean: {at_least}{} s", seconds(mean)) }],
        notes,
        caveats: shown,
    })
}

/// The time on an instance, or the limit within which it was not solved; none where there was no limit.
fn bar(at: usize, outcome: &Outcome) -> Option<Point> {
    let solved = outcome.is_solved();
    Some(Point {
        x: float(at),
        y: outcome.total_s.filter(|_| solved).or(outcome.limit_s)?,
        kind: kind(outcome),
        instance: outcome.key.instance.clone(),
        members: outcome.members.clone(),
        spread: solved.then(|| Spread::of(outcome)),
    })
}
