//! What the rows of each family demand, compared with the puzzle's own rules by trying everything.

use std::collections::HashMap;

use crate::common::{Dice, breaks, exhaust, instance, problem, tantrix};
use combinatorics::tantrix::shapes::Shape;
use model::Problem;
use proptest::prelude::*;
use puzzle::hex::{Axial, opposite};
use puzzle::tantrix::{Arrangement, Colour, trace};
use puzzle::{Instance, Placement, Solution, verify};

/// The right number of tiles of each sort in an order and orientations given by numbers.
fn arrange(instance: &Instance, order: &[usize], turns: &[usize]) -> Solution {
    let sorts = &tantrix(instance).tiles.sorts;
    let mut tiles: Vec<usize> = sorts.iter().flat_map(|s| std::iter::repeat_n(s.tile.number, s.count)).collect();
    let placements = (0..tiles.len())
        .map(|index| {
            let tile = tiles.remove(order[index] % tiles.len());
            Placement { place: index + 1, tile, orientation: turns[index] % 6 + 1 }
        })
        .collect();
    Solution::on_places(&instance.name, placements)
}

struct Facts {
    boundary: bool,
    matching: bool,
    corners: bool,
}

/// The rules in the puzzle's words.
fn facts(instance: &Instance, solution: &Solution) -> Facts {
    let puzzle = tantrix(instance);
    let (board, colour) = (&puzzle.board, puzzle.colour);
    let lying = Arrangement::new(board, &puzzle.tiles, &solution.placements);
    let designated = |j, l| lying.colour(j, l) == Some(colour);
    Facts {
        boundary: board.boundary().all(|(j, l)| !designated(j, l)),
        matching: board.touching().all(|((j, l), (j2, l2))| lying.colour(j, l) == lying.colour(j2, l2)),
        corners: board
            .numbers()
            .filter(|&j| board.inner_edges(j).count() == 2)
            .all(|j| board.inner_edges(j).all(|(l, next)| designated(j, l) && designated(next, opposite(l)))),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn families_hold_exactly_when_their_rule_does(
        n in 3usize..7,
        seed in 0u64..50,
        order in prop::collection::vec(0usize..1000, 6),
        turns in prop::collection::vec(0usize..6, 6),
    ) {
        let instance = instance(&Shape::Blob.places(n, seed), "");
        let solution = arrange(&instance, &order, &turns);
        let facts = facts(&instance, &solution);
        for families in ["C1 C2 C3 C4 C6", "C1 C2' C3 C4 C6"] {
            let printed = problem(&instance, families);
            prop_assert!(!breaks(printed.as_ref(), &solution, "C1"));
            prop_assert!(!breaks(printed.as_ref(), &solution, families.split(' ').nth(1).expect("a counting family")));
            prop_assert!(!breaks(printed.as_ref(), &solution, "y"));
            prop_assert_eq!(breaks(printed.as_ref(), &solution, "C3"), !facts.boundary);
            prop_assert_eq!(breaks(printed.as_ref(), &solution, "C4"), !facts.matching);
            prop_assert_eq!(breaks(printed.as_ref(), &solution, "C6"), !facts.corners);
        }
        let by_colour = problem(&instance, "C1 C2' C3x C4c C6x");
        prop_assert_eq!(breaks(by_colour.as_ref(), &solution, "C3x"), !facts.boundary);
        prop_assert_eq!(breaks(by_colour.as_ref(), &solution, "C4c"), !facts.matching);
        prop_assert_eq!(breaks(by_colour.as_ref(), &solution, "C6x"), !facts.corners);
        // The bounds of C4c hold the boundary.
        let alone = problem(&instance, "C1 C2' C4c");
        prop_assert_eq!(breaks(alone.as_ref(), &solution, ""), !(facts.boundary && facts.matching));
    }

    #[test]
    fn counting_families_notice_a_wrong_tile(n in 6usize..9, seed in 0u64..50, turns in prop::collection::vec(0usize..6, 8)) {
        let instance = instance(&Shape::Blob.places(n, seed), "");
        let mut solution = arrange(&instance, &[0; 8], &turns);
        solution.placements[1].tile = solution.placements[0].tile;
        for (families, counting) in [("C1 C2 C3 C4", "C2"), ("C1 C2' C3 C4", "C2'")] {
            prop_assert!(breaks(problem(&instance, families).as_ref(), &solution, counting));
        }
        solution.placements.pop();
        prop_assert!(breaks(problem(&instance, "C1 C2' C3 C4").as_ref(), &solution, "C1"));
    }

    #[test]
    fn decoding_undoes_encoding(
        n in 3usize..14,
        seed in 0u64..50,
        order in prop::collection::vec(0usize..1000, 14),
        turns in prop::collection::vec(0usize..6, 14),
    ) {
        let instance = instance(&Shape::Blob.places(n, seed), "");
        let solution = arrange(&instance, &order, &turns);
        for families in ["C1 C2 C3 C4", "C1 C2' C3 C4", "C1 C2' C4c"] {
            let problem = problem(&instance, families);
            let values = problem.encode(&solution);
            prop_assert_eq!(&problem.decode(&values).expect("integral"), &solution);
            let mut fractional = values.clone();
            fractional[0] = 0.5;
            prop_assert!(problem.decode(&fractional).is_err());
            prop_assert!(problem.decode(&values[1..]).is_err());
        }
    }
}

/// The points of a model without C5 are exactly the arrangements that keep every rule but the single loop.
#[test]
fn every_solution_of_small_boards_satisfies_every_family() {
    let mut solvable = 0;
    for n in 3..=6 {
        for seed in 0..60 {
            let instance = instance(&Shape::Blob.places(n, seed), "");
            let problems: Vec<_> =
                ["C1 C2 C3 C4 C6 C7 C8 C9 L8", "C1 C2' C4e C6x L8 SCF MCF MTZ", "C1 C2' C3x C4c C6x C7 C8 C9"]
                    .map(|families| problem(&instance, families))
                    .into();
            exhaust(&instance.name, tantrix(&instance), &mut |solution| {
                solvable += 1;
                assert!(verify(&instance, solution).is_valid());
                for problem in &problems {
                    assert_eq!(problem.model().broken(&problem.encode(solution), 1e-9), Vec::<&str>::new());
                }
                true
            });
        }
    }
    assert!(solvable > 100, "only {solvable} solutions seen");
}

/// All ways to say an arrangement with tiles that are told apart: every order of the copies of every sort.
fn told_apart(instance: &Instance, problem: &dyn Problem, solution: &Solution) -> Vec<Vec<f64>> {
    let index: HashMap<&str, usize> =
        problem.model().variables().iter().enumerate().map(|(i, variable)| (variable.name.as_str(), i)).collect();
    let mut all = vec![problem.encode(solution)];
    for sort in &tantrix(instance).tiles.sorts {
        let lying: Vec<_> = solution.placements.iter().filter(|p| p.tile == sort.tile.number).collect();
        let x = |i: usize, p: &Placement| index[format!("x_{i}_{}_{}", p.place, p.orientation).as_str()];
        let copies: Vec<usize> = (0..sort.count).map(|round| sort.tile.number + 10 * round).collect();
        let said = |values: &Vec<f64>, order: &[usize]| {
            let mut values = values.clone();
            for p in &lying {
                copies.iter().for_each(|&i| values[x(i, p)] = 0.0);
            }
            for (p, &i) in lying.iter().zip(order) {
                values[x(i, p)] = 1.0;
            }
            values
        };
        let orders = orders(&copies);
        all = all.iter().flat_map(|values| orders.iter().map(|order| said(values, order))).collect();
    }
    all
}

/// All orders of some numbers.
fn orders(of: &[usize]) -> Vec<Vec<usize>> {
    if of.is_empty() {
        return vec![Vec::new()];
    }
    let first = |&head: &usize| {
        let rest: Vec<usize> = of.iter().copied().filter(|&other| other != head).collect();
        orders(&rest).into_iter().map(move |order| [vec![head], order].concat())
    };
    of.iter().flat_map(first).collect()
}

/// How many of these points satisfy a model.
fn counted(problem: &dyn Problem, points: &[Vec<f64>]) -> usize {
    points.iter().filter(|values| problem.model().broken(values, 1e-9).is_empty()).count()
}

/// One point of C2 with C2o stands for each solution, where C2 alone has as many as the copies can be exchanged.
#[test]
fn the_order_of_equal_tiles_keeps_one_of_each_class_of_solutions() {
    let mut seen = [0; 13];
    for (n, shape, seed, exchanges) in [
        (6, Shape::Blob, 2, 1),
        (11, Shape::Round, 1, 2),
        (11, Shape::Blob, 6, 2),
        (12, Shape::Round, 1, 4),
        (12, Shape::Blob, 6, 4),
    ] {
        let instance = instance(&shape.places(n, seed), "");
        let (free, ordered) = (problem(&instance, "C1 C2 C3 C4"), problem(&instance, "C1 C2 C2o C3 C4"));
        assert_eq!(free.model().variables(), ordered.model().variables());
        let (mut classes, mut points, mut left) = (0, 0, 0);
        exhaust(&instance.name, tantrix(&instance), &mut |solution| {
            let all = told_apart(&instance, ordered.as_ref(), solution);
            classes += 1;
            points += counted(free.as_ref(), &all);
            left += counted(ordered.as_ref(), &all);
            assert_eq!(ordered.model().broken(&ordered.encode(solution), 1e-9), Vec::<&str>::new());
            classes < 50
        });
        assert_eq!((points, left), (exchanges * classes, classes), "{n} tiles, {shape}, seed {seed}");
        seen[n] += classes;
    }
    assert!(seen[11] > 0 && seen[12] > 0, "{seen:?}");
}

/// Up to three copies, on arrangements that keep none of the rules of the line.
#[test]
fn the_order_of_equal_tiles_holds_for_one_exchange_of_any_arrangement() {
    let mut dice = Dice(5);
    for (n, exchanges) in [(10, 1), (13, 8), (15, 32), (20, 1024), (21, 3072)] {
        let instance = instance(&Shape::Round.places(n, 1), "");
        let free = problem(&instance, "C1 C2 C3x C4c");
        let ordered = problem(&instance, "C1 C2 C2o C3x C4c");
        let [order, turns] = [1000, 6].map(|sides| (0..n).map(|_| dice.roll(sides)).collect::<Vec<_>>());
        let solution = arrange(&instance, &order, &turns);
        let all = told_apart(&instance, ordered.as_ref(), &solution);
        let keep = |problem: &dyn Problem| {
            let rows = problem.model().rows().iter().filter(|row| ["C1", "C2", "C2o"].contains(&row.family));
            let rows: Vec<_> = rows.collect();
            let holds = |values: &[f64]| {
                rows.iter().all(|row| {
                    let sum: f64 = row.terms.iter().map(|&(var, factor)| factor * values[var.0]).sum();
                    (row.lower..=row.upper).contains(&sum)
                })
            };
            all.iter().filter(|values| holds(values)).count()
        };
        assert_eq!((all.len(), keep(free.as_ref()), keep(ordered.as_ref())), (exchanges, exchanges, 1), "{n} tiles");
        assert_eq!(ordered.decode(&ordered.encode(&solution)).expect("integral"), solution);
    }
}

/// C7, C8 and C9 forbid designated loops of 3, 4 and 5 and nothing else, whatever the board; L5 to L8 those of up to so many tiles, but for
/// one of all; SCF, MCF and MTZ all but one of all.
#[test]
fn short_loop_families_forbid_short_loops_and_nothing_else() {
    let mut seen = [0; 9];
    for (n, seeds) in [(6, 0..40), (7, 0..40), (8, 0..60)] {
        for seed in seeds {
            for colour in [Colour::Red, Colour::Blue, Colour::Yellow] {
                // Ten sorts, so that every course of the line is on some tile.
                let places = Shape::Blob.places(n, seed);
                let instance = instance(&places, &format!("colour = \"{colour}\""));
                check_short_loops(&instance, &mut seen);
            }
        }
    }
    let big = Shape::Round.places(10, 5);
    check_short_loops(&instance(&big, "colour = \"red\""), &mut seen);
    assert!(seen[3] > 50 && seen[4] > 50 && seen[5] > 50 && seen[6] > 50, "{seen:?}");
}

fn check_short_loops(instance: &Instance, seen: &mut [usize; 9]) {
    let puzzle = tantrix(instance);
    let problems =
        ["C1 C2' C3 C4 C7 C8 C9 L5 L6 L7 L8", "C1 C2' C4e SCF MCF MTZ L5 L6 L7 L8"].map(|list| problem(instance, list));
    let problem = &problems[0];
    for solution in crate::lines::all(instance) {
        let lying = Arrangement::new(&puzzle.board, &puzzle.tiles, &solution.placements);
        let lengths: Vec<usize> = trace(&puzzle.board, &lying, puzzle.colour).loops.iter().map(Vec::len).collect();
        for length in &lengths {
            seen[(*length).min(8)] += 1;
        }
        for (family, length) in [("C7", 3), ("C8", 4), ("C9", 5)] {
            assert_eq!(breaks(problem.as_ref(), &solution, family), lengths.contains(&length), "{family} {lengths:?}");
        }
        let single = ["SCF", "MCF", "MTZ"].map(|family| (family, usize::MAX));
        for (family, longest) in [("L5", 5), ("L6", 6), ("L7", 7), ("L8", 8)].into_iter().chain(single) {
            let expected = lengths.iter().any(|&length| length <= longest && length < puzzle.challenge);
            // The first has none of the families that demand a single loop.
            for problem in &problems[usize::from(longest == usize::MAX)..] {
                assert_eq!(breaks(problem.as_ref(), &solution, family), expected, "{family} {lengths:?}");
            }
        }
    }
}

#[test]
fn short_loop_families_leave_small_challenges_alone() {
    for n in 3..=5 {
        let instance = instance(&Shape::Round.places(n, 1), "");
        let problem = problem(&instance, "C1 C2' C3 C4 C7 C8 C9");
        assert!(problem.model().rows().iter().all(|row| !["C7", "C8", "C9"].contains(&row.family)));
    }
}

#[test]
fn four_colours_are_told_apart() {
    let places: Vec<Axial> = Shape::Round.places(16, 1);
    let list: Vec<String> = places.iter().map(|a| format!("[{}, {}]", a.q, a.r)).collect();
    let text = format!(
        "kind = \"tantrix-fixed\"\nchallenge = 16\ntiles = \"distinct\"\ncolour = \"red\"\nplaces = [{}]\nknown = \"unknown\"\nsource = \"test\"\n",
        list.join(", ")
    );
    let instance = Instance::parse(&text, std::path::Path::new("t.toml")).expect("good");
    let model = problem(&instance, "C1 C2' C3 C4 C6");
    let y = model.model().variables().iter().find(|v| v.name == "y_1_1").expect("there");
    assert_eq!(y.upper, 4.0, "the designated colour has the highest number");
    let c3 = model.model().rows().iter().find(|r| r.family == "C3").expect("a boundary");
    assert_eq!((c3.lower, c3.upper), (1.0, 3.0));
}
