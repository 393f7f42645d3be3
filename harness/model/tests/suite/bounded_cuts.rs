//! Cuts on boards with room: what they are drawn against is forbidden from then on, and no solution ever is.

use std::collections::{BTreeSet, HashSet};

use crate::common::{COLOURS, Dice, bounded, breaks, regular, solutions, tantrix};
use crate::scatter::{filled, ring, several, with_room};
use combinatorics::tantrix::shapes::Shape;
use model::tantrix::{crossings, cuts_against};
use model::{CutChoice, Formulation, Holes, Problem, build_mip};
use puzzle::hex::{Axial, holes};
use puzzle::tantrix::{Arrangement, Board, BoardType, Colour, default_colour, trace};
use puzzle::{Instance, Solution};

const CHOICES: [CutChoice; 3] = [CutChoice::Each, CutChoice::Smallest, CutChoice::Region];
const CUTTING: [&str; 2] = ["B1 B3 B45c C5x", "B1 B2 B3 B4+B5 C5"];

fn clean(instance: &Instance, families: &str, cuts: Option<CutChoice>) -> Box<dyn Problem> {
    let mut formulation = Formulation::of("f", families).and_then(|f| f.with("holes", Holes::Resolve)).expect("good");
    if let Some(cuts) = cuts {
        formulation = formulation.with("cuts", cuts).expect("good");
    }
    build_mip(&formulation, instance).expect("makes sense")
}

/// Cuts off one arrangement of several loops after another and shows that each is forbidden and no solution is.
fn cut_and_check(instance: &Instance, all: &[Solution], rounds: usize, dice: &mut Dice) {
    let puzzle = tantrix(instance);
    let board = &puzzle.board;
    for (families, choice) in CUTTING.into_iter().flat_map(|families| CHOICES.map(|choice| (families, choice))) {
        let family = families.rsplit(' ').next().expect("the cutting one");
        let mut problem = clean(instance, families, Some(choice));
        for _ in 0..rounds {
            let laid = several(instance, puzzle.challenge, dice);
            let lying = Arrangement::new(board, &puzzle.tiles, &laid.placements);
            let loops = trace(board, &lying, puzzle.colour).loops;
            let rows = problem.model().rows().len();
            if breaks(problem.as_ref(), &laid, family) {
                assert!(problem.forbidden_by(&laid).is_some_and(|by| by.starts_with("the cut [")));
                continue;
            }
            let separation = problem.separate(&laid);
            assert_eq!(separation.loop_lengths, loops.iter().map(Vec::len).collect::<Vec<_>>());
            assert!(separation.cut_off() >= separation.cuts.len());
            let parts = if choice == CutChoice::Smallest { 1 } else { loops.len() };
            assert_eq!(separation.cuts.len(), parts, "{choice:?} {loops:?}");
            assert!(separation.cuts.iter().all(|cut| crossings(&lying, puzzle.colour, cut) == 0));
            let added = &problem.model().rows()[rows..];
            let demands = added.iter().filter(|row| row.family == family && row.lower == 0.0).count();
            assert!(demands >= parts * 3, "a row for each place of each part");
            assert!(breaks(problem.as_ref(), &laid, family), "{choice:?} {loops:?}");
            assert!(problem.forbidden_by(&laid).is_some_and(|by| by.starts_with("the cut [")));
        }
        for solution in all {
            assert_eq!(problem.model().broken(&problem.encode(solution), 1e-9), Vec::<&str>::new(), "{choice:?}");
            assert_eq!(problem.forbidden_by(solution), None);
        }
    }
}

#[test]
fn cuts_forbid_subloops_and_no_solution_of_small_boards() {
    let (blob, spur) = (Shape::Blob.places(10, 1), Shape::Spur.places(10, 2));
    let mut seen = 0;
    for (places, n) in [(regular(BoardType::B, 12), 6), (blob, 7), (spur, 6)] {
        for colour in COLOURS {
            let instance = bounded(&places, n, colour);
            let all = solutions(&instance);
            seen += all.len();
            cut_and_check(&instance, &all, 12, &mut Dice(1));
        }
    }
    assert!(seen > 100, "only {seen} solutions");
}

