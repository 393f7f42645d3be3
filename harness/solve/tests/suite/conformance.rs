//! What every backend must do, whatever solver is behind it and whatever kinds of formulations it takes. A new backend is
//! one line at the end; a new kind has its formulations in `subjects.rs`.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use combinatorics::tantrix::shapes::Shape;
use model::{Formulation, FormulationKeys, FormulationKind, Objective, Subloops};
use puzzle::{Instance, verify};
use record::{SolveStatus, SolverFacts, Status};
use solve::{Answer, BACKENDS, Backend, Iteration, SessionOptions, SolveError};

use crate::arrangements::{nine, twelve};
use crate::common::{AMPLE, board, brute_force, run, seeded};
use crate::subjects::{formulations, is_missing, reporting};

/// How much later than its limit a solve may return.
const GRACE: Duration = Duration::from_secs(4);

/// Whether a backend can tell that it does not know an option.
#[derive(Debug, PartialEq)]
enum OptionNames {
    Checked,
    /// Its interface takes any name and says nothing before it solves.
    Unchecked,
}

/// Solves with an eye on what must hold for any solve at all.
pub fn solve(
    backend: &dyn Backend,
    formulation: &Formulation,
    instance: &Instance,
    options: &SessionOptions,
    time: Duration,
) -> Result<Answer, SolveError> {
    let (answer, solves) = run(backend, formulation, instance, options, time);
    solves.iter().for_each(|iteration| check(backend, formulation, iteration));
    answer
}

fn check(backend: &dyn Backend, formulation: &Formulation, iteration: &Iteration) {
    let (reports, outcome) = (backend.info().reports, &iteration.solve);
    assert!(outcome.native_status.as_ref().is_some_and(|word| !word.is_empty()));
    let solved = iteration.solution.is_some();
    // Of a solution that it comes to on the way, a solver has no bound.
    let cut_off = matches!(formulation.subloops(), Subloops::Lazy(_)) && outcome.cuts_added > 0;
    for (figure, reported, found) in [
        ("nodes", reports.nodes, outcome.nodes.is_some()),
        ("simplex iterations", reports.simplex_iterations, outcome.simplex_iterations.is_some()),
        ("bound", reports.bound && formulation.kind() == FormulationKind::Mip && !cut_off, outcome.bound.is_some()),
        ("conflicts", reports.conflicts, outcome.conflicts.is_some()),
        ("propagations", reports.propagations, outcome.propagations.is_some()),
    ] {
        assert!(reported || !found, "{figure} without being announced: {outcome:?}");
        assert!(found || !reported || !solved, "a solution without {figure}: {outcome:?}");
    }
    assert_eq!(solved, matches!(outcome.status, SolveStatus::Optimal | SolveStatus::Feasible), "{outcome:?}");
    assert!(solved || outcome.objective_value.is_none());
    let has_rule = reports.single_loop && formulation.subloops() == Subloops::Propagate;
    assert!(has_rule || solved || outcome.cuts_added == 0, "{formulation:?}: {outcome:?}");
}

/// Solves to the end, and verifies the answer.
pub fn answer(backend: &dyn Backend, formulation: &Formulation, instance: &Instance) -> Status {
    let answer = solve(backend, formulation, instance, &seeded(1), AMPLE).expect("an answer");
    if let Some(solution) = &answer.solution {
        assert_eq!(verify(instance, solution).violations, [], "{formulation:?} on {}", instance.canonical());
    }
    assert_eq!(answer.solution.is_some(), answer.status == Status::Optimal);
    answer.status
}

fn says_what_it_is(backend: &dyn Backend) {
    let info = backend.info();
    let version = backend.version(&BTreeMap::new()).expect("it is here");
    assert!(version.chars().any(|c| c.is_ascii_digit()), "{version:?} is no version");
    assert!(!info.interface.is_empty() && !info.kinds.is_empty());
    assert_eq!(info, backend.info());
    let facts = SolverFacts { name: String::new(), backend: info.name.to_owned(), version };
    let of_kind = |kind| info.kinds.contains(&kind);
    let expected = match of_kind(FormulationKind::Mip) {
        true if of_kind(FormulationKind::Sat) => Some("as clauses"),
        true if of_kind(FormulationKind::Cp) => Some("as constraints"),
        _ => None,
    };
    assert_eq!(facts.takes_rows(), expected, "how reports head its columns");
}

fn solves_a_small_board(backend: &dyn Backend) {
    for n in [3, 5] {
        let instance = board(Shape::Blob, n, 1);
        for formulation in formulations(backend, &instance) {
            assert_eq!(answer(backend, &formulation, &instance), Status::Optimal, "{formulation:?}");
        }
    }
}

