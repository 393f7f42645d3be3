//! The loop that cuts subloops off and solves again, against sessions that say what the test wants.

use std::time::Duration;

use model::ir::Model;
use model::{Formulation, ModelError, Problem, Representation, build_mip};
use puzzle::{Rule, Solution};
use record::{SolveStatus, Status};
use solve::{Answer, Deadline, Growing, Iteration, Session, Solve, SolveError, Solved, Step, resolve};

use crate::arrangements::{Arranged, nine, twelve};
use crate::common::{problem, to_the_end};
use crate::script::{Reply, Script, optimal};

/// With a cutting family: on x alone, and with the variables z that the first cut adds.
const CUTTING: [&str; 2] = ["C1 C2' C4c C5x", "C1 C2' C3 C4 C5"];

/// Variables and rows of the model that was solved.
fn size(iteration: &Iteration) -> (usize, usize) {
    let whole = |figure: Option<u64>| usize::try_from(figure.expect("there is a model")).expect("not that many");
    (whole(iteration.solve.variables), whole(iteration.solve.constraints))
}

/// Plays replies against the board of twelve.
fn play(families: &str, replies: impl IntoIterator<Item = Reply>) -> Result<Answer, SolveError> {
    let Arranged { instance, .. } = twelve();
    let mut script = Script::new(&instance, families, replies);
    to_the_end(problem(&instance, families).as_mut(), &mut script, None)
}

#[test]
fn subloops_are_cut_off_until_one_loop_is_left() {
    let Arranged { instance, solutions: [first, second, whole] } = twelve();
    for families in CUTTING {
        let mut script = Script::new(&instance, families, [&first, &second, &whole].map(optimal));
        let mut problem = problem(&instance, families);
        let (mut begun, mut iterations): (Vec<u64>, Vec<Iteration>) = (Vec::new(), Vec::new());
        let answer = resolve(problem.as_mut(), &mut script, &Deadline::default(), &mut |step| match step {
            Step::Built(_) => panic!("a model is built before"),
            Step::Solving(index) => begun.push(index),
            Step::Solved(iteration) => iterations.push(iteration.clone()),
        })
        .expect("nothing fails");

        assert_eq!((answer.status, answer.reason.as_str()), (Status::Optimal, "solved"));
        assert_eq!(answer.solution.as_ref(), Some(&whole), "the last one, without cuts");
        assert_eq!(answer.last.expect("a solve").native_status.as_deref(), Some("played back"));
        assert_eq!(begun, [0, 1, 2]);
        assert_eq!(iterations.iter().map(|i| i.solve.iteration).collect::<Vec<_>>(), begun);
        for (iteration, (lengths, cuts)) in iterations.iter().zip([("5 4 3", 3), ("5 4 3", 3), ("12", 0)]) {
            let solve = &iteration.solve;
            assert_eq!((solve.loop_lengths.as_deref(), solve.cuts_added, solve.holes), (Some(lengths), cuts, Some(0)));
            assert_eq!(solve.loops, Some(lengths.split(' ').count() as u64));
            assert_eq!(iteration.solution.as_ref().expect("a solution").cuts.len() as u64, cuts);
        }
        let times: f64 = iterations.iter().map(|i| i.solve.time_s).sum();
        assert!((iterations[2].solve.cumulative_s - times).abs() < 1e-9);
        let rows: Vec<usize> = iterations.iter().map(|i| size(i).1).collect();
        assert_eq!(rows, script.rows, "rows of the model as solved, not as cut");
        assert!(rows.is_sorted_by(|a, b| a < b), "{rows:?}");
        assert_eq!(rows[2], problem.model().rows().len());
        assert_eq!(size(&iterations[2]).0, problem.model().variables().len());
        assert_eq!(size(&iterations[0]).0 < size(&iterations[1]).0, families.ends_with("C5"), "z comes with cuts");
    }
}

/// A solver that comes to these solutions in turn and ends with the first that is not cut off.
struct Comes<'a>(&'a mut dyn Problem, Vec<Solution>);

