//! How many runs ended in which way; wrong answers apart.

use record::{Category, Status};

use super::Table;
use crate::analysis::{Analysis, Outcome, caveats};
use crate::figures::{Cell, Grid, Group, Row};
use crate::stats::float;

/// The table.
pub const SUMMARY: Table = Table { name: "summary", shows: "number of runs by status and by category", build };

fn build(analysis: &Analysis) -> Vec<Grid> {
    let (catalog, aggregates) = (analysis.experiment.catalog(), analysis.aggregates());
    let outcomes = || aggregates.outcomes.iter();
    if analysis.experiment.is_empty() {
        return Vec::new();
    }
    let occurring = occurring(&outcomes());
    let mut rows = Vec::new();
    for formulation in catalog.formulations.iter().map(|f| f.name.as_str()) {
        for solver in &catalog.solvers {
            let of = |i: &str| aggregates.outcome(i, formulation, solver);
            let found: Vec<_> = catalog.instances.iter().filter_map(|i| of(&i.name)).collect();
            if !found.is_empty() {
                rows.push(row([formulation, solver], &occurring, &found.into_iter()));
            }
        }
    }
    if rows.len() > 1 {
        rows.push(row(["total", ""], &occurring, &outcomes()).ruled());
    }
    vec![Grid {
        caption: "Runs by status (what the solver claims) and category (what the check found)".to_owned(),
        caveats: caveats::of_shown(outcomes(), false),
        stubs: vec!["formulation".to_owned(), "solver".to_owned()],
        groups: vec![
            Group::new("", ["runs"]),
            Group::new("status", occurring.iter().map(ToString::to_string)),
            Group::new("category", Category::ALL.iter().map(ToString::to_string)),
        ],
        rows,
        ..Grid::default()
    }]
}

/// The statuses that occur, in order.
pub fn occurring<'a>(outcomes: &(impl Iterator<Item = &'a Outcome> + Clone)) -> Vec<Status> {
    let occurs = |status: Status| outcomes.clone().any(|o| o.tally.ended_as(status) > 0);
    Status::ALL.into_iter().filter(|s| occurs(*s)).collect()
}

fn row<'a>(labels: [&str; 2], occurring: &[Status], outcomes: &(impl Iterator<Item = &'a Outcome> + Clone)) -> Row {
    let mut cells = vec![count(outcomes.clone().map(|o| o.tally.all).sum())];
    cells.extend(counts(occurring, outcomes));
    Row::new(labels, cells)
}

/// Runs by status, then by category.
pub fn counts<'a>(occurring: &[Status], outcomes: &(impl Iterator<Item = &'a Outcome> + Clone)) -> Vec<Cell> {
    let by_status = |s: &Status| count(outcomes.clone().map(|o| o.tally.ended_as(*s)).sum());
    let mut cells: Vec<_> = occurring.iter().map(by_status).collect();
    for category in Category::ALL {
        let judged = outcomes.clone().map(|o| o.tally.judged(category)).sum();
        cells.push(count(judged).bold_if(category == Category::Wrong && judged > 0));
    }
    cells
}

/// A number of runs.
pub fn count(runs: u64) -> Cell {
    Cell::count(Some(float(runs)))
}
