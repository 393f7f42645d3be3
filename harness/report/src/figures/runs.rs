//! How the runs went: how they ended, wrong answers apart; how well limits were kept and whether the machine disturbed them, by solver;
//! and the sizes of the models.

use std::collections::BTreeSet;

use record::{Category, HARD_LIMIT, SOFT_LIMIT, Status};

use super::cells;
use super::grid;
use crate::analysis::comparison::all;
use crate::analysis::{Analysis, Outcome, caveats};
use crate::figures::{Cell, Grid};
use crate::group::by_first;
use crate::results::Run;
use crate::stats::median;
use crate::text::{count, some};

/// Outcomes of which a row says how their runs ended.
struct Ended<'a> {
    labels: Vec<&'a str>,
    outcomes: Vec<&'a Outcome>,
    runs: Vec<&'a Run>,
}

type Column<'a> = grid::Column<'a, Ended<'a>>;

impl<'a> Ended<'a> {
    fn of(analysis: &'a Analysis, labels: &[&'a str], outcomes: impl Iterator<Item = &'a Outcome>) -> Self {
        let outcomes: Vec<_> = outcomes.collect();
        let runs = outcomes.iter().flat_map(|outcome| analysis.runs_of(outcome)).collect();
        Self { labels: labels.to_vec(), outcomes, runs }
    }
}

pub fn summary(analysis: &Analysis, _: bool) -> Vec<Grid> {
    let outcomes = || analysis.outcomes.iter();
    if analysis.experiment.is_empty() {
        return Vec::new();
    }
    let configurations = all(analysis);
    let rows = configurations.iter().map(|c| Ended::of(analysis, &c.labels()[1..], c.outcomes.iter().copied()));
    let mut rows: Vec<_> = rows.collect();
    let has_total = rows.len() > 1;
    if has_total {
        rows.push(Ended::of(analysis, &["total", ""], outcomes()));
    }
    let mut grid = Grid::of(&["formulation", "solver"], |ended| ended.labels.clone(), &counts(analysis), &rows);
    if has_total {
        grid.foot_from(rows.len() - 1);
    }
    let unsupported = outcomes().any(|o| o.tally.ended_as(Status::Unsupported) > 0).then(|| {
        "Unsupported: the solver is not there, or cannot do what was asked; counted in no category".to_owned()
    });
    let shown: u64 = outcomes().map(|o| o.tally.ended_as(Status::Interrupted)).sum();
    let all = analysis.experiment.runs().iter().filter(|run| run.status == Status::Interrupted).count() as u64;
    let interrupted = (all > shown)
        .then(|| format!("Left out, of instances with other runs: {}", count(all - shown, "interrupted run")));
    vec![Grid {
        caption: "Runs by status (what the solver claims) and category (what the check found)".to_owned(),
        notes: unsupported.into_iter().chain(interrupted).collect(),
        caveats: caveats::of_shown(outcomes(), false),
        ..grid
    }]
}

pub fn health(analysis: &Analysis, is_named: bool) -> Vec<Grid> {
    let outcomes = || analysis.outcomes.iter();
    // Of no interest where all is well, unless a config names its tables.
    if analysis.experiment.is_empty() || !(is_named || outcomes().any(is_odd)) {
        return Vec::new();
    }
    let solvers = analysis.experiment.catalog.solvers.iter();
    let rows = solvers.map(|name| Ended::of(analysis, &[name], outcomes().filter(|o| o.key.solver == *name)));
    let rows: Vec<_> = rows.collect();
    let mut columns = counts(analysis);
    columns.extend([
        Column::new("time limit", "hard", |ended| Cell::number(struck(ended).filter(|r| is_hard(r)).count())),
        Column::new("time limit", "median past (s)", |ended| Cell::seconds(median(past(ended)))),
        Column::new("time limit", "most past (s)", |ended| Cell::seconds(past(ended).into_iter().reduce(f64::max))),
        Column::new("CPU", "time/wall", |ended| {
            let times = ended.runs.iter().filter_map(|r| r.times()).filter(|(wall, _)| *wall > 0.0);
            Cell::ratio(median(times.map(|(wall, cpu)| cpu / wall).collect()))
        }),
        Column::new("CPU", "disturbed", |ended| odd(ended, Run::is_disturbed)),
        Column::new("CPU", "excess", |ended| odd(ended, Run::is_overdrawn)),
        Column::new("peak memory", "most (MiB)", |ended| Cell::count(most_memory(ended).map(cells::mebibytes))),
        Column::new("peak memory", "source", |ended| {
            let Some(most) = most_memory(ended) else { return Cell::DASH };
            let of_most = ended.runs.iter().filter(|r| r.peak_memory_b == Some(most));
            Cell::text(some(of_most.map(|r| r.setting.memory_source.clone()).collect::<BTreeSet<_>>()))
        }),
    ]);
    vec![Grid {
        caption: "How the runs of each solver went".to_owned(),
        notes: vec![
            "Hard: killed at the time limit, since the worker did not stop by itself. Past: wall time beyond the limit where it \
             struck"
                .to_owned(),
            "Time/wall: median of CPU time over wall time. Disturbed: single-threaded runs whose wall time exceeds their \
             CPU time by more than 10 % and 0.5 s. Excess: runs with as much more CPU time than their threads can use"
                .to_owned(),
        ],
        caveats: caveats::of_shown(outcomes(), true),
        ..Grid::of(&["solver"], |ended| ended.labels.clone(), &columns, &rows)
    }]
}

