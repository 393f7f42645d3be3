//! How far the runs of one cell lie apart, by seed and repeat: a box a cell, or one for all cells of a configuration. Boxes are of times;
//! what reached a limit has none, and stands apart at that limit.

use std::collections::HashSet;

use record::{Category, Status};

use super::compared::{labels, numbers};
use crate::analysis::comparison::{Part, parts};
use crate::analysis::{Analysis, Outcome, caveats, has_ended, is_unproven};
use crate::figures::{BoxMark, Chart, Curve, Dimension, Guide, GuideAt, Kind, Point, Scale};
use crate::results::Run;
use crate::stats::{SHORTEST_S, float, median, quartiles};
use crate::text::count;

/// Fewer runs than these are no distribution.
const LEAST_RUNS: usize = 3;

/// More boxes than these do not fit side by side.
const MOST_BOXES: usize = 48;

pub fn build(analysis: &Analysis, is_named: bool) -> Vec<Chart> {
    parts(analysis).iter().filter_map(|part| chart(analysis, part, is_named)).collect()
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

fn chart(analysis: &Analysis, part: &Part, is_named: bool) -> Option<Chart> {
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
        notes: notes(all, &cells),
        caveats: caveats::of_shown(cells.iter().map(|c| c.outcome), false),
        ..Chart::default()
    };
    let of = |configuration: usize| cells.iter().filter(move |c| c.configuration == configuration);
    if direct {
        chart.x = Dimension::named("instance", instances.iter().map(|i| &i.name));
        chart.y = Dimension::new("total time (s)", Scale::Seconds);
        for (number, label) in labels.into_iter().enumerate() {
            let place = |name: &str| float(instances.iter().take_while(|i| i.name != name).count());
            let boxes = of(number).filter_map(|c| box_mark(place(c.instance), &[c], |_| Some(1.0)));
            let points = of(number).filter_map(|c| c.point(place(c.instance)));
            let of = numbers(analysis, &part.configurations[number]);
            let (boxes, points) = (boxes.collect(), points.collect());
            chart.curves.push(Curve { label, of, boxes, points, ..Curve::default() });
        }
        chart.curves.retain(|curve| !(curve.boxes.is_empty() && curve.points.is_empty()));
    } else {
        let boxes = (0..labels.len()).filter_map(|c| box_mark(float(c), &of(c).collect::<Vec<_>>(), |c| c.median()));
        let (label, boxes) = ("runs of all cells".to_owned(), boxes.collect());
        chart.curves.push(Curve { label, boxes, ..Curve::default() });
        chart.x = Dimension::named("formulation, solver", labels);
        chart.y = Dimension::new("time of a run / median of its cell", Scale::Ratios);
        chart.guides.push(Guide { at: GuideAt::Y(1.0), label: "median of the cell".to_owned() });
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
            match time(analysis, run) {
                Some(time) => {
                    cell.times.push(time.max(SHORTEST_S));
                    cell.solved.push(*member);
                }
                None if run.status == Status::Timeout => {
                    cell.limited.push(*member);
                    let ended = [cell.limit_s, analysis.total_s(run)];
                    cell.limit_s = ended.into_iter().flatten().reduce(f64::min);
                }
                None => {}
            }
        }
        (outcome.members.len() >= LEAST_RUNS).then_some(cell)
    };
    outcomes.filter_map(cell).collect()
}

fn notes(all: usize, cells: &[Cell]) -> Vec<String> {
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
fn time(analysis: &Analysis, run: &Run) -> Option<f64> {
    let unproven = is_unproven(run.status, &run.setting.objective);
    let solved = has_ended(run.status) && run.category == Category::Correct && !unproven;
    analysis.total_s(run).filter(|_| solved)
}

impl Cell<'_> {
    /// The median of its runs; none if the median run did not solve the puzzle.
    fn median(&self) -> Option<f64> {
        let unsolved = self.outcome.members.len() - self.times.len();
        let times = self.times.iter().copied().chain(std::iter::repeat_n(f64::INFINITY, unsolved));
        median(times.collect()).filter(|m| m.is_finite())
    }

    /// What stands for the runs that reached the limit.
    fn point(&self, x: f64) -> Option<Point> {
        let y = self.limit_s.filter(|_| !self.limited.is_empty())?;
        let (instance, members) = (self.instance.to_owned(), self.limited.clone());
        Some(Point { x, y, kind: Kind::Limit, instance, members, spread: None })
    }
}

/// A box over the solved runs of these cells, each in the unit of its cell; cells without one are left out.
fn box_mark(x: f64, cells: &[&Cell], unit: impl Fn(&Cell) -> Option<f64>) -> Option<BoxMark> {
    let cells: Vec<_> = cells.iter().filter_map(|c| Some((*c, unit(c)?))).collect();
    let values: Vec<_> = cells.iter().flat_map(|(c, unit)| c.times.iter().map(move |time| time / unit)).collect();
    let members = cells.iter().flat_map(|(c, _)| c.solved.clone()).collect();
    (!values.is_empty()).then(|| BoxMark { x, five: quartiles(&values), members })
}
