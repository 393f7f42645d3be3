//! The runs of an instance, a formulation and a solver together: medians over seeds and repeats, and how the runs ended.
//!
//! A run that did not come to its end enters medians as infinitely slow, so that a median is infinite exactly if the median run
//! did not end; then the bounds are shown. polars groups the rows by their cells.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use polars::prelude::*;
use rayon::prelude::*;
use record::{Category, HARD_LIMIT, RESTRICTED, SOFT_LIMIT, SOLVER_LIMIT, Status};

use crate::results::{PublishedRow, Run, Setting, Solve};
use crate::stats::{float, median};

/// The outcomes of some runs, by key.
pub fn outcomes(runs: &[Run]) -> PolarsResult<Vec<Outcome>> {
    let cells = cells(runs)?;
    let mut outcomes: Vec<_> = cells.into_par_iter().map(|members| Outcome::of(runs, members)).collect();
    add_fewer(&mut outcomes, runs);
    outcomes.sort_by(|a, b| a.key.names().cmp(&b.key.names()));
    Ok(outcomes)
}

/// The runs of each instance, formulation and solver: places among the runs, in order. What was interrupted counts as not run where there
/// is another.
fn cells(runs: &[Run]) -> PolarsResult<Vec<Vec<u32>>> {
    let column = |name: &str, of: fn(&Setting) -> &String| {
        Column::new(name.into(), runs.iter().map(|run| of(&run.setting).as_str()).collect::<Vec<_>>())
    };
    let frame = DataFrame::new_infer_height(vec![
        column("instance", |setting| &setting.instance),
        column("formulation", |setting| &setting.formulation),
        column("solver", |setting| &setting.solver),
    ])?;
    let groups = frame.group_by(["instance", "formulation", "solver"])?.into_groups();
    let members = |group: GroupsIndicator| {
        let all: Vec<u32> = match group {
            GroupsIndicator::Idx((_, rows)) => rows.to_vec(),
            GroupsIndicator::Slice([first, len]) => (first..first + len).collect(),
        };
        let is_measured = |member: &u32| runs[*member as usize].status != Status::Interrupted;
        let measured: Vec<u32> = all.iter().copied().filter(is_measured).collect();
        if measured.is_empty() { all } else { measured }
    };
    Ok(groups.iter().map(members).collect())
}

/// Seed and repeat of a run, which tell those of an outcome apart.
type Part = (u64, u32);

fn part(run: &Run) -> Part {
    (run.seed, run.repeat)
}

/// Those of some runs that others have too. Where there are none, as many of the first as both have.
fn shared(own: &[Part], others: &[Part]) -> Vec<Part> {
    let both: Vec<_> = own.iter().copied().filter(|part| others.binary_search(part).is_ok()).collect();
    if both.is_empty() { own[..own.len().min(others.len())].to_vec() } else { both }
}

/// Adds to each outcome those of fewer of its runs: of those that all have on the instance, and that another has. Solvers that are not
/// there do not count.
fn add_fewer(outcomes: &mut [Outcome], runs: &[Run]) {
    let mut of_instance: HashMap<String, BTreeSet<Vec<Part>>> = HashMap::new();
    for Outcome { key, tally, parts, .. } in &*outcomes {
        if tally.ended_as(Status::Unsupported) < tally.all {
            of_instance.entry(key.instance.clone()).or_default().insert(parts.clone());
        }
    }
    outcomes.par_iter_mut().for_each(|outcome| {
        let Some(sets) = of_instance.get(&outcome.key.instance).filter(|sets| sets.len() > 1) else { return };
        let own = &outcome.parts;
        let all: Vec<_> = own.iter().copied().filter(|p| sets.iter().all(|set| set.binary_search(p).is_ok())).collect();
        let least = sets.iter().map(Vec::len).min().unwrap_or_default().min(own.len());
        let all = if all.is_empty() { own[..least].to_vec() } else { all };
        let over = |parts: &Vec<Part>| {
            let is_among = |member: &&u32| parts.binary_search(&part(&runs[**member as usize])).is_ok();
            Outcome::of(runs, outcome.members.iter().filter(is_among).copied().collect())
        };
        let pairs: BTreeSet<_> = sets.iter().map(|set| shared(own, set)).filter(|parts| parts != own).collect();
        let common = (all != *own).then(|| Box::new(over(&all)));
        (outcome.fewer, outcome.common) = (pairs.iter().map(over).collect(), common);
    });
}

