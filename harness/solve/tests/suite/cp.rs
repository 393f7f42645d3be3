//! Constraint models and their solvers: what the conformance suite does not ask of every kind.

use std::collections::{BTreeMap, BTreeSet};

use combinatorics::tantrix::enumerate_natural;
use combinatorics::tantrix::shapes::Shape;
use model::cp::{Model, Var};
use model::{CutChoice, Formulation, FormulationKind, Holes, Representation};
use puzzle::hex::Axial;
use puzzle::tantrix::{Arrangement, BoardType, Colour};
use puzzle::{Instance, Puzzle, Solution, verify};
use record::Status;
use solve::{Answer, BACKENDS, Backend, Deadline, Opened, Session, SessionOptions, SolveError};

use crate::arrangements::{nine, twelve};
use crate::common::{AMPLE, board, bounded, brute_force, exhaust, natural, regular, run, seeded, tantrix, with};
use crate::subjects::is_missing;

/// The colours that every one of the ten sorts has.
const COLOURS: [Colour; 3] = [Colour::Red, Colour::Blue, Colour::Yellow];

/// The solvers for constraint models that are here.
fn backends() -> impl Iterator<Item = &'static dyn Backend> {
    BACKENDS.iter().copied().filter(|b| b.info().kinds.contains(&FormulationKind::Cp) && !is_missing(*b))
}

fn plain() -> Formulation {
    Formulation::plain("cp", FormulationKind::Cp).with("short-loops", 0).expect("good")
}

fn propagating() -> Formulation {
    plain().with("subloops", "propagate").expect("good")
}

fn session(backend: &dyn Backend, options: &SessionOptions) -> Box<dyn Session<Model>> {
    match backend.open(FormulationKind::Cp, options) {
        Ok(Opened::Cp(session)) => session,
        Ok(_) => panic!("opened for another kind"),
        Err(error) => panic!("{error}"),
    }
}

/// Solves, and counts the solves.
fn count(
    backend: &dyn Backend,
    formulation: &Formulation,
    instance: &Instance,
    options: &SessionOptions,
) -> Result<(Answer, usize), SolveError> {
    let (answer, solves) = run(backend, formulation, instance, options, AMPLE);
    let answer = answer?;
    if let Some(solution) = &answer.solution {
        assert_eq!(verify(instance, solution).violations, [], "{formulation:?}");
    }
    Ok((answer, solves.len()))
}

#[test]
fn propagation_of_the_single_loop_answers_in_one_solve_what_cutting_answers_in_several() {
    for backend in backends() {
        for (instance, status) in [(twelve().instance, Status::Optimal), (nine().instance, Status::Infeasible)] {
            let (answer, solves) = count(backend, &propagating(), &instance, &seeded(1)).expect("an answer");
            assert_eq!((answer.status, solves), (status, 1));
            for cuts in [CutChoice::Loop, CutChoice::Each, CutChoice::Smallest, CutChoice::Region] {
                let cutting = plain().with("cuts", cuts).expect("good");
                let (answer, solves) = count(backend, &cutting, &instance, &seeded(1)).expect("an answer");
                assert_eq!(answer.status, status, "{cuts}");
                // Where there is nothing but subloops, one has to show itself before it is cut off.
                assert!(status == Status::Optimal || solves > 1, "{cuts}");
            }
        }
    }
}

#[test]
fn boards_with_room_are_answered_as_exhaustive_search_answers_them() {
    let places = regular(BoardType::A, 7);
    for backend in backends() {
        for n in [5, 6] {
            for colour in COLOURS {
                let instance = bounded(&places, n, colour);
                let some = brute_force(&instance).is_some();
                for formulation in [plain(), propagating()] {
                    let (answer, _) = count(backend, &formulation, &instance, &seeded(1)).expect("an answer");
                    let found = answer.solution.is_some();
                    // Holes are only reported here, as exhaustive search has none.
                    assert!(found || !some, "{formulation:?}");
                    let clean = formulation.with("holes", Holes::Resolve).expect("good");
                    let (answer, _) = count(backend, &clean, &instance, &seeded(1)).expect("an answer");
                    assert_eq!(answer.solution.is_some(), some, "{clean:?}");
                }
            }
        }
    }
}

