//! The strategy `parts`: many tiles.

use std::time::{Duration, Instant};

use combinatorics::tantrix::shapes::Shape;
use model::{Holes, Strategy};
use puzzle::hex::Axial;
use puzzle::tantrix::{BoardType, Colour, default_colour};
use puzzle::{Instance, verify};
use solve::search::{End, SearchStep, Settings, explore};

use crate::common::{AMPLE, board, bounded, instance, regular, tetrahedron};
use crate::search::{PLAIN, first, formulation, natural};

fn seeded(seed: u64) -> Settings {
    Settings { seed, time_limit: Some(AMPLE), ..PLAIN }
}

fn solves(instance: &Instance, seed: u64) {
    let (explored, solution) = first(instance, Strategy::Parts, Holes::Report, seeded(seed));
    assert_eq!(explored.end, End::Stopped, "{:?}", instance.puzzle);
    assert_eq!(verify(instance, &solution.expect("it stopped")).violations, [], "{:?}", instance.puzzle);
}

#[test]
fn boards_of_all_shapes_are_solved() {
    let shapes = [Shape::Round, Shape::Spur, Shape::Blob];
    for (seed, n) in (1..).zip((31..=120).step_by(8)) {
        for shape in shapes {
            solves(&board(shape, n, seed), seed + 1);
        }
    }
}

#[test]
fn a_thousand_tiles_are_solved() {
    solves(&board(Shape::Round, 1000, 1), 1);
}

#[test]
fn equal_seeds_give_equal_solutions() {
    let instance = board(Shape::Spur, 100, 3);
    let of = |seed| first(&instance, Strategy::Parts, Holes::Report, seeded(seed));
    assert_eq!(of(1), of(1));
    assert_ne!(of(1).1, of(2).1, "seeds make a difference");
}

#[test]
fn further_solutions_are_solutions_too() {
    let instance = board(Shape::Round, 50, 1);
    let mut solutions = Vec::new();
    let mut found = |solution: &puzzle::Solution| {
        assert_eq!(verify(&instance, solution).violations, []);
        solutions.push(solution.placements.clone());
        solutions.len() < 3
    };
    let parts = formulation(Strategy::Parts, Holes::Report);
    let explored = explore(&instance, &parts, seeded(1), None, &mut found).expect("makes sense");
    assert_eq!(explored.end, End::Stopped);
    assert!(solutions.windows(2).all(|pair| pair[0] != pair[1]));
}

#[test]
fn the_time_limit_is_kept() {
    let instance = board(Shape::Round, 10_000, 1);
    for limit in [Duration::ZERO, Duration::from_millis(20), Duration::from_millis(300)] {
        let settings = Settings { time_limit: Some(limit), ..PLAIN };
        let start = Instant::now();
        let (explored, solution) = first(&instance, Strategy::Parts, Holes::Report, settings);
        assert_eq!((explored.end, solution), (End::OutOfTime, None));
        assert!(start.elapsed() < limit + Duration::from_secs(3), "{:?} of {limit:?}", start.elapsed());
    }
    // No loop passes more than two places of a row, which is no proof.
    let row: Vec<Axial> = (0..50).map(|q| Axial { q, r: 0 }).collect();
    let settings = Settings { time_limit: Some(Duration::from_millis(20)), ..PLAIN };
    let (explored, solution) = first(&bounded(&row, 40, Colour::Red), Strategy::Parts, Holes::Report, settings);
    assert_eq!((explored.end, solution), (End::OutOfTime, None));
}

#[test]
fn nothing_is_proven_but_what_is_so() {
    let row: Vec<Axial> = (0..40).map(|q| Axial { q, r: 0 }).collect();
    // By its turns no blue line closes through these tiles.
    let turned = instance(&Shape::Round.places(41, 1), "repeated", "colour = \"blue\"");
    assert!(turned.obstacle().is_some());
    let with_room = bounded(&Shape::Round.places(50, 1), 41, Colour::Blue);
    for unsolvable in [instance(&row, "repeated", ""), turned, with_room] {
        let (explored, solution) = first(&unsolvable, Strategy::Parts, Holes::Report, seeded(1));
        assert_eq!((explored.end, solution), (End::Exhausted, None));
    }
}

#[test]
fn small_boards_are_left_to_exhaustive_search() {
    for (n, seed) in [(12, 1), (20, 2), (30, 3)] {
        let instance = board(Shape::Round, n, seed);
        let of = |strategy| first(&instance, strategy, Holes::Report, Settings { restarts: true, ..seeded(seed) });
        assert_eq!(of(Strategy::Parts), of(Strategy::Propagate));
    }
}

#[test]
fn regular_boards_and_the_open_plane_are_solved() {
    use BoardType::{A, B};
    for (kind, size, n) in [(A, 37, 37), (B, 48, 31), (A, 61, 45), (B, 75, 55), (A, 127, 100), (A, 469, 400)] {
        solves(&bounded(&regular(kind, size), n, default_colour(n)), 1);
    }
    // The last is more than other searches take there.
    for n in [31, 56, 100, 501] {
        solves(&natural(n, "repeated", ""), 1);
    }
}

#[test]
fn ragged_boards_with_places_to_spare_are_solved() {
    for seed in 1..=8 {
        let (n, m) = (40, 48 + 4 * seed as usize);
        solves(&bounded(&Shape::Blob.places(m, seed), n, Colour::Red), seed);
    }
}

#[test]
fn where_no_loop_gets_through_all_tiles_lie_on_one_side() {
    // A hexagon of 61 places, one of 19, and a corridor between them.
    let small = regular(BoardType::A, 19).into_iter().map(|at| at.moved((10, 0)));
    let corridor = (5..8).map(|q| Axial { q, r: 0 });
    let places: Vec<Axial> = regular(BoardType::A, 61).into_iter().chain(corridor).chain(small).collect();
    solves(&bounded(&places, 40, Colour::Red), 1);
}

#[test]
fn only_tantrix_is_taken() {
    let parts = model::Formulation::plain("search", model::FormulationKind::Search).with("strategy", "parts");
    let reason = parts.expect("good").check(&tetrahedron()).expect_err("no loop").to_string();
    assert!(reason.contains("strategy = \"parts\" makes a loop, and 3SoKu has none"), "{reason}");
}

#[test]
fn who_looks_on_sees_the_board_fill_and_change() {
    let instance = board(Shape::Round, 60, 1);
    let (mut last, mut most) = (Vec::new(), 0);
    let mut watch = |step: SearchStep<'_>| {
        most = most.max(step.placements.len());
        last = step.placements.to_vec();
    };
    let mut solution = None;
    let mut found = |s: &puzzle::Solution| {
        solution = Some(s.clone());
        false
    };
    let parts = formulation(Strategy::Parts, Holes::Report);
    explore(&instance, &parts, seeded(1), Some(&mut watch), &mut found).expect("makes sense");
    assert_eq!(most, 60);
    assert_eq!(last, solution.expect("solvable").placements);
}
