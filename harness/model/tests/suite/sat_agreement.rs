//! The formulas against exhaustive search: as many models as solutions, and the same.

use std::collections::HashSet;
use std::ops::ControlFlow;

use crate::clauses::{each_model, plain, sat, some_model};
use crate::common::{COLOURS, bounded, bounded_distinct, instance, regular, solutions, tantrix};
use combinatorics::tantrix::{enumerate_on_board, shapes::Shape};
use model::{Cardinality, CutChoice, Formulation, FormulationKeys, FormulationKind, Holes};
use puzzle::tantrix::{BoardType, default_colour};
use puzzle::{Instance, Placement, Solution, verify};

type Laid = Vec<Placement>;

fn laid(solution: &Solution) -> Laid {
    let mut placements = solution.placements.clone();
    placements.sort_by_key(|p| p.place);
    placements
}

/// All solutions: models of the formula, cuts added against those that are none until none is left.
fn found(instance: &Instance, formulation: &Formulation) -> (HashSet<Laid>, usize) {
    let mut problem = sat(instance, formulation);
    let (mut all, mut cuts) = (HashSet::new(), 0);
    loop {
        let (mut spoilt, mut number) = (Vec::new(), 0);
        let model = problem.model().clone();
        each_model(&model, model.variables(), &mut |values| {
            let solution = problem.decode(values).expect("values");
            assert_eq!(problem.encode(&solution), values, "the x decide everything else");
            if verify(instance, &solution).violations.is_empty() {
                number += 1;
                all.insert(laid(&solution));
            } else {
                spoilt.push(solution);
            }
            ControlFlow::Continue(())
        });
        assert_eq!(number, all.len(), "no model twice");
        if spoilt.is_empty() {
            return (all, cuts);
        }
        for solution in &spoilt {
            assert!(problem.separate(solution).cut_off() > 0, "{:?}", verify(instance, solution).violations);
            assert!(problem.forbidden_by(solution).is_some());
            cuts += 1;
        }
    }
}

fn check(instance: &Instance, formulations: &[Formulation]) -> (usize, usize) {
    check_against(instance, &solutions(instance).iter().map(laid).collect(), formulations)
}

fn check_against(instance: &Instance, expected: &HashSet<Laid>, formulations: &[Formulation]) -> (usize, usize) {
    let mut cuts = 0;
    for formulation in formulations {
        let (all, added) = found(instance, formulation);
        assert_eq!(all, *expected, "{formulation:?} {instance:?}");
        cuts += added;
    }
    (expected.len(), cuts)
}

/// Every way to count, with and without short loops, and every choice of cuts.
fn formulations(holes: Option<Holes>) -> Vec<Formulation> {
    let cuts = CutChoice::WORDS.iter().map(|cuts| vec![("cuts", *cuts), ("short-loops", "0")]);
    let cardinality = Cardinality::WORDS.iter().map(|word| vec![("cardinality", *word)]);
    let short = ["3", "5"].into_iter().map(|longest| vec![("short-loops", longest)]);
    let holes = holes.map(|holes| ("holes", holes.name()));
    let keys = cuts.chain(cardinality).chain(short).map(|keys| keys.into_iter().chain(holes).collect::<Vec<_>>());
    keys.map(|keys| FormulationKeys::new("f", FormulationKind::Sat, &keys).read().expect("good")).collect()
}

#[test]
fn fixed_boards_have_the_solutions_of_exhaustive_search() {
    let (mut with, mut without, mut cuts) = (0, 0, 0);
    for n in [3, 5, 7, 8, 9, 10] {
        for (shape, seed) in [(Shape::Round, 1), (Shape::Spur, 2), (Shape::Blob, 3), (Shape::Blob, 4)] {
            for colour in COLOURS {
                let instance = instance(&shape.places(n, seed), &format!("colour = \"{colour}\""));
                let (number, added) = check(&instance, &formulations(None));
                with += usize::from(number > 0);
                without += usize::from(number == 0);
                cuts += added;
            }
        }
    }
    assert!(with > 10 && without > 10 && cuts > 0, "{with} boards with a solution, {without} without; {cuts} cuts");
}

#[test]
fn bounded_boards_have_the_solutions_of_exhaustive_search() {
    let mut number = 0;
    let clean = formulations(Some(Holes::Resolve));
    for colour in COLOURS {
        for (places, n) in [(regular(BoardType::A, 7), 5), (regular(BoardType::A, 7), 6), (Shape::Blob.places(9, 2), 6)]
        {
            number += check(&bounded(&places, n, colour), &clean).0;
        }
    }
    let distinct = bounded_distinct(&regular(BoardType::A, 7), 6, COLOURS[1]);
    number += check(&distinct, &clean).0;
    assert!(number > 50, "{number} solutions");
}

/// The solutions that a search along the line finds, which is faster than exhaustive search where there is room.
#[test]
fn boards_with_room_for_holes_have_the_solutions_of_another_search() {
    let (mut number, mut with_holes) = (0, 0);
    for n in [8, 10] {
        let instance = bounded(&regular(BoardType::B, 12), n, default_colour(n));
        let puzzle = tantrix(&instance);
        let mut expected = HashSet::new();
        enumerate_on_board(&puzzle.board, &puzzle.tiles, puzzle.colour, &mut || true, &mut |placements| {
            let mut placements = placements.to_vec();
            placements.sort_by_key(|p| p.place);
            expected.insert(placements)
        })
        .expect("a good set");
        number += expected.len();
        let problem = sat(&instance, &plain());
        each_model(problem.model(), problem.model().variables(), &mut |values| {
            let solution = problem.decode(values).expect("values");
            with_holes += usize::from(verify(&instance, &solution).holes > 0);
            ControlFlow::Continue(())
        });
        check_against(&instance, &expected, &formulations(Some(Holes::Resolve))[3..5]);
    }
    assert!(number > 50 && with_holes > 0, "{number} solutions, {with_holes} arrangements with holes beside them");
}

/// On larger boards each known solution is a model, and what a solver finds is one of them.
#[test]
fn larger_boards_agree_on_whether_there_is_a_solution() {
    let (mut with, mut without) = (0, 0);
    for seed in 0..12 {
        let instance = instance(&Shape::Blob.places(12, seed), "");
        let all = solutions(&instance);
        let problem = sat(&instance, &plain().with("subloops", "propagate").expect("good"));
        for solution in &all {
            let values = problem.encode(solution);
            assert_eq!(model::Representation::broken_by(problem.model(), &values), Vec::<String>::new());
        }
        // Loops of up to 11 places are all there are.
        let whole = sat(&instance, &plain().with("short-loops", 11).expect("good"));
        assert_eq!(some_model(whole.model()).is_some(), !all.is_empty(), "seed {seed}");
        with += usize::from(!all.is_empty());
        without += usize::from(all.is_empty());
    }
    assert!(with > 0 && without > 0, "{with} with, {without} without");
}