#[test]
fn cuts_forbid_subloops_and_no_solution_of_larger_boards() {
    let mut seen = 0;
    for (n, seeds) in [(9, 0..12), (10, 0..12)] {
        for (places, solutions) in with_room(n, seeds, Shape::Blob) {
            if !solutions.is_empty() {
                seen += solutions.len();
                cut_and_check(&bounded(&places, n, default_colour(n)), &solutions, 12, &mut Dice(2));
            }
        }
    }
    assert!(seen > 50, "only {seen} solutions");
}

/// A region that could hold all tiles need not be left: the loop itself is cut off then.
#[test]
fn regions_stay_smaller_than_the_challenge() {
    let board = Board::new(&regular(BoardType::A, 61)).expect("a board");
    let number = |at: &Axial| board.number(*at).expect("on the board");
    let inside = BTreeSet::from([(0, 0), (1, 0), (0, 1)].map(Axial::from));
    let around: Vec<usize> = ring(&inside).iter().map(number).collect();
    let beside: Vec<usize> = [(-3, 0), (-3, -1), (-4, 0)].map(Axial::from).iter().map(number).collect();
    assert_eq!(around.len(), 9);
    for (challenge, expected) in [(12, 9), (13, 12), (20, 12)] {
        let loops = [around.clone(), beside.clone()];
        let parts = |choice| cuts_against(&board, challenge, &loops, choice).into_iter().map(|s| s.part.len());
        assert_eq!(parts(CutChoice::Region).collect::<Vec<_>>(), [expected, 3], "challenge {challenge}");
        assert_eq!(parts(CutChoice::Each).collect::<Vec<_>>(), [9, 3]);
        assert_eq!(parts(CutChoice::Smallest).collect::<Vec<_>>(), [3]);
        assert_eq!(cuts_against(&board, challenge, &loops[..1], CutChoice::Each), []);
    }
}

/// Every image of a shape on the board: turned by pairs of directions that keep angles, mirrored, moved.
fn images(instance: &Instance, shape: &[(i32, i32)]) -> Vec<BTreeSet<Axial>> {
    let direction = |edge: usize| Axial { q: 0, r: 0 }.neighbour(edge);
    let mut found = HashSet::new();
    for (edge, turn) in (1..=6).flat_map(|edge| [(edge, 1), (edge, 5)]) {
        // Where the steps along q and r go.
        let (a, b) = (direction(edge), direction((edge + turn - 1) % 6 + 1));
        for to in tantrix(instance).board.places() {
            let image = shape.iter().map(|&(q, r)| Axial { q: to.q + q * a.q + r * b.q, r: to.r + q * a.r + r * b.r });
            found.insert(image.collect::<BTreeSet<_>>());
        }
    }
    found.into_iter().collect()
}

