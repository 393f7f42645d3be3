//! Clauses against subloops and holes: what they are drawn against is forbidden from then on, and no solution ever is.

use std::collections::BTreeSet;

use crate::clauses::{breaks_clause, plain, sat};
use crate::common::{Dice, bounded, instance, natural, regular, solutions, tantrix};
use crate::scatter::{filled, ring, several, solution, with_room};
use combinatorics::tantrix::shapes::Shape;
use model::{CutChoice, Formulation, FormulationKeys, FormulationKind, Holes, Representation};
use puzzle::hex::{Axial, holes};
use puzzle::tantrix::{Arrangement, BoardType, Colour, FIXED, default_colour, trace};
use puzzle::{Instance, Solution};

fn clean(cuts: CutChoice) -> Formulation {
    let keys = [("cuts", cuts.name()), ("short-loops", "0"), ("holes", "resolve")];
    FormulationKeys::new("f", FormulationKind::Sat, &keys).read().expect("good")
}

/// Cuts off one arrangement of several loops after another and shows that each is forbidden and no solution is.
fn cut_and_check(instance: &Instance, all: &[Solution], dice: &mut Dice) {
    let puzzle = tantrix(instance);
    for choice in CutChoice::ALL {
        let holes = if instance.puzzle.kind() == FIXED { Holes::Report } else { Holes::Resolve };
        let mut problem = sat(instance, &clean(choice).with("holes", holes).expect("good"));
        for _ in 0..12 {
            let laid = several(instance, puzzle.challenge, dice);
            let lying = Arrangement::new(&puzzle.board, &puzzle.tiles, &laid.placements);
            let loops = trace(&puzzle.board, &lying, puzzle.colour).loops;
            let says_so = |by: Option<String>| {
                let expected =
                    if choice == CutChoice::Loop { "the clauses against the loop through" } else { "the cut [" };
                assert!(by.as_ref().is_some_and(|by| by.starts_with(expected)), "{by:?}");
            };
            if breaks_clause(problem.as_ref(), &laid, "loops") {
                says_so(problem.forbidden_by(&laid));
                continue;
            }
            assert_eq!(problem.forbidden_by(&laid), None);
            let separation = problem.separate(&laid);
            assert_eq!(separation.loop_lengths, loops.iter().map(Vec::len).collect::<Vec<_>>());
            let parts = if choice == CutChoice::Smallest { 1 } else { loops.len() };
            assert_eq!(separation.cuts.len(), parts, "{choice} {loops:?}");
            assert!(breaks_clause(problem.as_ref(), &laid, "loops"), "{choice} {loops:?}");
            says_so(problem.forbidden_by(&laid));
        }
        for solution in all {
            assert_eq!(problem.model().broken_by(&problem.encode(solution)), Vec::<String>::new(), "{choice}");
            assert_eq!(problem.forbidden_by(solution), None);
        }
    }
}

#[test]
fn cuts_forbid_subloops_and_no_solution() {
    let mut seen = 0;
    for (n, seeds) in [(9, 0..8), (10, 0..8)] {
        for (places, solutions) in with_room(n, seeds, Shape::Blob) {
            if !solutions.is_empty() {
                seen += solutions.len();
                cut_and_check(&bounded(&places, n, default_colour(n)), &solutions, &mut Dice(2));
            }
        }
    }
    for places in [regular(BoardType::B, 12), Shape::Blob.places(10, 1)] {
        let instance = bounded(&places, 6, Colour::Blue);
        let all = solutions(&instance);
        seen += all.len();
        cut_and_check(&instance, &all, &mut Dice(1));
    }
    assert!(seen > 50, "only {seen} solutions");
}

/// A loop that is no solution is none anywhere else.
#[test]
fn a_loop_is_forbidden_wherever_it_can_lie() {
    let instance = bounded(&regular(BoardType::A, 37), 20, Colour::Red);
    let board = &tantrix(&instance).board;
    let mut problem = sat(&instance, &clean(CutChoice::Loop));
    // Four tiles around an edge, and three elsewhere.
    let at = |q, r| board.number(Axial { q, r }).expect("on the board");
    let rhombus = [at(0, 0), at(1, 0), at(1, 1), at(0, 1)];
    let triangle = [at(-2, 0), at(-1, -1), at(-2, -1)];
    let puzzle = tantrix(&instance);
    let lay = |course: &[usize]| crate::scatter::lay(puzzle, course, &mut Dice(1)).expect("tiles with such lines");
    let mut placements = lay(&rhombus);
    placements.extend(lay(&triangle));
    placements.sort_by_key(|p| p.place);
    let laid = solution(&instance, placements);
    let before = problem.model().len();
    let separation = problem.separate(&laid);
    assert_eq!(separation.loop_lengths, [4, 3]);
    let mut clauses: Vec<_> = problem.model().clauses_from(before).collect();
    let (four, three) =
        (clauses.iter().filter(|c| c.literals.len() == 4), clauses.iter().filter(|c| c.literals.len() == 3));
    // By hand: the hexagon of 37 has 54 triangles, and 90 edges of which 72 have a place on both sides.
    assert_eq!((four.count(), three.count()), (72, 54));
    clauses.sort_by_key(|c| c.literals.to_vec());
    clauses.dedup();
    assert_eq!(clauses.len(), 72 + 54, "each once");
    assert!(clauses.iter().all(|c| c.family == "loops"));
}