/// The runs (one for each seed and repeat, often one) of an instance, formulation and solver.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome {
    /// The setting of one of them: all have its instance, formulation and solver.
    pub key: Arc<Setting>,
    pub tally: Tally,
    /// The limit of the wall time of the first of them, in seconds.
    pub limit_s: Option<f64>,
    /// How they were measured: what differs between them.
    pub settings: Vec<Arc<Setting>>,
    /// Which runs they are: places among the runs of the experiment, in order.
    pub members: Vec<u32>,
    pub seeds: u64,
    /// Number of different repeats of one seed.
    pub repeats: u64,
    /// Number of single-threaded runs that took longer than their CPU time: they waited or were disturbed.
    pub disturbed: u64,
    /// Number of runs that took more CPU time than their threads can use.
    pub overdrawn: u64,
    /// Median total time: of building the model (compiling, grounding) and of all solves, all of which is within the limit. `None` if
    /// the median run did not come to its end.
    pub total_s: Option<f64>,
    /// Median of the solves alone.
    pub solve_s: Option<f64>,
    /// Median of the time spent, also where the last solve was cut off: a lower bound.
    pub bound_s: Option<f64>,
    /// Least and most total time; `None` where there is but one run, or none came to its end.
    pub range: Option<TimeRange>,
    /// Median loops of the last solution.
    pub loops: Option<f64>,
    /// Median holes of the last solution.
    pub holes: Option<f64>,
    /// Median number of solves.
    pub solves: Option<f64>,
    pub variables: Option<f64>,
    pub constraints: Option<f64>,
    pub nonzeros: Option<f64>,
    /// Median time to build the model.
    pub build_s: Option<f64>,
    pub steps: Vec<Step>,
    /// Which seeds and repeats they are, in order.
    parts: Vec<Part>,
    /// The same over those of its runs that all have on the instance, and over those that another has; where these are all, none.
    common: Option<Box<Self>>,
    fewer: Vec<Self>,
}

impl Outcome {
    fn of(runs: &[Run], members: Vec<u32>) -> Self {
        let of: Vec<_> = members.iter().map(|member| &runs[*member as usize]).collect();
        let count = |is: fn(&Run) -> bool| of.iter().filter(|run| is(run)).count() as u64;
        let median = |value: fn(&Run) -> Option<f64>| finite_median(of.iter().filter_map(|run| value(run)));
        let mut seen = HashSet::new();
        // Where nothing was started, nothing was measured.
        let measured = of.iter().filter(|run| run.status != Status::Unsupported);
        let settings = measured.filter(|run| seen.insert(Arc::as_ptr(&run.setting))).map(|run| run.setting.clone());
        Self {
            key: of[0].setting.clone(),
            limit_s: of.first().and_then(|run| run.time_limit_s),
            tally: Tally {
                categories: tally(&Category::ALL, &of.iter().map(|run| run.category)),
                ..Tally::of(&of.iter().map(|run| (*run, run.status)))
            },
            settings: settings.collect(),
            seeds: of.iter().map(|run| run.seed).collect::<HashSet<_>>().len() as u64,
            repeats: of.iter().map(|run| run.repeat).collect::<HashSet<_>>().len() as u64,
            disturbed: count(Run::is_disturbed),
            overdrawn: count(Run::is_overdrawn),
            total_s: median(|run| of_end(run, total_s(run))),
            solve_s: median(|run| of_end(run, solving_s(run))),
            bound_s: median(|run| Some(bound_s(run))),
            range: TimeRange::of(&of),
            loops: median(|run| run.loops.or_else(|| last(run, |solve| solve.loops)).map(float)),
            holes: median(|run| run.holes.or_else(|| last(run, |solve| solve.holes)).map(float)),
            solves: median(|run| run.solves.last().map(|s| s.iteration + 1).or(run.iterations).map(float)),
            variables: median(|run| run.variables.map(float)),
            constraints: median(|run| run.constraints.map(float)),
            nonzeros: median(|run| run.nonzeros.map(float)),
            build_s: median(|run| run.build_time_s),
            steps: steps(&of),
            parts: {
                let mut parts: Vec<_> = of.iter().map(|run| part(run)).collect();
                parts.sort_unstable();
                parts
            },
            members,
            common: None,
            fewer: Vec::new(),
        }
    }

