//! Every formulation on every backend finds a solution where exhaustive search finds one, and only there.

use std::collections::BTreeSet;

use puzzle::tantrix::shapes::Shape;
use puzzle::{Instance, verify};
use solve::{Backend, SolveStatus};

use crate::common::{AMPLE, board, brute_force, instance, open, problem, to_the_end};

const FORMULATIONS: [&str; 3] = ["C1 C2 C3 C4 C5", "C1 C2' C3 C4 C5 C6 C7 C8 C9", "C1 C2' C4c C5x C6x"];

/// Larger boards are for the last formulation only, which every backend solves fast.
const LARGEST_FOR_ALL: usize = 6;

/// All boards of up to six places that a few hundred seeds give, and some of seven and eight.
fn boards() -> Vec<Instance> {
    let mut places = BTreeSet::new();
    for (n, seeds) in [(3, 300), (4, 300), (5, 300), (6, 300), (7, 12), (8, 12)] {
        places.extend((0..seeds).map(|seed| Shape::Blob.places(n, seed)));
    }
    places.extend((3..=6).map(|n| Shape::Row.places(n, 0)));
    places.into_iter().map(|places| instance(&places, "repeated", "")).collect()
}

/// One of the checks of the conformance suite.
pub fn agrees_with_brute_force(backend: &dyn Backend) {
    for board in boards() {
        let solvable = brute_force(&board).is_some();
        let n = board.facts().challenge.expect("a challenge") as usize;
        let formulations = if n <= LARGEST_FOR_ALL { &FORMULATIONS[..] } else { &FORMULATIONS[2..] };
        for families in formulations {
            let mut problem = problem(&board, families);
            let answer = to_the_end(problem.as_mut(), open(backend).as_mut(), Some(AMPLE)).expect("an answer");
            let expected = if solvable { SolveStatus::Optimal } else { SolveStatus::Infeasible };
            assert_eq!(answer.status, expected, "{families} on {}", board.canonical());
            if let Some(solution) = &answer.solution {
                assert_eq!(verify(&board, solution).violations, [], "{families} on {}", board.canonical());
            }
        }
    }
}

#[test]
fn the_boards_are_a_fair_mix() {
    let boards = boards();
    let solvable = boards.iter().filter(|board| brute_force(board).is_some()).count();
    assert!(solvable > 20 && boards.len() - solvable > 20, "{solvable} of {}", boards.len());
    assert!(brute_force(&board(Shape::Row, 3, 0)).is_none());
}
