//! What became of the answer of a run, and whether two measurements of one and the same program may differ so.

use record::{CPU_LIMIT, Category, HARD_LIMIT, MEMORY_LIMIT, SOFT_LIMIT, Status};

use super::matching::Pair;
use super::{Aspect, Options, Verdict};
use crate::results::{Run, Setting, is_odd};
use crate::stats::float;

/// A difference between two answers: what it is about, what it is worth, in words.
pub type Difference = (Aspect, Verdict, String);

/// What an answer is worth, from the worst.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Worth {
    /// It is wrong.
    Wrong,
    /// There is none, since the run failed.
    Failed,
    /// There is none within the limits.
    Nothing,
    /// It solves what was asked and not the puzzle, or nobody knows whether it is right.
    Open,
    /// It is right.
    Correct,
}

impl Worth {
    fn of(run: &Run) -> Self {
        match run.category {
            Category::Wrong => Self::Wrong,
            Category::Error => Self::Failed,
            Category::Correct => Self::Correct,
            Category::Unknown if run.status.has_solution() || run.status == Status::Infeasible => Self::Open,
            Category::Unknown => Self::Nothing,
        }
    }
}

/// How the answers of two runs differ; two differences where status and objective do.
pub fn differences(pair: &Pair) -> Vec<Difference> {
    let (base, new) = (pair.base.run, pair.new.run);
    if contradict(base, new) {
        let text = format!("CONTRADICTION: {}; one of the two is wrong", shown(base, new));
        return vec![(Aspect::Wrong, Verdict::Worse, text)];
    }
    let mut found: Vec<_> = of_answer(base, new).into_iter().collect();
    found.extend(of_objective(base, new));
    found
}

/// Whether a limit struck on one side a run that just kept it on the other: -1 in NEW, 1 in BASE, 0 neither.
pub fn over_a_limit(pair: &Pair) -> i8 {
    let (base, new) = (pair.base.run, pair.new.run);
    let borderline = |found: Option<Difference>| found.is_some_and(|(_, verdict, _)| verdict == Verdict::Borderline);
    if contradict(base, new) || !borderline(of_answer(base, new)) {
        return 0;
    }
    match Worth::of(new).cmp(&Worth::of(base)) {
        std::cmp::Ordering::Less => -1,
        std::cmp::Ordering::Greater => 1,
        std::cmp::Ordering::Equal if base.status == Status::Optimal => -1,
        std::cmp::Ordering::Equal => 1,
    }
}

/// One claims that there is no solution, the other has one of the same model.
fn contradict(a: &Run, b: &Run) -> bool {
    let claims = |run: &Run| run.status == Status::Infeasible && run.category != Category::Wrong;
    let solves = |run: &Run| run.status.has_solution() && matches!(run.category, Category::Correct | Category::Unknown);
    (claims(a) && solves(b)) || (solves(a) && claims(b))
}

fn of_answer(base: &Run, new: &Run) -> Option<Difference> {
    let text = shown(base, new);
    let (before, after) = (Worth::of(base), Worth::of(new));
    if before == Worth::Wrong && after == Worth::Wrong {
        return Some((Aspect::Wrong, Verdict::Changed, format!("wrong on both sides: {text}")));
    }
    let found = match after.cmp(&before) {
        std::cmp::Ordering::Less => Some(fall(base, new)),
        std::cmp::Ordering::Greater => Some(fall(new, base)).map(|(aspect, verdict)| (aspect, verdict.reversed())),
        std::cmp::Ordering::Equal => sideways(base, new, after),
    };
    found.map(|(aspect, verdict)| match verdict {
        Verdict::Borderline => (aspect, verdict, format!("{text}, near a limit")),
        _ => (aspect, verdict, text),
    })
}