impl Session for Comes<'_> {
    fn solve(&mut self, _: &Model, _: &Deadline) -> Result<Solved, SolveError> {
        panic!("cuts are added while it runs")
    }

    fn solve_lazily(&mut self, growing: &mut dyn Growing, _: &Deadline) -> Result<Solved, SolveError> {
        for solution in &self.1 {
            let values = self.0.encode(solution);
            let found = |status| Solved { outcome: Solve::of(status, "found"), values: Some(values.clone()) };
            let before = growing.model().clone();
            if !growing.cut_off(found(SolveStatus::Feasible))? {
                assert_eq!(growing.model(), &before);
                return Ok(found(SolveStatus::Optimal));
            }
            assert_eq!(growing.model().variables(), before.variables(), "rows alone can be added");
            assert!(growing.model().broken(&values, 1e-9).len() == growing.model().rows().len() - before.rows().len());
        }
        Ok(Solved::without_values(Solve::of(SolveStatus::Infeasible, "none")))
    }
}

#[test]
fn cuts_are_added_while_the_solver_runs() {
    let Arranged { instance, solutions: [first, second, whole] } = twelve();
    for families in CUTTING {
        let lazy = Formulation::of("f", families).expect("good").with("subloops", "lazy").expect("good");
        let build = || build_mip(&lazy, &instance).expect("fits");
        let mut twin = build();
        let mut run = |shown: &[&Solution]| {
            let (mut problem, mut solves) = (build(), Vec::new());
            let mut session = Comes(twin.as_mut(), shown.iter().copied().cloned().collect());
            let answer = resolve(problem.as_mut(), &mut session, &Deadline::default(), &mut |step| {
                if let Step::Solved(iteration) = step {
                    solves.push(iteration.clone());
                }
            });
            (answer, solves)
        };
        let (answer, solves) = run(&[&first, &second, &whole]);
        let answer = answer.expect("nothing fails");
        assert_eq!((answer.status, answer.solution.as_ref()), (Status::Optimal, Some(&whole)));
        let shown: Vec<_> = solves.iter().map(|s| (s.solve.iteration, s.solve.status, s.solve.cuts_added)).collect();
        let (feasible, optimal) = (SolveStatus::Feasible, SolveStatus::Optimal);
        assert_eq!(shown, [(0, feasible, 3), (1, feasible, 3), (2, optimal, 0)]);
        assert!(solves.iter().map(|s| size(s).1).is_sorted_by(|a, b| a < b), "rows of the model as each was found");
        // A solver that has lost a cut is found out at once.
        assert!(matches!(run(&[&first, &first]).0, Err(SolveError::CutIgnored { iteration: 1, .. })));
        assert_eq!(run(&[&first, &second]).0.expect("an answer").status, Status::Infeasible);
    }
}

#[test]
fn an_objective_that_the_values_do_not_have_is_found_out() {
    let Arranged { instance, solutions: [.., whole] } = twelve();
    let plain = Formulation::of("f", CUTTING[0]).expect("good");
    let build = || build_mip(&plain, &instance).expect("fits");
    let twin = build();
    let values = twin.encode(&whole);
    for (wrong, is_refused) in [(0.0, false), (1e-6, false), (0.5, true)] {
        let computed = twin.model().objective_of(&values).expect("it minimises");
        let said = Solve {
            objective_value: Some(computed + wrong),
            bound: Some(computed),
            ..Solve::of(SolveStatus::Optimal, "best")
        };
        let mut session = Says(Solved { outcome: said, values: Some(values.clone()) });
        match resolve(build().as_mut(), &mut session, &Deadline::default(), &mut |_| ()) {
            Err(SolveError::Objective(_)) => assert!(is_refused),
            found => assert_eq!((found.expect("an answer").status, is_refused), (Status::Optimal, false)),
        }
    }
}

/// A solver that says this.
struct Says(Solved);

