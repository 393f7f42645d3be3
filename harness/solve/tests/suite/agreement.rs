//! Every formulation on every backend finds a solution where exhaustive search finds one, and only there.

use std::collections::BTreeSet;

use combinatorics::tantrix::shapes::Shape;
use model::Formulation;
use puzzle::Instance;
use record::Status;
use solve::Backend;

use crate::common::{board, brute_force, instance};
use crate::conformance::answer;
use crate::subjects::{formulations, is_slow_to_start};

/// Larger boards are for the first formulation only, which every backend solves fast.
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
    let stride = if is_slow_to_start(backend) { 12 } else { 1 };
    for board in boards().into_iter().step_by(stride) {
        let solvable = brute_force(&board).is_some();
        let expected = if solvable { Status::Optimal } else { Status::Infeasible };
        let n = board.facts().challenge.expect("a challenge") as usize;
        let first_only = n > LARGEST_FOR_ALL;
        for formulation in formulations(backend, &board).iter().take(if first_only { 1 } else { usize::MAX }) {
            assert_eq!(answer(backend, formulation, &board), expected, "{formulation:?} on {}", board.canonical());
        }
    }
}

/// The strengthening families take no solution away.
#[test]
fn highs_agrees_with_brute_force_under_all_families() {
    let highs = solve::backend("highs").expect("a backend");
    let lists =
        ["C1 C2' C3 C4 C5 C6 C7 C8 C9", "C1 C2' C4e C5x C6x L8", "C1 C2' C4e SCF", "C1 C2' C4c MCF", "C1 C2' C4e MTZ"];
    let formulations = lists.map(|list| Formulation::of("f", list).expect("good"));
    for board in boards().into_iter().filter(|b| b.facts().challenge.is_some_and(|n| n as usize <= LARGEST_FOR_ALL)) {
        let expected = if brute_force(&board).is_some() { Status::Optimal } else { Status::Infeasible };
        for formulation in &formulations {
            assert_eq!(answer(highs, formulation, &board), expected, "{formulation:?} on {}", board.canonical());
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
