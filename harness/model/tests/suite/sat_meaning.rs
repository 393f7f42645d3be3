//! What the clauses demand, compared with the rules in the puzzle's words on arrangements of any kind.

use std::collections::BTreeMap;

use crate::clauses::{breaks_clause, plain, sat};
use crate::common::{COLOURS, Dice, bounded, bounded_distinct, instance, natural, regular, solutions, tantrix};
use crate::scatter::{anything, anything_or_loops, loops, miscounted};
use combinatorics::tantrix::shapes::Shape;
use model::{Cardinality, Formulation, Problem, Representation};
use puzzle::tantrix::{Arrangement, BoardType, Colour, FIXED, trace};
use puzzle::{Instance, Placement, Solution, verify};

fn boards() -> Vec<Instance> {
    let regular_ones = [(BoardType::A, 7, 7), (BoardType::A, 19, 10), (BoardType::B, 12, 11)]
        .into_iter()
        .zip(COLOURS)
        .map(|((kind, size, n), colour)| bounded(&regular(kind, size), n, colour));
    let full = instance(&Shape::Blob.places(15, 3), "");
    regular_ones.chain([bounded_distinct(&regular(BoardType::A, 19), 16, Colour::Red), full]).collect()
}

struct Facts {
    /// No designated edge lies at the rim.
    inside: bool,
    /// Two tiles that touch show the same colour there, and no designated edge lies beside an empty place.
    matching: bool,
    /// Each sort as often as the challenge says.
    counted: bool,
    /// Tiles around an empty place, at most.
    around: usize,
    /// Places of the shortest designated loop.
    shortest: usize,
}

fn facts(instance: &Instance, laid: &Solution) -> Facts {
    let puzzle = tantrix(instance);
    let board = &puzzle.board;
    let lying = Arrangement::new(board, &puzzle.tiles, &laid.placements);
    let designated = |colour| colour == Some(puzzle.colour);
    let empty = board.numbers().filter(|&j| !lying.is_filled(j));
    Facts {
        inside: board.boundary().all(|(j, l)| !designated(lying.colour(j, l))),
        matching: board.touching().all(|((j, l), (j2, l2))| match (lying.colour(j, l), lying.colour(j2, l2)) {
            (Some(here), Some(there)) => here == there,
            // A fixed board is left half-empty by the die alone; there each edge wants both its sides.
            (here, there) if instance.puzzle.kind() == FIXED => here == there,
            (here, there) => !designated(here.or(there)),
        }),
        counted: puzzle
            .tiles
            .sorts
            .iter()
            .all(|s| laid.placements.iter().filter(|p| p.tile == s.tile.number).count() == s.count),
        around: empty
            .map(|j| board.inner_edges(j).filter(|&(_, next)| lying.is_filled(next)).count())
            .max()
            .unwrap_or(0),
        shortest: trace(board, &lying, puzzle.colour).loops.iter().map(Vec::len).min().unwrap_or(usize::MAX),
    }
}

