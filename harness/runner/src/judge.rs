//! What a run's answer is worth. Nothing that a worker says is believed; solutions are verified here.

use model::Caveats;
use puzzle::{Instance, Known, Rule, Solution, Verdict, verify};
use record::{Category, RESTRICTED, Status};

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

impl Judgement {
    fn new(category: Category, message: Option<String>) -> Self {
        Self { category, termination_reason: None, loops: None, holes: None, message }
    }

    fn of(mut self, instance: &Instance, verdict: Option<&Verdict>) -> Self {
        let verdict = verdict.filter(|_| instance.puzzle.has_loops());
        self.loops = verdict.map(|v| v.loops.len() as u64);
        self.holes = verdict.map(|v| v.holes as u64);
        self
    }
}

/// Judges how a run ended, with the caveats of its formulation.
#[must_use]
pub fn judge(instance: &Instance, caveats: &Caveats, ended: &Ended) -> Judgement {
    let verdict = found(ended).map(|solution| verify(instance, solution));
    match ended.status {
        Status::Optimal | Status::Feasible => {
            let answer = ended.answer.as_ref().and_then(|answer| answer.solution.as_ref());
            match answer.and(verdict.as_ref()) {
                Some(verdict) => judge_solution(instance, &caveats.waived, verdict).of(instance, Some(verdict)),
                None => Judgement::new(
                    Category::Error,
                    Some(format!("the solver claims {} and shows no solution", ended.status)),
                ),
            }
        }
        Status::Infeasible => judge_infeasible(instance, &caveats.restricting),
        Status::Timeout | Status::Memout | Status::Interrupted => {
            Judgement::new(Category::Unknown, None).of(instance, verdict.as_ref())
        }
        Status::Unsupported | Status::Crash | Status::Error | Status::Lost => Judgement::new(Category::Error, None),
    }
}

/// The solution of the answer, or else the last one that a solve found.
fn found(ended: &Ended) -> Option<&Solution> {
    let answered = ended.answer.as_ref().and_then(|answer| answer.solution.as_ref());
    answered.or_else(|| ended.iterations.iter().rev().find_map(|iteration| iteration.solution.as_ref()))
}

fn judge_solution(instance: &Instance, waived: &[Rule], verdict: &Verdict) -> Judgement {
    if verdict.is_valid() {
        return match instance.known {
            Known::Unsolvable => Judgement::new(
                Category::Wrong,
                Some(format!(
                    "CONTRADICTION: {} is recorded as unsolvable, yet this solution passes verification; \
                     either the record or the verification is wrong",
                    instance.name
                )),
            ),
            Known::Solvable | Known::Unknown => Judgement::new(Category::Correct, None),
        };
    }
    if verdict.is_valid_but_for(waived) {
        let broken = |rule| verdict.violations.iter().any(|violation| violation.rule == rule);
        let reason = match verdict.violations.first() {
            _ if broken(Rule::SingleLoop) => "subloops",
            _ if broken(Rule::NoHole) => "holes",
            first => first.map_or("", |violation| violation.rule.name()),
        };
        let mut judgement = Judgement::new(Category::Unknown, None);
        judgement.termination_reason = Some(reason.to_owned());
        return judgement;
    }
    let counted = verdict.violations.iter().filter(|violation| !waived.contains(&violation.rule));
    let mut broken: Vec<String> = counted.map(ToString::to_string).collect();
    let more = broken.len().saturating_sub(LISTED);
    broken.truncate(LISTED);
    if more > 0 {
        broken.push(format!("and {more} more"));
    }
    Judgement::new(Category::Wrong, Some(format!("the solution breaks rules: {}", broken.join("; "))))
}

fn judge_infeasible(instance: &Instance, restricting: &[&str]) -> Judgement {
    if !restricting.is_empty() {
        let families = restricting.join(" and ");
        let forbids = if restricting.len() == 1 { "forbids" } else { "forbid" };
        let mut judgement = Judgement::new(
            Category::Unknown,
            Some(format!("{families} {forbids} some solutions too, so this says nothing of {}", instance.name)),
        );
        judgement.termination_reason = Some(RESTRICTED.to_owned());
        return judgement;
    }
    match instance.known {
        Known::Unsolvable => Judgement::new(Category::Correct, None),
        Known::Unknown => Judgement::new(Category::Unknown, None),
        Known::Solvable => {
            let message = format!("the solver claims that there is no solution, but {} has one", instance.name);
            Judgement::new(Category::Wrong, Some(message))
        }
    }
}
