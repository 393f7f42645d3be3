//! What the rows of the B families demand, compared with the rules in the puzzle's words on arrangements of any kind.

use std::collections::BTreeMap;

use crate::common::{COLOURS, Dice, bounded, bounded_distinct, breaks, problem, regular, tantrix};
use crate::scatter::{anything, anything_or_loops, miscounted};
use model::Problem;
use puzzle::tantrix::{Arrangement, BoardType, Colour};
use puzzle::{Instance, Placement, Solution};

const PRINTED: &str = "B1 B2 B3 B4 B5 B4+B5 B6 B6' B6''";

/// The boards: three regular ones with three colours, and one with tiles of four.
fn boards() -> Vec<Instance> {
    let regular = [(BoardType::A, 7, 7), (BoardType::A, 19, 10), (BoardType::B, 12, 12)]
        .into_iter()
        .zip(COLOURS)
        .map(|((kind, size, n), colour)| bounded(&regular(kind, size), n, colour));
    regular.chain([bounded_distinct(&crate::common::regular(BoardType::A, 19), 16, Colour::Red)]).collect()
}

struct Facts {
    /// No designated edge lies beside an empty place or the rim.
    closed: bool,
    /// Two tiles that touch show the same colour there.
    matching: bool,
    /// Tiles around an empty place of the board, at most.
    around: usize,
}

/// The rules in the puzzle's words.
fn facts(instance: &Instance, solution: &Solution) -> Facts {
    let puzzle = tantrix(instance);
    let board = &puzzle.board;
    let lying = Arrangement::new(board, &puzzle.tiles, &solution.placements);
    let edges = || board.numbers().flat_map(|j| (1..=6).map(move |l| (j, l)));
    let beside = |j, l| board.neighbour(j, l).filter(|&next| lying.is_filled(next));
    Facts {
        closed: edges().all(|(j, l)| lying.colour(j, l) != Some(puzzle.colour) || beside(j, l).is_some()),
        matching: board.touching().all(|((j, l), (j2, l2))| match (lying.colour(j, l), lying.colour(j2, l2)) {
            (Some(here), Some(there)) => here == there,
            _ => true,
        }),
        around: board
            .numbers()
            .filter(|&j| !lying.is_filled(j))
            .map(|j| (1..=6).filter(|&l| beside(j, l).is_some()).count())
            .max()
            .unwrap_or(0),
    }
}

/// Whether some choice of the u, each for itself as no row has two of them, makes all rows of B4+B5 hold.
fn some_u(problem: &dyn Problem, solution: &Solution) -> bool {
    let (model, mut values) = (problem.model(), problem.encode(solution));
    let is_u = |index: usize| model.variables()[index].name.starts_with("u_");
    let mut by_u: BTreeMap<Option<usize>, Vec<_>> = BTreeMap::new();
    for row in model.rows().iter().filter(|row| row.family == "B4+B5") {
        let us: Vec<usize> = row.terms.iter().map(|(var, _)| var.0).filter(|&index| is_u(index)).collect();
        assert!(us.len() <= 1);
        by_u.entry(us.first().copied()).or_default().push(row);
    }
    assert!(by_u.len() > 3, "the rim, and several pairs of places");
    by_u.into_iter().all(|(u, rows)| {
        [0.0, 1.0].into_iter().any(|choice| {
            if let Some(u) = u {
                values[u] = choice;
            }
            rows.iter().all(|row| {
                let sum: f64 = row.terms.iter().map(|&(var, c)| c * values[var.0]).sum();
                sum >= row.lower - 1e-9 && sum <= row.upper + 1e-9
            })
        })
    })
}

/// Whether a bound of a variable is broken; B45c fixes variables.
fn breaks_a_bound(problem: &dyn Problem, solution: &Solution) -> bool {
    let values = problem.encode(solution);
    problem.model().variables().iter().zip(values).any(|(v, value)| value < v.lower || value > v.upper)
}