/// From an answer to one that is worth less.
fn fall(better: &Run, worse: &Run) -> (Aspect, Verdict) {
    let chance = || if may_be_chance(better, worse) { Verdict::Borderline } else { Verdict::Worse };
    match (Worth::of(better), Worth::of(worse)) {
        (_, Worth::Wrong) => (Aspect::Wrong, Verdict::Worse),
        (_, Worth::Failed) => (Aspect::Failure, Verdict::Worse),
        // The formulation allows both: whether its solution happens to have one loop and no hole is luck.
        (Worth::Correct, Worth::Open) if better.status == worse.status && worse.status.has_solution() => {
            (Aspect::Status, Verdict::Changed)
        }
        (Worth::Correct, _) => (Aspect::Failure, chance()),
        _ => (Aspect::Status, chance()),
    }
}

/// From one answer to another that is worth as much.
fn sideways(base: &Run, new: &Run, worth: Worth) -> Option<(Aspect, Verdict)> {
    if base.status == new.status {
        return None;
    }
    let aspect = if worth == Worth::Failed { Aspect::Failure } else { Aspect::Status };
    let verdict = match (base.status, new.status) {
        (Status::Optimal, Status::Feasible) if may_be_chance(base, new) => Verdict::Borderline,
        (Status::Feasible, Status::Optimal) if may_be_chance(new, base) => Verdict::Borderline,
        (Status::Optimal, Status::Feasible) => Verdict::Worse,
        (Status::Feasible, Status::Optimal) => Verdict::Better,
        _ => Verdict::Changed,
    };
    Some((aspect, verdict))
}

/// Objective values; models minimise.
fn of_objective(base: &Run, new: &Run) -> Option<Difference> {
    let usable =
        |run: &Run| run.objective_value.filter(|_| run.status.has_solution() && Worth::of(run) > Worth::Failed);
    let (before, after) = (usable(base)?, usable(new)?);
    let tolerance = Options::OBJECTIVE_TOLERANCE * before.abs().max(after.abs()).max(1.0);
    if (before - after).abs() <= tolerance {
        return None;
    }
    let text = format!("objective {before} → {after}");
    let optimal = |run: &Run| run.status == Status::Optimal;
    if optimal(base) && optimal(new) {
        // A solver stops within its gap, and what lies between bound and value is no contradiction.
        let below = |value: f64, proven: Option<f64>, other: f64| value < proven.unwrap_or(other) - tolerance;
        return Some(if below(after, base.bound, before) || below(before, new.bound, after) {
            (Aspect::Objective, Verdict::Worse, format!("two different optima, one of them is wrong: {text}"))
        } else {
            (Aspect::Objective, Verdict::Changed, format!("{text}, within the gap that was allowed"))
        });
    }
    // A verified solution below what the other side proved: that proof is wrong, however its own run ended.
    let refuted = |claim: &Run, value: f64, by: &Run, other: f64| {
        optimal(claim) && by.category == Category::Correct && other < claim.bound.unwrap_or(value) - tolerance
    };
    if refuted(base, before, new, after) || refuted(new, after, base, before) {
        return Some((Aspect::Objective, Verdict::Worse, format!("a solution below a proven bound: {text}")));
    }
    let chance = is_stopped(base) || is_stopped(new) || base.setting.threads > 1;
    Some(if chance {
        (Aspect::Objective, Verdict::Borderline, format!("{text}, found when a limit struck"))
    } else if after > before {
        (Aspect::Objective, Verdict::Worse, text)
    } else {
        (Aspect::Objective, Verdict::Better, text)
    })
}

/// `optimal (correct) → timeout (unknown, hard-limit)`.
fn shown(base: &Run, new: &Run) -> String {
    format!("{} → {}", answer(base), answer(new))
}

fn answer(run: &Run) -> String {
    let reason = &*run.termination_reason;
    let plain = reason.is_empty() || reason == "solved" || reason == run.status.as_str();
    if plain {
        format!("{} ({})", run.status, run.category)
    } else {
        format!("{} ({}, {reason})", run.status, run.category)
    }
}

/// Share of a limit from which on a run is near it, where both were measured alike and with one thread.
pub const NEAR: f64 = 0.8;

/// The same on another machine, beside other numbers of jobs, or with several threads, whose work differs from run to run.
pub const NEAR_ELSEWHERE: f64 = 0.25;

