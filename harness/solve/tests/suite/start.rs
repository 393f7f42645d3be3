//! Tiles to start from and random objectives: no solution is lost, and what a solver is given arrives.

use std::path::Path;
use std::time::Duration;

use combinatorics::tantrix::shapes::Shape;
use model::{Formulation, FormulationKind, Objective, StartBy};
use puzzle::{Instance, Solution, verify};
use record::Status;
use solve::search::{Settings, explore};
use solve::{Answer, Backend, Deadline, Session, SessionOptions, SolveError, SolveStatus, Task};

use crate::common::{AMPLE, board, brute_force, exhaust, mip, problem, run, seeded, tantrix, with};
use crate::subjects::is_missing;

const FAMILIES: [&str; 2] = ["C1 C2' C4c C5x C6x", "C1 C2 C3 C4 C5"];

fn backends(names: &[&str]) -> Vec<&'static dyn Backend> {
    let all = names.iter().map(|name| solve::backend(name).expect("a backend"));
    all.filter(|backend| !is_missing(*backend)).collect()
}

fn started(families: &str, by: StartBy, share: usize, seed: u64) -> Formulation {
    let formulation = Formulation::of("f", families).expect("good").with("start", by).expect("good");
    formulation.with("start-share", share).expect("good").seeded(seed)
}

/// The answer, and the status of every solve.
fn answer(backend: &dyn Backend, formulation: &Formulation, instance: &Instance) -> (Answer, Vec<SolveStatus>) {
    let (answer, solves) = run(backend, formulation, instance, &seeded(1), AMPLE);
    (answer.expect("an answer"), solves.iter().map(|iteration| iteration.solve.status).collect())
}

/// On a board of a thousand tiles no smaller one is solved in that time: the run goes on without.
#[test]
fn looking_for_a_smaller_board_keeps_to_the_time_limit() {
    let (formulation, instance) = (started(FAMILIES[0], StartBy::Fix, 50, 1), board(Shape::Round, 1000, 0));
    let task = Task::build(&formulation, &instance, &Deadline::of(Some(Duration::from_millis(10)))).expect("fits");
    let answer = task.solve(backends(&["highs"])[0], &seeded(1), &Deadline::of(Some(Duration::ZERO)), &mut |_| {});
    let answer = answer.expect("no error");
    assert_eq!(answer.status, Status::Timeout);
    assert!(answer.message.is_some_and(|message| message.starts_with("no start: no smaller board was solved")));
}

/// Boards of 8 and 9 places, some of them without a solution.
fn boards() -> Vec<Instance> {
    let shapes = [Shape::Blob, Shape::Round].into_iter();
    shapes.flat_map(|shape| (8..=9).map(move |n| board(shape, n, 3))).chain([board(Shape::Row, 9, 0)]).collect()
}

#[test]
fn answers_are_those_of_brute_force_however_it_begins() {
    let (mut at_once, mut freed, mut unsolvable, mut without) = (0, 0, 0, 0);
    for instance in boards() {
        let expected = if brute_force(&instance).is_some() { Status::Optimal } else { Status::Infeasible };
        for (families, share, by) in FAMILIES
            .into_iter()
            .flat_map(|families| [25, 100].map(|share| (families, share)))
            .flat_map(|(families, share)| [StartBy::Hint, StartBy::Fix].map(|by| (families, share, by)))
        {
            let formulation = started(families, by, share, 2);
            let names: &[&str] = if by == StartBy::Hint { &["highs"] } else { &["highs", "cbc", "cadical"] };
            for backend in backends(names) {
                let (answer, solves) = answer(backend, &formulation, &instance);
                assert_eq!(
                    answer.status,
                    expected,
                    "{} {families} {by} {share} {}",
                    backend.info().name,
                    instance.canonical()
                );
                if let Some(solution) = &answer.solution {
                    assert_eq!(verify(&instance, solution).violations, []);
                }
                let remark = answer.message.expect("how it began");
                without += usize::from(remark.starts_with("no start: "));
                assert!(remark.starts_with("no start: ") || remark.starts_with("start from "), "{remark}");
                let infeasible = solves.iter().filter(|status| **status == SolveStatus::Infeasible).count();
                match (by, expected) {
                    (StartBy::Hint, _) => assert_eq!(infeasible, usize::from(expected == Status::Infeasible)),
                    (StartBy::Fix, Status::Infeasible) => {
                        unsolvable += 1;
                        assert_eq!(infeasible, if remark.starts_with("no") { 1 } else { 2 }, "once fixed, once free");
                    }
                    (StartBy::Fix, _) if infeasible == 0 => at_once += 1,
                    (StartBy::Fix, _) => freed += 1,
                }
            }
        }
    }
    assert!(at_once > 0 && freed > 0 && unsolvable > 0 && without > 0, "{at_once} {freed} {unsolvable} {without}");
}

#[test]
fn cp_sat_begins_so_too() {
    for backend in backends(&["cp-sat"]) {
        for by in [StartBy::Hint, StartBy::Fix] {
            let (answer, _) = answer(backend, &started(FAMILIES[0], by, 50, 1), &twenty().0);
            assert_eq!(answer.status, Status::Optimal);
            assert!(answer.message.is_some_and(|remark| remark.starts_with("start from 7 of the 15 tiles")));
        }
    }
}