#[test]
fn fixed_boards_are_cut_too() {
    let boards = (0..40).map(|seed| instance(&Shape::Blob.places(10, seed), ""));
    let with_solutions = boards.map(|board| (solutions(&board), board)).filter(|(all, _)| !all.is_empty());
    let mut seen = 0;
    for (all, board) in with_solutions.take(2) {
        seen += 1;
        cut_and_check(&board, &all, &mut Dice(seen));
    }
    assert!(seen > 0);
}

#[test]
fn holes_are_forbidden_everywhere_and_nothing_else_is() {
    let instance = bounded(&regular(BoardType::A, 37), 20, Colour::Red);
    let puzzle = tantrix(&instance);
    let mut problem = sat(&instance, &clean(CutChoice::Loop));
    // A row of four in the middle: longer than those that are forbidden from the start.
    let row: BTreeSet<Axial> = (-1..=2).map(|q| Axial { q, r: 0 }).collect();
    let laid = filled(&instance, &ring(&row)).expect("on the board");
    assert!(!breaks_clause(problem.as_ref(), &laid, "small-holes"));
    let before = problem.model().len();
    let separation = problem.separate(&laid);
    assert_eq!((separation.holes, separation.holes_cut_off, separation.cut_off()), (1, 1, 1));
    // By hand: of the 19 inner places the three rows through the centre have 5 and hold two rows of four, those beside
    // them have 4 and hold one.
    assert_eq!(problem.model().len() - before, 3 * (2 + 2), "wherever it can lie");
    assert!(
        problem.model().clauses_from(before).all(|clause| clause.family == "holes" && clause.literals.len() == 4 + 12)
    );
    assert!(
        problem.forbidden_by(&laid).is_some_and(|by| by.starts_with("the constraint against the hole at places ["))
    );
    let (mut dice, mut small, mut none) = (Dice(4), 0, 0);
    for _ in 0..300 {
        let tiles: BTreeSet<Axial> = puzzle.board.places().iter().copied().filter(|_| dice.roll(8) > 0).collect();
        let laid = filled(&instance, &tiles).expect("on the board");
        let found = holes(&tiles.iter().copied().collect());
        let expected = found.iter().any(|hole| hole.len() <= 3);
        assert_eq!(breaks_clause(problem.as_ref(), &laid, "small-holes"), expected, "{found:?}");
        small += usize::from(expected);
        none += usize::from(found.is_empty());
        if found.is_empty() {
            assert!(!breaks_clause(problem.as_ref(), &laid, "holes"));
        }
    }
    assert!(small > 30 && none > 10, "{small} {none}");
}

#[test]
fn what_is_only_reported_adds_nothing() {
    let instance = bounded(&regular(BoardType::A, 19), 10, Colour::Red);
    let report = plain().with("subloops", "report").expect("good");
    let mut problem = sat(&instance, &report);
    let before = problem.model().clone();
    let around = ring(&BTreeSet::from([Axial { q: 0, r: 0 }]));
    let separation = problem.separate(&filled(&instance, &around).expect("on the board"));
    assert_eq!((separation.holes, separation.holes_cut_off, separation.cut_off()), (1, 0, 0));
    let separation = problem.separate(&several(&instance, 10, &mut Dice(9)));
    assert!(separation.loop_lengths.len() > 1 && separation.cut_off() == 0);
    assert_eq!(problem.model(), &before);
}

#[test]
fn cuts_of_the_plane_are_in_ring_numbers_and_go_with_the_board() {
    let (mut dice, mut renamed) = (Dice(8), 0);
    for (n, choice) in [(8, CutChoice::Loop), (8, CutChoice::Each), (10, CutChoice::Loop)].repeat(20) {
        let flat = bounded(&regular(BoardType::B, 12), n, default_colour(n));
        let board = &tantrix(&flat).board;
        let here = several(&flat, n, &mut dice);
        let mut there = here.clone();
        there.placements.iter_mut().for_each(|p| p.place = board.at(p.place).ring_number());
        let (mut problem, mut twin) = (sat(&natural(n), &clean(choice)), sat(&flat, &clean(choice)));
        let (separation, expected) = (problem.separate(&there), twin.separate(&here));
        assert_eq!(separation.loop_lengths, expected.loop_lengths);
        let sorted = |cut: &mut dyn Iterator<Item = (usize, usize)>| cut.collect::<BTreeSet<_>>();
        let cuts: BTreeSet<_> = separation.cuts.iter().map(|cut| sorted(&mut cut.iter().copied())).collect();
        let renumbered =
            expected.cuts.iter().map(|cut| sorted(&mut cut.iter().map(|&(j, l)| (board.at(j).ring_number(), l))));
        assert_eq!(cuts, renumbered.collect());
        assert!(breaks_clause(problem.as_ref(), &there, "loops"));
        assert!(problem.forbidden_by(&there).is_some());
        renamed += usize::from(separation.cuts[0].iter().any(|&(place, _)| place > 12));
        // Another board is another formula, without the cuts of the last.
        assert!(problem.enlarge().expect("the same formulation"));
        assert_eq!(problem.forbidden_by(&there), None);
        assert!(problem.model().clauses().all(|clause| clause.family != "loops"));
    }
    assert!(renamed > 10, "{renamed} cuts name a place that the board numbers otherwise");
}
