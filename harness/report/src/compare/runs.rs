//! Single runs: how the answers of a run differ, whether two measurements of one program may differ so, and runs without an answer
//! on a side.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use record::{
    CPU_LIMIT, Category, HARD_LIMIT, MEMORY_LIMIT, SOFT_LIMIT, Status, counted_in, is_below, is_whole_model, proven,
};

use super::finding::{Aspect, Case, Ended, Finding, Options, SIDES, Subject, Verdict};
use super::matching::{Matched, Member, Pair, are_alike, subject, waited};
use crate::results::Run;
use crate::stats::float;
use crate::text::count;

type Difference = (Aspect, Verdict, String);

/// How good an answer is, from the worst.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Worth {
    Wrong,
    /// There is none, since the run failed.
    Failed,
    /// There is none within the limits.
    Nothing,
    /// It solves what was asked and not the puzzle, or nobody knows whether it is right.
    Open,
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
fn differences(pair: &Pair) -> Vec<Difference> {
    let (base, new) = (pair.base.run, pair.new.run);
    if contradict(base, new) {
        let text = format!("CONTRADICTION: {}; one of the two is wrong", shown(base, new));
        return vec![(Aspect::Wrong, Verdict::Worse, text)];
    }
    let mut found: Vec<_> = of_answer(base, new).into_iter().collect();
    found.extend(of_objective(base, new));
    found
}

/// Whether a limit struck a run on one side only, which by itself is no evidence: -1 in NEW, 1 in BASE, 0 neither.
pub fn over_a_limit(pair: &Pair) -> i8 {
    let (base, new) = (pair.base.run, pair.new.run);
    let borderline = |found: Option<Difference>| found.is_some_and(|(_, verdict, _)| verdict == Verdict::Borderline);
    if contradict(base, new) || !borderline(of_answer(base, new)) {
        return 0;
    }
    match Worth::of(new).cmp(&Worth::of(base)) {
        Ordering::Less => -1,
        Ordering::Greater => 1,
        Ordering::Equal if base.status == Status::Optimal => -1,
        Ordering::Equal => 1,
    }
}

/// One claims that there is no solution, the other has one of the same model.
fn contradict(a: &Run, b: &Run) -> bool {
    let claims = |run: &Run| run.status == Status::Infeasible && run.category != Category::Wrong;
    let solves = |run: &Run| run.status.has_solution() && matches!(run.category, Category::Correct | Category::Unknown);
    (claims(a) && solves(b)) || (solves(a) && claims(b))
}

/// Whether an answer of a pair is wrong, or shows that the other is: how soon it came, and after how much work, is worth nothing.
pub fn has_wrong(pair: &Pair) -> bool {
    let (base, new) = (pair.base.run, pair.new.run);
    let is_wrong = |run: &Run| run.category == Category::Wrong;
    let differ = || matches!((counted(base), counted(new)), (Some(before), Some(after)) if before != after);
    is_wrong(base) || is_wrong(new) || contradict(base, new) || of_bounds(base, new).is_some() || differ()
}

fn of_answer(base: &Run, new: &Run) -> Option<Difference> {
    let text = shown(base, new);
    let (before, after) = (Worth::of(base), Worth::of(new));
    if before == Worth::Wrong && after == Worth::Wrong {
        return Some((Aspect::Wrong, Verdict::Changed, format!("wrong on both sides: {text}")));
    }
    let is_wrong = before == Worth::Wrong || after == Worth::Wrong;
    if is_wrong && base.is_refuted != new.is_refuted && same_claim(base, new) {
        let side = SIDES[usize::from(new.is_refuted)];
        let text = format!("{text}: the same answer, which another run in {side} refutes");
        return Some((Aspect::Wrong, Verdict::Changed, text));
    }
    if base.claims_infeasible() && new.claims_infeasible() && before != after && !is_wrong {
        let text = format!("{text}: the same answer, judged by what else was known of the instance");
        return Some((Aspect::Status, Verdict::Changed, text));
    }
    let found = match after.cmp(&before) {
        Ordering::Less => Some(fall(base, new)),
        Ordering::Greater => Some(fall(new, base)).map(|(aspect, verdict)| (aspect, verdict.reversed())),
        Ordering::Equal => sideways(base, new, after),
    };
    found.map(|(aspect, verdict)| match verdict {
        Verdict::Borderline => (aspect, verdict, format!("{text}, which one measurement may show by chance")),
        _ => (aspect, verdict, text),
    })
}

/// Whether two runs say the same of their instance, whoever believes it.
fn same_claim(a: &Run, b: &Run) -> bool {
    let figures = |run: &Run| [run.bound, run.objective_value];
    let close =
        |a: Option<f64>, b: Option<f64>| a == b || a.zip(b).is_some_and(|(a, b)| (a - b).abs() <= tolerance(a, b));
    let number = |run: &Run| counted_in(run.native_status.as_ref()?);
    a.status == b.status && number(a) == number(b) && figures(a).into_iter().zip(figures(b)).all(|(a, b)| close(a, b))
}

