//! Solutions on boards with room, found by exhaustive search, against all families at once.

use crate::common::{COLOURS, bounded, breaks, problem, regular, solutions, tantrix};
use crate::scatter::with_room;
use combinatorics::tantrix::shapes::Shape;
use model::Problem;
use puzzle::hex::Axial;
use puzzle::tantrix::BoardType;
use puzzle::{Instance, Solution, verify};

const PRINTED: &str = "B1 B2 B3 B4 B5 B4+B5 B6 C5 C7 C8 C9";
const ON_X: &str = "B1 B2 B3 B45c B6 C5x C7 C8 C9";
const RESTRICTING: &str = "B1 B2 B3 B45c B6' B6''";

/// The regular boards of up to 12 places, and irregular ones of 10.
fn boards() -> Vec<Vec<Axial>> {
    let regular = [(BoardType::B, 3), (BoardType::A, 7), (BoardType::B, 12)].map(|(kind, size)| regular(kind, size));
    let irregular = [(Shape::Blob, 1), (Shape::Blob, 4), (Shape::Spur, 2)].map(|(shape, seed)| shape.places(10, seed));
    regular.into_iter().chain(irregular).collect()
}

/// Most tiles around an empty place of the board, counted without the model.
fn most_around(instance: &Instance, solution: &Solution) -> usize {
    let board = &tantrix(instance).board;
    let filled: Vec<usize> = solution.placements.iter().map(|p| p.place).collect();
    let empty = board.numbers().filter(|j| !filled.contains(j));
    empty.map(|j| board.inner_edges(j).filter(|(_, next)| filled.contains(next)).count()).max().unwrap_or(0)
}

/// Solutions satisfy what implies nothing more than the rules; the families that forbid some of them forbid exactly
/// those that they are said to.
fn check(instance: &Instance, solutions: &[Solution], seen: &mut [usize; 7]) {
    if solutions.is_empty() {
        return;
    }
    let [printed, on_x, restricting] = [PRINTED, ON_X, RESTRICTING].map(|families| problem(instance, families));
    let whole = |problem: &dyn Problem, solution| problem.model().broken(&problem.encode(solution), 1e-9).join(" ");
    for solution in solutions {
        assert!(verify(instance, solution).is_valid());
        assert_eq!(whole(printed.as_ref(), solution), "");
        assert_eq!(whole(on_x.as_ref(), solution), "");
        let around = most_around(instance, solution);
        seen[around] += 1;
        assert_eq!(breaks(restricting.as_ref(), solution, "B6'"), around > 4, "{:?}", solution.placements);
        assert_eq!(breaks(restricting.as_ref(), solution, "B6''"), around > 3, "{:?}", solution.placements);
    }
}

#[test]
fn every_solution_of_small_boards_satisfies_every_family() {
    let mut seen = [0; 7];
    for places in boards() {
        for (n, colour) in (3..=6).flat_map(|n| COLOURS.map(|colour| (n, colour))) {
            if n <= places.len() {
                let instance = bounded(&places, n, colour);
                check(&instance, &solutions(&instance), &mut seen);
            }
        }
    }
    assert!(seen.iter().sum::<usize>() > 500, "{seen:?}");
}

/// Larger solutions have bays, which B6' and B6'' may forbid; the board of 14 places has an empty place with five tiles
/// around.
#[test]
fn solutions_with_bays_break_the_restricting_families_only() {
    let mut seen = [0; 7];
    for (n, seeds) in [(8, 0..60), (9, 0..60), (10, 0..60), (14, 740..741)] {
        for (places, solutions) in with_room(n, seeds, Shape::Blob) {
            let colour = puzzle::tantrix::default_colour(n);
            check(&bounded(&places, n, colour), &solutions, &mut seen);
        }
    }
    assert!(seen[3] > 10 && seen[4] > 10 && seen[5] > 0, "{seen:?}");
    assert_eq!(seen[6], 0, "that would be a hole");
}
