//! The natural setting: which boards it is solved on, and that places are numbered as on the plane.

use std::collections::BTreeSet;

use crate::common::{Dice, bounded, breaks, natural, problem, regular, solutions, tantrix};
use crate::scatter::several;
use model::{Formulation, Holes, Problem, build_mip};
use puzzle::hex::Axial;
use puzzle::tantrix::{BoardType, default_colour};
use puzzle::{Instance, Solution, verify};

const ON_X: &str = "B1 B3 B45c C5x";

/// Places of the board that a problem is on just now: it has 6 x for each place and sort, and no other variable.
fn places(problem: &dyn Problem, challenge: usize) -> usize {
    problem.model().variables().len() / (6 * challenge.min(10))
}

/// The sizes of all boards up to the last.
fn sizes(challenge: usize) -> Vec<usize> {
    let mut problem = problem(&natural(challenge), "B1 B3 B45c");
    let mut sizes = vec![places(problem.as_ref(), challenge)];
    while problem.enlarge().expect("the same formulation") {
        sizes.push(places(problem.as_ref(), challenge));
    }
    assert!(!problem.enlarge().expect("the same formulation"), "the last stays the last");
    assert_eq!(places(problem.as_ref(), challenge), sizes[sizes.len() - 1]);
    sizes
}

#[test]
fn boards_grow_from_the_first_with_room_to_the_last_that_can_matter() {
    let expected: [(usize, &[usize]); 10] = [
        (3, &[7]),
        (4, &[7]),
        (5, &[7, 12, 19]),
        (6, &[12, 19]),
        (7, &[12, 19]),
        (8, &[12, 19]),
        (9, &[12, 19, 27, 37]),
        (10, &[12, 19, 27, 37]),
        (13, &[19, 27, 37, 48, 61]),
        (20, &[27, 37, 48, 61, 75, 91]),
    ];
    for (challenge, expected) in expected {
        assert_eq!(sizes(challenge), expected, "challenge {challenge}");
    }
}

#[test]
fn boards_of_more_places_than_there_may_be_are_refused() {
    let formulation = Formulation::of("f", ON_X).expect("good");
    let error = build_mip(&formulation, &natural(9_000)).err().expect("10800 places and more").to_string();
    assert!(error.contains("places are more than the 10000"), "{error}");
}

/// Every closed walk of n places lies on the last board, once it is moved there.
#[test]
fn the_last_board_holds_every_loop() {
    for n in 3..=9 {
        let last = *sizes(n).last().expect("one at least");
        let rings = (0..9).find(|k| 3 * k * (k + 1) + 1 == last as u32).expect("a hexagon");
        let mut loops = 0;
        walk(n, &mut vec![Axial { q: 0, r: 0 }], &mut |course| {
            loops += 1;
            // The centre of a hexagon of these rings around all places is a place within them.
            let near = |at: Axial| course.iter().all(|&other| other.distance(at) <= rings);
            let around = (-9..=9).flat_map(|q| (-9..=9).map(move |r| Axial { q, r }));
            assert!(around.into_iter().any(near), "{course:?} does not fit into {rings} rings");
        });
        assert!(loops > 0);
    }
}

/// Closed walks from the origin; each loop comes as often as it has places and directions.
fn walk(n: usize, course: &mut Vec<Axial>, found: &mut dyn FnMut(&[Axial])) {
    let here = course[course.len() - 1];
    if course.len() == n {
        if here.distance(course[0]) == 1 {
            found(course);
        }
        return;
    }
    for next in here.neighbours() {
        // Each step comes nearer to home by at most one place.
        if !course.contains(&next) && next.distance(course[0]) as usize <= n - course.len() {
            course.push(next);
            walk(n, course, found);
            course.pop();
        }
    }
}

/// Solutions of a challenge on a board of the plane, by ring numbers. Boards of type B have gaps in these.
fn on_plane(n: usize, kind: BoardType, size: usize) -> Vec<Solution> {
    let instance = bounded(&regular(kind, size), n, default_colour(n));
    let all = solutions(&instance).into_iter().map(|mut solution| {
        let board = &tantrix(&instance).board;
        solution.placements.iter_mut().for_each(|p| p.place = board.at(p.place).ring_number());
        solution.placements.sort_by_key(|p| p.place);
        solution
    });
    all.collect()
}

