//! Programs for linear models: the same answers as the linked HiGHS, from LP and from MPS files, so that both are read by
//! others as they are meant.

use std::time::{Duration, Instant};

use combinatorics::tantrix::shapes::Shape;
use model::ir::Model;
use model::{Formulation, Objective, build_mip};
use puzzle::tantrix::{BoardType, Colour};
use solve::{Backend, SolveError, SolveStatus, backend};

use super::support::{installed, small, with};
use crate::arrangements::{self, Arranged};
use crate::common::{AMPLE, board, bounded, instance, mip, problem, regular, seeded};

const PROGRAMS: [&str; 6] = ["gurobi", "cplex", "scip", "highs-exe", "cbc-exe", "glpk"];

/// Boards fixed and bounded, with and without an objective, with equations, ranges and rows in both directions,
/// solvable and not.
fn models() -> Vec<(&'static str, Model)> {
    let weighted =
        Formulation::of("w", "B1 B2 B3 B45c C5x").expect("good").with("objective", Objective::Weighted).expect("good");
    let twelve = regular(BoardType::B, 12);
    let row = instance(&Shape::Row.places(5, 0), "repeated", "");
    let of = |instance, families| problem(instance, families).model().clone();
    // Cuts are the rows that have a lower bound alone.
    let Arranged { instance: subloops, solutions: [first, second, _] } = arrangements::twelve();
    let mut cut = problem(&subloops, "C1 C2' C4c C5x");
    for solution in [first, second] {
        assert!(!cut.separate(&solution).cuts.is_empty());
    }
    vec![
        ("with cuts", cut.model().clone()),
        ("fixed, on x", of(&board(Shape::Blob, 8, 1), "C1 C2' C4c C5x")),
        ("fixed, on y", of(&board(Shape::Round, 7, 1), "C1 C2 C3 C4 C5 C7 C8")),
        ("bounded", of(&bounded(&twelve, 8, Colour::Red), "B1 B3 B45c C5x")),
        ("bounded, on y", of(&bounded(&twelve, 5, Colour::Red), "B1 B2 B3 B4+B5 C5")),
        (
            "bounded, weighted",
            build_mip(&weighted, &bounded(&twelve, 6, Colour::Red)).expect("makes sense").model().clone(),
        ),
        ("infeasible", of(&row, "C1 C2' C4c C5x")),
        ("infeasible, on y", of(&row, "C1 C2 C3 C4 C5")),
    ]
}

fn agrees(program: &dyn Backend, format: &str, name: &str, model: &Model) {
    let what = format!("{} on {format}, {name}", program.info().name);
    let mut linked = mip(backend("highs").expect("there"), &seeded(1)).expect("opened");
    let expected = linked.solve(model, Some(AMPLE)).expect("solved");
    let mut session = mip(program, &with(&[("format", format)])).expect("opened");
    let solved = session.solve(model, Some(AMPLE)).unwrap_or_else(|e| panic!("{what}: {e}"));
    assert_eq!(solved.outcome.status, expected.outcome.status, "{what}");
    assert_eq!(solved.values.is_some(), expected.values.is_some(), "{what}");
    if let (Some(values), Some(objective)) = (&solved.values, expected.outcome.objective_value) {
        assert_eq!(model.broken(values, 1e-5), Vec::<&str>::new(), "{what}");
        let found = solved.outcome.objective_value.expect("an objective");
        assert!((found - objective).abs() < 1e-6, "{what}: {found} instead of {objective}");
    }
    let (outcome, reports) = (&solved.outcome, program.info().reports);
    if outcome.status == SolveStatus::Optimal {
        assert_eq!(outcome.bound.is_some(), reports.bound, "{what}: {outcome:?}");
        assert_eq!(outcome.nodes.is_some(), reports.nodes, "{what}: {outcome:?}");
    }
}

#[test]
fn models_in_files_mean_what_they_mean_in_memory() {
    let models = models();
    let ranges =
        models.iter().any(|(_, m)| m.rows().iter().any(|r| r.lower != r.upper && (r.upper - r.lower).is_finite()));
    let (mut at_least, mut objective) = (false, false);
    for (_, model) in &models {
        at_least |= model.rows().iter().any(|row| row.lower.is_finite() && row.upper.is_infinite());
        objective |= !model.objective().is_empty();
    }
    assert!(ranges && at_least && objective, "the models have rows of every sort: {ranges} {at_least} {objective}");
    for program in PROGRAMS.into_iter().filter_map(installed) {
        for format in ["lp", "mps"] {
            for (name, model) in &models {
                agrees(program, format, name, model);
            }
        }
    }
}