#[test]
fn boards_of_the_open_plane_grow() {
    for backend in backends() {
        for formulation in [plain(), propagating()] {
            let clean = formulation.with("holes", Holes::Resolve).expect("good");
            for challenge in [3, 6, 8] {
                let (answer, _) = count(backend, &clean, &natural(challenge), &seeded(1)).expect("an answer");
                assert_eq!(answer.status, Status::Optimal, "{challenge}");
            }
        }
    }
}

/// The most tiles that lie around an empty place of the board.
fn most_around_empty(instance: &Instance, solution: &Solution) -> usize {
    let puzzle = tantrix(instance);
    let (board, lying) = (&puzzle.board, Arrangement::new(&puzzle.board, &puzzle.tiles, &solution.placements));
    let around = |j| board.inner_edges(j).filter(|&(_, next)| lying.is_filled(next)).count();
    board.numbers().filter(|&j| !lying.is_filled(j)).map(around).max().expect("an empty place")
}

/// The least such number over all solutions; `None` if there is no solution.
fn least_around_empty(instance: &Instance) -> Option<usize> {
    let mut least: Option<usize> = None;
    exhaust(&instance.name, tantrix(instance), &mut |solution| {
        let around = most_around_empty(instance, solution);
        least = Some(least.map_or(around, |least| least.min(around)));
        true
    });
    least
}

/// The places of a solution of the open plane and one beside so many of them: a board on which every solution leaves a
/// place empty that so many tiles lie around.
fn bay(around: usize) -> Instance {
    let mut found = None;
    for challenge in 5..=10 {
        let Instance { puzzle: Puzzle::TantrixNatural(puzzle), .. } = natural(challenge) else { continue };
        enumerate_natural(&puzzle.tiles, puzzle.colour, &mut |laid| {
            let places: Vec<Axial> = laid.iter().map(|tile| tile.at).collect();
            let beside = places.iter().flat_map(|at| at.neighbours()).filter(|at| !places.contains(at));
            let enclosed = |at: &Axial| at.neighbours().filter(|next| places.contains(next)).count() == around;
            let with = |at: Axial| bounded(&[&places[..], &[at]].concat(), challenge, puzzle.colour);
            found = beside.filter(enclosed).map(with).find(|instance| least_around_empty(instance) == Some(around));
            found.is_none()
        })
        .expect("few tiles");
        if found.is_some() {
            break;
        }
    }
    found.expect("a bay of this size")
}

#[test]
fn at_most_so_many_tiles_lie_around_an_empty_place() {
    let kinds = [FormulationKind::Sat, FormulationKind::Cp];
    let here = |backend: &&dyn Backend| backend.info().install.is_none() && !is_missing(*backend);
    for (around, instance) in [4, 3].map(|around| (around, bay(around))) {
        for (kind, backend) in kinds.iter().flat_map(|kind| BACKENDS.iter().map(move |backend| (*kind, *backend))) {
            if !backend.info().kinds.contains(&kind) || !here(&backend) {
                continue;
            }
            for most in [3, 4, 5] {
                let formulation = Formulation::plain("f", kind)
                    .with("around-empty", most)
                    .expect("good")
                    .with("holes", Holes::Resolve)
                    .expect("good");
                let (answer, _) = count(backend, &formulation, &instance, &seeded(1)).expect("an answer");
                let expected = if most < around { Status::Infeasible } else { Status::Optimal };
                assert_eq!(answer.status, expected, "{}: {most} of {around}", backend.info().name);
                let fits = |solution| most_around_empty(&instance, solution) <= most;
                assert!(answer.solution.iter().all(fits), "{}: {most} of {around}", backend.info().name);
            }
        }
    }
}

