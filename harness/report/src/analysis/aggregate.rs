//! From rows to outcomes: polars groups the rows of a cell and takes medians; what is counted is counted from the rows.
//!
//! A run that did not come to its end enters medians as infinitely slow, so that a median is infinite exactly if the median run
//! did not end; then the bounds are shown. Frames hold numbers only, a line a run or solve in the order of the rows.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use polars::prelude::*;
use rayon::prelude::*;
use record::{Category, HARD_LIMIT, SOFT_LIMIT, SOLVER_LIMIT, Status};

use super::{
    Aggregates, Key, Outcome, PublishedOutcome, Step, Tally, TimeRange, has_ended, is_restricted, is_unproven,
};
use crate::results::{Experiment, PublishedRow, Run, Setting, Solve};
use crate::stats::{float, median};

pub fn aggregate(experiment: &Experiment) -> PolarsResult<Aggregates> {
    let runs = experiment.runs();
    let lines: Vec<_> = runs.iter().flat_map(|run| Line::of_run(run, experiment.solves(run))).collect();
    let cells = cells(runs);
    let (outcomes, steps) = rayon::join(|| outcomes(experiment, &cells), || steps(&lines, &cells));
    let ((mut outcomes, alike), mut steps) = (outcomes?, steps?);
    for (cell, outcome) in &mut outcomes {
        outcome.steps = steps.remove(cell).unwrap_or_default();
        outcome.steps.sort_by_key(|step| step.iteration);
    }
    let outcomes = outcomes.into_iter().map(|(_, outcome)| outcome).collect();
    Ok(Aggregates::new(outcomes, alike, published(&experiment.published)))
}

/// The number of the cell of each setting, by the setting's address: runs share settings.
type Cells = HashMap<usize, u32>;

fn cells(runs: &[Run]) -> Cells {
    let mut numbers: HashMap<[&str; 3], u32> = HashMap::new();
    let mut cells = HashMap::new();
    for run in runs {
        cells.entry(run.setting_address()).or_insert_with(|| {
            let Setting { instance, formulation, solver, .. } = &*run.setting;
            let next = number(numbers.len());
            *numbers.entry([instance, formulation, solver]).or_insert(next)
        });
    }
    cells
}

/// An outcome with the number of its cell.
type OfCell = (u32, Outcome);

