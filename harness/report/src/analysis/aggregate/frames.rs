//! Rows as data frames, with the few columns that the queries need.

use polars::prelude::*;
use record::{HARD_LIMIT, SOFT_LIMIT, SOLVER_LIMIT, Status};

use super::{Cells, float, has_ended, is_restricted, is_unproven};
use crate::results::{PublishedRow, Run, Solve};

/// One line a run.
pub fn runs(rows: &[Run], all: &[Solve], cells: &Cells) -> PolarsResult<LazyFrame> {
    let of = |r: &Run| &all[r.solves.clone()];
    // A run that a limit struck may report no loops; its last solution then speaks for it. Where there is no
    // solution, those that were cut off on the way say nothing.
    let found = |r: &Run| if r.status == Status::Infeasible { &[] } else { of(r) };
    let loops = |r: &Run| r.loops.or_else(|| found(r).iter().rev().find_map(|i| i.loops));
    let holes = |r: &Run| r.holes.or_else(|| found(r).iter().rev().find_map(|i| i.holes));
    let solved = |r: &Run| of(r).last().map(|i| i.iteration + 1).or(r.iterations);
    let unproven = |r: &Run| is_unproven(r.status, &r.setting.objective);
    let columns = vec![
        whole("run", rows.iter().enumerate().map(|(index, _)| number_of(index))),
        whole("cell", rows.iter().map(|r| cells.number(r))),
        Column::new("seed".into(), rows.iter().map(|r| r.seed).collect::<Vec<_>>()),
        whole("repeat", rows.iter().map(|r| r.repeat)),
        whole("status", rows.iter().map(|r| r.status as u32)),
        whole("category", rows.iter().map(|r| r.category as u32)),
        flag("ended", rows, |r| has_ended(r.status) && !unproven(r)),
        flag("unproven", rows, unproven),
        flag("restricted", rows, |r| is_restricted(r, r.status)),
        flag("disturbed", rows, Run::is_disturbed),
        flag("overdrawn", rows, Run::is_overdrawn),
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
pub fn solves(runs: &[Run], all: &[Solve], cells: &Cells) -> PolarsResult<LazyFrame> {
    let mut rows = Vec::with_capacity(all.len());
    for (index, run) in runs.iter().enumerate() {
        let solves = &all[run.solves.clone()];
        rows.extend(solves.iter().map(|i| Line {
            index,
            run,
            iteration: i.iteration,
            time_s: Some(i.time_s),
            status: i.status,
            loops: i.loops,
        }));
        rows.extend(cut_short(index, run, solves));
    }
    let unproven = |s: &Line| is_unproven(s.status, &s.run.setting.objective);
    let columns = vec![
        whole("run", rows.iter().map(|s| number_of(s.index))),
        whole("cell", rows.iter().map(|s| cells.number(s.run))),
        whole("status", rows.iter().map(|s| s.status as u32)),
        flag("ended", &rows, |s| has_ended(s.status) && !unproven(s)),
        flag("unproven", &rows, unproven),
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

/// A line of [`solves`].
struct Line<'a> {
    index: usize,
    run: &'a Run,
    iteration: u64,
    time_s: Option<f64>,
    status: Status,
    loops: Option<u64>,
}

/// The solve that a hard kill or a failure left without a row: it must not look as if it had not been.
fn cut_short<'a>(index: usize, run: &'a Run, solves: &[Solve]) -> Option<Line<'a>> {
    let last = solves.last();
    if has_ended(run.status) || last.is_some_and(|l| !has_ended(l.status)) {
        return None;
    }
    // A worker that answered reported every solve that it began: nothing was left to begin another.
    if run.status == Status::Timeout && [SOFT_LIMIT, SOLVER_LIMIT].contains(&&*run.termination_reason) {
        return None;
    }
    let left = killed_after(run).and_then(|end| {
        // A relaxation was solved before the first solve, and how long that took is not recorded.
        if run.root_bound.is_some() {
            return None;
        }
        let spent: f64 = solves.iter().map(|i| i.time_s).sum();
        // Not even the model was built: no solve was begun.
        Some((end - run.build_time_s? - spent).max(0.0))
    });
    let iteration = last.map_or(0, |l| l.iteration + 1);
    Some(Line { index, run, iteration, time_s: left, status: run.status, loops: None })
}

/// The wall time at which a limit ended a run; the grace is not counted.
fn killed_after(run: &Run) -> Option<f64> {
    match run.status {
        Status::Timeout if &*run.termination_reason == HARD_LIMIT => run.time_limit_s,
        // CPU time may be spent long before the limit of wall time.
        Status::Timeout => run.wall_time_s.map(|wall| run.time_limit_s.map_or(wall, |limit| limit.min(wall))),
        _ => None,
    }
}

fn number_of(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX)
}

fn whole(name: &str, values: impl Iterator<Item = u32>) -> Column {
    Column::new(name.into(), values.collect::<Vec<_>>())
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