/// Solutions of a model, by forbidding each that comes back.
fn all_solutions(backend: &dyn Backend, model: &mut Model) -> BTreeSet<Vec<i32>> {
    let mut session = session(backend, &seeded(1));
    let mut found = BTreeSet::new();
    while let Some(values) = session.solve(model, &Deadline::of(Some(AMPLE))).expect("an answer").values {
        assert_eq!(model.broken_by(&values), Vec::<String>::new());
        let others = values.iter().enumerate().map(|(index, &value)| !Var(index).is(value));
        model.add_clause("seen", others.collect());
        assert!(found.insert(values), "forbidden, and found again");
    }
    found
}

#[test]
fn tables_sums_and_clauses_mean_what_they_say() {
    for backend in backends() {
        let mut model = Model::default();
        let [a, b, c] = ["a", "b", "c"].map(|name| model.add_variable(name.to_owned(), -1, 2));
        let rows = [[-1, 0, 2], [0, 0, 0], [0, 1, 0], [2, 2, -1], [2, 2, 2], [1, 1, 7]];
        let three = model.add_table(rows.map(|row| row.to_vec()).to_vec());
        let two = model.add_table([[0, 0], [0, 1], [2, 2], [-1, 0], [1, 2]].map(|row| row.to_vec()).to_vec());
        model.add_table_constraint("three", vec![a, b, c], three);
        model.add_table_constraint("two", vec![a, b], two);
        model.add_clause("not", vec![!a.is(-1), c.is(0)]);
        let expected = [vec![0, 0, 0], vec![0, 1, 0], vec![2, 2, -1], vec![2, 2, 2]];
        assert_eq!(all_solutions(backend, &mut model.clone()), expected.clone().into());
        model.add_sum("sum", vec![(2, a.is(0)), (-1, !b.is(0)), (3, c.is(2))], 0, 2);
        assert_eq!(all_solutions(backend, &mut model), expected[..2].iter().cloned().chain([vec![2, 2, 2]]).collect());
    }
}

#[test]
fn a_python_that_is_not_there_or_has_no_package_is_missing() {
    for (name, package) in [("cp-sat", "ortools"), ("pyscipopt", "pyscipopt")] {
        let backend = solve::backend(name).expect("a backend");
        for python in ["/no/such/python", "true"] {
            let options = BTreeMap::from([("python".to_owned(), python.to_owned())]);
            let missing = backend.version(&options).expect_err("no Python");
            assert!(matches!(missing, SolveError::Missing { .. }), "{missing}");
            let said = missing.to_string();
            assert!(said.contains(python) && said.contains(&format!("pip install {package}")), "{said}");
            let missing = backend.open(FormulationKind::Mip, &SessionOptions { options, ..seeded(1) }).err();
            assert!(matches!(missing, Some(SolveError::Missing { .. })), "{missing:?}");
        }
    }
}

#[test]
fn workers_of_cp_sat_are_not_its_threads() {
    let cp_sat = solve::backend("cp-sat").expect("a backend");
    if cp_sat.version(&BTreeMap::new()).is_err() {
        eprintln!("SKIPPED: there is no Python with ortools");
        return;
    }
    let instance = board(Shape::Blob, 5, 1);
    let (answer, _) = count(cp_sat, &propagating(), &instance, &with(&[("workers", "8")])).expect("an answer");
    assert_eq!(answer.status, Status::Optimal);
    for wrong in ["0", "many", "1025"] {
        let options = BTreeMap::from([("workers".to_owned(), wrong.to_owned())]);
        let refused = cp_sat.open(FormulationKind::Cp, &SessionOptions { options, ..seeded(1) }).err();
        assert!(matches!(refused, Some(SolveError::Option { .. })), "{wrong}: {refused:?}");
    }
    for (option, value, words) in [
        ("no_such", "1", ": there is no such parameter"),
        ("CopyFrom", "1", ": there is no such parameter"),
        ("linearization_level", "many", ": it takes other values; without the option it is 1"),
        ("log_prefix", "a: b", ": a value with a colon, which would begin another parameter, cannot be given"),
    ] {
        let refused = cp_sat.open(FormulationKind::Cp, &with(&[(option, value)])).err();
        assert!(refused.as_ref().is_some_and(|error| error.to_string().ends_with(words)), "{option}: {refused:?}");
    }
}