/// The outcome of each cell, and where others were run less often on its instance also that over as many runs as they have; without
/// the iterations.
fn outcomes(experiment: &Experiment, cells: &Cells) -> PolarsResult<(Vec<OfCell>, Vec<Outcome>)> {
    let runs = experiment.runs();
    let solving: Vec<_> = runs.iter().map(|run| solving(run, experiment.solves(run))).collect();
    let spent: Vec<_> = runs.iter().zip(&solving).map(|(run, solving)| total(run, *solving)).collect();
    let of = |value: &dyn Fn(&Run) -> Option<f64>| runs.iter().map(value).collect::<Vec<_>>();
    let solves = |run: &Run| experiment.solves(run);
    // A run that a limit struck may report no loops; its last solution then speaks for it. Where there is no
    // solution, those that were cut off on the way say nothing.
    let last = |run: &Run, flaws: fn(&Solve) -> Option<u64>| {
        if run.status == Status::Infeasible { None } else { solves(run).iter().rev().find_map(flaws) }
    };
    let ended = |times: &[Option<f64>]| {
        let time = |(run, time): (&Run, &Option<f64>)| if is_final(run) { *time } else { Some(f64::INFINITY) };
        runs.iter().zip(times).map(time).collect::<Vec<_>>()
    };
    let frame = DataFrame::new_infer_height(vec![
        column("cell", runs.iter().map(|run| cells[&run.setting_address()]).collect::<Vec<_>>()),
        column("total_s", ended(&spent)),
        column("solve_s", ended(&solving)),
        // A run without any solve is a bound of 0: left out, it would raise the median.
        column("bound_s", spent.iter().map(|spent| spent.unwrap_or(0.0)).collect::<Vec<_>>()),
        column("loops", of(&|run| run.loops.or_else(|| last(run, |solve| solve.loops)).map(float))),
        column("holes", of(&|run| run.holes.or_else(|| last(run, |solve| solve.holes)).map(float))),
        column("solves", of(&|run| solves(run).last().map(|s| s.iteration + 1).or(run.iterations).map(float))),
        column("variables", of(&|run| run.variables.map(float))),
        column("constraints", of(&|run| run.constraints.map(float))),
        column("nonzeros", of(&|run| run.nonzeros.map(float))),
        column("build_s", of(&|run| run.build_time_s)),
    ])?;
    let outcome = |group: Group| {
        let members = || group.rows.iter().map(|row| &runs[*row as usize]);
        let count = |is: fn(&Run) -> bool| members().filter(|run| is(run)).count() as u64;
        let first = &runs[group.rows[0] as usize];
        let outcome = Outcome {
            key: Key {
                instance: first.setting.instance.clone(),
                formulation: first.setting.formulation.clone(),
                solver: first.setting.solver.clone(),
            },
            tally: Tally {
                all: group.rows.len() as u64,
                statuses: tally(&Status::ALL, &members().map(|run| run.status)),
                categories: tally(&Category::ALL, &members().map(|run| run.category)),
                unproven: count(|run| is_unproven(run.status, &run.setting.objective)),
                restricted: count(|run| is_restricted(run, run.status)),
            },
            settings: measured_under(members()),
            members: group.rows.clone(),
            seeds: members().map(|run| run.seed).collect::<HashSet<_>>().len() as u64,
            repeats: members().map(|run| run.repeat).collect::<HashSet<_>>().len() as u64,
            disturbed: count(Run::is_disturbed),
            overdrawn: count(Run::is_overdrawn),
            total_s: group.median("total_s")?,
            solve_s: group.median("solve_s")?,
            bound_s: group.median("bound_s")?,
            range: time_range(&group, runs, &spent),
            loops: group.median("loops")?,
            holes: group.median("holes")?,
            solves: group.median("solves")?,
            variables: group.median("variables")?,
            constraints: group.median("constraints")?,
            nonzeros: group.median("nonzeros")?,
            build_s: group.median("build_s")?,
            steps: Vec::new(),
        };
        Ok((cells[&first.setting_address()], outcome))
    };
    let outcomes = groups(&frame, &["cell"])?.into_par_iter().map(&outcome).collect::<PolarsResult<Vec<_>>>()?;
    let reduced = reduced(&outcomes, runs);
    let alike = reduced.into_par_iter().map(|rows| Ok(outcome(Group { frame: &frame, rows })?.1));
    Ok((outcomes, alike.collect::<PolarsResult<_>>()?))
}

/// Of each cell with more runs than some other on its instance the first by seed and repeat, as many as all of these have. Solvers
/// that are not there do not count.
fn reduced(outcomes: &[OfCell], runs: &[Run]) -> Vec<Vec<u32>> {
    let mut least: HashMap<&str, usize> = HashMap::new();
    for (_, Outcome { key, tally, members, .. }) in outcomes {
        if tally.ended_as(Status::Unsupported) < tally.all {
            let least = least.entry(&key.instance).or_insert(members.len());
            *least = (*least).min(members.len());
        }
    }
    let first = |(_, outcome): &OfCell| {
        let count = *least.get(outcome.key.instance.as_str())?;
        let mut members = outcome.members.clone();
        members.sort_by_key(|member| {
            let run = &runs[*member as usize];
            (run.seed, run.repeat, *member)
        });
        (members.len() > count).then(|| members[..count].to_vec())
    };
    outcomes.iter().filter_map(first).collect()
}

