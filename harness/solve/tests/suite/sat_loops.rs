//! The rule of the single loop, kept while the solver searches.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use model::Representation;
use model::sat::{Cnf, Lit};
use solve::{Backend, Deadline, Session, Solve, SolveError, SolveStatus};

use crate::common::{AMPLE, seeded};
use crate::formulas::{Numbers, built_in, grid, lit, loops, models, sat, three};

fn keepers() -> impl Iterator<Item = &'static dyn Backend> {
    built_in().filter(|backend| backend.info().reports.single_loop)
}

fn solve(session: &mut dyn Session<Cnf>, cnf: &Cnf) -> (Solve, Option<Vec<bool>>) {
    let solved = session.solve(cnf, &Deadline::of(Some(AMPLE))).expect("an answer");
    if let Some(values) = &solved.values {
        assert_eq!(cnf.broken_by(values), Vec::<String>::new());
    }
    assert_eq!(solved.values.is_some(), solved.outcome.status == SolveStatus::Optimal);
    (solved.outcome, solved.values)
}

/// All solutions, one after the other, each forbidden by a clause once it is found.
fn all(session: &mut dyn Session<Cnf>, cnf: &mut Cnf) -> (BTreeSet<Vec<bool>>, u64) {
    let (mut found, mut cuts) = (BTreeSet::new(), 0);
    loop {
        let (outcome, values) = solve(session, cnf);
        cuts += outcome.cuts_added;
        let Some(values) = values else { return (found, cuts) };
        cnf.add_clause("test", (1..).zip(&values).map(|(number, &value)| lit(if value { -number } else { number })));
        assert!(found.insert(values), "found twice");
    }
}

fn random_graph(numbers: &mut Numbers) -> (usize, Vec<[usize; 2]>) {
    let nodes = 5 + numbers.below(5);
    let mut edges: Vec<[usize; 2]> = (0..nodes).flat_map(|a| (0..a).map(move |b| [a, b])).collect();
    while edges.len() > 15 {
        edges.swap_remove(numbers.below(edges.len()));
    }
    (nodes, edges)
}

#[test]
fn all_single_loops_of_random_graphs_and_nothing_else() {
    for backend in keepers() {
        let mut numbers = Numbers(0x2545_f491_4f6c_dd1d);
        let (mut solutions, mut refused, mut cuts) = (0, 0, 0);
        for round in 0..120 {
            let (nodes, edges) = random_graph(&mut numbers);
            let length = 4 + numbers.below(nodes - 2);
            let mut cnf = loops(nodes, &edges, length, round % 2 == 0);
            for _ in 0..numbers.below(4) {
                let clause = three(&mut numbers, edges.len());
                cnf.add_clause("test", clause.into_iter().map(lit));
            }
            let (allowed, forbidden): (Vec<_>, Vec<_>) =
                models(&cnf).partition(|values| cnf.broken_by(values).is_empty());
            let mut session = sat(backend, &seeded(round)).expect("nothing special");
            let (found, given) = all(session.as_mut(), &mut cnf);
            assert_eq!(found, BTreeSet::from_iter(allowed), "{cnf:?}");
            solutions += found.len();
            refused += forbidden.len();
            cuts += given;
        }
        assert!(solutions > 500 && refused > 500 && cuts > 200, "{solutions} {refused} {cuts}");
    }
}

/// Round cycles of grids (OEIS A003763).
#[test]
fn every_round_trip_of_a_grid_once() {
    for backend in keepers() {
        for (size, trips) in [(2, 1), (4, 6), (6, 1072)] {
            let mut cnf = loops(size * size, &grid(size, size), size * size, true);
            let (found, cuts) = all(sat(backend, &seeded(1)).expect("nothing special").as_mut(), &mut cnf);
            assert_eq!(found.len(), trips, "{size}");
            assert!(size < 6 || cuts > 100, "{cuts}");
        }
    }
}

#[test]
fn a_grid_without_a_round_trip_and_large_ones_with() {
    for backend in keepers() {
        // Black and white as on a chessboard: a round trip passes as many of each, and an odd number has more of one.
        let (outcome, _) =
            solve(sat(backend, &seeded(1)).expect("nothing special").as_mut(), &loops(25, &grid(5, 5), 25, true));
        assert_eq!(outcome.status, SolveStatus::Infeasible);
        for seed in 1..4 {
            let cnf = loops(196, &grid(14, 14), 196, true);
            let (outcome, _) = solve(sat(backend, &seeded(seed)).expect("nothing special").as_mut(), &cnf);
            assert_eq!(outcome.status, SolveStatus::Optimal);
        }
    }
}

/// Edges may be designated by negated literals, and variables that designate none may lie between them.
#[test]
fn edges_that_a_false_variable_designates() {
    for backend in keepers() {
        let mut cnf = Cnf::default();
        let edges = grid(4, 4);
        let variables: Vec<[Lit; 2]> = edges.iter().map(|_| [cnf.add_variable(), cnf.add_variable()]).collect();
        let plain = loops(16, &edges, 16, true);
        let turned = |l: &Lit| {
            let turned = !variables[l.variable() - 1][1];
            if l.is_positive() { turned } else { !turned }
        };
        for clause in plain.clauses() {
            cnf.add_clause("test", clause.literals.iter().map(turned));
        }
        let mut rule = plain.single_loop().expect("set").clone();
        for edge in &mut rule.edges {
            edge.designated = turned(&edge.designated);
        }
        cnf.set_single_loop(rule);
        let mut session = sat(backend, &seeded(1)).expect("nothing special");
        let mut found = 0;
        while let (_, Some(values)) = solve(session.as_mut(), &cnf) {
            let last = |number: usize| variables[number][1];
            let chosen = (0..edges.len()).filter(|&e| (!last(e)).holds(&values));
            cnf.add_clause("test", chosen.map(last));
            found += 1;
        }
        assert_eq!(found, 6);
    }
}

#[test]
fn a_rule_that_comes_late_or_names_a_variable_twice_is_an_error() {
    for backend in keepers() {
        let with = loops(9, &grid(3, 3), 9, false);
        let mut rule = with.single_loop().expect("set").clone();
        let mut late = Cnf::default();
        for _ in 0..12 {
            late.add_variable();
        }
        late.add_clause("test", [lit(1), lit(2)]);
        let mut session = sat(backend, &seeded(1)).expect("nothing special");
        session.solve(&late, &Deadline::default()).expect("an answer");
        late.set_single_loop(rule.clone());
        assert!(matches!(session.solve(&late, &Deadline::default()), Err(SolveError::Call { .. })));
        rule.edges[1].designated = rule.edges[0].designated;
        let mut twice = with;
        twice.set_single_loop(rule);
        let mut session = sat(backend, &seeded(1)).expect("nothing special");
        assert!(matches!(session.solve(&twice, &Deadline::default()), Err(SolveError::Call { .. })));
    }
}

#[test]
fn limits_hold_while_the_rule_is_kept() {
    for backend in keepers() {
        let cnf = loops(441, &grid(21, 21), 441, true);
        for limit in [0, 20].map(Duration::from_millis) {
            let start = Instant::now();
            let solved = sat(backend, &seeded(1))
                .expect("nothing special")
                .solve(&cnf, &Deadline::of(Some(limit)))
                .expect("an outcome");
            assert!(start.elapsed() < limit + Duration::from_secs(4));
            assert_eq!(solved.outcome.status, SolveStatus::Timeout);
        }
    }
}