#[test]
fn options_of_pumpkin_are_taken_by_name() {
    let pumpkin = solve::backend("pumpkin").expect("a backend");
    let instance = board(Shape::Blob, 5, 1);
    for (option, values) in [
        ("branching", &["vsids", "vsids-first-fail", "first-fail", "input-order", "random"][..]),
        ("restarts", &["constant", "luby", "geometric", "none"]),
        ("restart-interval", &["1", "250"]),
        ("first-restart", &["0", "100"]),
    ] {
        for value in values {
            let (answer, _) = count(pumpkin, &propagating(), &instance, &with(&[(option, value)])).expect("an answer");
            assert_eq!(answer.status, Status::Optimal, "{option} = {value}");
        }
    }
    for (option, value) in
        [("branching", "vsid"), ("restarts", "always"), ("restart-interval", "0"), ("restart", "none")]
    {
        let refused = pumpkin.open(FormulationKind::Cp, &with(&[(option, value)])).err();
        assert!(matches!(refused, Some(SolveError::Option { .. })), "{option} = {value}: {refused:?}");
    }
    let refused = pumpkin.open(FormulationKind::Cp, &with(&[("seed", "2")])).err();
    assert!(matches!(refused, Some(SolveError::OwnOption { .. })), "{refused:?}");
    let fixes = with(&[("fix_variables_to_their_hinted_value", "true")]);
    let refused = solve::backend("cp-sat").expect("a backend").open(FormulationKind::Cp, &fixes).err();
    assert!(matches!(refused, Some(SolveError::OwnOption { .. })), "{refused:?}");
}

#[test]
fn seeds_change_what_is_decided_and_are_repeatable() {
    let pumpkin = solve::backend("pumpkin").expect("a backend");
    let instance = board(Shape::Round, 10, 1);
    let nodes = |seed| {
        count(pumpkin, &propagating(), &instance, &seeded(seed)).expect("an answer").0.last.expect("a solve").nodes
    };
    assert_eq!(nodes(1), nodes(1));
    assert!((2..12).any(|seed| nodes(seed) != nodes(1)), "no seed changes anything");
}

/// What `session.py` reads.
#[test]
fn models_are_serialised_with_every_part() {
    let mut model = Model::default();
    let (a, b) = (model.add_variable("a".to_owned(), 0, 2), model.add_variable("b".to_owned(), -1, 1));
    let table = model.add_table(vec![vec![0, -1], vec![2, 1]]);
    model.add_table_constraint("t", vec![a, b], table);
    model.add_clause("c", vec![a.is(1), !b.is(0)]);
    model.add_sum("s", vec![(2, a.is(0))], 0, i32::MAX);
    let edges = vec![model::LoopEdge { ends: [0, 1], designated: a.is(2) }];
    model.set_single_loop(model::SingleLoop { nodes: 2, length: 2, edges });
    model.set_objective(vec![(3, b)]);
    model.set_hint(vec![(a, 1)]);
    let expected = serde_json::json!({
        "variables": [{"name": "a", "lower": 0, "upper": 2}, {"name": "b", "lower": -1, "upper": 1}],
        "tables": [[[0, -1], [2, 1]]],
        "constraints": [
            {"family": "t", "rule": {"table": {"variables": [0, 1], "table": 0}}},
            {"family": "c", "rule": {"clause": [[0, 1, true], [1, 0, false]]}},
            {"family": "s", "rule": {"sum": {"terms": [[2, [0, 0, true]]], "lower": 0, "upper": i32::MAX}}},
        ],
        "single_loop": {"nodes": 2, "length": 2, "edges": [{"ends": [0, 1], "designated": [0, 2, true]}]},
        "objective": [[3, 1]],
        "hint": [[0, 1]],
    });
    assert_eq!(serde_json::to_value(&model).expect("plain data"), expected);
}