#[test]
fn families_are_broken_exactly_when_their_rule_is() {
    let mut seen: BTreeMap<(&str, bool), usize> = BTreeMap::new();
    for (number, instance) in boards().into_iter().enumerate() {
        let full = instance.puzzle.kind() == FIXED;
        let problems = [5, 4, 3].map(|most| {
            let short = plain().with("short-loops", 6).expect("good");
            sat(&instance, &if full { short } else { short.with("around-empty", most).expect("good") })
        });
        let mut dice = Dice(number as u64);
        for round in 0..600 {
            let laid = anything_or_loops(&instance, round, &mut dice);
            let facts = facts(&instance, &laid);
            let short = (facts.matching && facts.inside).then_some(("short-loops", facts.shortest > 6));
            let everywhere = laid.placements.len() == tantrix(&instance).board.len();
            let rules = [
                ("rim", facts.inside),
                ("edges", facts.matching),
                ("count", facts.counted),
                ("place", !full || everywhere),
            ];
            for (family, holds) in rules.into_iter().chain(short) {
                *seen.entry((family, holds)).or_default() += 1;
                assert_eq!(breaks_clause(problems[0].as_ref(), &laid, family), !holds, "{family}: {laid:?}");
            }
            for (most, problem) in [5, 4, 3].into_iter().zip(&problems) {
                let holds = full || facts.around <= most;
                *seen.entry(("around-empty", holds)).or_default() += 1;
                assert_eq!(breaks_clause(problem.as_ref(), &laid, "around-empty"), !holds, "{most}: {laid:?}");
            }
            // What follows from other rules is never all that an arrangement breaks.
            let redundant = ["colours", "lines", "turns"].iter().any(|f| breaks_clause(problems[0].as_ref(), &laid, f));
            assert!(!redundant || !(facts.matching && facts.inside && (everywhere || !full)), "{laid:?}");
        }
    }
    for family in ["rim", "edges", "around-empty", "place", "short-loops"] {
        for holds in [true, false] {
            let times = seen.get(&(family, holds)).copied().unwrap_or(0);
            assert!(times > 20, "{family} {holds}: {times} times only");
        }
    }
    assert!(seen[&("count", false)] > 20);
}

#[test]
fn counting_and_placing_clauses_count_and_place() {
    let instance = bounded(&regular(BoardType::B, 12), 11, Colour::Blue);
    let puzzle = tantrix(&instance);
    let problems = Cardinality::ALL.map(|c| sat(&instance, &plain().with("cardinality", c).expect("good")));
    let (mut dice, mut seen) = (Dice(7), BTreeMap::<(&str, bool), usize>::new());
    for round in 0..400 {
        let laid = miscounted(&instance, round, &mut dice);
        // One tile in two orientations lies there once.
        let mut lying: Vec<(usize, usize)> = laid.placements.iter().map(|p| (p.place, p.tile)).collect();
        lying.dedup();
        let used = |tile| lying.iter().filter(|(_, other)| *other == tile).count();
        let one_each = laid.placements.windows(2).all(|pair| pair[0].place != pair[1].place);
        let counted = puzzle.tiles.sorts.iter().all(|sort| used(sort.tile.number) == sort.count);
        for (problem, encoding) in problems.iter().zip(Cardinality::ALL) {
            for (family, holds) in [("place", one_each), ("count", counted)] {
                *seen.entry((family, holds)).or_default() += 1;
                assert_eq!(breaks_clause(problem.as_ref(), &laid, family), !holds, "{family} {encoding}: {laid:?}");
            }
            assert!(
                !breaks_clause(problem.as_ref(), &laid, "lies") && !breaks_clause(problem.as_ref(), &laid, "filled")
            );
        }
    }
    assert!(seen.len() == 4 && seen.values().all(|&times| times > 50), "{seen:?}");
}

#[test]
fn the_rule_of_one_loop_is_broken_by_short_loops_alone() {
    let (mut several, mut one) = (0, 0);
    for instance in boards() {
        let puzzle = tantrix(&instance);
        let propagate = plain().with("subloops", "propagate").expect("good").with("short-loops", 0).expect("good");
        let mut problem = sat(&instance, &propagate);
        let rule = problem.model().single_loop().expect("the rule").clone();
        assert_eq!((rule.nodes, rule.length), (puzzle.board.len(), puzzle.challenge));
        assert_eq!(rule.edges.len(), puzzle.board.touching().count());
        assert!(sat(&instance, &plain()).model().single_loop().is_none());
        let mut dice = Dice(11);
        for round in 0..200 {
            let laid = loops(&instance, 1 + round % 3, &mut dice);
            if !facts(&instance, &laid).matching {
                continue;
            }
            let lying = Arrangement::new(&puzzle.board, &puzzle.tiles, &laid.placements);
            let lengths: Vec<usize> = trace(&puzzle.board, &lying, puzzle.colour).loops.iter().map(Vec::len).collect();
            let values = problem.encode(&laid);
            let mut found: Vec<usize> = rule.subloops(|lit| lit.holds(&values)).iter().map(Vec::len).collect();
            found.sort_unstable_by_key(|&length| std::cmp::Reverse(length));
            assert_eq!(found, lengths.iter().copied().filter(|&l| l < puzzle.challenge).collect::<Vec<_>>());
            let before = problem.model().len();
            let separation = problem.separate(&laid);
            assert_eq!((separation.loop_lengths, separation.cuts.len()), (lengths.clone(), 0));
            assert_eq!(problem.model().len(), before, "the solver cuts, not the model");
            several += usize::from(lengths.len() > 1);
            one += usize::from(lengths.len() == 1);
        }
    }
    assert!(several > 20 && one > 50, "{several} {one}");
}