fn minimises_the_objective(backend: &dyn Backend) {
    let instance = board(Shape::Blob, 4, 1);
    for formulation in formulations(backend, &instance).into_iter().filter(|f| f.kind() == FormulationKind::Mip) {
        for objective in [Objective::Virtual, Objective::None] {
            let formulation = formulation.with("objective", objective).expect("good");
            let answer = solve(backend, &formulation, &instance, &seeded(1), AMPLE).expect("an answer");
            // Tile 1 need not lie on place 1 in orientation 1.
            assert_eq!(
                (answer.status, answer.last.and_then(|last| last.objective_value)),
                (Status::Optimal, Some(0.0))
            );
        }
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
    for instance in unsolvable() {
        for formulation in formulations(backend, &instance) {
            assert_eq!(answer(backend, &formulation, &instance), Status::Infeasible, "{formulation:?}");
        }
    }
}

fn leaves_no_subloops(backend: &dyn Backend) {
    let (solvable, subloops) = (twelve().instance, nine().instance);
    // microlp takes minutes where colours are numbers; that it keeps rows that come later, the first families show.
    let most = if backend.info().name == "microlp" { 1 } else { usize::MAX };
    for formulation in formulations(backend, &solvable).into_iter().take(most) {
        assert_eq!(answer(backend, &formulation, &solvable), Status::Optimal, "{formulation:?}");
        // Nothing but arrangements in two loops: infeasible once they are cut off ...
        let (answer, solves) = run(backend, &formulation, &subloops, &seeded(1), AMPLE);
        solves.iter().for_each(|iteration| check(backend, &formulation, iteration));
        let cuts: u64 = solves.iter().map(|iteration| iteration.solve.cuts_added).sum();
        assert_eq!(answer.expect("an answer").status, Status::Infeasible, "{formulation:?}");
        // A search keeps the rule by itself; those whose model says it do not tell how often it cuts: CP-SAT, programs.
        let tells = formulation.subloops() != Subloops::Propagate
            || backend.info().reports.single_loop && backend.info().name != "cp-sat";
        assert!(cuts > 0 || !tells, "without the rule there is a solution: {formulation:?}");
    }
    // ... and not before.
    for formulation in reporting(backend) {
        let answer = solve(backend, &formulation, &subloops, &seeded(1), AMPLE).expect("an answer");
        assert_eq!(answer.status, Status::Optimal, "{formulation:?}");
        assert_eq!(verify(&subloops, &answer.solution.expect("optimal")).loops.len(), 2, "{formulation:?}");
    }
}

fn stops_when_the_time_is_over(backend: &dyn Backend) {
    let instance = board(Shape::Round, 30, 1);
    for formulation in formulations(backend, &instance) {
        for limit in [Duration::ZERO, Duration::from_millis(1), Duration::from_millis(50)] {
            let start = Instant::now();
            let answer = solve(backend, &formulation, &instance, &seeded(1), limit).expect("a limit is no error");
            assert!(start.elapsed() < limit + GRACE, "{:?} instead of {limit:?}", start.elapsed());
            let expected = [Status::Optimal, Status::Feasible, Status::Timeout];
            assert!(expected.contains(&answer.status), "{formulation:?}: {answer:?}");
        }
    }
}

fn takes_seeds(backend: &dyn Backend) {
    let instance = board(Shape::Blob, 5, 1);
    for formulation in formulations(backend, &instance) {
        for seed in [0, 1, 2, 12345, 1_000_000_000] {
            let answer = solve(backend, &formulation, &instance, &seeded(seed), AMPLE);
            let answer = answer.expect("a seed is taken, with effect or without");
            assert_eq!(answer.status, Status::Optimal, "seed {seed}");
        }
    }
}

fn takes_threads_where_it_says_so(backend: &dyn Backend) {
    let (two, instance) = (SessionOptions { threads: 2, ..seeded(1) }, board(Shape::Blob, 5, 1));
    for formulation in formulations(backend, &instance) {
        match solve(backend, &formulation, &instance, &two, AMPLE) {
            Ok(answer) => {
                assert!(backend.info().reports.threads);
                assert_eq!(answer.status, Status::Optimal);
            }
            Err(error) => {
                assert!(matches!(error, SolveError::Unsupported { .. }), "{error}");
                assert!(!backend.info().reports.threads);
            }
        }
    }
}

fn refuses_unknown_options(backend: &dyn Backend, names: &OptionNames) {
    let options = BTreeMap::from([("no_such_option".to_owned(), "1".to_owned())]);
    let options = SessionOptions { options, ..seeded(1) };
    let instance = board(Shape::Blob, 4, 1);
    for kind in backend.info().kinds {
        match (backend.open(*kind, &options).err(), names) {
            (Some(SolveError::Option { solver, option, value, .. }), OptionNames::Checked) => {
                assert_eq!((solver, option.as_str(), value.as_str()), (backend.info().name, "no_such_option", "1"));
            }
            (Some(error), _) => panic!("{error}"),
            (None, OptionNames::Checked) => panic!("an option that does not exist was taken"),
            (None, OptionNames::Unchecked) => {
                // It cannot tell; then it solves all the same, or says so when it comes to it.
                for formulation in formulations(backend, &instance).into_iter().filter(|f| f.kind() == *kind) {
                    match solve(backend, &formulation, &instance, &options, AMPLE) {
                        Ok(answer) => assert_eq!(answer.status, Status::Optimal),
                        Err(error) => assert!(error.to_string().contains("no_such_option"), "{error}"),
                    }
                }
            }
        }
    }
}

fn refuses_formulations_of_other_kinds(backend: &dyn Backend) {
    let blob = board(Shape::Blob, 4, 1);
    for kind in FormulationKind::ALL.into_iter().filter(|kind| !backend.info().kinds.contains(kind)) {
        let families: &[_] = if kind == FormulationKind::Mip { &[("families", "C1 C2' C4c C5x")] } else { &[] };
        let formulation = FormulationKeys::new("f", kind, families).read().expect("good");
        match solve(backend, &formulation, &blob, &seeded(1), AMPLE) {
            Err(SolveError::Kind { solver, kind: of, .. }) => assert_eq!((solver, of), (backend.info().name, kind)),
            other => panic!("{other:?}"),
        }
    }
}

macro_rules! conformance {
    ($($module:ident $name:literal: option names $options:ident;)*) => {
        const TESTED: &[&str] = &[$($name),*];
        $(mod $module {
            use super::OptionNames;

            /// The backend, unless it is not on this machine.
            fn backend() -> Option<&'static dyn solve::Backend> {
                let backend = solve::backend($name).expect("a backend");
                (!super::is_missing(backend)).then_some(backend)
            }

            conformance! { @tests
                says_what_it_is: super::says_what_it_is;
                solves_a_small_board: super::solves_a_small_board;
                minimises_the_objective: super::minimises_the_objective;
                says_that_no_solution_exists: super::says_that_no_solution_exists;
                leaves_no_subloops: super::leaves_no_subloops;
                stops_when_the_time_is_over: super::stops_when_the_time_is_over;
                takes_seeds: super::takes_seeds;
                takes_threads_where_it_says_so: super::takes_threads_where_it_says_so;
                refuses_formulations_of_other_kinds: super::refuses_formulations_of_other_kinds;
                refuses_unknown_options: |backend| super::refuses_unknown_options(backend, &OptionNames::$options);
                agrees_with_brute_force: crate::agreement::agrees_with_brute_force;
                agrees_with_brute_force_on_boards_with_room: crate::bounded::agrees_with_brute_force;
                answers_each_time: crate::again::answers_each_time;
                answers_after_a_timeout: crate::again::answers_after_a_timeout;
            }
        })*
    };
    (@tests $($test:ident: $check:expr;)*) => {
        $(#[test]
        fn $test() {
            if let Some(backend) = backend() {
                let check: fn(&dyn solve::Backend) = $check;
                check(backend);
            }
        })*
    };
}

