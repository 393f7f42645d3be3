//! Cuts that are added while the solver runs, by SCIP: what the conformance suite does not ask of every backend.

use std::collections::BTreeMap;

use combinatorics::tantrix::shapes::Shape;
use model::{Formulation, FormulationKind, Holes};
use puzzle::tantrix::{BoardType, Colour};
use puzzle::{Instance, verify};
use record::{SolveStatus, Status};
use solve::{BACKENDS, Backend, Iteration, SolveError, fits};

use crate::arrangements::{nine, twelve};
use crate::common::{AMPLE, board, bounded, natural, regular, run, seeded, with};
use crate::subjects::is_missing;

fn lazy(families: &str) -> Formulation {
    Formulation::of("lazy", families).expect("good").with("subloops", "lazy").expect("good")
}

/// Status and objective value of the answer, which is a solution of the puzzle, and all solves.
fn solved(
    backend: &dyn Backend,
    formulation: &Formulation,
    instance: &Instance,
) -> ((Status, Option<f64>), Vec<Iteration>) {
    let (answer, solves) = run(backend, formulation, instance, &seeded(1), AMPLE);
    let answer = answer.expect("an answer");
    if let Some(solution) = &answer.solution {
        assert_eq!(verify(instance, solution).violations, [], "{formulation:?} on {}", instance.canonical());
    }
    ((answer.status, answer.last.and_then(|last| last.objective_value.map(f64::round))), solves)
}

/// The backend, unless it is not on this machine.
fn scip() -> Option<&'static dyn Backend> {
    Some(solve::backend("pyscipopt").expect("a backend")).filter(|backend| !is_missing(*backend))
}

#[test]
fn the_best_solution_is_the_one_that_solving_again_finds() {
    let Some(scip) = scip() else { return };
    let highs = solve::backend("highs").expect("a backend");
    let full = ["C1 C2' C4c C5x", "C1 C2' C3 C4 C5"];
    let blobs = [(7, 1), (8, 2), (9, 4)].map(|(n, seed)| board(Shape::Blob, n, seed));
    let boards = blobs.into_iter().chain([nine().instance, twelve().instance]);
    // The second takes long on others than the smallest.
    let boards = boards.enumerate().map(|(number, board)| (board, &full[..if number < 1 { 2 } else { 1 }]));
    let room = [(5, Colour::Red), (6, Colour::Blue)];
    let lists = ["B1 B3 B45c C5x", "B1 B2 B3 B4+B5 C5"];
    let room = room.map(|(n, colour)| (bounded(&regular(BoardType::B, 12), n, colour), &lists[n - 5..][..1]));
    let (mut cut_off, mut statuses) = (0, Vec::new());
    for ((board, lists), seed) in boards.chain(room).zip(1..) {
        for families in lists {
            let mut formulation = lazy(families).with("objective", "random").expect("good").seeded(seed);
            if families.starts_with('B') {
                formulation = formulation.with("holes", Holes::Resolve).expect("good").seeded(seed);
            }
            let (found, solves) = solved(scip, &formulation, &board);
            let again = formulation.with("subloops", "resolve").expect("good").seeded(seed);
            assert_eq!(found, solved(highs, &again, &board).0, "{families} on {}", board.canonical());
            cut_off += solves.iter().map(|solve| solve.solve.cuts_added).sum::<u64>();
            statuses.push(found.0);
        }
    }
    assert!(cut_off > 3, "boards where there is something to cut off: {cut_off}");
    assert!(statuses.contains(&Status::Infeasible) && statuses.contains(&Status::Optimal));
}

#[test]
fn what_is_cut_off_is_told_as_solves() {
    let Some(scip) = scip() else { return };
    // Nothing but arrangements in two loops.
    let (found, solves) = solved(scip, &lazy("C1 C2' C4c C5x"), &nine().instance);
    assert_eq!(found.0, Status::Infeasible);
    let (last, cut_off) = solves.split_last().expect("solves");
    assert!(!cut_off.is_empty());
    for (number, Iteration { solve, solution }) in cut_off.iter().enumerate() {
        assert_eq!((solve.iteration, solve.status), (number as u64, SolveStatus::Feasible));
        assert!(solve.loops == Some(2) && solve.cuts_added == 1 && solve.nodes.is_some(), "{solve:?}");
        assert_eq!(solution.as_ref().map(|solution| solution.cuts.len()), Some(1));
    }
    let rows = |iteration: &Iteration| iteration.solve.constraints;
    assert!(solves.iter().map(rows).is_sorted_by(|a, b| a < b), "each cut is a row of the model");
    assert_eq!((last.solve.loops, last.solve.cuts_added), (None, 0));
}

#[test]
fn boards_of_the_open_plane_grow() {
    let Some(scip) = scip() else { return };
    let formulation = lazy("B1 B3 B45c C5x").with("holes", Holes::Resolve).expect("good");
    for challenge in [3, 6, 8] {
        assert_eq!(solved(scip, &formulation, &natural(challenge)).0.0, Status::Optimal, "{challenge}");
    }
}

#[test]
fn solvers_that_cannot_add_rows_while_they_run_are_refused() {
    let formulation = lazy("C1 C2' C4c C5x");
    for backend in BACKENDS.iter().filter(|backend| backend.info().kinds.contains(&FormulationKind::Mip)) {
        match fits(*backend, &formulation, &BTreeMap::new()) {
            Ok(()) => assert!(backend.info().reports.lazy_cuts),
            Err(error @ SolveError::Unsupported { .. }) => {
                assert!(!backend.info().reports.lazy_cuts);
                assert!(error.to_string().contains("subloops = \"lazy\""), "{error}");
            }
            Err(other) => panic!("{other}"),
        }
    }
}

#[test]
fn parameters_have_the_names_of_scip() {
    let backend = solve::backend("pyscipopt").expect("a backend");
    let open = |option, value| backend.open(FormulationKind::Mip, &with(&[(option, value)])).err();
    assert!(matches!(open("limits/time", "5"), Some(SolveError::OwnOption { .. })));
    let symmetry = with(&[("misc/usesymmetry", "7")]).options;
    let formulation = lazy("C1 C2' C4c C5x");
    let refused = fits(backend, &formulation, &symmetry).expect_err("it is set").to_string();
    assert!(refused.contains("misc/usesymmetry with subloops = \"lazy\""), "{refused}");
    assert!(fits(backend, &formulation.with("subloops", "resolve").expect("good"), &symmetry).is_ok());
    if scip().is_none() {
        return;
    }
    for (option, value) in [("limits/nodes", "100"), ("conflict/enable", "FALSE"), ("nodeselection/childsel", "d")] {
        assert!(open(option, value).is_none(), "{option}");
    }
    for (option, value, words) in [
        ("limits/nods", "100", ": there is no such parameter"),
        ("limits/nodes", "-7", ": it takes other values, of the type int; without the option it is -1"),
        ("conflict/enable", "2", ": it takes other values, of the type bool; without the option it is True"),
    ] {
        let refused = open(option, value);
        let why = refused.as_ref().map(ToString::to_string).unwrap_or_default();
        assert!(matches!(refused, Some(SolveError::Option { .. })) && why.ends_with(words), "{refused:?}");
    }
}
