//! What SAT backends must do.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use model::Representation;
use model::sat::Cnf;
use solve::{Deadline, Session, SessionOptions, Solve, SolveError, SolveStatus};

use crate::common::{AMPLE, seeded};
use crate::formulas::{Numbers, built_in, cnf, lit, models, pigeons, sat, three};

/// How much later than its limit a solve may return on a busy machine.
const GRACE: Duration = Duration::from_secs(4);

fn solve(session: &mut dyn Session<Cnf>, cnf: &Cnf) -> Solve {
    let solved = session.solve(cnf, &Deadline::of(Some(AMPLE))).expect("an answer");
    match solved.outcome.status {
        SolveStatus::Optimal => {
            let values = solved.values.expect("a solution has values");
            assert_eq!(values.len(), cnf.variables());
            assert_eq!(cnf.broken_by(&values), Vec::<String>::new());
        }
        status => assert_eq!((status, solved.values), (SolveStatus::Infeasible, None)),
    }
    solved.outcome
}

fn hard(variables: usize) -> Cnf {
    let mut numbers = Numbers(0x1234_5678_9abc_def1);
    let clauses: Vec<Vec<i32>> = (0..variables * 426 / 100).map(|_| three(&mut numbers, variables)).collect();
    cnf(variables, &clauses)
}

#[test]
fn formulas_that_grow_have_a_solution_as_long_as_there_is_one() {
    for backend in built_in() {
        let mut numbers = Numbers(0x9e37_79b9_7f4a_7c15);
        let mut ends = [0, 0];
        for _ in 0..40 {
            let mut session = sat(backend, &seeded(1)).expect("nothing special");
            let mut cnf = cnf(7, &[]);
            loop {
                if numbers.below(3) == 0 && cnf.variables() < 11 {
                    cnf.add_variable();
                }
                for _ in 0..6 {
                    let clause = three(&mut numbers, cnf.variables());
                    cnf.add_clause("test", clause.into_iter().map(lit));
                }
                let status = solve(session.as_mut(), &cnf).status;
                let possible = models(&cnf).next().is_some();
                assert_eq!(status == SolveStatus::Optimal, possible, "{} {cnf:?}", backend.info().name);
                ends[usize::from(possible)] += 1;
                if !possible {
                    break;
                }
            }
            assert_eq!(solve(session.as_mut(), &cnf).status, SolveStatus::Infeasible);
        }
        assert!(ends[0] == 40 && ends[1] > 80, "{ends:?}");
    }
}

#[test]
fn pigeons_have_no_place_and_figures_are_those_of_one_call() {
    for backend in built_in() {
        let mut session = sat(backend, &seeded(1)).expect("nothing special");
        let cnf = pigeons(7, 6);
        let first = solve(session.as_mut(), &cnf);
        assert_eq!(first.status, SolveStatus::Infeasible);
        let figures = [first.conflicts, first.nodes, first.propagations];
        assert!(figures.iter().all(|figure| figure.is_some_and(|f| f > 10)), "{} {first:?}", backend.info().name);
        // It is known by now.
        let second = solve(session.as_mut(), &cnf);
        assert_eq!((second.status, second.conflicts), (SolveStatus::Infeasible, Some(0)), "{}", backend.info().name);
        assert_eq!(second.cuts_added, 0);
    }
}

#[test]
fn formulas_without_clauses_and_with_an_empty_one() {
    for backend in built_in() {
        let mut session = sat(backend, &seeded(1)).expect("nothing special");
        let mut cnf = cnf(0, &[]);
        assert_eq!(solve(session.as_mut(), &cnf).status, SolveStatus::Optimal);
        cnf.add_variable();
        assert_eq!(solve(session.as_mut(), &cnf).status, SolveStatus::Optimal);
        cnf.add_clause("test", []);
        assert_eq!(solve(session.as_mut(), &cnf).status, SolveStatus::Infeasible);
    }
}

#[test]
fn limits_end_a_solve_at_once() {
    let cnf = pigeons(13, 12);
    for backend in built_in() {
        for limit in [0, 1, 50].map(Duration::from_millis) {
            let mut session = sat(backend, &seeded(1)).expect("nothing special");
            // A second call after a limit begins anew.
            for _ in 0..2 {
                let start = Instant::now();
                let solved = session.solve(&cnf, &Deadline::of(Some(limit))).expect("a limit is an outcome");
                assert!(start.elapsed() < limit + GRACE, "{}", backend.info().name);
                assert_eq!((solved.outcome.status, solved.values), (SolveStatus::Timeout, None));
            }
        }
    }
}