/// Difference of two objective values that is none.
fn tolerance(a: f64, b: f64) -> f64 {
    Options::OBJECTIVE_TOLERANCE * a.abs().max(b.abs()).max(1.0)
}

/// The difference from an answer to a worse one.
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

/// The difference from an answer to another that is as good.
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

/// The objective value of a run that counts.
fn value(run: &Run) -> Option<f64> {
    run.objective_value.filter(|_| run.status.has_solution() && Worth::of(run) > Worth::Failed)
}

/// A verified solution below what a run proved: that proof is wrong, however its run ended, or the value is. It is loud whichever side
/// it is on; but for what BASE itself refutes, which NEW can only mend or leave.
fn of_bounds(base: &Run, new: &Run) -> Option<Difference> {
    let sides = [(SIDES[0], base), (SIDES[1], new)];
    let solved = || sides.into_iter().filter(|(_, run)| run.category == Category::Correct);
    let refuted = |claim: &Run| {
        let bound = proven(claim, claim.setting.model())?;
        let below = |(side, run): (&'static str, &Run)| Some((side, value(run)?)).filter(|(_, v)| is_below(*v, bound));
        solved().find_map(below).map(|(side, value)| (bound, side, value))
    };
    let text = |claimed: &str, (bound, side, value): (f64, &str, f64)| {
        format!("proven in {claimed} to be at least {bound}, and {value} in {side}")
    };
    let (verdict, text) = match (refuted(base), refuted(new)) {
        (None, None) => return None,
        (Some(of_base), Some(_)) if of_base.1 == SIDES[0] => {
            (Verdict::Changed, format!("wrong on both sides: {}", text(SIDES[0], of_base)))
        }
        (_, Some(of_new)) => (Verdict::Worse, text(SIDES[1], of_new)),
        (Some(of_base), None) if of_base.1 == SIDES[0] => (Verdict::Better, text(SIDES[0], of_base)),
        (Some(of_base), None) => (Verdict::Worse, text(SIDES[0], of_base)),
    };
    Some((Aspect::Objective, verdict, format!("objective {text}")))
}

/// What a run counted, with all of its digits.
fn counted(run: &Run) -> Option<u128> {
    counted_in(run.native_status.as_ref().filter(|_| Worth::of(run) > Worth::Failed)?)
}

/// Objective values; models minimise. Counts are compared with all of their digits.
fn of_objective(base: &Run, new: &Run) -> Option<Difference> {
    if let (Some(before), Some(after)) = (counted(base), counted(new)) {
        let text = format!("two different counts, one of them is wrong: {before} → {after} solutions");
        return (before != after).then_some((Aspect::Objective, Verdict::Worse, text));
    }
    if let Some(found) = of_bounds(base, new) {
        return Some(found);
    }
    let (before, after) = (value(base)?, value(new)?);
    let tolerance = tolerance(before, after);
    if (before - after).abs() <= tolerance {
        return None;
    }
    let text = format!("objective {before} → {after}");
    if base.status == Status::Optimal && new.status == Status::Optimal {
        if !is_whole_model(&new.setting.options) {
            return Some((Aspect::Objective, Verdict::Changed, format!("{text}, with tiles that a start fixed")));
        }
        // A solver stops within its gap, and what lies between bound and value is no contradiction.
        let below = |value: f64, proven: Option<f64>, other: f64| value < proven.unwrap_or(other) - tolerance;
        return Some(if below(after, base.bound, before) || below(before, new.bound, after) {
            (Aspect::Objective, Verdict::Worse, format!("two different optima, one of them is wrong: {text}"))
        } else {
            (Aspect::Objective, Verdict::Changed, format!("{text}, within the gap that was allowed"))
        });
    }
    if is_stopped(base) || is_stopped(new) || base.setting.threads > 1 {
        return Some((Aspect::Objective, Verdict::Borderline, format!("{text}, found when a limit struck")));
    }
    Some((Aspect::Objective, if after > before { Verdict::Worse } else { Verdict::Better }, text))
}

/// `optimal (correct) → timeout (unknown, hard-limit)`.
fn shown(base: &Run, new: &Run) -> String {
    format!("{} → {}", answer(base), answer(new))
}

fn answer(run: &Run) -> String {
    let reason = run.termination_reason.as_str();
    let is_plain = ["", "solved", run.status.name()].contains(&reason);
    let reason = if is_plain { String::new() } else { format!(", {reason}") };
    format!("{} ({}{reason})", run.status, run.category)
}

/// Share of a limit of time above which it is no evidence that the limit stopped the other run, where both were measured alike
/// and with one thread: one run in many takes several times as long.
const NEAR: f64 = 0.1;

/// The same on another machine, beside other numbers of jobs, or with several threads, whose work differs from run to run.
const NEAR_ELSEWHERE: f64 = 0.03;

/// The same for memory, of which two runs hardly need different amounts.
const NEAR_MEMORY: [f64; 2] = [0.8, 0.25];

/// Share of a limit from which on a run that found a solution is taken to have been stopped by it.
const STOPPED: f64 = 0.8;

/// Whether a limit kept a run from doing more: it ran out, or the best solution until then was taken.
fn is_stopped(run: &Run) -> bool {
    let [.., memory] = used(run);
    struck_by_time(run) || run.termination_reason == MEMORY_LIMIT || is_used_up(run, [memory])
}

/// Whether a limit of time kept a run from its end.
pub fn struck_by_time(run: &Run) -> bool {
    let [time, cpu, _] = used(run);
    [SOFT_LIMIT, HARD_LIMIT, CPU_LIMIT].contains(&run.termination_reason.as_str()) || is_used_up(run, [time, cpu])
}

/// Whether a run has a solution that is not proven to be the best, and used so much of a limit.
fn is_used_up<const N: usize>(run: &Run, shares: [Option<f64>; N]) -> bool {
    run.status == Status::Feasible && shares.into_iter().flatten().any(|share| share >= STOPPED)
}

/// Whether a run ended by itself and with an answer, so that its counts depend on nothing but the program.
pub fn is_finished(run: &Run) -> bool {
    (run.status.has_solution() || run.status == Status::Infeasible) && !is_stopped(run)
}

/// Whether a limit that stopped one run is no evidence, given what the other used of it or that the one waited.
fn may_be_chance(ended: &Run, stopped: &Run) -> bool {
    if !is_stopped(stopped) {
        return false;
    }
    if struck_by_time(stopped) && waited(stopped) {
        return true;
    }
    let [time, cpu, memory] = used(ended);
    let share = match stopped.termination_reason.as_str() {
        SOFT_LIMIT | HARD_LIMIT => time,
        CPU_LIMIT => cpu,
        MEMORY_LIMIT => memory,
        // A solution that was there when the limit struck.
        _ => share_of_time(ended),
    };
    let single = ended.setting.threads == 1;
    let alike = are_alike(&ended.setting, &stopped.setting) && ended.setting.isolation == stopped.setting.isolation;
    let [near, elsewhere] = if struck_by_time(stopped) { [NEAR, NEAR_ELSEWHERE] } else { NEAR_MEMORY };
    share.is_some_and(|share| share >= if single && alike { near } else { elsewhere })
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

/// The greatest share of a limit of time that a run needed.
pub fn share_of_time(run: &Run) -> Option<f64> {
    let [time, cpu, _] = used(run);
    time.into_iter().chain(cpu).reduce(f64::max)
}

/// Every run, and what is found of single runs.
pub fn of_runs(matched: &Matched) -> (Vec<Case>, Vec<Finding>) {
    let (mut cases, mut findings) = (Vec::new(), Vec::new());
    for pair in &matched.pairs {
        findings.extend(differences(pair).into_iter().map(|difference| finding(&pair.new, cases.len(), difference)));
        cases.push(case(&pair.new, Some(&pair.base), Some(&pair.new)));
    }
    for (side, members) in matched.alone.iter().enumerate() {
        for member in members {
            // A wrong answer is one whether or not it was asked for before.
            if member.run.category == Category::Wrong {
                let text = format!("wrong in {}, and not run on the other side", SIDES[side]);
                let verdict = [Verdict::Better, Verdict::Worse][side];
                findings.push(finding(member, cases.len(), (Aspect::Wrong, verdict, text)));
            }
            let on = |of: usize| (of == side).then_some(member);
            cases.push(case(member, on(0), on(1)));
        }
    }
    (cases, findings)
}

fn finding(member: &Member, case: usize, (aspect, verdict, text): Difference) -> Finding {
    Finding { case: Some(case), ..Finding::new(aspect, verdict, subject(member), text) }
}

/// Runs that only one side has, by group.
pub fn missing(members: &[Member], side: usize) -> Vec<Finding> {
    let mut numbers: BTreeMap<Subject, usize> = BTreeMap::new();
    for member in members {
        *numbers.entry(subject(member)).or_default() += 1;
    }
    let verdict = [Verdict::Missing, Verdict::Changed][side];
    let finding = |(subject, runs): (Subject, usize)| {
        let text = format!("{} measured in {} only", count(runs, "run"), SIDES[side]);
        Finding::new(Aspect::Missing, verdict, subject, text)
    };
    numbers.into_iter().map(finding).collect()
}

/// A run, under the names that this member has.
fn case(named: &Member, base: Option<&Member>, new: Option<&Member>) -> Case {
    let ended = |Member { run, .. }: &Member| Ended {
        run_id: run.run_id.clone(),
        status: run.status,
        category: run.category,
        reason: run.termination_reason.clone(),
        wall_time_s: run.wall_time_s,
        message: run.message.clone(),
    };
    let setting = &named.run.setting;
    Case {
        experiment: named.experiment.name().to_owned(),
        instance: setting.instance.clone(),
        formulation: setting.formulation.clone(),
        solver: setting.solver.clone(),
        seed: named.run.seed,
        repeat: named.run.repeat,
        base: base.map(ended),
        new: new.map(ended),
    }
}