#[test]
fn a_seed_leads_to_the_same_tiles() {
    let highs = solve::backend("highs").expect("a backend");
    let (instance, _) = twenty();
    let solved = |seed| answer(highs, &started(FAMILIES[0], StartBy::Fix, 50, seed), &instance);
    let placements = |seed| solved(seed).0.solution.expect("solvable").placements;
    assert_eq!(placements(1), placements(1));
    let remark = solved(1).0.message.expect("how it began");
    assert!(remark.starts_with("start from 7 of the 15 tiles of a smaller board, solved in "), "{remark}");
}

#[test]
fn who_takes_no_hint_refuses_it_and_nobody_refuses_fixed_tiles() {
    let none = std::collections::BTreeMap::new();
    for backend in solve::BACKENDS.iter().filter(|b| b.info().kinds.contains(&FormulationKind::Mip)) {
        let info = backend.info();
        solve::fits(*backend, &started(FAMILIES[0], StartBy::Fix, 50, 1), &none).expect(info.name);
        let hint = solve::fits(*backend, &started(FAMILIES[0], StartBy::Hint, 50, 1), &none);
        match hint {
            Ok(()) => assert!(["highs", "cp-sat"].contains(&info.name) && info.reports.hint, "{}", info.name),
            Err(SolveError::Unsupported { solver, reason }) => {
                assert_eq!((solver, info.reports.hint), (info.name, false));
                assert!(reason.contains("start = \"hint\"") && reason.contains("start = \"fix\""), "{reason}");
            }
            Err(other) => panic!("{other}"),
        }
    }
}

/// A board of 20 places with a solution by our own search.
fn twenty() -> (Instance, Solution) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../instances/tantrix/fixed/n20-spur.toml");
    let instance = Instance::load(&file).expect("a good instance");
    let search = Formulation::plain("s", FormulationKind::Search);
    let settings = Settings { seed: 1, restarts: true, sum_check: true, time_limit: None };
    let mut found = None;
    explore(&instance, &search, settings, None, &mut |solution| {
        found = Some(solution.clone());
        false
    })
    .expect("searched");
    (instance, found.expect("solvable"))
}

fn session(backend: &dyn Backend, options: &SessionOptions) -> Box<dyn Session> {
    mip(backend, options).expect("good options")
}

#[test]
fn a_hint_arrives() {
    let (instance, solution) = twenty();
    // HiGHS may not search for a solution by itself.
    let heuristics = ["feasibility_jump", "rins", "rens", "root_reduced_cost", "zi_round", "shifting"];
    let mut options: Vec<(String, &str)> =
        heuristics.map(|name| (format!("mip_heuristic_run_{name}"), "false")).into_iter().collect();
    options
        .extend([("mip_max_nodes", "0"), ("mip_heuristic_effort", "0")].map(|(name, value)| (name.to_owned(), value)));
    let options: Vec<(&str, &str)> = options.iter().map(|(name, value)| (name.as_str(), *value)).collect();
    let highs = solve::backend("highs").expect("a backend");
    let mut hinted = problem(&instance, FAMILIES[1]);
    let alone = session(highs, &with(&options)).solve(hinted.model(), &Deadline::of(Some(AMPLE))).expect("an outcome");
    assert_eq!(alone.values, None, "without a hint it finds none: {:?}", alone.outcome);
    hinted.start(StartBy::Hint, &solution.placements);
    let solved = session(highs, &with(&options)).solve(hinted.model(), &Deadline::of(Some(AMPLE))).expect("an outcome");
    let values = solved.values.unwrap_or_else(|| panic!("{:?}", solved.outcome));
    assert_eq!(hinted.decode(&values).expect("whole").placements, solution.placements);
    // It solves twice then, and the last one ends it.
    let native = solved.outcome.native_status.expect("a status");
    assert!(!native.contains(", "), "{native}");
    // CP-SAT looks at the hint first, so that of many solutions it finds this one. Presolve would change what is hinted at.
    let as_it_is = with(&[("cp_model_presolve", "false")]);
    for backend in backends(&["cp-sat"]) {
        let mut hinted = problem(&instance, FAMILIES[0]);
        hinted.start(StartBy::Hint, &solution.placements);
        let solved = session(backend, &as_it_is).solve(hinted.model(), &Deadline::of(Some(AMPLE))).expect("an outcome");
        let values = solved.values.expect("a solution");
        assert_eq!(hinted.decode(&values).expect("whole").placements, solution.placements);
    }
}

#[test]
fn the_least_of_a_random_objective_is_that_of_all_solutions() {
    let mut boards = (0..).map(|seed| board(Shape::Blob, 10, seed));
    let instance = boards.find(|board| brute_force(board).is_some()).expect("one of them has a solution");
    for (seed, families) in [(1, FAMILIES[0]), (2, FAMILIES[1])] {
        let formulation = Formulation::of("f", families).expect("good").with("objective", Objective::Random);
        let formulation = formulation.expect("good").seeded(seed);
        let problem = model::build_mip(&formulation, &instance).expect("fits");
        let mut least = f64::INFINITY;
        exhaust(&instance.name, tantrix(&instance), &mut |solution| {
            let values = problem.encode(solution);
            let value = problem.model().objective().iter().map(|&(var, weight)| weight * values[var.0]).sum();
            least = least.min(value);
            true
        });
        for backend in backends(&["highs", "cadical", "cp-sat"]) {
            let (answer, _) = answer(backend, &formulation, &instance);
            assert_eq!(answer.status, Status::Optimal);
            let found = answer.last.and_then(|last| last.objective_value).expect("a value");
            assert!((found - least).abs() < 1e-6, "{}: {found}, not {least}", backend.info().name);
        }
    }
}