#[test]
fn families_hold_exactly_when_their_rule_does() {
    for (number, instance) in boards().into_iter().enumerate() {
        let printed = problem(&instance, PRINTED);
        let apart = problem(&instance, "B1 B3 B4 B5");
        let by_colour = problem(&instance, "B1 B3 B45c");
        let mut seen: BTreeMap<(&str, bool), usize> = BTreeMap::new();
        let mut dice = Dice(number as u64);
        for round in 0..1500 {
            let laid = anything_or_loops(&instance, round, &mut dice);
            let facts = facts(&instance, &laid);
            let both = facts.closed && facts.matching;
            assert!(!breaks(printed.as_ref(), &laid, "B1"));
            assert!(!breaks(printed.as_ref(), &laid, "y") && !breaks(printed.as_ref(), &laid, "o"));
            let rules = [
                ("B4", facts.closed),
                ("B5", facts.matching),
                ("B4+B5", both),
                ("B6", facts.around <= 5),
                ("B6'", facts.around <= 4),
                ("B6''", facts.around <= 3),
            ];
            for (family, holds) in rules {
                *seen.entry((family, holds)).or_default() += 1;
                assert_eq!(breaks(printed.as_ref(), &laid, family), !holds, "{family}: {:?}", laid.placements);
            }
            for (family, holds) in [("B4", facts.closed), ("B5", facts.matching)] {
                assert_eq!(breaks(apart.as_ref(), &laid, family), !holds, "{family}: {:?}", laid.placements);
            }
            assert_eq!(some_u(printed.as_ref(), &laid), both, "whatever u: {:?}", laid.placements);
            let rows = breaks(by_colour.as_ref(), &laid, "B45c");
            assert_eq!(rows || breaks_a_bound(by_colour.as_ref(), &laid), !both, "{:?}", laid.placements);
        }
        for (family, holds) in
            ["B4", "B5", "B4+B5", "B6", "B6'", "B6''"].into_iter().flat_map(|f| [(f, true), (f, false)])
        {
            let times = seen.get(&(family, holds)).copied().unwrap_or(0);
            assert!(times > 20, "{family} {holds} on board {number}: {times} times only");
        }
    }
}

#[test]
fn counting_families_count() {
    let instance = bounded(&regular(BoardType::B, 12), 12, Colour::Blue);
    let puzzle = tantrix(&instance);
    let problem = problem(&instance, PRINTED);
    let (mut dice, mut seen) = (Dice(7), BTreeMap::<(&str, bool), usize>::new());
    for round in 0..600 {
        let laid = miscounted(&instance, round, &mut dice);
        let on = |place| laid.placements.iter().filter(|p| p.place == place).count();
        let used = |tile| laid.placements.iter().filter(|p| p.tile == tile).count();
        let rules = [
            ("B1", puzzle.board.numbers().all(|place| on(place) <= 1)),
            ("B2", laid.placements.len() == 12),
            ("B3", puzzle.tiles.sorts.iter().all(|sort| used(sort.tile.number) == sort.count)),
        ];
        for (family, holds) in rules {
            *seen.entry((family, holds)).or_default() += 1;
            assert_eq!(breaks(problem.as_ref(), &laid, family), !holds, "{family}: {:?}", laid.placements);
        }
    }
    assert!(seen.len() == 6 && seen.values().all(|&times| times > 50), "{seen:?}");
}

#[test]
fn decoding_undoes_encoding() {
    for instance in boards() {
        let problems = [PRINTED, "B1 B3 B45c"].map(|families| problem(&instance, families));
        let mut dice = Dice(3);
        for _ in 0..50 {
            let laid = anything(&instance, &mut dice);
            for problem in &problems {
                let values = problem.encode(&laid);
                assert_eq!(problem.decode(&values).expect("integral"), laid);
                let mut fractional = values.clone();
                fractional[0] = 0.5;
                assert!(problem.decode(&fractional).is_err() && problem.decode(&values[1..]).is_err());
            }
        }
    }
}

#[test]
fn placements_that_the_puzzle_does_not_have_are_left_out() {
    for (instance, families) in boards().iter().flat_map(|i| [(i, PRINTED), (i, "B1 B3 B45c")]) {
        let (problem, puzzle) = (problem(instance, families), tantrix(instance));
        let (places, mut dice) = (puzzle.board.len(), Dice(5));
        for _ in 0..20 {
            let laid = anything(instance, &mut dice);
            let (place, tile) = (dice.roll(places) + 1, puzzle.tiles.sorts[0].tile.number);
            for (place, tile, orientation) in [
                (0, tile, 1),
                (places + 1, tile, 6),
                (usize::MAX, tile, 1),
                (place, tile, 0),
                (place, tile, 7),
                (place, tile, usize::MAX),
                (place, 0, 1),
                (place, 57, 1),
            ] {
                let mut more = laid.clone();
                more.placements.insert(0, Placement { place, tile, orientation });
                assert_eq!(problem.encode(&more), problem.encode(&laid), "{place} {tile} {orientation}");
            }
        }
    }
}
