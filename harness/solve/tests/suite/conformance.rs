//! What every backend must do, whatever solver is behind it. A new backend is one line at the end.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use model::{Formulation, Objective, Problem, build_mip};
use puzzle::tantrix::shapes::Shape;
use puzzle::{Instance, verify};
use solve::{BACKENDS, Backend, SessionOptions, SolveError, SolveStatus, Solved};

use crate::arrangements::{nine, twelve};
use crate::common::{AMPLE, board, brute_force, mip, open, problem, seeded, to_the_end};

/// The fastest and the slowest way to say the same.
const FORMULATIONS: [&str; 2] = ["C1 C2' C4c C5x C6x", "C1 C2 C3 C4 C5"];

/// How much later than its limit a solve may return.
const GRACE: Duration = Duration::from_secs(4);

/// How far values may break a row.
const TOLERANCE: f64 = 1e-5;

/// Whether a backend can tell that it does not know an option.
#[derive(PartialEq)]
enum OptionNames {
    Checked,
    /// Its interface takes any name and says nothing.
    Unchecked,
}

/// What must hold for any outcome at all.
fn check(backend: &dyn Backend, problem: &dyn Problem, solved: &Solved) {
    let Solved { outcome, values } = solved;
    let reports = backend.info().reports;
    assert!(!outcome.native_status.is_empty());
    assert!(reports.nodes || outcome.nodes.is_none());
    assert!(reports.simplex_iterations || outcome.simplex_iterations.is_none());
    assert!(reports.bound || outcome.bound.is_none());
    match outcome.status {
        SolveStatus::Optimal | SolveStatus::Feasible => {
            let values = values.as_deref().expect("a solution has values");
            assert_eq!(problem.model().broken(values, TOLERANCE), Vec::<&str>::new());
            problem.decode(values).expect("a solution is integral");
            assert_eq!(outcome.nodes.is_some(), reports.nodes);
            assert_eq!(outcome.simplex_iterations.is_some(), reports.simplex_iterations);
            assert_eq!(outcome.bound.is_some(), reports.bound);
            assert!(outcome.objective.is_some_and(f64::is_finite));
        }
        _ => assert_eq!((values, outcome.objective), (&None, None)),
    }
}

fn solve_once(backend: &dyn Backend, problem: &dyn Problem) -> Solved {
    let solved = open(backend).solve(problem.model(), Some(AMPLE)).expect("an answer");
    check(backend, problem, &solved);
    solved
}

fn says_what_it_is(backend: &dyn Backend) {
    let info = backend.info();
    let version = backend.version(&BTreeMap::new()).expect("built in");
    assert!(version.chars().any(|c| c.is_ascii_digit()), "{version:?} is no version");
    assert!(!info.interface.is_empty() && !info.kinds.is_empty());
    assert_eq!(info, backend.info());
}

fn solves_a_small_board(backend: &dyn Backend) {
    for (n, families) in [(3, FORMULATIONS[0]), (5, FORMULATIONS[0]), (3, FORMULATIONS[1]), (5, FORMULATIONS[1])] {
        let instance = board(Shape::Blob, n, 1);
        let problem = problem(&instance, families);
        let solved = solve_once(backend, problem.as_ref());
        assert_eq!(solved.outcome.status, SolveStatus::Optimal);
        let solution = problem.decode(solved.values.as_deref().expect("optimal")).expect("integral");
        assert_eq!(verify(&instance, &solution).violations, []);
    }
}

fn minimises_the_objective(backend: &dyn Backend) {
    let instance = board(Shape::Blob, 4, 1);
    for objective in [Objective::Virtual, Objective::None] {
        let formulation = Formulation { objective, ..Formulation::of("f", FORMULATIONS[0]) };
        let solved = solve_once(backend, build_mip(&formulation, &instance).expect("makes sense").as_ref());
        // Tile 1 need not lie on place 1 in orientation 1.
        assert_eq!((solved.outcome.status, solved.outcome.objective), (SolveStatus::Optimal, Some(0.0)));
    }
}