/// Whether both runs were measured under the same circumstances, and undisturbed.
pub fn is_comparable(pair: &Pair) -> bool {
    let [base, new] = pair.runs();
    are_alike(&base.setting, &new.setting) && !base.is_disturbed() && !new.is_disturbed()
}

/// Whether two runs were measured so that their times can be compared.
fn are_alike(a: &Setting, b: &Setting) -> bool {
    differing(a, b).next().is_none()
}

/// What differs, and how it was on either side.
pub fn differing<'a>(a: &'a Setting, b: &'a Setting) -> impl Iterator<Item = (&'static str, String, String)> + 'a {
    let facts = |s: &Setting| {
        let governor = s.machine.as_ref().map(|m| m.governor.clone()).unwrap_or_default();
        let pinned = if s.pinned { "pinned" } else { "not pinned" };
        [s.host.clone(), s.cpu_model.clone(), governor, pinned.to_owned(), s.jobs.to_string()]
    };
    let whats = ["host", "CPU model", "governor", "pinning", "jobs at a time"];
    let both = whats.into_iter().zip(facts(a)).zip(facts(b));
    both.filter(|((_, a), b)| a != b).map(|((what, a), b)| (what, a, b))
}

/// Least wall time in seconds of a run by which the load of a machine is judged: of shorter ones much is the start of a process.
const TELLING_S: f64 = 0.1;

/// How many times their CPU time the single-threaded runs of at least 0.1 s took together, if that is more than 1.1 and 0.5 s
/// more: then the machine was busy, and each of them may have waited, those too that were too short to show it.
pub fn busy<'a>(runs: impl Iterator<Item = &'a Run>) -> Option<f64> {
    let single = runs.filter(|run| run.setting.threads == 1);
    let times = single.filter_map(Run::times).filter(|(wall, _)| *wall >= TELLING_S);
    let (wall, cpu) = times.fold((0.0, 0.0), |sum, time| (sum.0 + time.0, sum.1 + time.1));
    is_odd(cpu, wall).then(|| wall / cpu)
}

/// Whether a limit kept a run from doing more: it ran out, or the best solution until then was taken.
pub fn is_stopped(run: &Run) -> bool {
    let reason = &*run.termination_reason;
    [SOFT_LIMIT, HARD_LIMIT, CPU_LIMIT, MEMORY_LIMIT].contains(&reason)
        || (run.status == Status::Feasible && used(run).iter().flatten().any(|share| *share >= NEAR))
}

/// Whether a run came to its end by itself and with an answer, so that its counts depend on nothing but the program.
pub fn is_finished(run: &Run) -> bool {
    (run.status.has_solution() || run.status == Status::Infeasible) && !is_stopped(run)
}

/// Whether a limit struck the one run that the other was near to.
pub fn may_be_chance(ended: &Run, stopped: &Run) -> bool {
    if !is_stopped(stopped) {
        return false;
    }
    let [time, cpu, memory] = used(ended);
    let share = match &*stopped.termination_reason {
        SOFT_LIMIT | HARD_LIMIT => time,
        CPU_LIMIT => cpu,
        MEMORY_LIMIT => memory,
        // A solution that was there when the limit struck.
        _ => time.into_iter().chain(cpu).reduce(f64::max),
    };
    let single = ended.setting.threads == 1;
    let alike = are_alike(&ended.setting, &stopped.setting) && ended.setting.isolation == stopped.setting.isolation;
    share.is_some_and(|share| share >= if single && alike { NEAR } else { NEAR_ELSEWHERE })
}

/// How much of its limits of wall time, CPU time and memory a run used.
fn used(run: &Run) -> [Option<f64>; 3] {
    let share = |used: Option<f64>, limit: Option<f64>| used.zip(limit).map(|(used, limit)| used / limit);
    let bytes = |count: Option<u64>| count.map(float);
    [
        share(run.wall_time_s, run.time_limit_s),
        share(run.cpu_time_s, run.cpu_limit_s),
        share(bytes(run.peak_memory_b), bytes(run.memory_limit_b)),
    ]
}
