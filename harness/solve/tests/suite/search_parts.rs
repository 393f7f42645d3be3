//! The strategy `parts`: many tiles.

use std::time::{Duration, Instant};

use combinatorics::tantrix::shapes::Shape;
use model::{Holes, Strategy};
use puzzle::hex::Axial;
use puzzle::tantrix::{BoardType, Colour, default_colour};
use puzzle::{Instance, Rule, verify};
use record::Status;
use solve::search::{End, Filling, SearchStep, Settings, explore};
use solve::{Answer, Deadline, Iteration, SolveStatus, Step, Task, backend};

use crate::common::{self, AMPLE, board, bounded, instance, regular, tetrahedron};
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
    for (seed, n) in (1..).zip([31, 45, 60, 85, 120, 250]) {
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
    let many = board(Shape::Round, 10_000, 1);
    for limit in [Duration::ZERO, Duration::from_millis(20), Duration::from_millis(300)] {
        let settings = Settings { time_limit: Some(limit), ..PLAIN };
        let start = Instant::now();
        let (explored, solution) = first(&many, Strategy::Parts, Holes::Report, settings);
        assert_eq!((explored.end, solution), (End::OutOfTime, None));
        assert!(start.elapsed() < limit + Duration::from_secs(3), "{:?} of {limit:?}", start.elapsed());
    }
    // Two hexagons that touch at one edge: their boards fill, but no loop passes that edge twice.
    let two: Vec<Axial> = regular(BoardType::A, 19).into_iter().flat_map(|at| [at, at.moved((5, 0))]).collect();
    let limit = Duration::from_millis(300);
    let settings = Settings { time_limit: Some(limit), ..PLAIN };
    let (start, two) = (Instant::now(), instance(&two, "repeated", ""));
    let (explored, solution) = first(&two, Strategy::Parts, Holes::Report, settings);
    assert_eq!((explored.end, solution), (End::OutOfTime, None));
    assert!(explored.filling.expect("counted").restarts > 0 && start.elapsed() < limit + Duration::from_secs(3));
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
    assert!(
        reason.contains("strategy = \"parts\" is for tantrix-fixed and ")
            && reason.ends_with("this is soku; strategies for soku: propagate, least-capacity, count, sums"),
        "{reason}"
    );
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

/// The answer of the backend, and the rows of its solves.
fn run(instance: &Instance, seed: u64, time: Duration) -> (Answer, Vec<Iteration>) {
    let parts = formulation(Strategy::Parts, Holes::Report);
    let search = backend("search").expect("it is there");
    let (answer, solves) = common::run(search, &parts, instance, &common::seeded(seed), time);
    (answer.expect("an answer"), solves)
}

fn sum(solves: &[Iteration], of: fn(&solve::Solve) -> Option<u64>) -> u64 {
    solves.iter().map(|iteration| of(&iteration.solve).expect("counted")).sum()
}

#[test]
fn stages_show_the_way_to_the_solution() {
    for (shape, n, seed) in [(Shape::Round, 400, 1), (Shape::Spur, 150, 2), (Shape::Blob, 90, 3)] {
        let instance = board(shape, n, seed);
        let (answer, solves) = run(&instance, seed, AMPLE);
        assert_eq!(answer.status, Status::Optimal);
        assert!((2..=20).contains(&solves.len()), "{} rows", solves.len());
        let numbers: Vec<u64> = solves.iter().map(|iteration| iteration.solve.iteration).collect();
        assert_eq!(numbers, (0..solves.len() as u64).collect::<Vec<_>>());
        let (last, stages) = solves.split_last().expect("rows");
        assert_eq!((last.solve.status, last.solve.loops), (SolveStatus::Optimal, Some(1)));
        assert_eq!(answer.last.as_ref(), Some(&last.solve));
        for stage in stages {
            let found = stage.solution.as_ref().expect("a board");
            assert_eq!((stage.solve.status, found.placements.len()), (SolveStatus::Feasible, n));
            let violations = verify(&instance, found).violations;
            assert!(!violations.is_empty(), "the solution stands last");
            let is_left = |rule| matches!(rule, Rule::TileCount | Rule::SingleLoop);
            assert!(violations.iter().all(|broken| is_left(broken.rule)), "{violations:?}");
            let lengths = stage.solve.loop_lengths.as_deref().expect("loops").split(' ');
            let lengths: Vec<usize> = lengths.map(|length| length.parse().expect("a number")).collect();
            assert_eq!((lengths.len() as u64, lengths.iter().sum()), (stage.solve.loops.expect("loops"), n));
        }
        let spent: f64 = solves.iter().map(|iteration| iteration.solve.time_s).sum();
        assert!((spent - last.solve.cumulative_s).abs() < 1e-6, "{spent}");

        // The figures of the rows together are those of the whole search.
        let (explored, solution) = first(&instance, Strategy::Parts, Holes::Report, seeded(seed));
        assert_eq!(answer.solution, solution);
        let counted = Filling {
            parts: sum(&solves, |solve| solve.parts),
            loops_merged: sum(&solves, |solve| solve.loops_merged),
            patches: sum(&solves, |solve| solve.patches),
            restarts: sum(&solves, |solve| solve.restarts),
        };
        assert_eq!(Some(counted), explored.filling);
        let others = (sum(&solves, |solve| solve.nodes), sum(&solves, |solve| solve.conflicts));
        assert_eq!(others, (explored.nodes, explored.backtracks));
        let again = run(&instance, seed, AMPLE).1;
        let timeless = |of: &Iteration| {
            let solve = solve::Solve { time_s: 0.0, cumulative_s: 0.0, ..of.solve.clone() };
            Iteration { solve, ..of.clone() }
        };
        assert!(again.iter().map(timeless).eq(solves.iter().map(timeless)), "equal seeds give equal rows");

        // Forty places each, filled once where nothing began anew.
        let parts = n.div_ceil(40) as u64;
        // Up to 200 tiles twice at least, the second time around a single loop.
        if n <= 200 {
            assert!(counted.parts >= 2 * parts, "{counted:?}");
            assert!(stages.iter().all(|stage| stage.solve.loops == Some(1)));
            continue;
        }
        assert!(counted.parts == parts || (counted.parts > parts && counted.restarts > 0), "{counted:?}");
        // From the second stage on each has half as many loops, and only exchanges joined them.
        if (counted.patches, counted.restarts) == (0, 0) {
            let loops: Vec<u64> = stages.iter().skip(1).map(|stage| stage.solve.loops.expect("loops")).collect();
            assert!(loops.windows(2).all(|pair| 2 * pair[1] <= pair[0]), "{loops:?}");
            let most = loops.first().copied().unwrap_or(1);
            assert!(counted.loops_merged + 1 >= most, "{counted:?} of {loops:?}");
        }
    }
}

#[test]
fn times_of_stages_leave_out_whoever_looks_at_them() {
    let (pause, instance) = (Duration::from_millis(20), board(Shape::Round, 150, 1));
    let parts = formulation(Strategy::Parts, Holes::Report);
    let task = Task::build(&parts, &instance, &Deadline::default()).expect("fits");
    let (begun, mut paused, mut spent_s) = (Instant::now(), Duration::ZERO, 0.0);
    let search = backend("search").expect("it is there");
    let limits = Some(AMPLE);
    let answer = task.solve(search, &common::seeded(1), &Deadline::of(limits), &mut |step| {
        if let Step::Solved(iteration) = step {
            spent_s = iteration.solve.cumulative_s;
            std::thread::sleep(pause);
            paused += pause;
        }
    });
    assert_eq!(answer.expect("a search").status, Status::Optimal);
    assert!(paused >= 2 * pause);
    assert!(spent_s + paused.as_secs_f64() <= begun.elapsed().as_secs_f64(), "{spent_s} s, paused {paused:?}");
}

#[test]
fn only_a_search_by_parts_counts_them() {
    let small = board(Shape::Round, 30, 3);
    let (_, solves) = run(&small, 1, AMPLE);
    assert_eq!(solves.len(), 1, "a board that is left to another search has no stages");
    let solve = &solves[0].solve;
    assert_eq!([solve.parts, solve.loops_merged, solve.patches, solve.restarts], [None; 4]);
    // Not one part, which is counted, and no stage: a row has no region that a loop could pass.
    let row: Vec<Axial> = (0..50).map(|q| Axial { q, r: 0 }).collect();
    let (answer, solves) = run(&bounded(&row, 40, Colour::Red), 1, Duration::from_millis(20));
    assert_eq!((answer.status, solves.len()), (Status::Timeout, 1));
    assert_eq!((solves[0].solve.parts, solves[0].solve.patches), (Some(0), Some(0)));
}