#[test]
fn after_a_restart_there_is_another_formula() {
    for backend in built_in() {
        let mut session = sat(backend, &seeded(1)).expect("nothing special");
        let (small, large) = (cnf(2, &[vec![1, 2], vec![-1]]), pigeons(5, 4));
        for _ in 0..3 {
            assert_eq!(solve(session.as_mut(), &large).status, SolveStatus::Infeasible);
            session.restart();
            assert_eq!(solve(session.as_mut(), &small).status, SolveStatus::Optimal);
            session.restart();
        }
    }
}

#[test]
fn a_seed_repeats_a_search_and_another_changes_it() {
    let cnf = hard(200);
    for backend in built_in() {
        // CaDiCaL draws its first random numbers after a thousand conflicts, unless it is told to begin earlier.
        let sooner = (backend.info().name == "cadical").then(|| ("randecinit".to_owned(), "10".to_owned()));
        let options: BTreeMap<String, String> = sooner.into_iter().collect();
        let run = |seed| {
            let options = SessionOptions { options: options.clone(), ..seeded(seed) };
            solve(sat(backend, &options).expect("nothing special").as_mut(), &cnf)
        };
        assert_eq!(run(3), run(3));
        let nodes: Vec<Option<u64>> = (1..=6).map(|seed| run(seed).nodes).collect();
        assert!(nodes.iter().any(|n| *n != nodes[0]), "{} {nodes:?}", backend.info().name);
    }
}

#[test]
fn solves_without_a_limit_or_with_one_that_no_clock_holds_end_too() {
    for backend in built_in() {
        for limit in [None, Some(Duration::MAX)] {
            let solved = sat(backend, &seeded(1))
                .expect("nothing special")
                .solve(&pigeons(5, 4), &Deadline::of(limit))
                .expect("an answer");
            assert_eq!(solved.outcome.status, SolveStatus::Infeasible);
        }
    }
}

#[derive(Debug, PartialEq)]
enum Kind {
    Taken,
    Unknown,
    Own,
    Unsupported,
}

#[test]
fn options_are_taken_or_refused_before_a_solve() {
    let cases = [
        ("cadical", "restartint", "5", Kind::Taken),
        ("cadical", "elim", "false", Kind::Taken),
        ("cadical", "sat", "true", Kind::Taken),
        ("cadical", "sat", "false", Kind::Unknown),
        ("cadical", "restartint", "0", Kind::Unknown),
        ("cadical", "restartint", "many", Kind::Unknown),
        ("cadical", "restartin", "5", Kind::Unknown),
        ("cadical", "", "5", Kind::Unknown),
        ("cadical", "seed", "5", Kind::Own),
        ("cadical", "Quiet", "1", Kind::Own),
        ("cadical", "factor", "1", Kind::Unsupported),
        ("batsat", "var_decay", "0.9", Kind::Taken),
        ("batsat", "luby_restart", "false", Kind::Taken),
        ("batsat", "var_decay", "1.5", Kind::Unknown),
        ("batsat", "learntsize_inc", "NaN", Kind::Unknown),
        ("batsat", "var-decay", "0.9", Kind::Unknown),
        ("batsat", "ccmin_mode", "3", Kind::Unknown),
        ("batsat", "random_seed", "5", Kind::Own),
    ];
    for (name, option, value, expected) in cases {
        let options = BTreeMap::from([(option.to_owned(), value.to_owned())]);
        let backend = solve::backend(name).expect("a backend");
        let found = match sat(backend, &SessionOptions { options, ..seeded(1) }) {
            Ok(mut session) => {
                assert_eq!(solve(session.as_mut(), &pigeons(5, 4)).status, SolveStatus::Infeasible);
                Kind::Taken
            }
            Err(SolveError::Option { .. }) => Kind::Unknown,
            Err(SolveError::OwnOption { .. }) => Kind::Own,
            Err(SolveError::Unsupported { .. }) => Kind::Unsupported,
            Err(other) => panic!("{other}"),
        };
        assert_eq!(found, expected, "{name} {option} = {value}");
    }
}

#[test]
fn what_they_cannot_do_is_said() {
    for backend in built_in() {
        let threads = sat(backend, &SessionOptions { threads: 2, ..seeded(1) });
        assert!(matches!(threads, Err(SolveError::Unsupported { .. })), "{}", backend.info().name);
        let seed = sat(backend, &seeded(u64::from(u32::MAX)));
        assert!(matches!(seed, Err(SolveError::Option { .. })), "{}", backend.info().name);
    }
}