/// The iterations of each cell, in no order.
fn steps(lines: &[Line], cells: &Cells) -> PolarsResult<HashMap<u32, Vec<Step>>> {
    let ended = |line: &Line| has_ended(line.status) && !line.is_unproven();
    let totals = lines.iter().map(|line| if ended(line) { line.time_s } else { Some(f64::INFINITY) });
    let frame = DataFrame::new_infer_height(vec![
        column("cell", lines.iter().map(|line| cells[&line.run.setting_address()]).collect::<Vec<_>>()),
        column("iteration", lines.iter().map(|line| line.iteration).collect::<Vec<_>>()),
        column("total_s", totals.collect::<Vec<_>>()),
        // As with runs: a solve of unknown time is a bound of 0.
        column("bound_s", lines.iter().map(|line| line.time_s.unwrap_or(0.0)).collect::<Vec<_>>()),
        column("loops", lines.iter().map(|line| line.loops.map(float)).collect::<Vec<_>>()),
    ])?;
    let step = |group: Group| {
        let members = || group.rows.iter().map(|row| &lines[*row as usize]);
        let first = &lines[group.rows[0] as usize];
        let step = Step {
            iteration: first.iteration,
            tally: Tally {
                all: group.rows.len() as u64,
                statuses: tally(&Status::ALL, &members().map(|line| line.status)),
                categories: Vec::new(),
                unproven: members().filter(|line| line.is_unproven()).count() as u64,
                restricted: members().filter(|line| is_restricted(line.run, line.status)).count() as u64,
            },
            total_s: group.median("total_s")?,
            bound_s: group.median("bound_s")?,
            loops: group.median("loops")?,
        };
        Ok((cells[&first.run.setting_address()], step))
    };
    let all = groups(&frame, &["cell", "iteration"])?.into_par_iter().map(step).collect::<PolarsResult<Vec<_>>>()?;
    let mut steps: HashMap<u32, Vec<Step>> = HashMap::new();
    for (cell, step) in all {
        steps.entry(cell).or_default().push(step);
    }
    Ok(steps)
}

/// Published solution processes: the sum and the extent of their iterations.
fn published(rows: &[PublishedRow]) -> Vec<PublishedOutcome> {
    let mut processes: BTreeMap<_, Vec<&PublishedRow>> = BTreeMap::new();
    for row in rows {
        let key = (&row.source, &row.formulation, &row.objective, row.challenge, row.places);
        processes.entry(key).or_default().push(row);
    }
    let outcome = |rows: Vec<&PublishedRow>| PublishedOutcome {
        total_s: rows.iter().map(|row| row.time_s).sum(),
        solves: rows.iter().map(|row| row.iteration).max().unwrap_or_default() + 1,
        loops: rows.last().and_then(|row| row.loops),
        hole: rows.last().and_then(|row| row.hole),
        solved: rows.iter().all(|row| row.solved),
        first: rows[0].clone(),
    };
    processes.into_values().map(outcome).collect()
}

/// Rows that have the same values in the columns by which a frame is grouped.
struct Group<'a> {
    frame: &'a DataFrame,
    /// Their places in the frame, in order.
    rows: Vec<u32>,
}

impl Group<'_> {
    /// The median of a column over the rows that have a value; none if it is infinite.
    ///
    /// It is not polars' own, which waits for threads of polars: this thread would meanwhile begin with another group, and in
    /// that with the next, until its stack is full.
    fn median(&self, column: &str) -> PolarsResult<Option<f64>> {
        let values = self.frame.column(column)?.f64()?;
        let found = median(self.rows.iter().filter_map(|row| values.get(*row as usize)).collect());
        Ok(found.filter(|median| median.is_finite()))
    }
}

fn groups<'a>(frame: &'a DataFrame, keys: &[&str]) -> PolarsResult<Vec<Group<'a>>> {
    let groups = frame.group_by(keys.iter().copied())?.into_groups();
    let rows = |group: GroupsIndicator| match group {
        GroupsIndicator::Idx((_, rows)) => rows.to_vec(),
        GroupsIndicator::Slice([first, len]) => (first..first + len).collect(),
    };
    Ok(groups.iter().map(|group| Group { frame, rows: rows(group) }).collect())
}

fn column<T, P: ?Sized>(name: &str, values: T) -> Column
where
    Series: NamedFrom<T, P>,
{
    Column::new(name.into(), values)
}

/// How often each of the values occurs, in their order; only those that do.
fn tally<T: Copy + PartialEq>(all: &[T], found: &(impl Iterator<Item = T> + Clone)) -> Vec<(T, u64)> {
    let count = |value: &T| found.clone().filter(|found| found == value).count() as u64;
    all.iter().map(|value| (*value, count(value))).filter(|(_, count)| *count > 0).collect()
}