conformance! {
    highs "highs": option names Checked;
    cbc "cbc": option names Unchecked;
    microlp "microlp": option names Checked;
    cadical "cadical": option names Checked;
    batsat "batsat": option names Checked;
    pumpkin "pumpkin": option names Checked;
    cp_sat "cp-sat": option names Checked;
    pyscipopt "pyscipopt": option names Checked;
    search "search": option names Checked;
    portfolio "portfolio": option names Checked;
    gurobi "gurobi": option names Unchecked;
    cplex "cplex": option names Unchecked;
    scip "scip": option names Unchecked;
    highs_exe "highs-exe": option names Unchecked;
    cbc_exe "cbc-exe": option names Unchecked;
    glpk "glpk": option names Unchecked;
    kissat "kissat": option names Unchecked;
    cadical_exe "cadical-exe": option names Unchecked;
    cryptominisat5 "cryptominisat5": option names Unchecked;
    minisat "minisat": option names Unchecked;
    minizinc "minizinc": option names Checked;
    clingo "clingo": option names Unchecked;
}

#[test]
fn every_backend_is_tested() {
    // `external` is whatever its options say; its own tests give it programs.
    let all = BACKENDS.iter().map(|backend| backend.info().name).filter(|name| *name != "external");
    let all: Vec<&str> = all.collect();
    assert_eq!(TESTED, all, "one line a backend in conformance!");
}

#[test]
fn an_unknown_backend_is_refused_by_name() {
    match solve::backend("gurobo").err() {
        Some(SolveError::Unknown { name, known }) => {
            assert_eq!(name, "gurobo");
            assert!(known.starts_with("highs, cbc, microlp"), "{known}");
        }
        other => panic!("{other:?}"),
    }
}