#[test]
fn solutions_are_in_ring_numbers() {
    let mut beyond = 0;
    for (n, kind, size) in [(3, BoardType::A, 7), (5, BoardType::A, 7), (6, BoardType::B, 12)] {
        let instance = natural(n);
        let problem = problem(&instance, ON_X);
        assert_eq!(places(problem.as_ref(), n), size);
        for solution in on_plane(n, kind, size) {
            assert_eq!(verify(&instance, &solution).violations, []);
            let values = problem.encode(&solution);
            assert_eq!(problem.model().broken(&values, 1e-9), Vec::<&str>::new());
            assert_eq!(problem.decode(&values).expect("integral"), solution);
            beyond += usize::from(solution.placements.iter().any(|p| p.place > size));
        }
    }
    assert!(beyond > 0, "the board of 12 has places whose ring numbers are greater");
}

/// Two loops on the board that a challenge begins with, by ring numbers, with the same on a bounded board.
fn two_loops(n: usize, kind: BoardType, size: usize, dice: &mut Dice) -> (Instance, Solution, Solution) {
    let instance = bounded(&regular(kind, size), n, default_colour(n));
    let board = &tantrix(&instance).board;
    let here = several(&instance, n, dice);
    let mut there = here.clone();
    there.placements.iter_mut().for_each(|p| p.place = board.at(p.place).ring_number());
    (instance, here, there)
}

#[test]
fn cuts_are_in_ring_numbers_and_go_with_the_board() {
    let (mut dice, mut renamed) = (Dice(8), 0);
    for (families, n) in [(ON_X, 8), ("B1 B2 B3 B4+B5 C5", 8), (ON_X, 10)].repeat(20) {
        let (flat, here, there) = two_loops(n, BoardType::B, 12, &mut dice);
        let (mut problem, mut twin) = (problem(&natural(n), families), problem(&flat, families));
        let (separation, expected) = (problem.separate(&there), twin.separate(&here));
        assert_eq!(separation.loop_lengths, expected.loop_lengths);
        let board = &tantrix(&flat).board;
        let renumbered = expected.cuts.iter().map(|cut| cut.iter().map(|&(j, l)| (board.at(j).ring_number(), l)));
        let sorted = |cut: &mut dyn Iterator<Item = (usize, usize)>| cut.collect::<BTreeSet<_>>();
        assert_eq!(
            separation.cuts.iter().map(|cut| sorted(&mut cut.iter().copied())).collect::<BTreeSet<_>>(),
            renumbered.map(|mut cut| sorted(&mut cut)).collect::<BTreeSet<_>>()
        );
        assert!(breaks(problem.as_ref(), &there, families.rsplit(' ').next().expect("C5")));
        let said = problem.forbidden_by(&there).expect("a cut does");
        assert!(separation.cuts.iter().any(|cut| said == format!("the cut {cut:?}")), "{said}: {:?}", separation.cuts);
        renamed += usize::from(separation.cuts[0].iter().any(|&(place, _)| place > 12));
        // Another board is another model, without the cuts of the last.
        assert!(problem.enlarge().expect("the same formulation"));
        assert_eq!(problem.forbidden_by(&there), None);
        assert!(problem.model().rows().iter().all(|row| !row.family.starts_with("C5")));
    }
    assert!(renamed > 10, "{renamed} cuts name a place that the board numbers otherwise");
}

#[test]
fn holes_are_cut_off_on_the_plane_too() {
    let instance = natural(8);
    let formulation = Formulation::of("f", ON_X).expect("good").with("holes", Holes::Resolve).expect("good");
    let mut problem = build_mip(&formulation, &instance).expect("makes sense");
    // The six places around place 4, which lies in direction 3; on the board of 12 that is on the rim.
    assert!(problem.enlarge().expect("19 places"));
    let centre = Axial { q: 0, r: 0 };
    let placements =
        centre.neighbours().map(|at| puzzle::Placement { place: at.ring_number(), tile: 1, orientation: 1 });
    let laid = crate::scatter::solution(&instance, placements.collect());
    let separation = problem.separate(&laid);
    assert_eq!((separation.holes, separation.holes_cut_off), (1, 1));
    assert!(breaks(problem.as_ref(), &laid, "holes"));
    assert_eq!(
        problem.model().rows().iter().filter(|row| row.family == "holes").count(),
        7,
        "one for each inner place"
    );
    assert_eq!(problem.forbidden_by(&laid).as_deref(), Some("the constraint against the hole at places [1]"));
}

#[test]
fn placements_beyond_the_board_are_no_values() {
    let problem = problem(&natural(5), ON_X);
    let mut solution = on_plane(5, BoardType::A, 7).remove(0);
    solution.placements[0].place = 50;
    let values = problem.encode(&solution);
    assert_eq!(values.iter().sum::<f64>(), 4.0, "four tiles are on the board of 7");
    assert!(breaks(problem.as_ref(), &solution, "B3"));
}
