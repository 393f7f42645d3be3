//! Where the sources of the bounded boards misprint a formula: what the printed one would forbid or let pass, on
//! concrete arrangements, and that ours does not. The printed rows are built here by hand, from names of variables.

use std::collections::BTreeMap;

use crate::common::{COLOURS, Dice, bounded, breaks, problem, regular, solutions, tantrix, value};
use crate::scatter::{loops, several, with_room};
use combinatorics::tantrix::shapes::Shape;
use model::Problem;
use puzzle::tantrix::{Arrangement, Board, BoardType, Colour, default_colour};
use puzzle::{Instance, Solution};

/// A model with the values of its variables, by name.
struct Point {
    problem: Box<dyn Problem>,
    values: Vec<f64>,
}

impl Point {
    fn of(instance: &Instance, families: &str, solution: &Solution) -> Self {
        let problem = problem(instance, families);
        let values = problem.encode(solution);
        Self { problem, values }
    }

    fn get(&self, name: &str) -> f64 {
        value(self.problem.as_ref(), &self.values, name)
    }

    fn y(&self, (j, l): (usize, usize)) -> f64 {
        self.get(&format!("y_{j}_{l}"))
    }

    /// o on both sides of a pair of touching edges.
    fn occupied(&self, j: usize, j2: usize) -> (f64, f64) {
        (self.get(&format!("o_{j}")), self.get(&format!("o_{j2}")))
    }
}

fn around(board: &Board, j: usize) -> Vec<usize> {
    board.inner_edges(j).map(|(_, next)| next).collect()
}

/// Bindhu & Varkey print B6' and B6'' as sum of o\[j'\] <= o\[j\] + b, which forbids a tile with six tiles around.
#[test]
fn printed_b6_forbids_a_tile_among_six() {
    let (mut forbidden, mut kept) = ([0; 3], 0);
    for (places, solutions) in with_room(9, 0..40, Shape::Blob) {
        let instance = bounded(&places, 9, default_colour(9));
        let board = &tantrix(&instance).board;
        for solution in solutions.iter().take(20) {
            let point = Point::of(&instance, "B1 B2 B3 B45c B6 B6' B6''", solution);
            let o = |j: usize| point.get(&format!("o_{j}"));
            let tiles_around = |j| around(board, j).into_iter().map(o).sum::<f64>();
            for (index, (family, most)) in [("B6", 5.0), ("B6'", 4.0), ("B6''", 3.0)].into_iter().enumerate() {
                let printed_holds = board.numbers().all(|j| tiles_around(j) <= o(j) + most);
                let corrected_holds = board.numbers().all(|j| tiles_around(j) <= (6.0 - most) * o(j) + most);
                assert_eq!(breaks(point.problem.as_ref(), solution, family), !corrected_holds, "{family}");
                // The rule speaks of empty places: where it holds, only the misprint can forbid.
                let rule_holds = board.numbers().filter(|&j| o(j) == 0.0).all(|j| tiles_around(j) <= most);
                assert_eq!(corrected_holds, rule_holds, "{family}");
                if rule_holds && !printed_holds {
                    assert!(board.numbers().any(|j| o(j) == 1.0 && tiles_around(j) > most + 1.0), "{family}");
                    forbidden[index] += 1;
                }
                kept += usize::from(printed_holds);
            }
        }
    }
    assert_eq!(forbidden[0], 0, "for five tiles both are the same");
    assert!(forbidden[1] > 0 && forbidden[2] > 0 && kept > 0, "{forbidden:?} {kept}");
}

/// Bindhu & Varkey print B3 with a floor: the counts would add up to less than n, which B2 demands.
#[test]
fn the_counts_of_b3_add_up_to_b2() {
    for n in 3..=12 {
        let instance = bounded(&regular(BoardType::A, 19), n, Colour::Red);
        let problem = problem(&instance, "B1 B2 B3 B45c");
        let rows = problem.model().rows();
        let b2 = rows.iter().find(|row| row.family == "B2").expect("there");
        let b3: Vec<_> = rows.iter().filter(|row| row.family == "B3").collect();
        // The left sides of B3 add up to that of B2, so the right sides must.
        let mut sum = BTreeMap::new();
        for &(var, c) in b3.iter().flat_map(|row| &row.terms) {
            *sum.entry(var).or_insert(0.0) += c;
        }
        assert_eq!(sum, b2.terms.iter().copied().collect());
        assert_eq!((b2.lower, b2.upper), (n as f64, n as f64));
        // With a floor they would not: at n = 9 or less all of them would be 0.
        assert_eq!(b3.iter().map(|row| row.lower).sum::<f64>(), b2.lower, "with a ceiling they do");
        for (i, row) in (1..).zip(&b3) {
            assert_eq!((row.lower, row.upper), (((n + 1 - i) as f64 / 10.0).ceil(), row.lower));
        }
    }
}

