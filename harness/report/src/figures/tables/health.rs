//! Whether the runs of each solver went as they should: how they ended, how well limits were kept, whether the
//! machine disturbed them.

use std::collections::{BTreeSet, HashMap};

use record::{Category, HARD_LIMIT, SOFT_LIMIT, Status};

use super::summary::{count, counts, occurring};
use super::{Table, cells};
use crate::analysis::{Analysis, Outcome, caveats};
use crate::figures::{Cell, Grid, Group, Row, Value};
use crate::results::{Run, some};
use crate::stats::median;

/// The table.
pub const HEALTH: Table =
    Table { name: "health", shows: "how the runs of each solver ended, limits, CPU use, peak memory", build };

fn build(analysis: &Analysis) -> Vec<Grid> {
    let outcomes = || analysis.aggregates().outcomes.iter();
    // Of no interest where all is well, unless a config names its tables.
    let chosen = analysis.names_tables();
    if analysis.experiment.is_empty() || !(chosen || outcomes().any(is_odd)) {
        return Vec::new();
    }
    let occurring = occurring(&outcomes());
    let mut rows = Vec::new();
    let mut of_solvers = by_solver(analysis);
    for solver in &analysis.experiment.catalog().solvers {
        let of_solver = of_solvers.remove(solver.as_str()).unwrap_or_default();
        let runs = of_solver.runs;
        let mut cells = vec![count(runs.len() as u64)];
        cells.extend(counts(&occurring, &of_solver.outcomes.into_iter()));
        cells.extend(limits(&runs));
        cells.extend(cpu(&runs));
        cells.extend(memory(&runs));
        rows.push(Row::new(vec![solver.clone()], cells));
    }
    vec![Grid {
        caption: "How the runs of each solver went".to_owned(),
        notes: vec![
            "Hard: killed at the time limit, since they did not stop by themselves. Past: wall time beyond the limit where it \
             struck"
                .to_owned(),
            "Time/wall: median of CPU time over wall time. Disturbed: single-threaded runs whose wall time exceeds their \
             CPU time by more than 10 % and 0.5 s. Excess: runs with as much more CPU time than their threads can use"
                .to_owned(),
        ],
        caveats: caveats::of_shown(outcomes(), true),
        stubs: vec!["solver".to_owned()],
        groups: vec![
            Group::new("", ["runs"]),
            Group::new("status", occurring.iter().map(ToString::to_string)),
            Group::new("category", Category::ALL.iter().map(ToString::to_string)),
            Group::new("time limit", ["hard", "median past (s)", "most past (s)"]),
            Group::new("CPU", ["time/wall", "disturbed", "excess"]),
            Group::new("peak memory", ["most (MiB)", "source"]),
        ],
        rows,
        ..Grid::default()
    }]
}

/// What there is of a solver.
#[derive(Default)]
struct OfSolver<'a> {
    runs: Vec<&'a Run>,
    outcomes: Vec<&'a Outcome>,
}

fn by_solver(analysis: &Analysis) -> HashMap<&str, OfSolver<'_>> {
    let mut solvers: HashMap<&str, OfSolver> = HashMap::new();
    for run in analysis.experiment.runs() {
        solvers.entry(&run.setting.solver).or_default().runs.push(run);
    }
    for outcome in &analysis.aggregates().outcomes {
        solvers.entry(&outcome.key.solver).or_default().outcomes.push(outcome);
    }
    solvers
}

/// Whether something happened that a reader should look at.
fn is_odd(outcome: &Outcome) -> bool {
    let failed = [Category::Wrong, Category::Error].iter().any(|c| outcome.tally.judged(*c) > 0);
    failed || outcome.disturbed + outcome.overdrawn > 0
}

fn limits(runs: &[&Run]) -> [Cell; 3] {
    let of_time = |r: &&&Run| [SOFT_LIMIT, HARD_LIMIT].contains(&&*r.termination_reason);
    let struck = runs.iter().filter(|r| r.status == Status::Timeout).filter(of_time);
    let hard = struck.clone().filter(|r| &*r.termination_reason == HARD_LIMIT).count();
    // A solver that stops a little early keeps its limit.
    let past: Vec<_> = struck.filter_map(|r| Some((r.wall_time_s? - r.time_limit_s?).max(0.0))).collect();
    let most = past.iter().copied().reduce(f64::max);
    [count(hard as u64), Cell::seconds(median(past)), Cell::seconds(most)]
}

fn cpu(runs: &[&Run]) -> [Cell; 3] {
    let shares = runs.iter().filter_map(|r| r.times()).filter(|(wall, _)| *wall > 0.0).map(|(wall, cpu)| cpu / wall);
    let odd = |of: fn(&Run) -> bool| {
        let found = runs.iter().filter(|r| of(r)).count() as u64;
        count(found).bold_if(found > 0)
    };
    let share = median(shares.collect()).map_or(Cell::DASH, |share| Value::Ratio(share).into());
    [share, odd(Run::is_disturbed), odd(Run::is_overdrawn)]
}

/// The highest peak, and what measured it.
fn memory(runs: &[&Run]) -> [Cell; 2] {
    let Some(most) = runs.iter().filter_map(|r| r.peak_memory_b).max() else { return [Cell::DASH; 2] };
    let of_most = runs.iter().filter(|r| r.peak_memory_b == Some(most));
    let sources: BTreeSet<_> = of_most.map(|r| r.setting.memory_source.clone()).collect();
    [Cell::count(Some(cells::mebibytes(most))), Cell::text(some(&sources))]
}