#[test]
fn a_time_limit_is_an_outcome() {
    let model = problem(&board(Shape::Round, 60, 1), "C1 C2 C3 C4");
    for program in PROGRAMS.into_iter().filter_map(installed) {
        for limit in [Duration::ZERO, Duration::from_millis(5), Duration::from_millis(1500)] {
            let mut session = mip(program, &seeded(1)).expect("opened");
            let start = Instant::now();
            let solved = match session.solve(model.model(), Some(limit)) {
                Ok(solved) => solved,
                // The trial licences are for smaller models.
                Err(SolveError::Licence { reason, .. }) => {
                    println!("SKIPPED: {reason}");
                    continue;
                }
                Err(e) => panic!("{} {limit:?}: {e}", program.info().name),
            };
            let time = start.elapsed();
            assert!(time < limit + Duration::from_secs(10), "{} took {time:?}", program.info().name);
            let status = solved.outcome.status;
            println!(
                "{} {limit:?}: {status:?} after {time:?}, {:?}",
                program.info().name,
                solved.outcome.native_status
            );
            assert_eq!(solved.values.is_some(), matches!(status, SolveStatus::Optimal | SolveStatus::Feasible));
            if limit.is_zero() {
                assert_eq!(status, SolveStatus::Timeout, "{}", program.info().name);
            }
        }
    }
}

#[test]
fn options_are_passed_on_or_refused() {
    let model = problem(&board(Shape::Round, 20, 1), "C1 C2 C3 C4");
    for (name, good, unknown, own) in [
        ("scip", ("limits/nodes", "1"), ("limits/bogus", "1"), "limits/time"),
        ("highs-exe", ("mip_max_nodes", "0"), ("bogus", "1"), "Time_Limit"),
        ("cbc-exe", ("maxNodes", "0"), ("bogus", "1"), "sec"),
        ("glpk", ("cuts", "true"), ("bogus", "1"), "tmlim"),
    ] {
        let any = backend(name).expect("a backend");
        match mip(any, &with(&[(own, "1")])).err() {
            Some(SolveError::OwnOption { option, .. }) => assert_eq!(option, own),
            other => panic!("{name}: {other:?}"),
        }
        let Some(program) = installed(name) else { continue };
        let solved = mip(program, &with(&[good])).expect("opened").solve(model.model(), Some(Duration::from_secs(3)));
        let solved = solved.unwrap_or_else(|e| panic!("{name} {good:?}: {e}"));
        if name != "glpk" {
            let stopped = [SolveStatus::Limit, SolveStatus::Feasible, SolveStatus::Optimal, SolveStatus::Timeout];
            assert!(stopped.contains(&solved.outcome.status), "{name}: {:?}", solved.outcome);
        }
        match mip(program, &with(&[unknown])).expect("opened").solve(&small(), Some(AMPLE)) {
            Err(SolveError::Option { option, .. }) => assert_eq!(option, unknown.0, "{name}"),
            other => panic!("{name}: {other:?}"),
        }
    }
}

#[test]
fn what_they_cannot_do_is_refused() {
    for name in ["scip", "cbc-exe", "glpk"] {
        let two = solve::SessionOptions { threads: 2, ..seeded(1) };
        assert!(matches!(mip(backend(name).expect("there"), &two), Err(SolveError::Unsupported { .. })), "{name}");
    }
    let far = seeded(u64::from(u32::MAX));
    for name in ["gurobi", "cplex", "scip", "highs-exe", "cbc-exe"] {
        assert!(matches!(mip(backend(name).expect("there"), &far), Err(SolveError::Unsupported { .. })), "{name}");
    }
    // It has no seed, so that any will do.
    assert!(mip(backend("glpk").expect("there"), &far).is_ok());
    for (name, option, value) in [("glpk", "format", "dimacs"), ("scip", "arguments", "'open")] {
        match mip(backend(name).expect("there"), &with(&[(option, value)])).err() {
            Some(SolveError::Option { option: named, .. }) => assert_eq!(named, option),
            other => panic!("{name}: {other:?}"),
        }
    }
}

#[test]
fn a_solve_can_be_repeated() {
    let model = problem(&board(Shape::Blob, 8, 1), "C1 C2' C4c C5x");
    for program in PROGRAMS.into_iter().filter_map(installed) {
        let solve = || {
            let mut session = mip(program, &seeded(7)).expect("opened");
            let first = session.solve(model.model(), Some(AMPLE)).expect("solved");
            let second = session.solve(model.model(), Some(AMPLE)).expect("solved again");
            assert!(first == second, "{}: {:?} and {:?}", program.info().name, first.outcome, second.outcome);
            first
        };
        assert!(solve() == solve(), "{}", program.info().name);
    }
}
