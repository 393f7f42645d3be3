//! How far the runs of one cell lie apart, by seed and repeat: a box a cell, or one for all cells of a configuration.

use std::collections::HashSet;

use record::Category;

use super::compared::{labels, numbers};
use super::{BoxMark, Chart, Curve, Dimension, Guide, GuideAt, Scale};
use crate::analysis::comparison::{Part, parts};
use crate::analysis::{Analysis, Outcome, caveats, has_ended, is_unproven};
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

/// The times of a cell with enough runs.
struct Cell<'a> {
    configuration: usize,
    instance: &'a str,
    outcome: &'a Outcome,
    times: Vec<Time>,
}

/// The time of a run: the solve time, or at what a run that did not solve the puzzle counts.
#[derive(Clone, Copy)]
struct Time {
    seconds: f64,
    solved: bool,
}

fn chart(analysis: &Analysis, part: &Part, is_named: bool) -> Option<Chart> {
    let cells = cells(analysis, part);
    let all: usize = part.configurations.iter().map(|c| c.outcomes.len()).sum();
    // A few cells that were repeated are no picture of the spread, unless a config names the plot.
    let few = 2 * cells.len() < all && !is_named;
    if few || !cells.iter().flat_map(|c| &c.times).any(|t| t.solved) {
        return None;
    }
    let with: HashSet<_> = cells.iter().map(|c| c.instance).collect();
    let instances: Vec<_> = part.instances.iter().filter(|i| with.contains(i.name.as_str())).collect();
    let labels = labels(&part.configurations);
    let direct = instances.len() * labels.len() <= MOST_BOXES;
    let mut chart = Chart {
        key: part.key.to_owned(),
        title: format!("{}: spread of the time over runs{}", analysis.experiment.name(), part.of),
        notes: notes(all, &cells),
        caveats: caveats::of_shown(cells.iter().map(|c| c.outcome), false),
        ..Chart::default()
    };
    let of = |configuration: usize| cells.iter().filter(move |c| c.configuration == configuration);
    if direct {
        chart.x = Dimension::named("instance", instances.iter().map(|i| &i.name));
        chart.y = Dimension::new("total solve time (s)", Scale::Seconds);
        for (number, label) in labels.into_iter().enumerate() {
            let place = |name: &str| float(instances.iter().take_while(|i| i.name != name).count());
            let boxes = of(number).filter_map(|c| box_mark(place(c.instance), &[c], |_| Some(1.0)));
            let of = numbers(analysis, &part.configurations[number]);
            chart.curves.push(Curve { label, of, boxes: boxes.collect(), ..Curve::default() });
        }
        chart.curves.retain(|curve| !curve.boxes.is_empty());
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
        let times: Vec<_> = analysis.runs_of(outcome).filter_map(|run| Time::of(analysis, run)).collect();
        (times.len() >= LEAST_RUNS).then_some(Cell { configuration, instance: &outcome.key.instance, outcome, times })
    };
    outcomes.filter_map(cell).collect()
}

fn notes(all: usize, cells: &[Cell]) -> Vec<String> {
    let runs = || cells.iter().map(|c| c.times.len());
    let (least, most) = (runs().min().unwrap_or(0), runs().max().unwrap_or(0));
    let number = if least == most { least.to_string() } else { format!("{least} to {most}") };
    let mut notes = vec![format!("{number} runs a cell; box: quartiles and median; whiskers: least and most")];
    if cells.iter().flat_map(|c| &c.times).any(|t| !t.solved) {
        notes.push("A run that did not solve the puzzle counts at its time limit".to_owned());
    }
    let too_few = all - cells.len();
    if too_few > 0 {
        notes.push(format!("Not shown: {} of fewer than {LEAST_RUNS} runs", count(too_few, "cell")));
    }
    notes
}

impl Time {
    /// None without a time or a limit.
    fn of(analysis: &Analysis, run: &Run) -> Option<Self> {
        let solves = analysis.experiment.solves(run);
        let sum = (!solves.is_empty()).then(|| solves.iter().map(|s| s.time_s).sum());
        let unproven = is_unproven(run.status, &run.setting.objective);
        let solved = has_ended(run.status) && run.category == Category::Correct && !unproven;
        let spent = sum.or(run.solve_time_s);
        // What failed under no limit has no time, however soon it did.
        let seconds = if solved { spent } else { run.time_limit_s }?;
        Some(Self { seconds: seconds.max(SHORTEST_S), solved })
    }
}

impl Cell<'_> {
    /// The median of its runs; none if the median run did not solve the puzzle.
    fn median(&self) -> Option<f64> {
        let time = |t: &Time| if t.solved { t.seconds } else { f64::INFINITY };
        median(self.times.iter().map(time).collect()).filter(|m| m.is_finite())
    }
}

/// A box over the runs of these cells, each in the unit of its cell; cells without one are left out.
fn box_mark(x: f64, cells: &[&Cell], unit: impl Fn(&Cell) -> Option<f64>) -> Option<BoxMark> {
    let cells: Vec<_> = cells.iter().filter_map(|c| Some((*c, unit(c)?))).collect();
    let values: Vec<_> = cells.iter().flat_map(|(c, unit)| c.times.iter().map(move |t| t.seconds / unit)).collect();
    let open = cells.iter().flat_map(|(c, _)| &c.times).any(|t| !t.solved);
    let members = cells.iter().flat_map(|(c, _)| c.outcome.members.clone()).collect();
    (!values.is_empty()).then(|| BoxMark { x, five: quartiles(&values), open, members })
}