/// A row of three, and boards of six and seven on which exhaustive search finds nothing.
fn unsolvable() -> Vec<Instance> {
    let row = board(Shape::Row, 3, 0);
    let others = [6, 7].map(|n| {
        let mut boards = (0..).map(|seed| board(Shape::Blob, n, seed));
        boards.find(|board| brute_force(board).is_none()).expect("there is one")
    });
    [row].into_iter().chain(others).collect()
}

fn says_that_no_solution_exists(backend: &dyn Backend) {
    for families in FORMULATIONS {
        assert_eq!(
            solve_once(backend, problem(&board(Shape::Row, 3, 0), families).as_ref()).outcome.status,
            SolveStatus::Infeasible
        );
    }
    for instance in unsolvable() {
        let mut problem = problem(&instance, FORMULATIONS[0]);
        let answer = to_the_end(problem.as_mut(), open(backend).as_mut(), Some(AMPLE)).expect("an answer");
        assert_eq!((answer.status, answer.solution), (SolveStatus::Infeasible, None));
    }
}

fn cuts_subloops_off(backend: &dyn Backend) {
    let solvable = twelve().instance;
    let mut problem_of_12 = problem(&solvable, "C1 C2' C4c C5x");
    let answer = to_the_end(problem_of_12.as_mut(), open(backend).as_mut(), Some(AMPLE)).expect("an answer");
    assert_eq!(answer.status, SolveStatus::Optimal);
    assert_eq!(verify(&solvable, &answer.solution.expect("optimal")).violations, []);

    // Nothing but arrangements in two loops: infeasible once they are cut off, and not before.
    let subloops = nine().instance;
    assert_eq!(solve_once(backend, problem(&subloops, "C1 C2' C4c").as_ref()).outcome.status, SolveStatus::Optimal);
    let mut problem_of_9 = problem(&subloops, "C1 C2' C4c C5x");
    let rows = problem_of_9.model().rows().len();
    let answer = to_the_end(problem_of_9.as_mut(), open(backend).as_mut(), Some(AMPLE)).expect("an answer");
    assert_eq!(answer.status, SolveStatus::Infeasible);
    assert!(problem_of_9.model().rows().len() > rows);
}

fn stops_when_the_time_is_over(backend: &dyn Backend) {
    let instance = board(Shape::Round, 30, 1);
    for families in FORMULATIONS {
        let problem = problem(&instance, families);
        for limit in [Duration::ZERO, Duration::from_millis(1), Duration::from_millis(50)] {
            let start = Instant::now();
            let solved = open(backend).solve(problem.model(), Some(limit)).expect("a limit is no error");
            assert!(start.elapsed() < limit + GRACE, "{:?} instead of {limit:?}", start.elapsed());
            check(backend, problem.as_ref(), &solved);
            assert_ne!(solved.outcome.status, SolveStatus::Infeasible);
            assert_ne!(solved.outcome.status, SolveStatus::Memout);
        }
    }
}

fn answers_each_time(backend: &dyn Backend) {
    let (solvable, row) =
        (problem(&board(Shape::Blob, 5, 1), FORMULATIONS[0]), problem(&board(Shape::Row, 3, 0), FORMULATIONS[0]));
    for (problem, status) in [(solvable, SolveStatus::Optimal), (row, SolveStatus::Infeasible)] {
        let mut session = open(backend);
        for limit in [None, Some(AMPLE), None] {
            let solved = session.solve(problem.model(), limit).expect("an answer");
            check(backend, problem.as_ref(), &solved);
            assert_eq!(solved.outcome.status, status);
        }
    }
}

