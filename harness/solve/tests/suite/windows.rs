//! Fix-and-optimise: full boards that are mended window by window.

use std::path::Path;

use combinatorics::tantrix::shapes::Shape;
use model::{Formulation, PRESETS};
use puzzle::{Instance, verify};
use record::Status;
use solve::{Answer, backend};

use crate::common::{AMPLE, board, brute_force, distinct_tiles_as_by_search, instance, run, seeded};
use crate::subjects::is_missing;

fn formulation(seed: u64) -> Formulation {
    let preset = PRESETS.iter().find(|preset| preset.name == "fix-and-optimise").expect("a preset");
    preset.written().read().expect("good").seeded(seed)
}

/// The answer, and how many windows were solved in each solve.
fn answer(name: &str, instance: &Instance, seed: u64) -> Option<(Answer, Vec<u64>)> {
    let backend = backend(name).ok().filter(|backend| !is_missing(*backend))?;
    let (answer, solves) = run(backend, &formulation(seed), instance, &seeded(1), AMPLE);
    let windows = solves.iter().map(|iteration| iteration.solve.patches.expect("windows are counted"));
    Some((answer.expect("an answer"), windows.collect()))
}

#[test]
fn boards_are_solved_in_windows_by_solvers_of_all_sorts() {
    for (name, boards) in [
        ("highs", ["n20-round", "n20-spur"]),
        ("cadical", ["n40-round", "n35-spur"]),
        ("cp-sat", ["n20-round", "n20-spur"]),
        ("cbc", ["n20-round", "n20-spur"]),
    ] {
        for board in boards {
            let file = format!("{}/../../instances/tantrix/fixed/{board}.toml", env!("CARGO_MANIFEST_DIR"));
            let instance = Instance::load(Path::new(&file)).expect("an instance");
            let Some((answer, windows)) = answer(name, &instance, 1) else { continue };
            assert_eq!(answer.status, Status::Optimal, "{name}, {board}: {answer:?}");
            assert!(windows.iter().sum::<u64>() > 1, "{name}, {board}: {windows:?}");
            let solution = answer.solution.expect("a solution");
            assert_eq!(verify(&instance, &solution).violations, [], "{name}, {board}");
        }
    }
}

/// Eleven sorts in six orientations are more values than one word has bits.
#[test]
fn boards_of_distinct_tiles_are_solved_in_windows_as_by_search() {
    distinct_tiles_as_by_search(|instance| answer("cadical", instance, 1).expect("it is built in").0);
}

#[test]
fn a_window_that_is_the_whole_board_proves_that_there_is_no_solution() {
    let (mut solvable, mut unsolvable) = (0, 0);
    for n in 8..=10 {
        for shape in [Shape::Blob, Shape::Round] {
            let instance = board(shape, n, 3);
            let (answer, _) = answer("cadical", &instance, 1).expect("it is built in");
            match brute_force(&instance) {
                Some(_) => (assert_eq!(answer.status, Status::Optimal, "{n}"), solvable += 1),
                None => (assert_eq!(answer.status, Status::Infeasible, "{n}"), unsolvable += 1),
            };
        }
    }
    assert!(solvable > 0 && unsolvable > 0, "{solvable} {unsolvable}");
}

/// In a row of places the two at its ends have one neighbour each, and no line can end there.
#[test]
fn the_whole_model_is_solved_where_no_board_matches() {
    let row = instance(&Shape::Row.places(9, 0), "repeated", "");
    let backend = backend("highs").expect("a backend");
    if is_missing(backend) {
        return;
    }
    let (answer, _) = run(backend, &formulation(1), &row, &seeded(1), AMPLE);
    assert_eq!(answer.expect("an answer").status, Status::Infeasible);
}
