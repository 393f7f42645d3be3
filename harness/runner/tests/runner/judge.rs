//! Claims against what can be verified and what is known.

use model::Terms;
use puzzle::{Rule, Solution};
use record::{Category, Status};
use runner::{Ended, Judgement, judge};

use crate::support::{answer, broken_solution, instance, iteration, solution};

fn claim(status: Status, solution: Option<&Solution>) -> Ended {
    let mut ended = Ended::without_worker(status, "test", String::new());
    let line = answer(status.as_str(), solution);
    if let Ok(runner::protocol::Event::Answer(answer)) = serde_json::from_str(&line) {
        ended.answer = Some(answer);
    }
    ended
}

fn judged(known: &str, waived: &[Rule], status: Status, solution: Option<&Solution>) -> Judgement {
    judge(&instance(known), &Terms { waived: waived.to_vec(), ..Terms::default() }, &claim(status, solution))
}

#[test]
fn a_verified_solution_is_correct() {
    for status in [Status::Optimal, Status::Feasible] {
        for known in ["solvable", "unknown"] {
            let judgement = judged(known, &[], status, Some(solution()));
            assert_eq!((judgement.category, judgement.loops), (Category::Correct, Some(1)));
        }
    }
}

#[test]
fn a_solution_of_the_unsolvable_is_wrong_and_says_so() {
    let judgement = judged("unsolvable", &[], Status::Optimal, Some(solution()));
    assert_eq!(judgement.category, Category::Wrong);
    assert!(judgement.message.is_some_and(|m| m.contains("CONTRADICTION")));
}

#[test]
fn a_broken_solution_is_wrong_whatever_the_worker_says() {
    let judgement = judged("solvable", &[Rule::SingleLoop], Status::Optimal, Some(&broken_solution()));
    assert_eq!(judgement.category, Category::Wrong);
    assert!(judgement.message.is_some_and(|m| m.contains("breaks rules")));
}

#[test]
fn waived_rules_make_an_answer_unknown() {
    let every_rule = [Rule::Matching, Rule::ClosedLines, Rule::SingleLoop];
    let judgement = judged("solvable", &every_rule, Status::Optimal, Some(&broken_solution()));
    assert_eq!(judgement.category, Category::Unknown);
    assert!(judgement.termination_reason.is_some());
}

#[test]
fn a_claim_without_a_solution_is_an_error() {
    assert_eq!(judged("solvable", &[], Status::Optimal, None).category, Category::Error);
}

#[test]
fn infeasible_is_an_answer() {
    for (known, category) in
        [("unsolvable", Category::Correct), ("solvable", Category::Wrong), ("unknown", Category::Unknown)]
    {
        assert_eq!(judged(known, &[], Status::Infeasible, None).category, category);
    }
}

#[test]
fn limits_are_unknown_and_failures_are_errors() {
    for status in Status::ALL {
        let expected = match status {
            Status::Timeout | Status::Memout | Status::Interrupted => Category::Unknown,
            Status::Unsupported | Status::Crash | Status::Error | Status::Lost => Category::Error,
            Status::Optimal | Status::Feasible | Status::Infeasible => continue,
        };
        assert_eq!(judged("solvable", &[], status, None).category, expected, "{status}");
    }
}

#[test]
fn a_timeout_keeps_the_loops_of_its_last_solve() {
    let mut ended = claim(Status::Timeout, None);
    if let Ok(runner::protocol::Event::Iteration(solve)) = serde_json::from_str(&iteration(0, Some(solution()))) {
        ended.iterations.push(solve);
    }
    let judgement = judge(&instance("solvable"), &Terms::default(), &ended);
    assert_eq!((judgement.category, judgement.loops), (Category::Unknown, Some(1)));
}