#[test]
fn a_hole_is_forbidden_wherever_it_can_lie() {
    // One place, two, a row of three, a bend, a triangle, and four that their mirror image is unlike.
    let shapes: [&[(i32, i32)]; 6] = [
        &[(0, 0)],
        &[(0, 0), (1, 0)],
        &[(0, 0), (1, 0), (2, 0)],
        &[(0, 0), (1, 0), (1, 1)],
        &[(0, 0), (1, 0), (0, 1)],
        &[(0, 0), (1, 0), (2, 0), (0, 1)],
    ];
    for (places, expected) in [
        // By hand, among the 7 inner places: 6 bends in the centre and 6 on its ring, 4 places beside each of 3 rows.
        (regular(BoardType::A, 19), Some([7, 12, 3, 12, 6, 12])),
        (regular(BoardType::B, 27), None),
        (Shape::Blob.places(40, 3), None),
    ] {
        let instance = bounded(&places, 10, Colour::Red);
        for (index, shape) in shapes.into_iter().enumerate() {
            let fits: Vec<(BTreeSet<Axial>, Solution)> = images(&instance, shape)
                .into_iter()
                .filter(|image| image.iter().all(|at| places.contains(at)))
                .filter_map(|image| Some((image.clone(), filled(&instance, &ring(&image))?)))
                .collect();
            if let Some(expected) = expected {
                assert_eq!(fits.len(), expected[index], "{shape:?}");
            }
            for families in ["B1 B3 B45c", "B1 B3 B4+B5"] {
                let mut problem = clean(&instance, families, None);
                let before = problem.model().rows().len();
                let Some((image, first)) = fits.first() else { continue };
                assert_eq!(holes(&ring(image).into_iter().collect()), [image.iter().copied().collect::<Vec<_>>()]);
                let separation = problem.separate(first);
                assert_eq!((separation.holes, separation.holes_cut_off, separation.cut_off()), (1, 1, 1));
                let added = &problem.model().rows()[before..];
                assert_eq!(added.iter().filter(|row| row.family == "holes").count(), fits.len(), "one row each");
                for (hole, laid) in &fits {
                    assert!(breaks(problem.as_ref(), laid, "holes"), "{hole:?}");
                    assert!(
                        problem.forbidden_by(laid).is_some_and(|by| by.starts_with("the constraint against the hole"))
                    );
                    // A tile in the hole, or one less around it, and it is no such hole any more.
                    let mut more = ring(hole);
                    more.extend(hole.first());
                    let less = ring(hole).into_iter().skip(1).collect();
                    for other in [more, less].iter().filter_map(|at| filled(&instance, at)) {
                        assert!(!breaks(problem.as_ref(), &other, "holes"), "{hole:?}");
                    }
                }
            }
        }
    }
}

#[test]
fn hole_cuts_never_forbid_a_solution() {
    let (mut dice, mut seen) = (Dice(4), 0);
    let mut boards: Vec<(Instance, Vec<Solution>)> = COLOURS
        .map(|colour| bounded(&regular(BoardType::B, 12), 6, colour))
        .map(|instance| (instance.clone(), solutions(&instance)))
        .into();
    for (n, seeds) in [(8, 0..20), (9, 0..20), (14, 740..741)] {
        let wide = with_room(n, seeds, Shape::Blob).into_iter();
        boards.extend(wide.map(|(places, solutions)| (bounded(&places, n, default_colour(n)), solutions)));
    }
    for (instance, all) in boards.into_iter().filter(|(_, all)| !all.is_empty()) {
        let puzzle = tantrix(&instance);
        let mut problem = clean(&instance, "B1 B3 B45c", None);
        for _ in 0..15 {
            // About three places in four.
            let tiles: BTreeSet<Axial> = puzzle.board.places().iter().copied().filter(|_| dice.roll(4) > 0).collect();
            let laid = filled(&instance, &tiles).expect("on the board");
            let enclosed = holes(&tiles.iter().copied().collect()).len();
            if problem.forbidden_by(&laid).is_some() {
                assert!(breaks(problem.as_ref(), &laid, "holes"));
                continue;
            }
            let separation = problem.separate(&laid);
            assert_eq!((separation.holes, separation.holes_cut_off), (enclosed, enclosed));
            assert_eq!(breaks(problem.as_ref(), &laid, "holes"), enclosed > 0);
            assert_eq!(problem.forbidden_by(&laid).is_some(), enclosed > 0);
        }
        seen += all.len();
        for solution in &all {
            assert!(!breaks(problem.as_ref(), solution, ""));
            assert_eq!(problem.forbidden_by(solution), None);
        }
    }
    assert!(seen > 500, "only {seen} solutions");
}

#[test]
fn what_is_only_reported_adds_nothing() {
    let instance = bounded(&regular(BoardType::A, 19), 10, Colour::Red);
    let mut problem = build_mip(&Formulation::of("f", "B1 B3 B45c").expect("good"), &instance).expect("makes sense");
    let model = problem.model().clone();
    let centre = BTreeSet::from([Axial { q: 0, r: 0 }]);
    let separation = problem.separate(&filled(&instance, &ring(&centre)).expect("on the board"));
    assert_eq!((separation.holes, separation.holes_cut_off, separation.cut_off()), (1, 0, 0));
    let separation = problem.separate(&several(&instance, 10, &mut Dice(9)));
    assert!(separation.loop_lengths.len() > 1 && separation.cut_off() == 0);
    assert_eq!(problem.model(), &model);
}
