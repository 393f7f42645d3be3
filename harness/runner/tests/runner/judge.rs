//! Claims against what can be verified and what is known.

use std::path::Path;

use model::Caveats;
use puzzle::{Instance, Placement, Rule, Solution};
use record::{Category, Status};
use runner::{Ended, Judgement, judge};

use crate::support::{answer, broken_solution, instance, iteration, solution};

fn claim(status: Status, solution: Option<&Solution>) -> Ended {
    let mut ended = Ended::without_worker(status, "test", String::new());
    let line = answer(status.name(), solution);
    if let Ok(runner::protocol::Event::Answer(answer)) = serde_json::from_str(&line) {
        ended.answer = Some(answer);
    }
    ended
}

fn judged(known: &str, waived: &[Rule], status: Status, solution: Option<&Solution>) -> Judgement {
    judge(&instance(known), &Caveats { waived: waived.to_vec(), ..Caveats::default() }, &claim(status, solution))
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

/// Under a family that forbids some solutions too, nothing found is nothing proven.
#[test]
fn infeasible_under_a_restricting_family_is_no_answer() {
    for (restricting, named) in [(vec!["B6'"], "B6' forbid"), (vec!["B6'", "B6''"], "B6' and B6'' forbid")] {
        let caveats = Caveats { waived: vec![Rule::SingleLoop, Rule::NoHole], restricting };
        for known in ["unsolvable", "solvable", "unknown"] {
            let judgement = judge(&instance(known), &caveats, &claim(Status::Infeasible, None));
            assert_eq!(judgement.category, Category::Unknown, "{known}");
            assert_eq!(judgement.termination_reason.as_deref(), Some("restricted"));
            assert!(judgement.message.is_some_and(|m| m.contains(named) && m.contains("tri")));
        }
        // What is found counts as ever, and limits are limits.
        let found = judge(&instance("solvable"), &caveats, &claim(Status::Optimal, Some(solution())));
        assert_eq!((found.category, found.termination_reason), (Category::Correct, None));
        let wrong = judge(&instance("unsolvable"), &caveats, &claim(Status::Optimal, Some(solution())));
        assert_eq!(wrong.category, Category::Wrong);
        let late = judge(&instance("unsolvable"), &caveats, &claim(Status::Timeout, None));
        assert_eq!((late.category, late.termination_reason), (Category::Unknown, None));
    }
}

/// Six tiles around an empty place: on a board of seven, by what the formulation does about holes.
#[test]
fn holes_are_waived_or_wrong() {
    let (instance, around) = ring();
    let verdict = puzzle::verify(&instance, &around);
    assert!(verdict.violations.iter().any(|v| v.rule == Rule::NoHole), "{verdict:?}");
    let broken: Vec<Rule> = verdict.violations.iter().map(|v| v.rule).filter(|&rule| rule != Rule::NoHole).collect();
    let mut ended = claim(Status::Optimal, None);
    ended.answer.as_mut().expect("an answer").solution = Some(around);
    let judged = |waived: Vec<Rule>| judge(&instance, &Caveats { waived, ..Caveats::default() }, &ended);
    let reported = judged(broken.iter().copied().chain([Rule::NoHole]).collect());
    assert_eq!((reported.category, reported.holes), (Category::Unknown, Some(1)));
    let reason = if broken.contains(&Rule::SingleLoop) { "subloops" } else { "holes" };
    assert_eq!(reported.termination_reason.as_deref(), Some(reason));
    let forbidden = judged(broken);
    assert_eq!((forbidden.category, forbidden.holes), (Category::Wrong, Some(1)));
    assert!(forbidden.message.is_some_and(|m| m.contains("enclosed")));
}

/// Whatever tiles, as long as they lie around a place.
fn ring() -> (Instance, Solution) {
    let text = "kind = \"tantrix-bounded\"\nchallenge = 6\ntiles = \"repeated\"\n\
                places = [[0, 0], [1, 0], [0, 1], [-1, 1], [-1, 0], [0, -1], [1, -1]]\n";
    let instance = Instance::parse(text, Path::new("flower.toml")).expect("a sound instance");
    let placements = (1..=6).map(|tile| Placement { place: tile + 1, tile, orientation: 1 }).collect();
    (instance, Solution::on_places("flower", placements))
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

/// The worker compares each solution with the model and the rules before it shows it.
#[test]
fn a_solution_that_is_none_is_wrong() {
    let ended = Ended { termination_reason: record::FALSE_SOLUTION.to_owned(), ..claim(Status::Error, None) };
    assert_eq!(judge(&instance("solvable"), &Caveats::default(), &ended).category, Category::Wrong);
}

#[test]
fn a_timeout_keeps_the_loops_of_its_last_solve() {
    let mut ended = claim(Status::Timeout, None);
    if let Ok(runner::protocol::Event::Iteration(solve)) = serde_json::from_str(&iteration(0, Some(solution()))) {
        ended.iterations.push(solve);
    }
    let judgement = judge(&instance("solvable"), &Caveats::default(), &ended);
    assert_eq!((judgement.category, judgement.loops), (Category::Unknown, Some(1)));
}
