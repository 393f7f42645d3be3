//! The strategy `parts`: large fixed boards.

use std::time::{Duration, Instant};

use combinatorics::tantrix::shapes::Shape;
use model::{Holes, Strategy};
use puzzle::hex::Axial;
use puzzle::tantrix::{BoardType, Colour};
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
}

#[test]
fn nothing_is_proven_but_what_is_so() {
    let row: Vec<Axial> = (0..40).map(|q| Axial { q, r: 0 }).collect();
    // By its turns no blue line closes through these tiles.
    let turned = instance(&Shape::Round.places(41, 1), "repeated", "colour = \"blue\"");
    assert!(turned.obstacle().is_some());
    for unsolvable in [instance(&row, "repeated", ""), turned] {
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
fn only_fixed_boards_are_taken() {
    let parts = formulation(Strategy::Parts, Holes::Report);
    let full = bounded(&regular(BoardType::A, 37), 37, Colour::Yellow);
    let others = [natural(40, "repeated", ""), full];
    for other in &others {
        let reason = parts.check(other).expect_err("no fixed board").to_string();
        assert!(reason.contains("strategy = \"parts\" fills every place of a fixed board"), "{reason}");
    }
    let parts = model::Formulation::plain("search", model::FormulationKind::Search).with("strategy", "parts");
    assert!(parts.expect("good").check(&tetrahedron()).is_err());
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
