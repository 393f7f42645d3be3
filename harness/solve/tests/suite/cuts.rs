//! Which cuts each choice adds against the subloops of one solution.

use std::collections::BTreeSet;

use model::tantrix::crossings;
use model::{CutChoice, Formulation, Problem, build_mip};
use puzzle::hex::opposite;
use puzzle::tantrix::Arrangement;
use puzzle::{Cut, Instance, Solution};

use crate::arrangements::{loops, nested, nine, twelve};
use crate::common::tantrix;

/// The cuts that a choice adds; every one has a row of its own that the solution breaks.
fn cuts(instance: &Instance, solution: &Solution, choice: CutChoice, families: &str) -> Vec<Cut> {
    let formulation = Formulation::of("f", families).expect("good").with("cuts", choice).expect("good");
    let mut problem = build_mip(&formulation, instance).expect("makes sense");
    let demands = |problem: &dyn Problem| {
        let rows = problem.model().rows().iter();
        rows.filter(|row| row.family.starts_with("C5") && row.lower == 2.0).count()
    };
    assert_eq!(demands(problem.as_ref()), 0);
    let cuts = problem.separate(solution).cuts;
    assert_eq!(demands(problem.as_ref()), cuts.len());
    let broken = problem.model().broken(&problem.encode(solution), 1e-9).len();
    assert_eq!(broken, cuts.len(), "the demands and nothing else");
    let puzzle = tantrix(instance);
    let lying = Arrangement::new(&puzzle.board, &puzzle.tiles, &solution.placements);
    assert!(cuts.iter().all(|cut| crossings(&lying, puzzle.colour, cut) == 0));
    cuts
}

/// The cut around some places: the edges from them to other places of the board.
fn around(instance: &Instance, places: &[usize]) -> BTreeSet<(usize, usize)> {
    let board = &tantrix(instance).board;
    let leaving = places.iter().flat_map(|&j| board.inner_edges(j).map(move |(l, next)| (j, l, next)));
    leaving.filter(|(_, _, next)| !places.contains(next)).map(|(j, l, next)| lattice(j, l, next)).collect()
}

/// An edge by the lesser of its two places.
fn lattice(j: usize, l: usize, next: usize) -> (usize, usize) {
    if j < next { (j, l) } else { (next, opposite(l)) }
}

fn normal(instance: &Instance, cut: &Cut) -> BTreeSet<(usize, usize)> {
    let board = &tantrix(instance).board;
    cut.iter().map(|&(j, l)| lattice(j, l, board.neighbour(j, l).expect("cuts lie on the board"))).collect()
}

fn check(instance: &Instance, solution: &Solution, choice: CutChoice, parts: &[&[usize]]) {
    for families in ["C1 C2' C4c C5x", "C1 C2' C3 C4 C5", "C1 C2 C3 C4 C5"] {
        let found: Vec<_> =
            cuts(instance, solution, choice, families).iter().map(|cut| normal(instance, cut)).collect();
        let expected: Vec<_> = parts.iter().map(|part| around(instance, part)).collect();
        assert_eq!(found, expected, "{choice:?} {families}");
    }
}

#[test]
fn three_loops_side_by_side() {
    let twelve = twelve();
    let (instance, solution) = (&twelve.instance, &twelve.solutions[0]);
    let loops = loops(instance, solution);
    let all: Vec<&[usize]> = loops.iter().map(Vec::as_slice).collect();
    check(instance, solution, CutChoice::Each, &all);
    check(instance, solution, CutChoice::Region, &all);
    check(instance, solution, CutChoice::Smallest, &all[2..]);
}

#[test]
fn two_loops_share_their_border() {
    let nine = nine();
    let loops = loops(&nine.instance, &nine.solutions[0]);
    for choice in [CutChoice::Each, CutChoice::Region] {
        check(&nine.instance, &nine.solutions[0], choice, &[&loops[0]]);
    }
    check(&nine.instance, &nine.solutions[0], CutChoice::Smallest, &[&loops[1]]);
}

#[test]
fn a_region_holds_what_its_loop_encloses() {
    let nested = nested();
    let (instance, solution) = (&nested.instance, &nested.solutions[0]);
    let loops = loops(instance, solution);
    let all: Vec<&[usize]> = loops.iter().map(Vec::as_slice).collect();
    check(instance, solution, CutChoice::Each, &all);
    // The outer loop with what it encloses has the same border as the loop beside it, which is drawn once.
    let region: Vec<usize> = loops[0].iter().chain(&loops[2]).copied().collect();
    check(instance, solution, CutChoice::Region, &[&region, all[2]]);
    check(instance, solution, CutChoice::Smallest, &all[1..2]);
}

#[test]
fn one_loop_is_left_alone() {
    let twelve = twelve();
    for choice in [CutChoice::Each, CutChoice::Smallest, CutChoice::Region] {
        check(&twelve.instance, &twelve.solutions[2], choice, &[]);
    }
}
