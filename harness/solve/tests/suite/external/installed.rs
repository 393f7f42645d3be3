//! Programs that are on this machine: the same answers from files as the linked solvers give, and their options.

use std::time::Duration;

use combinatorics::tantrix::shapes::Shape;
use model::ir::Model;
use model::sat::Cnf;
use model::{Formulation, FormulationKind, Objective, build_mip};
use puzzle::tantrix::{BoardType, Colour};
use solve::{Backend, Deadline, SessionOptions, Solve, SolveError, SolveStatus, Solved, backend};

use super::support::{MIP, SAT, installed, small};
use crate::arrangements::{self, Arranged};
use crate::common::{AMPLE, board, bounded, instance, mip, problem, regular, seeded, with};
use crate::formulas::{pigeons, sat};

/// Solves a small model of the kind that a program is for, or one that takes long.
fn solved(program: &dyn Backend, options: &SessionOptions, is_large: bool) -> Result<Solve, SolveError> {
    // Few seconds are enough for all that is looked at.
    let limit = Some(Duration::from_secs(if is_large { 3 } else { 60 }));
    let outcome = match (program.info().kinds[0], is_large) {
        (FormulationKind::Sat, false) => sat(program, options)?.solve(&pigeons(8, 8), &Deadline::of(limit))?.outcome,
        (FormulationKind::Sat, true) => sat(program, options)?.solve(&pigeons(14, 13), &Deadline::of(limit))?.outcome,
        (_, false) => mip(program, options)?.solve(&small(), &Deadline::of(limit))?.outcome,
        (_, true) => {
            let large = problem(&board(Shape::Round, 20, 1), "C1 C2 C3 C4");
            mip(program, options)?.solve(large.model(), &Deadline::of(limit))?.outcome
        }
    };
    Ok(outcome)
}

/// Models that have between them rows of every sort, an objective, and no solution: these go to programs in their second format too.
const IN_BOTH_FORMATS: [&str; 4] = ["with cuts", "fixed, on y", "bounded, weighted", "infeasible"];

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

/// `expected`: what the linked HiGHS says.
fn agrees(program: &dyn Backend, format: &str, name: &str, model: &Model, expected: &Solved) {
    let what = format!("{} on {format}, {name}", program.info().name);
    let mut session = mip(program, &with(&[("format", format)])).expect("opened");
    let solved = session.solve(model, &Deadline::of(Some(AMPLE))).unwrap_or_else(|e| panic!("{what}: {e}"));
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
    let in_both = |name: &str| IN_BOTH_FORMATS.contains(&name);
    let (mut ranges, mut at_least, mut objective) = (false, false, false);
    for (_, model) in models.iter().filter(|(name, _)| in_both(name)) {
        ranges |= model.rows().iter().any(|row| row.lower != row.upper && (row.upper - row.lower).is_finite());
        at_least |= model.rows().iter().any(|row| row.lower.is_finite() && row.upper.is_infinite());
        objective |= !model.objective().is_empty();
    }
    assert!(ranges && at_least && objective, "the models have rows of every sort: {ranges} {at_least} {objective}");
    let programs: Vec<_> = MIP.into_iter().filter_map(installed).collect();
    for (name, model) in models.iter().filter(|_| !programs.is_empty()) {
        let mut linked = mip(backend("highs").expect("there"), &seeded(1)).expect("opened");
        let expected = linked.solve(model, &Deadline::of(Some(AMPLE))).expect("solved");
        for program in &programs {
            let first = if ["cbc-exe", "glpk"].contains(&program.info().name) { "mps" } else { "lp" };
            for format in ["lp", "mps"].into_iter().filter(|format| *format == first || in_both(name)) {
                agrees(*program, format, name, model, &expected);
            }
        }
    }
}

#[test]
fn variables_without_clauses_have_values_and_empty_clauses_none() {
    let mut loose = Cnf::default();
    let used = loose.add_variable();
    for _ in 0..5 {
        loose.add_variable();
    }
    loose.add_clause("unit", [!used]);
    let mut contradiction = loose.clone();
    contradiction.add_clause("unit", [used]);
    let mut empty = loose.clone();
    empty.add_clause("nothing", []);
    for program in SAT.into_iter().filter_map(installed) {
        let name = program.info().name;
        let mut session = sat(program, &seeded(0)).expect("opened");
        let solved = session.solve(&loose, &Deadline::default()).unwrap_or_else(|e| panic!("{name}: {e}"));
        let values = solved.values.expect("values");
        assert_eq!((values.len(), values[0]), (6, false), "{name}");
        for formula in [&contradiction, &empty] {
            let solved = session.solve(formula, &Deadline::default()).unwrap_or_else(|e| panic!("{name}: {e}"));
            assert_eq!(solved.outcome.status, SolveStatus::Infeasible, "{name}");
        }
    }
}

#[test]
fn options_are_passed_on_or_refused() {
    for (name, limit, unknown, own) in [
        ("scip", Some(("limits/nodes", "1")), "limits/bogus", "limits/time"),
        ("highs-exe", Some(("mip_max_nodes", "0")), "bogus", "Time_Limit"),
        ("cbc-exe", Some(("maxNodes", "0")), "bogus", "sec"),
        ("glpk", None, "bogus", "tmlim"),
        ("kissat", Some(("conflicts", "100")), "bogus", "time"),
        ("cadical-exe", Some(("c", "100")), "bogus", "t"),
        ("cryptominisat5", Some(("maxconfl", "100")), "bogus", "maxtime"),
        ("minisat", None, "bogus", "cpu-lim"),
    ] {
        match solved(backend(name).expect("a backend"), &with(&[(own, "1")]), false) {
            Err(SolveError::OwnOption { option, .. }) => assert_eq!(option, own),
            other => panic!("{name}: {other:?}"),
        }
        let Some(program) = installed(name) else { continue };
        if let Some(limit) = limit {
            let outcome = solved(program, &with(&[limit]), true).unwrap_or_else(|e| panic!("{name} {limit:?}: {e}"));
            // Which of its limits strikes first, or whether it is solved by then, is up to a MIP solver.
            let is_sure = SAT.contains(&name);
            assert!(outcome.status == SolveStatus::Limit || !is_sure, "{name}: {outcome:?}");
        }
        match solved(program, &with(&[(unknown, "1")]), false) {
            Err(SolveError::Option { option, .. }) => assert_eq!(option, unknown, "{name}"),
            other => panic!("{name}: {other:?}"),
        }
    }
}

#[test]
fn the_time_limit_of_a_sat_solver_is_told_from_its_others() {
    for program in SAT.into_iter().filter_map(installed) {
        let outcome = sat(program, &seeded(1))
            .expect("opened")
            .solve(&pigeons(14, 13), &Deadline::of(Some(Duration::from_millis(1500))));
        assert_eq!(outcome.expect("an outcome").outcome.status, SolveStatus::Timeout, "{}", program.info().name);
    }
}

#[test]
fn what_they_cannot_do_is_refused() {
    for name in ["scip", "cbc-exe", "glpk"] {
        let two = SessionOptions { threads: 2, ..seeded(1) };
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
    for program in MIP.into_iter().chain(SAT).filter_map(installed) {
        for seed in [0, 7] {
            let solve = || solved(program, &seeded(seed), false).expect("solved");
            assert_eq!(solve(), solve(), "{}", program.info().name);
        }
    }
}
