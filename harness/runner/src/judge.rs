//! What a run's answer is worth. Nothing that a worker says is believed; solutions are verified here.

use model::Caveats;
use puzzle::{Instance, Known, Rule, Verdict, verify};
use record::{Category, FALSE_SOLUTION, RESTRICTED, RunRow, Status};

use crate::worker::Ended;

/// Violations that a message lists at most; a broken model breaks hundreds at once.
const LISTED: usize = 5;

/// What the judge found out about a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Judgement {
    /// The finding.
    pub category: Category,
    /// Why the run is no more than it is, where that is for the judge to say (`subloops`, `holes`, ...).
    pub termination_reason: Option<String>,
    /// Loops of the solution, or of the last one found before a limit; none where the puzzle has no loops.
    pub loops: Option<u64>,
    /// Holes of the same.
    pub holes: Option<u64>,
    /// What a reader of the row should know.
    pub message: Option<String>,
}

/// Category, termination reason and message.
type Finding = (Category, Option<&'static str>, Option<String>);

/// Judges how a run ended, with the caveats of its formulation.
#[must_use]
pub fn judge(instance: &Instance, caveats: &Caveats, ended: &Ended) -> Judgement {
    let answered = ended.answer.as_ref().and_then(|answer| answer.solution.as_ref());
    let last = || ended.iterations.iter().rev().find_map(|iteration| iteration.solution.as_ref());
    let verdict = answered.or_else(last).map(|solution| verify(instance, solution));
    let (category, reason, message) = match ended.status {
        Status::Optimal | Status::Feasible => match answered.and(verdict.as_ref()) {
            Some(verdict) => judge_solution(instance, &caveats.waived, verdict),
            None => {
                let message = format!("the solver claims {} and shows no solution", ended.status);
                (Category::Error, None, Some(message))
            }
        },
        Status::Infeasible => judge_infeasible(instance, &caveats.restricting),
        Status::Timeout | Status::Memout | Status::Interrupted => (Category::Unknown, None, None),
        Status::Error if ended.termination_reason == FALSE_SOLUTION => (Category::Wrong, None, None),
        Status::Unsupported | Status::Crash | Status::Error | Status::Lost => (Category::Error, None, None),
    };
    let shows_loops = category != Category::Error && ended.status != Status::Infeasible && instance.puzzle.has_loops();
    let verdict = verdict.filter(|_| shows_loops);
    Judgement {
        category,
        termination_reason: reason.map(str::to_owned),
        loops: verdict.as_ref().map(|verdict| verdict.loops.len() as u64),
        holes: verdict.as_ref().map(|verdict| verdict.holes as u64),
        message,
    }
}

/// Judges the answer of a row again where its verdict hangs on what is known of its instance, which may have changed since. Whether
/// the verdict is another one now.
pub fn judge_again(row: &mut RunRow, instance: &Instance) -> bool {
    let (category, _, message) = if row.claims_infeasible() {
        judge_infeasible(instance, &[])
    } else if row.is_solved() || is_refuted_record(row) {
        judge_valid(instance)
    } else {
        return false;
    };
    let is_another = category != row.category;
    if is_another {
        let before = row.message.take().and_then(|message| without_verdict(&message));
        row.message = message_of([message, before]);
        row.category = category;
    }
    is_another
}

/// The ends of what the judge says of an answer that contradicts what is known of its instance.
const UNSOLVABLE: &str = "either the record or the verification is wrong";
const SOLVABLE: &str = "is recorded as solvable";

/// A message without what the judge said of what was known, which comes first.
fn without_verdict(message: &str) -> Option<String> {
    let end = [UNSOLVABLE, SOLVABLE].into_iter().find_map(|end| Some(message.find(end)? + end.len()));
    let rest = message[end.unwrap_or(0)..].trim_start_matches("; ");
    (!rest.is_empty()).then(|| rest.to_owned())
}

/// Whether a row is wrong only since its instance was known to be unsolvable: its solution passed verification.
fn is_refuted_record(row: &RunRow) -> bool {
    row.category == Category::Wrong && row.message.as_ref().is_some_and(|message| message.contains(UNSOLVABLE))
}

/// What there is to say, in one text.
pub fn message_of<const N: usize>(remarks: [Option<String>; N]) -> Option<String> {
    Some(remarks.into_iter().flatten().collect::<Vec<_>>().join("; ")).filter(|text| !text.is_empty())
}

fn judge_valid(instance: &Instance) -> Finding {
    match instance.known {
        Known::Unsolvable => {
            let message = format!(
                "CONTRADICTION: {} is recorded as unsolvable, yet this solution passes verification; {UNSOLVABLE}",
                instance.name
            );
            (Category::Wrong, None, Some(message))
        }
        Known::Solvable | Known::Unknown => (Category::Correct, None, None),
    }
}

fn judge_solution(instance: &Instance, waived: &[Rule], verdict: &Verdict) -> Finding {
    if verdict.is_valid() {
        return judge_valid(instance);
    }
    if verdict.is_valid_but_for(waived) {
        let broken = |rule| verdict.violations.iter().any(|violation| violation.rule == rule);
        let reason = match verdict.violations.first() {
            _ if broken(Rule::SingleLoop) => "subloops",
            _ if broken(Rule::NoHole) => "holes",
            first => first.map_or("", |violation| violation.rule.name()),
        };
        return (Category::Unknown, Some(reason), None);
    }
    let counted = verdict.violations.iter().filter(|violation| !waived.contains(&violation.rule));
    let mut broken: Vec<String> = counted.map(ToString::to_string).collect();
    let more = broken.len().saturating_sub(LISTED);
    broken.truncate(LISTED);
    if more > 0 {
        broken.push(format!("and {more} more"));
    }
    (Category::Wrong, None, Some(format!("the solution breaks rules: {}", broken.join("; "))))
}

fn judge_infeasible(instance: &Instance, restricting: &[&str]) -> Finding {
    if !restricting.is_empty() {
        let families = restricting.join(" and ");
        let forbids = if restricting.len() == 1 { "forbids" } else { "forbid" };
        let message = format!("{families} {forbids} some solutions too, so this says nothing of {}", instance.name);
        return (Category::Unknown, Some(RESTRICTED), Some(message));
    }
    match instance.known {
        Known::Unsolvable => (Category::Correct, None, None),
        Known::Unknown => (Category::Unknown, None, None),
        Known::Solvable => {
            let message = format!("the solver claims that there is no solution, but {} {SOLVABLE}", instance.name);
            (Category::Wrong, None, Some(message))
        }
    }
}