/// Numbers of runs: all, by each status that occurs anywhere, by category.
fn counts<'a>(analysis: &Analysis) -> Vec<Column<'a>> {
    let sum = |ended: &Ended, of: &dyn Fn(&Outcome) -> u64| ended.outcomes.iter().map(|o| of(o)).sum::<u64>();
    let mut columns = vec![Column::new("", "runs", move |ended| Cell::number(sum(ended, &|o| o.tally.all)))];
    let outcomes = &analysis.outcomes;
    for status in Status::ALL.into_iter().filter(|s| outcomes.iter().any(|o| o.tally.ended_as(*s) > 0)) {
        let count = move |ended: &Ended| Cell::number(sum(ended, &|o| o.tally.ended_as(status)));
        columns.push(Column::new("status", status.to_string(), count));
    }
    for category in Category::ALL {
        let count = move |ended: &Ended| {
            // What could not be started is no error of anybody; the column of its status counts it.
            let unsupported =
                if category == Category::Error { sum(ended, &|o| o.tally.ended_as(Status::Unsupported)) } else { 0 };
            let judged = sum(ended, &|o| o.tally.judged(category)).saturating_sub(unsupported);
            Cell::number(judged).bold_if(category == Category::Wrong && judged > 0)
        };
        columns.push(Column::new("category", category.to_string(), count));
    }
    columns
}

/// Whether something happened that a reader should look at.
fn is_odd(outcome: &Outcome) -> bool {
    let errors = outcome.tally.judged(Category::Error).saturating_sub(outcome.tally.ended_as(Status::Unsupported));
    outcome.tally.judged(Category::Wrong) + errors > 0 || outcome.disturbed + outcome.overdrawn > 0
}

fn struck<'a>(ended: &'a Ended) -> impl Iterator<Item = &'a Run> {
    let of_time = |r: &&Run| is_hard(r) || r.termination_reason == SOFT_LIMIT;
    ended.runs.iter().copied().filter(|r| r.status == Status::Timeout).filter(of_time)
}

fn is_hard(run: &Run) -> bool {
    run.termination_reason == HARD_LIMIT
}

/// Seconds past the limit. A solver that stops a little early keeps its limit.
fn past(ended: &Ended) -> Vec<f64> {
    struck(ended).filter_map(|r| Some((r.wall_time_s? - r.time_limit_s?).max(0.0))).collect()
}

fn odd(ended: &Ended, is: fn(&Run) -> bool) -> Cell {
    let found = ended.runs.iter().filter(|r| is(r)).count();
    Cell::number(found).bold_if(found > 0)
}

fn most_memory(ended: &Ended) -> Option<u64> {
    ended.runs.iter().filter_map(|r| r.peak_memory_b).max()
}

/// The solvers that were given a model of one size.
type Size<'a> = Vec<&'a Outcome>;

type SizeColumn<'a> = grid::Column<'a, Size<'a>>;

pub fn model_size(analysis: &Analysis, _: bool) -> Vec<Grid> {
    let sizes = sizes(analysis);
    if sizes.is_empty() {
        return Vec::new();
    }
    let labels = |size: &Size| {
        let solvers: Vec<_> = size.iter().map(|o| o.key.solver.as_str()).collect();
        vec![size[0].key.instance.clone(), size[0].key.formulation.clone(), solvers.join(", ")]
    };
    let columns = [
        SizeColumn::new("", "variables", |size| Cell::count(size[0].variables)),
        SizeColumn::new("", "constraints", |size| Cell::count(size[0].constraints)),
        SizeColumn::new("", "nonzeros", |size| Cell::count(size[0].nonzeros)),
        SizeColumn::new("", "build time (s)", |size| {
            Cell::seconds(median(size.iter().filter_map(|o| o.build_s).collect()))
        }),
    ];
    vec![Grid {
        caption: "Size of the models".to_owned(),
        notes: vec![
            "Build time: the median over the solvers of a row, of their medians over seeds and repeats".to_owned(),
        ],
        caveats: caveats::of_shown(sizes.iter().flatten().copied(), false),
        ..Grid::of(&["instance", "formulation", "solver"], labels, &columns, &sizes)
    }]
}

/// Solvers of one kind are given the same model: they share a row, unless their models differ.
fn sizes(analysis: &Analysis) -> Vec<Size<'_>> {
    let catalog = &analysis.experiment.catalog;
    let figures = |o: &Outcome| [o.variables, o.constraints, o.nonzeros];
    let cells = catalog.instances.iter().flat_map(|i| catalog.formulations.iter().map(move |f| (&i.name, &f.name)));
    let of_cell = |(instance, formulation): (&String, &String)| {
        let found = catalog.solvers.iter().filter_map(|s| analysis.outcome(instance, formulation, s));
        let sized = found.filter(|o| o.variables.is_some()).map(|o| (figures(o), o));
        by_first(sized).into_iter().map(|(_, size)| size).collect::<Vec<_>>()
    };
    cells.flat_map(of_cell).collect()
}