/// The settings under which something was measured: where nothing was started, nothing was.
fn measured_under<'a>(members: impl Iterator<Item = &'a Run>) -> Vec<Arc<Setting>> {
    let mut seen = BTreeSet::new();
    let measured = members.filter(|run| run.status != Status::Unsupported && seen.insert(run.setting_address()));
    measured.map(|run| run.setting.clone()).collect()
}

/// The least and the most total time of several runs, if any came to its end.
fn time_range(group: &Group, runs: &[Run], spent: &[Option<f64>]) -> Option<TimeRange> {
    let members = || group.rows.iter().map(|row| (&runs[*row as usize], spent[*row as usize]));
    let least_s = members().filter(|(run, _)| is_final(run)).filter_map(|(_, spent)| spent).min_by(f64::total_cmp)?;
    let most_s = members().map(|(_, spent)| spent.unwrap_or(0.0)).max_by(f64::total_cmp)?;
    let open = members().any(|(run, _)| !is_final(run));
    (group.rows.len() > 1).then_some(TimeRange { least_s, most_s, open })
}

/// Whether a run came to its end, so that its time is a time and not a lower bound.
fn is_final(run: &Run) -> bool {
    has_ended(run.status) && !is_unproven(run.status, &run.setting.objective)
}

/// The time that a run spent in solves: the sum of its iterations, as in the papers, that included which was cut off.
pub fn solving(run: &Run, solves: &[Solve]) -> Option<f64> {
    let times: Vec<_> = Line::of_run(run, solves).filter_map(|line| line.time_s).collect();
    if times.is_empty() { run.solve_time_s } else { Some(times.iter().sum()) }
}

/// The same with the time to build the model, which is within the limit too. Of a run that the limit of wall time ended it is the
/// limit, whatever was in progress then.
pub fn total(run: &Run, solving: Option<f64>) -> Option<f64> {
    let struck = !is_final(run) && [SOFT_LIMIT, HARD_LIMIT].contains(&run.termination_reason.as_str());
    run.time_limit_s.filter(|_| struck).or_else(|| Some(solving? + run.build_time_s.unwrap_or(0.0)))
}

struct Line<'a> {
    run: &'a Run,
    iteration: u64,
    time_s: Option<f64>,
    status: Status,
    loops: Option<u64>,
}

impl<'a> Line<'a> {
    /// The solves of a run, and one more if one was running when the run was cut short.
    fn of_run(run: &'a Run, solves: &'a [Solve]) -> impl Iterator<Item = Self> {
        let line = move |solve: &Solve| Self {
            run,
            iteration: solve.iteration,
            time_s: Some(solve.time_s),
            status: solve.status,
            loops: solve.loops,
        };
        solves.iter().map(line).chain(Self::cut_short(run, solves))
    }

    /// The solve that a hard kill or a failure left without a row: it must not look as if it had not been.
    fn cut_short(run: &'a Run, solves: &[Solve]) -> Option<Self> {
        let last = solves.last();
        if has_ended(run.status) || last.is_some_and(|l| !has_ended(l.status)) {
            return None;
        }
        // A worker that answered reported every solve that it began: nothing was left to begin another.
        if run.status == Status::Timeout && [SOFT_LIMIT, SOLVER_LIMIT].contains(&run.termination_reason.as_str()) {
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
        Some(Self { run, iteration, time_s: left, status: run.status, loops: None })
    }

    fn is_unproven(&self) -> bool {
        is_unproven(self.status, &self.run.setting.objective)
    }
}

/// The wall time at which a limit ended a run; the grace is not counted.
fn killed_after(run: &Run) -> Option<f64> {
    match run.status {
        Status::Timeout if run.termination_reason == HARD_LIMIT => run.time_limit_s,
        // CPU time may be spent long before the limit of wall time.
        Status::Timeout => run.wall_time_s.map(|wall| run.time_limit_s.map_or(wall, |limit| limit.min(wall))),
        _ => None,
    }
}

fn number(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX)
}