    /// The same over those seeds and repeats that all have that were run on the instance, so that nobody is judged by more runs than
    /// another, or by others.
    pub fn alike(&self) -> &Self {
        self.common.as_deref().unwrap_or(self)
    }

    /// The same over those seeds and repeats that another outcome of the instance has too, where its solver is there; else itself.
    pub fn alike_to(&self, other: &Self) -> &Self {
        let wanted = shared(&self.parts, &other.parts);
        self.fewer.iter().find(|fewer| fewer.parts == wanted).unwrap_or(self)
    }

    /// Whether every repeat solved the puzzle: the judge is content, the time is a time, and nothing is left to prove.
    pub fn is_solved(&self) -> bool {
        let (tally, ended) = (&self.tally, self.total_s.is_some());
        ended && tally.judged(Category::Correct) == tally.all && tally.unproven == 0
    }

    /// The time of its slowest run.
    pub fn slowest_s(&self) -> Option<f64> {
        self.range.map(|range| range.most_s).or(self.total_s)
    }

    /// Whether all of its runs came to some end: what was lost measured nothing, nor what was interrupted, which is among them only where
    /// there are no others.
    pub fn is_measured(&self) -> bool {
        self.tally.ended_as(Status::Interrupted) + self.tally.ended_as(Status::Lost) == 0
    }

    pub fn step(&self, iteration: u64) -> Option<&Step> {
        self.steps.iter().find(|step| step.iteration == iteration)
    }
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TimeRange {
    /// The least of those that came to their end.
    pub least_s: f64,
    /// The most, or a lower bound of it: what was spent, whether the run came to its end or not.
    pub most_s: f64,
    /// Whether some run did not come to its end, so that the most is not known.
    pub open: bool,
}

impl TimeRange {
    fn of(runs: &[&Run]) -> Option<Self> {
        let ended = runs.iter().filter(|run| is_ended(run));
        let least_s = ended.filter_map(|run| total_s(run)).min_by(f64::total_cmp)?;
        let most_s = runs.iter().map(|run| bound_s(run)).max_by(f64::total_cmp)?;
        let open = runs.iter().any(|run| !is_ended(run));
        (runs.len() > 1).then_some(Self { least_s, most_s, open })
    }
}

/// One iteration over the runs that had it.
#[derive(Debug, Clone, PartialEq)]
pub struct Step {
    /// 0 for the first solve.
    pub iteration: u64,
    pub tally: Tally,
    /// Median time; `None` if the median solve did not come to its end.
    pub total_s: Option<f64>,
    /// Median of the time spent, also where the solve did not come to its end.
    pub bound_s: Option<f64>,
    /// Median loops of the solution.
    pub loops: Option<f64>,
}

/// How many runs or solves ended in which way; only what occurs is listed.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Tally {
    pub all: u64,
    pub statuses: Vec<(Status, u64)>,
    /// By category; empty for solves, which are not judged one by one.
    pub categories: Vec<(Category, u64)>,
    /// How many found a solution and not the proof that it is the best, where the best was asked for.
    pub unproven: u64,
    /// How many claims of infeasibility prove nothing, as the formulation forbids some solutions too.
    pub restricted: u64,
}