/// Bindhu & Varkey say first that u = 1 if a tile is on 'either' of two places: then tiles need not match. Then they
/// say 'both': then no tile may lie beside an empty place.
#[test]
fn printed_u_lets_mismatches_pass_or_forbids_empty_neighbours() {
    let instance = bounded(&regular(BoardType::A, 19), 10, Colour::Red);
    let puzzle = tantrix(&instance);
    let holds = |point: &Point, u: &dyn Fn(f64, f64) -> bool| {
        puzzle.board.touching().all(|(here, there)| {
            let (o, o2) = point.occupied(here.0, there.0);
            let most = if u(o, o2) { 2.0 } else { 0.0 };
            (point.y(here) - point.y(there)).abs() <= most
        })
    };
    let (either, both) = (|o, o2| o + o2 >= 1.0, |o, o2| o + o2 == 2.0);
    let exactly_one = |o, o2| o + o2 == 1.0;
    // Loops laid without regard to other colours: those that touch in two colours somewhere.
    let (mut passed, mut dice) = (0, Dice(1));
    for _ in 0..200 {
        let laid = loops(&instance, 1, &mut dice);
        let lying = Arrangement::new(&puzzle.board, &puzzle.tiles, &laid.placements);
        let colours = |((j, l), (j2, l2))| Some((lying.colour(j, l)?, lying.colour(j2, l2)?));
        let mismatch = puzzle.board.touching().filter_map(colours).any(|(here, there)| here != there);
        let point = Point::of(&instance, "B1 B2 B3 B4+B5", &laid);
        assert_eq!(holds(&point, &exactly_one), !breaks(point.problem.as_ref(), &laid, "B4+B5"));
        if mismatch {
            assert!(breaks(point.problem.as_ref(), &laid, "B4+B5"));
            passed += usize::from(holds(&point, &either));
        }
    }
    assert!(passed > 20, "{passed}");
    // Every solution has a tile beside an empty place.
    for n in 3..=5 {
        let instance = bounded(&regular(BoardType::A, 7), n, default_colour(n));
        let puzzle = tantrix(&instance);
        for solution in solutions(&instance) {
            let point = Point::of(&instance, "B1 B2 B3 B4+B5", &solution);
            let holds = puzzle.board.touching().all(|(here, there)| {
                let (o, o2) = point.occupied(here.0, there.0);
                (point.y(here) - point.y(there)).abs() <= if both(o, o2) { 2.0 } else { 0.0 }
            });
            assert!(!holds && !breaks(point.problem.as_ref(), &solution, "B4+B5"));
        }
    }
}

/// A model that has drawn the cuts against two loops.
fn two_loops(families: &str) -> Box<dyn Problem> {
    let instance = bounded(&regular(BoardType::A, 19), 10, Colour::Red);
    let laid = several(&instance, 10, &mut Dice(2));
    let mut problem = problem(&instance, families);
    assert_eq!(problem.separate(&laid).cuts.len(), 2);
    problem
}

/// Kino & Uno print z <= y/2 - 1/2, for fixed boards: with y = 0 it leaves no z at all. Ours is z = 1 where y = 3, and
/// else 0, on empty places too.
#[test]
fn printed_z_leaves_nothing_for_an_empty_place() {
    let problem = two_loops("B1 B2 B3 B4+B5 C5");
    let model = problem.model();
    let index = |name: &str| model.variables().iter().position(|v| v.name == name).expect("there");
    let mut tied = 0;
    for z in model.variables().iter().filter(|v| v.name.starts_with("z_")) {
        let (z_index, y_index) = (index(&z.name), index(&z.name.replace("z_", "y_")));
        let name = |row: &str| row.starts_with(&format!("C5_{}_", z.name));
        let rows: Vec<_> = model.rows().iter().filter(|row| name(&row.name)).collect();
        assert_eq!(rows.len(), 2);
        for y in 0..=3 {
            let mut values = vec![0.0; model.variables().len()];
            values[y_index] = f64::from(y);
            let ours = [0.0, 1.0].into_iter().filter(|&z| {
                values[z_index] = z;
                rows.iter().all(|row| {
                    let sum: f64 = row.terms.iter().map(|&(var, c)| c * values[var.0]).sum();
                    sum >= row.lower && sum <= row.upper
                })
            });
            // As printed, y = 0 would leave z <= -1/2.
            assert_eq!(ours.collect::<Vec<_>>(), [f64::from(u8::from(y == 3))], "{} with y = {y}", z.name);
        }
        tied += 1;
    }
    assert!(tied > 10, "{tied}");
}

/// Kino & Uno's C5, for fixed boards, demands two crossings of a cut always: that forbids solutions that leave the part
/// empty.
#[test]
fn printed_c5_forbids_solutions_elsewhere() {
    for families in ["B1 B2 B3 B4+B5 C5", "B1 B3 B45c C5x"] {
        let mut forbidden = 0;
        for colour in COLOURS {
            let instance = bounded(&regular(BoardType::B, 12), 6, colour);
            let puzzle = tantrix(&instance);
            let all = solutions(&instance);
            let mut dice = Dice(5);
            for _ in 0..40 {
                let laid = several(&instance, 6, &mut dice);
                let mut problem = problem(&instance, families);
                let cuts = problem.separate(&laid).cuts;
                for solution in &all {
                    let lying = Arrangement::new(&puzzle.board, &puzzle.tiles, &solution.placements);
                    let designated = |&&(j, l): &&(usize, usize)| lying.colour(j, l) == Some(puzzle.colour);
                    let printed_holds = cuts.iter().all(|cut| cut.iter().filter(designated).count() >= 2);
                    assert!(!breaks(problem.as_ref(), solution, ""), "ours forbids none");
                    forbidden += usize::from(!printed_holds);
                }
            }
        }
        assert!(forbidden > 100, "{families}: {forbidden}");
    }
}
