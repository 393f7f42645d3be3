//! What became of the answer of a run.

use record::{Category, Status};

use super::chance::{is_stopped, may_be_chance};
use super::matching::Pair;
use super::{Aspect, Options, Verdict};
use crate::results::Run;

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