fn takes_seeds(backend: &dyn Backend) {
    let problem = problem(&board(Shape::Blob, 5, 1), FORMULATIONS[0]);
    for seed in [0, 1, 2, 12345, i32::MAX as u64] {
        let mut session = mip(backend, &seeded(seed)).expect("a seed is taken, with effect or without");
        let solved = session.solve(problem.model(), Some(AMPLE)).expect("an answer");
        check(backend, problem.as_ref(), &solved);
        assert_eq!(solved.outcome.status, SolveStatus::Optimal, "seed {seed}");
    }
}

fn takes_threads_where_it_says_so(backend: &dyn Backend) {
    let two = SessionOptions { threads: 2, ..seeded(1) };
    match mip(backend, &two) {
        Ok(mut session) => {
            assert!(backend.info().reports.threads);
            let problem = problem(&board(Shape::Blob, 5, 1), FORMULATIONS[0]);
            let solved = session.solve(problem.model(), Some(AMPLE)).expect("an answer");
            assert_eq!(solved.outcome.status, SolveStatus::Optimal);
        }
        Err(error) => {
            assert!(matches!(error, SolveError::Unsupported { .. }), "{error}");
            assert!(!backend.info().reports.threads);
        }
    }
}

fn refuses_unknown_options(backend: &dyn Backend, names: &OptionNames) {
    let options = BTreeMap::from([("no_such_option".to_owned(), "1".to_owned())]);
    let opened = mip(backend, &SessionOptions { options, ..seeded(1) });
    match (opened, names) {
        (Err(SolveError::Option { solver, option, value }), OptionNames::Checked) => {
            assert_eq!((solver, option.as_str(), value.as_str()), (backend.info().name, "no_such_option", "1"));
        }
        (Err(error), _) => panic!("{error}"),
        (Ok(_), OptionNames::Checked) => panic!("an option that does not exist was taken"),
        (Ok(mut session), OptionNames::Unchecked) => {
            // It cannot tell; at least it must not stumble.
            let problem = problem(&board(Shape::Blob, 4, 1), FORMULATIONS[0]);
            let solved = session.solve(problem.model(), Some(AMPLE)).expect("an answer");
            assert_eq!(solved.outcome.status, SolveStatus::Optimal);
        }
    }
}

macro_rules! conformance {
    ($($name:ident: option names $options:ident;)*) => {
        const TESTED: &[&str] = &[$(stringify!($name)),*];
        $(mod $name {
            use super::OptionNames;

            fn backend() -> &'static dyn solve::Backend {
                solve::backend(stringify!($name)).expect("a backend")
            }

            conformance!(@tests says_what_it_is solves_a_small_board minimises_the_objective
                says_that_no_solution_exists cuts_subloops_off stops_when_the_time_is_over answers_each_time
                takes_seeds takes_threads_where_it_says_so);

            #[test]
            fn refuses_unknown_options() {
                super::refuses_unknown_options(backend(), &OptionNames::$options);
            }

            #[test]
            fn agrees_with_brute_force() {
                crate::agreement::agrees_with_brute_force(backend());
            }

            #[test]
            fn agrees_with_brute_force_on_boards_with_room() {
                crate::bounded::agrees_with_brute_force(backend());
            }
        })*
    };
    (@tests $($test:ident)*) => {
        $(#[test]
        fn $test() {
            super::$test(backend());
        })*
    };
}

conformance! {
    highs: option names Checked;
    cbc: option names Unchecked;
    microlp: option names Checked;
}

#[test]
fn every_backend_is_tested() {
    let all: Vec<&str> = BACKENDS.iter().map(|backend| backend.info().name).collect();
    assert_eq!(TESTED, all, "one line a backend in conformance!");
}

#[test]
fn an_unknown_backend_is_refused_by_name() {
    match solve::backend("gurobi").err() {
        Some(SolveError::Unknown { name, known }) => {
            assert_eq!((name.as_str(), known.as_str()), ("gurobi", "highs, cbc, microlp"));
        }
        other => panic!("{other:?}"),
    }
}