impl Tally {
    /// How runs, or solves of these, ended; not by category.
    fn of<'a>(ends: &(impl Iterator<Item = (&'a Run, Status)> + Clone)) -> Self {
        let count = |is: fn(&Run, Status) -> bool| ends.clone().filter(|(run, status)| is(run, *status)).count() as u64;
        Self {
            all: count(|_, _| true),
            statuses: tally(&Status::ALL, &ends.clone().map(|(_, status)| status)),
            categories: Vec::new(),
            unproven: count(|run, status| is_unproven(status, &run.setting.objective)),
            restricted: count(is_restricted),
        }
    }

    pub fn ended_as(&self, status: Status) -> u64 {
        self.statuses.iter().find(|s| s.0 == status).map_or(0, |s| s.1)
    }

    pub fn judged(&self, category: Category) -> u64 {
        self.categories.iter().find(|c| c.0 == category).map_or(0, |c| c.1)
    }

    /// The most frequent way of not coming to an end.
    pub fn failure(&self) -> Option<Status> {
        let failed = self.statuses.iter().filter(|s| !has_ended(s.0));
        failed.max_by_key(|s| s.1).map(|s| s.0)
    }

    /// Whether the time that was spent is a lower bound of the time that was needed: a limit struck.
    pub fn is_limited(&self) -> bool {
        self.failure().map_or(self.unproven > 0, |failure| failure == Status::Timeout)
    }
}

/// A published solution process: the sum and the extent of its iterations.
#[derive(Debug, Clone, PartialEq)]
pub struct PublishedOutcome {
    /// Its first row: source, formulation and board are those of all.
    pub first: PublishedRow,
    pub total_s: f64,
    pub solves: u64,
    /// Loops and hole of its last solution, where they are printed.
    pub loops: Option<u64>,
    pub hole: Option<bool>,
    pub solved: bool,
}

/// How often each of the values occurs, in their order; only those that do.
fn tally<T: Copy + PartialEq>(all: &[T], found: &(impl Iterator<Item = T> + Clone)) -> Vec<(T, u64)> {
    let count = |value: &T| found.clone().filter(|found| found == value).count() as u64;
    all.iter().map(|value| (*value, count(value))).filter(|(_, count)| *count > 0).collect()
}

/// The median of some values; none if it is infinite.
fn finite_median(values: impl Iterator<Item = f64>) -> Option<f64> {
    median(values.collect()).filter(|median| median.is_finite())
}

/// Published solution processes, one for each board and formulation: the sum and the extent of their iterations.
pub fn published(rows: &[PublishedRow]) -> Vec<PublishedOutcome> {
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

/// The time of the solves of a run: the sum, as in the papers, that included which was cut off.
fn solving_s(run: &Run) -> Option<f64> {
    let times: Vec<_> = Line::of_run(run).filter_map(|line| line.time_s).collect();
    if times.is_empty() { run.solve_time_s } else { Some(times.iter().sum()) }
}

/// The same with the time to build the model, which is within the limit too; the limit of wall time, if that ended the run, whatever
/// was in progress then. A lower bound if the run did not come to its end.
pub fn total_s(run: &Run) -> Option<f64> {
    let struck = !is_ended(run) && [SOFT_LIMIT, HARD_LIMIT].contains(&run.termination_reason.as_str());
    let spent_s = || Some(solving_s(run)? + run.build_time_s.unwrap_or(0.0));
    run.time_limit_s.filter(|_| struck).or_else(spent_s)
}

/// The same; a run without any solve is a bound of 0: left out, it would raise the median.
fn bound_s(run: &Run) -> f64 {
    total_s(run).unwrap_or(0.0)
}

fn is_ended(run: &Run) -> bool {
    is_final(run, run.status)
}

/// One of its times, if it came to its end; else infinite.
fn of_end(run: &Run, time_s: Option<f64>) -> Option<f64> {
    if is_ended(run) { time_s } else { Some(f64::INFINITY) }
}

/// A run that a limit struck may report no loops; its last solution then speaks for it. Where there is no solution, those that
/// were cut off on the way say nothing.
fn last(run: &Run, flaws: fn(&Solve) -> Option<u64>) -> Option<u64> {
    if run.status == Status::Infeasible { None } else { run.solves.iter().rev().find_map(flaws) }
}

/// The iterations of some runs, in order.
fn steps(runs: &[&Run]) -> Vec<Step> {
    let mut by_iteration: BTreeMap<u64, Vec<Line>> = BTreeMap::new();
    for line in runs.iter().flat_map(|run| Line::of_run(run)) {
        by_iteration.entry(line.iteration).or_default().push(line);
    }
    let step = |(iteration, lines): (u64, Vec<Line>)| Step {
        iteration,
        tally: Tally::of(&lines.iter().map(|line| (line.run, line.status))),
        total_s: finite_median(lines.iter().filter_map(|line| line.of_end())),
        // As with runs: a solve of unknown time is a bound of 0.
        bound_s: finite_median(lines.iter().map(|line| line.time_s.unwrap_or(0.0))),
        loops: finite_median(lines.iter().filter_map(|line| line.loops.map(float))),
    };
    by_iteration.into_iter().map(step).collect()
}

/// A solve of a run.
struct Line<'a> {
    run: &'a Run,
    iteration: u64,
    time_s: Option<f64>,
    status: Status,
    loops: Option<u64>,
}

