//! Fix-and-optimise: full boards that are mended window by window.

use std::time::Duration;

use combinatorics::tantrix::shapes::Shape;
use model::{Formulation, PRESETS};
use puzzle::{Instance, verify};
use record::Status;
use solve::{Answer, Step, Task, backend};

use crate::common::{AMPLE, board, brute_force, instance, seeded};
use crate::subjects::is_missing;

fn formulation(seed: u64) -> Formulation {
    let preset = PRESETS.iter().find(|preset| preset.name == "fix-and-optimise").expect("a preset");
    preset.written().read().expect("good").seeded(seed)
}

/// The answer, and how many windows were solved in each solve.
fn answer(name: &str, instance: &Instance, seed: u64, limit: Duration) -> Option<(Answer, Vec<u64>)> {
    let backend = backend(name).ok().filter(|backend| !is_missing(*backend))?;
    let formulation = formulation(seed);
    let mut windows = Vec::new();
    let task = Task::build(&formulation, instance).expect("fits");
    let answer = task.solve(backend, &seeded(1), Some(limit), &mut |step| {
        if let Step::Solved(iteration) = step {
            windows.push(iteration.solve.patches.expect("windows are counted"));
        }
    });
    Some((answer.expect("an answer"), windows))
}

#[test]
fn boards_are_solved_in_windows_by_solvers_of_all_sorts() {
    for (name, n) in [("highs", 24), ("cadical", 40), ("cp-sat", 24), ("cbc", 20)] {
        for (shape, seed) in [(Shape::Round, 1), (Shape::Spur, 2)] {
            let instance = board(shape, n, seed);
            let Some((answer, windows)) = answer(name, &instance, seed, AMPLE) else { continue };
            assert_eq!(answer.status, Status::Optimal, "{name}, {n}: {answer:?}");
            assert!(windows.iter().sum::<u64>() > 0, "a window at least: {windows:?}");
            let solution = answer.solution.expect("a solution");
            assert_eq!(verify(&instance, &solution).violations, [], "{name}, {n}");
        }
    }
}

#[test]
fn small_boards_are_one_window_and_nothing_is_proven() {
    for n in 8..=10 {
        for shape in [Shape::Blob, Shape::Round] {
            let instance = board(shape, n, 3);
            let is_solvable = brute_force(&instance).is_some();
            let limit = if is_solvable { AMPLE } else { Duration::from_millis(300) };
            let (answer, _) = answer("cadical", &instance, 1, limit).expect("it is built in");
            assert_eq!(answer.status, if is_solvable { Status::Optimal } else { Status::Timeout }, "{n}: {answer:?}");
        }
    }
}

/// In a row of places the two at its ends have one neighbour each, and no line can end there.
#[test]
fn the_whole_model_is_solved_where_no_board_matches() {
    let row = instance(&Shape::Row.places(9, 0), "repeated", "");
    let backend = backend("highs").expect("a backend");
    if is_missing(backend) {
        return;
    }
    let formulation = formulation(1);
    let answer = Task::build(&formulation, &row).expect("fits").solve(backend, &seeded(1), Some(AMPLE), &mut |_| {});
    assert_eq!(answer.expect("an answer").status, Status::Infeasible);
}
