//! Programs for clauses.

use std::time::{Duration, Instant};

use model::Representation;
use model::sat::Cnf;
use solve::{SolveError, SolveStatus, backend};

use super::support::{installed, pigeons, sat, with};
use crate::common::{AMPLE, seeded};

const PROGRAMS: [&str; 4] = ["kissat", "cadical-exe", "cryptominisat5", "minisat"];

#[test]
fn formulas_are_solved_or_refuted() {
    for program in PROGRAMS.into_iter().filter_map(installed) {
        let name = program.info().name;
        let mut session = sat(program, &seeded(1)).expect("opened");
        let solvable = pigeons(7, 7);
        let solved = session.solve(&solvable, Some(AMPLE)).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert_eq!(solved.outcome.status, SolveStatus::Optimal, "{name}");
        assert_eq!(solvable.broken_by(&solved.values.expect("values")), Vec::<String>::new(), "{name}");
        let refuted = session.solve(&pigeons(7, 6), Some(AMPLE)).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert_eq!((refuted.outcome.status, refuted.values), (SolveStatus::Infeasible, None), "{name}");
        let outcome = refuted.outcome;
        assert!(outcome.conflicts.is_some_and(|count| count > 0), "{name}: {outcome:?}");
        assert!(outcome.nodes.is_some_and(|count| count > 0), "{name}: {outcome:?}");
    }
}

#[test]
fn variables_without_clauses_have_values_and_empty_clauses_none() {
    let mut loose = Cnf::default();
    let used = loose.add_variable();
    for _ in 0..5 {
        loose.add_variable();
    }
    loose.add_clause("unit", [used.negative()]);
    let mut contradiction = loose.clone();
    contradiction.add_clause("unit", [used.positive()]);
    let mut empty = loose.clone();
    empty.add_clause("nothing", []);
    for program in PROGRAMS.into_iter().filter_map(installed) {
        let name = program.info().name;
        let mut session = sat(program, &seeded(0)).expect("opened");
        let solved = session.solve(&loose, None).unwrap_or_else(|e| panic!("{name}: {e}"));
        let values = solved.values.expect("values");
        assert_eq!((values.len(), values[0]), (6, false), "{name}");
        for formula in [&contradiction, &empty] {
            let solved = session.solve(formula, None).unwrap_or_else(|e| panic!("{name}: {e}"));
            assert_eq!(solved.outcome.status, SolveStatus::Infeasible, "{name}");
        }
    }
}

#[test]
fn limits_are_outcomes() {
    // Far too hard for resolution, and so for all of them.
    let hard = pigeons(14, 13);
    for program in PROGRAMS.into_iter().filter_map(installed) {
        let name = program.info().name;
        for limit in [Duration::ZERO, Duration::from_millis(300), Duration::from_millis(1500)] {
            let start = Instant::now();
            let solved = sat(program, &seeded(1)).expect("opened").solve(&hard, Some(limit));
            let solved = solved.unwrap_or_else(|e| panic!("{name}: {e}"));
            println!("{name} {limit:?}: {:?} after {:?}", solved.outcome.native_status, start.elapsed());
            assert_eq!((solved.outcome.status, solved.values), (SolveStatus::Timeout, None), "{name}");
        }
    }
    for (name, option) in [("kissat", "conflicts"), ("cadical-exe", "c"), ("cryptominisat5", "maxconfl")] {
        let Some(program) = installed(name) else { continue };
        let solved = sat(program, &with(&[(option, "100")])).expect("opened").solve(&hard, Some(AMPLE));
        assert_eq!(solved.expect("an outcome").outcome.status, SolveStatus::Limit, "{name}");
    }
}

#[test]
fn options_are_passed_on_or_refused() {
    for (name, own) in [("kissat", "time"), ("cadical-exe", "t"), ("cryptominisat5", "maxtime"), ("minisat", "cpu-lim")]
    {
        let any = backend(name).expect("a backend");
        assert!(matches!(sat(any, &with(&[(own, "1")])), Err(SolveError::OwnOption { .. })), "{name}");
        let Some(program) = installed(name) else { continue };
        match sat(program, &with(&[("bogus", "1")])).expect("opened").solve(&pigeons(3, 3), None) {
            Err(SolveError::Option { option, .. }) => assert_eq!(option, "bogus", "{name}"),
            other => panic!("{name}: {other:?}"),
        }
    }
}

#[test]
fn a_solve_can_be_repeated() {
    let formula = pigeons(8, 8);
    for program in PROGRAMS.into_iter().filter_map(installed) {
        let solve = |seed| sat(program, &seeded(seed)).expect("opened").solve(&formula, None).expect("solved");
        assert!([0, 5].into_iter().all(|seed| solve(seed) == solve(seed)), "{}", program.info().name);
    }
}
