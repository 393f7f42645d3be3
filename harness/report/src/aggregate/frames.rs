//! Rows as data frames, with the few columns that the queries need.

use std::collections::BTreeMap;

use polars::prelude::*;
use record::{IterationRow, RunRow, Status};

use super::{float, has_ended, is_restricted, is_unproven};
use crate::experiment::PublishedRow;

/// One line a run.
pub fn runs(rows: &[RunRow], iterations: &[IterationRow]) -> PolarsResult<LazyFrame> {
    let solves = by_run(iterations);
    let of = |r: &RunRow| solves.get(r.run_id.as_str()).cloned().unwrap_or_default();
    // A run that a limit struck may report no loops; its last solution then speaks for it. Where there is no
    // solution, those that were cut off on the way say nothing.
    let found = |r: &RunRow| if r.status == Status::Infeasible { Vec::new() } else { of(r) };
    let loops = |r: &RunRow| r.loops.or_else(|| found(r).iter().rev().find_map(|i| i.loops));
    let holes = |r: &RunRow| r.holes.or_else(|| found(r).iter().rev().find_map(|i| i.holes));
    let solved = |r: &RunRow| of(r).last().map(|i| i.iteration + 1).or(r.iterations);
    let columns = vec![
        text("run_id", rows, |r| &r.run_id),
        text("instance", rows, |r| &r.instance),
        text("formulation", rows, |r| &r.formulation),
        text("solver", rows, |r| &r.solver),
        text("status", rows, |r| r.status.as_str()),
        text("category", rows, |r| r.category.as_str()),
        flag("ended", rows, |r| has_ended(r.status) && !is_unproven(r.status, &r.objective)),
        flag("unproven", rows, |r| is_unproven(r.status, &r.objective)),
        flag("restricted", rows, |r| is_restricted(r, r.status)),
        number("solve_time_s", rows, |r| r.solve_time_s),
        number("build_time_s", rows, |r| r.build_time_s),
        number("loops", rows, |r| loops(r).map(float)),
        number("holes", rows, |r| holes(r).map(float)),
        number("solves", rows, |r| solved(r).map(float)),
        number("variables", rows, |r| r.variables.map(float)),
        number("constraints", rows, |r| r.constraints.map(float)),
        number("nonzeros", rows, |r| r.nonzeros.map(float)),
    ];
    Ok(DataFrame::new_infer_height(columns)?.lazy())
}

/// One line a solve, and one more for the solve that was running when its run was cut short.
pub fn solves(runs: &[RunRow], iterations: &[IterationRow]) -> PolarsResult<LazyFrame> {
    let by_run = by_run(iterations);
    let mut rows = Vec::new();
    for run in runs {
        let solves = by_run.get(run.run_id.as_str()).cloned().unwrap_or_default();
        rows.extend(solves.iter().map(|i| Solve {
            run,
            iteration: i.iteration,
            time_s: Some(i.time_s),
            status: i.status,
            loops: i.loops,
        }));
        rows.extend(cut_short(run, &solves));
    }
    let columns = vec![
        text("run_id", &rows, |s| &s.run.run_id),
        text("instance", &rows, |s| &s.run.instance),
        text("formulation", &rows, |s| &s.run.formulation),
        text("solver", &rows, |s| &s.run.solver),
        text("status", &rows, |s| s.status.as_str()),
        flag("ended", &rows, |s| has_ended(s.status) && !is_unproven(s.status, &s.run.objective)),
        flag("unproven", &rows, |s| is_unproven(s.status, &s.run.objective)),
        flag("restricted", &rows, |s| is_restricted(s.run, s.status)),
        Column::new("iteration".into(), rows.iter().map(|s| s.iteration).collect::<Vec<_>>()),
        number("time_s", &rows, |s| s.time_s),
        number("loops", &rows, |s| s.loops.map(float)),
    ];
    Ok(DataFrame::new_infer_height(columns)?.lazy())
}

/// One line a published solve.
pub fn published(rows: &[PublishedRow]) -> PolarsResult<LazyFrame> {
    let columns = vec![
        text("source", rows, |p| &p.source),
        text("formulation", rows, |p| &p.formulation),
        Column::new("objective".into(), rows.iter().map(|p| p.objective.as_deref()).collect::<Vec<_>>()),
        Column::new("challenge".into(), rows.iter().map(|p| p.challenge).collect::<Vec<_>>()),
        Column::new("places".into(), rows.iter().map(|p| p.places).collect::<Vec<_>>()),
        Column::new("iteration".into(), rows.iter().map(|p| p.iteration).collect::<Vec<_>>()),
        number("time_s", rows, |p| Some(p.time_s)),
        flag("unsolved", rows, |p| !p.solved),
    ];
    Ok(DataFrame::new_infer_height(columns)?.lazy())
}

/// Value of `termination_reason`.
const SOFT_LIMIT: &str = "soft-limit";

struct Solve<'a> {
    run: &'a RunRow,
    iteration: u64,
    time_s: Option<f64>,
    status: Status,
    loops: Option<u64>,
}

/// The solve that a hard kill or a failure left without a row: it must not look as if it had not been.
fn cut_short<'a>(run: &'a RunRow, solves: &[&IterationRow]) -> Option<Solve<'a>> {
    let last = solves.last();
    if has_ended(run.status) || last.is_some_and(|l| !has_ended(l.status)) {
        return None;
    }
    // A worker that kept the limit by itself reported every solve that it began: nothing was left to begin another.
    if run.status == Status::Timeout && run.termination_reason == SOFT_LIMIT {
        return None;
    }
    let left = run.time_limit_s.filter(|_| run.status == Status::Timeout).and_then(|limit| {
        let spent: f64 = solves.iter().map(|i| i.time_s).sum();
        // Not even the model was built: no solve was begun.
        Some((limit - run.build_time_s? - spent).max(0.0))
    });
    Some(Solve { run, iteration: last.map_or(0, |l| l.iteration + 1), time_s: left, status: run.status, loops: None })
}

fn by_run(iterations: &[IterationRow]) -> BTreeMap<&str, Vec<&IterationRow>> {
    let mut groups: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for row in iterations {
        groups.entry(row.run_id.as_str()).or_default().push(row);
    }
    groups
}

fn text<'a, T>(name: &str, rows: &'a [T], value: impl Fn(&'a T) -> &'a str) -> Column {
    Column::new(name.into(), rows.iter().map(value).collect::<Vec<_>>())
}

fn number<T>(name: &str, rows: &[T], value: impl Fn(&T) -> Option<f64>) -> Column {
    Column::new(name.into(), rows.iter().map(value).collect::<Vec<_>>())
}

fn flag<T>(name: &str, rows: &[T], value: impl Fn(&T) -> bool) -> Column {
    Column::new(name.into(), rows.iter().map(value).collect::<Vec<_>>())
}