impl Session for Says {
    fn solve(&mut self, _: &Model, _: &Deadline) -> Result<Solved, SolveError> {
        Ok(self.0.clone())
    }
}

#[test]
fn a_solution_that_a_cut_forbids_ends_the_loop() {
    let Arranged { instance, solutions: [first, second, _] } = twelve();
    for families in CUTTING {
        for (played, iteration, at) in [
            (vec![&first, &first], 1, &first),
            (vec![&first, &second, &first], 2, &first),
            (vec![&first, &second, &second], 2, &second),
        ] {
            let mut twin = problem(&instance, families);
            let cuts = twin.separate(at).cuts;
            match play(families, played.into_iter().map(optimal)) {
                Err(SolveError::CutIgnored { iteration: found, cut }) => {
                    assert_eq!(found, iteration);
                    assert!(cuts.iter().any(|c| cut == format!("the cut {c:?}")), "{cut} is none of {cuts:?}");
                }
                other => panic!("{other:?}"),
            }
        }
        let error = play(families, [&first, &first].map(optimal)).expect_err("the cut is lost");
        assert!(error.to_string().contains("iteration 1 returned a solution that the cut [("), "{error}");
    }
}

#[test]
fn values_that_are_no_solution_are_refused() {
    let Arranged { instance, solutions: [_, _, whole] } = twelve();
    for families in CUTTING {
        let damaged = |damage| play(families, [Reply::Damaged(whole.clone(), damage)]).expect_err("no solution");
        match damaged(|values| values[7] = 0.5) {
            SolveError::Values(ModelError::Fractional { variable, value }) => {
                assert_eq!((variable.as_str(), value), ("x_1_2_2", 0.5));
            }
            other => panic!("{other:?}"),
        }
        assert!(matches!(damaged(|values| values[0] = f64::NAN), SolveError::Values(ModelError::Fractional { .. })));
        match damaged(|values| values.truncate(values.len() - 1)) {
            SolveError::Values(ModelError::Length { found, expected }) => assert_eq!(found + 1, expected),
            other => panic!("{other:?}"),
        }
    }
    let mut turned = whole.clone();
    turned.placements[4].orientation = whole.placements[4].orientation % 6 + 1;
    let mut missing = whole.clone();
    missing.placements.remove(2);
    for (solution, row) in [(&turned, "C4c_"), (&missing, "C1_3")] {
        match play("C1 C2' C4c C5x", [optimal(solution)]) {
            Err(SolveError::Broken { count, first }) => {
                let model = problem(&instance, "C1 C2' C4c C5x");
                let values = model.encode(solution);
                assert_eq!(count, model.model().broken(&values, 1e-9).len());
                assert!(count > 1 && first.starts_with(row), "{first}");
            }
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn values_are_rounded_before_rows_are_checked() {
    let Arranged { solutions: [_, _, whole], .. } = twelve();
    let nearly = |values: &mut Vec<f64>| values.iter_mut().for_each(|v| *v += 5e-5);
    let answer = play("C1 C2' C4c C5x", [Reply::Damaged(whole.clone(), nearly)]).expect("integral enough");
    assert_eq!(answer.solution, Some(whole));
}

#[test]
fn infeasible_stays_infeasible_whenever_it_is_said() {
    let Arranged { solutions: [first, second, _], .. } = twelve();
    for cut_off in [vec![], vec![&first], vec![&first, &second]] {
        let replies = cut_off.into_iter().map(optimal).chain([Reply::Nothing(SolveStatus::Infeasible)]);
        let answer = play(CUTTING[0], replies).expect("an answer");
        assert_eq!((answer.status, answer.reason.as_str()), (Status::Infeasible, "infeasible"));
        assert_eq!(answer.solution, None, "a solution with subloops is none");
    }
}

#[test]
fn limits_of_the_solver_end_the_run() {
    let Arranged { solutions: [first, ..], .. } = twelve();
    for (status, reason) in [(SolveStatus::Timeout, "soft-limit"), (SolveStatus::Memout, "solver-limit")] {
        let answer = play(CUTTING[0], [optimal(&first), Reply::Nothing(status)]).expect("an answer");
        assert_eq!((answer.status, answer.reason.as_str(), answer.solution), (status.into(), reason, None));
    }
}

#[test]
fn a_solution_without_proof_counts_and_its_subloops_are_cut_off() {
    let Arranged { solutions: [first, _, whole], .. } = twelve();
    let replies = [first, whole.clone()].map(|solution| Reply::Solution(SolveStatus::Feasible, solution));
    let answer = play(CUTTING[0], replies).expect("an answer");
    assert_eq!((answer.status, answer.reason.as_str()), (Status::Feasible, "solved"));
    assert_eq!(answer.solution, Some(whole));
}

#[test]
fn no_solve_begins_once_the_time_is_over() {
    let Arranged { instance, solutions: [first, ..] } = twelve();
    let late = Reply::Late(Duration::from_millis(60), Box::new(optimal(&first)));
    let mut script = Script::new(&instance, CUTTING[0], [late]);
    let mut problem = problem(&instance, CUTTING[0]);
    let answer = to_the_end(problem.as_mut(), &mut script, Some(Duration::from_millis(50))).expect("an answer");
    assert_eq!((answer.status, answer.reason.as_str(), answer.solution), (Status::Timeout, "soft-limit", None));
    assert_eq!(script.calls(), 1);
}

#[test]
fn each_solve_gets_the_time_that_is_left() {
    let Arranged { instance, solutions: [first, _, whole] } = twelve();
    let (limit, pause) = (Duration::from_secs(20), Duration::from_millis(30));
    let replies = [Reply::Late(pause, Box::new(optimal(&first))), optimal(&whole)];
    let mut script = Script::new(&instance, CUTTING[0], replies);
    to_the_end(problem(&instance, CUTTING[0]).as_mut(), &mut script, Some(limit)).expect("an answer");
    let limits: Vec<Duration> = script.limits.iter().map(|l| l.expect("there is a limit")).collect();
    assert!(limits[0] <= limit && limits[0] > limit - Duration::from_secs(5), "{limits:?}");
    assert!(limits[1] <= limits[0] - pause, "{limits:?}");
    // The first solve is tried even when building the model took all the time.
    let mut script = Script::new(&instance, CUTTING[0], [optimal(&whole)]);
    let answer = to_the_end(problem(&instance, CUTTING[0]).as_mut(), &mut script, Some(Duration::ZERO));
    assert_eq!(answer.expect("an answer").status, Status::Optimal);
    assert_eq!(script.limits, [Some(Duration::ZERO)]);
}

#[test]
fn without_a_cutting_family_subloops_are_only_reported() {
    let Arranged { instance, solutions: [two] } = nine();
    let mut problem = problem(&instance, "C1 C2' C4c");
    let rows = problem.model().rows().len();
    let mut script = Script::new(&instance, "C1 C2' C4c", [optimal(&two)]);
    let mut lengths = None;
    let answer = resolve(problem.as_mut(), &mut script, &Deadline::default(), &mut |step| {
        if let Step::Solved(iteration) = step {
            lengths.clone_from(&iteration.solve.loop_lengths);
        }
    });
    assert_eq!(answer.expect("an answer").solution, Some(two));
    assert_eq!(lengths.as_deref(), Some("5 4"));
    assert_eq!(problem.model().rows().len(), rows);
    let caveats = Formulation::of("f", "C1 C2' C4c").expect("good").caveats();
    assert_eq!(caveats.waived, [Rule::SingleLoop, Rule::NoHole]);
}

#[test]
fn an_error_of_the_solver_is_passed_on() {
    let Arranged { solutions: [first, ..], .. } = twelve();
    let error = play(CUTTING[0], [optimal(&first), Reply::Fail]).expect_err("the script fails");
    assert_eq!(error.to_string(), "script: solve failed: as written");
}