impl<'a> Line<'a> {
    /// The solves of a run, and one more if one was running when the run was cut short.
    fn of_run(run: &'a Run) -> impl Iterator<Item = Self> {
        let line = move |solve: &Solve| Self {
            run,
            iteration: solve.iteration,
            time_s: Some(solve.time_s),
            status: solve.status,
            loops: solve.loops,
        };
        run.solves.iter().map(line).chain(Self::cut_short(run))
    }

    /// The solve that a hard kill or a failure left without a row: it must not look as if it had not been.
    fn cut_short(run: &'a Run) -> Option<Self> {
        let last = run.solves.last();
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
            let spent: f64 = run.solves.iter().map(|i| i.time_s).sum();
            // Not even the model was built: no solve was begun.
            Some((end - run.build_time_s? - spent).max(0.0))
        });
        let iteration = last.map_or(0, |l| l.iteration + 1);
        Some(Self { run, iteration, time_s: left, status: run.status, loops: None })
    }

    /// Its time, if it came to its end; else infinite.
    fn of_end(&self) -> Option<f64> {
        if is_final(self.run, self.status) { self.time_s } else { Some(f64::INFINITY) }
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

/// Whether a run, or a solve of it, with this status came to its end with the proof that was asked for, so that its time is a time and
/// not a lower bound.
pub fn is_final(run: &Run, status: Status) -> bool {
    has_ended(status) && !is_unproven(status, &run.setting.objective)
}

/// Whether a solve with this status came to an end, with an answer.
pub fn has_ended(status: Status) -> bool {
    status.has_solution() || status == Status::Infeasible
}

/// Objectives that any solution serves: `virtual` asks for no more than a model wants, `none` for nothing, `random` for what means nothing.
const ANY_SOLUTION: [&str; 3] = ["virtual", "none", "random"];

/// Whether the best solution was asked for and a limit struck before one was proven to be that.
pub fn is_unproven(status: Status, objective: &str) -> bool {
    status == Status::Feasible && !ANY_SOLUTION.contains(&objective)
}

/// Whether a claim of infeasibility in a run proves nothing of the puzzle.
pub fn is_restricted(run: &Run, status: Status) -> bool {
    status == Status::Infeasible && run.termination_reason == RESTRICTED
}

/// Says that figures are medians, where they are, and of what.
pub fn repeats<'a>(outcomes: &(impl Iterator<Item = &'a Outcome> + Clone)) -> Option<String> {
    let counts: BTreeSet<_> = outcomes.clone().map(|o| o.tally.all).collect();
    let most = counts.last().copied().filter(|most| *most > 1)?;
    let up_to = if counts.len() > 1 { "up to " } else { "" };
    let several = |of: fn(&Outcome) -> u64| outcomes.clone().any(|o| of(o) > 1);
    let what = match (several(|o| o.seeds), several(|o| o.repeats)) {
        (true, true) => " (seeds and repeats)",
        (true, false) => " (seeds)",
        (false, true) => " (repeats)",
        (false, false) => "",
    };
    Some(format!("Medians of {up_to}{most} runs{what}"))
}