#[test]
fn decoding_undoes_encoding() {
    for instance in boards() {
        let problem = sat(&instance, &plain());
        let mut dice = Dice(3);
        for _ in 0..50 {
            let laid = anything(&instance, &mut dice);
            let values = problem.encode(&laid);
            let decoded = problem.decode(&values).expect("values");
            assert_eq!(decoded, laid);
            assert_eq!(problem.encode(&decoded), values);
            assert!(problem.decode(&values[1..]).is_err());
        }
    }
}

#[test]
fn placements_that_the_puzzle_does_not_have_are_left_out() {
    let instance = bounded(&regular(BoardType::A, 7), 6, Colour::Blue);
    let (problem, mut dice) = (sat(&instance, &plain()), Dice(5));
    for (place, tile, orientation) in
        [(0, 1, 1), (8, 1, 6), (usize::MAX, 1, 1), (1, 1, 0), (1, 1, 7), (1, 1, usize::MAX), (1, 0, 1), (1, 7, 1)]
    {
        let laid = anything(&instance, &mut dice);
        let mut more = laid.clone();
        more.placements.insert(0, Placement { place, tile, orientation });
        assert_eq!(problem.encode(&more), problem.encode(&laid), "{place} {tile} {orientation}");
    }
}

#[test]
fn the_open_plane_grows_and_has_ring_numbers() {
    let instance = natural(5);
    let mut problem = sat(&instance, &plain());
    let filled = |problem: &dyn Problem<model::sat::Cnf>| {
        let group = problem.model().legend().iter().find(|group| group.meaning.starts_with("filled")).expect("filled");
        group.last - group.first + 1
    };
    let flat = bounded(&regular(BoardType::B, 12), 5, puzzle::tantrix::default_colour(5));
    let board = &tantrix(&flat).board;
    let mut sizes = vec![filled(problem.as_ref())];
    let mut solved = 0;
    while problem.enlarge().expect("the same formulation") {
        sizes.push(filled(problem.as_ref()));
        if sizes.len() != 2 {
            continue;
        }
        for mut laid in solutions(&flat) {
            laid.placements.iter_mut().for_each(|p| p.place = board.at(p.place).ring_number());
            let values = problem.encode(&laid);
            assert_eq!(problem.model().broken_by(&values), Vec::<String>::new());
            let decoded = problem.decode(&values).expect("values");
            assert_eq!(verify(&instance, &decoded).violations, []);
            solved += 1;
        }
    }
    assert_eq!(sizes, [7, 12, 19]);
    assert!(solved > 0);
}

#[test]
fn formulations_of_other_kinds_have_no_formula() {
    let board = instance(&Shape::Round.places(10, 1), "");
    assert!(model::build_sat(&Formulation::of("f", "C1 C2' C3 C4 C5").expect("good"), &board).is_err());
    assert!(model::build_mip(&plain(), &board).is_err());
    let room = plain().with("around-empty", 4).expect("good");
    assert!(model::build_sat(&room, &board).is_err(), "a fixed board has no empty places");
}
