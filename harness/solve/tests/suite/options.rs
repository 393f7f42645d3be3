//! What options a solver takes, beyond what all have in common.

use combinatorics::tantrix::shapes::Shape;
use solve::{Deadline, SolveError, SolveStatus, backend};

use crate::common::{AMPLE, board, mip, problem, seeded, silent, with};

#[test]
fn options_of_every_type_are_taken() {
    let highs = backend("highs").expect("there");
    let model = problem(&board(Shape::Blob, 5, 0), "C1 C2' C4c C5x");
    for (option, value) in [
        ("mip_max_nodes", "100"),
        ("mip_rel_gap", "0.5"),
        ("mip_rel_gap", "1"),
        ("presolve", "off"),
        ("mip_detect_symmetry", "false"),
    ] {
        let mut session = mip(highs, &with(&[(option, value)])).unwrap_or_else(|e| panic!("{option} = {value}: {e}"));
        assert_eq!(
            session.solve(model.model(), &Deadline::of(Some(AMPLE))).expect("solved").outcome.status,
            SolveStatus::Optimal
        );
    }
}

#[test]
fn values_that_make_no_sense_are_refused() {
    let highs = backend("highs").expect("there");
    for (option, value) in [("presolve", "perhaps"), ("mip_rel_gap", "narrow"), ("mip_max_nodes", "-5")] {
        match mip(highs, &with(&[(option, value)])).err() {
            Some(SolveError::Option { solver: "highs", option: named, value: given, .. }) => {
                assert_eq!((named.as_str(), given.as_str()), (option, value));
            }
            other => panic!("{option} = {value}: {other:?}"),
        }
    }
}

#[test]
fn a_seed_beyond_its_range_is_refused() {
    let highs = backend("highs").expect("there");
    assert!(mip(highs, &seeded(i32::MAX as u64)).is_ok());
    match mip(highs, &seeded(1 << 31)).err() {
        Some(SolveError::Option { option, .. }) => assert_eq!(option, "random_seed"),
        other => panic!("{other:?}"),
    }
}

#[test]
fn what_the_run_sets_is_no_option() {
    for (name, option) in [
        ("highs", "threads"),
        ("highs", "Time_Limit"),
        ("highs", "objective_target"),
        ("highs", "small_matrix_value"),
        ("highs", "user_bound_scale"),
        ("highs", "solve_relaxation"),
        ("cbc", "SEC"),
        ("cbc", "randomseed"),
        ("cbc", "cutoff"),
        ("cbc", "increment"),
        ("cbc", "fixondj"),
        ("cbc", "integerTolerance"),
        ("cbc", "dualSimplex"),
        ("cbc", "Barr"),
        ("cbc", "export"),
    ] {
        let (backend, options) = (backend(name).expect("there"), with(&[(option, "4")]));
        let mut refusals = vec![mip(backend, &options).err()];
        if name == "cbc" {
            refusals.push(backend.rehearse(&options, &silent).err());
        }
        for refusal in refusals {
            match refusal {
                Some(SolveError::OwnOption { solver, option: named }) => {
                    assert_eq!((solver, named.as_str()), (name, option))
                }
                other => panic!("{name} {option}: {other:?}"),
            }
        }
    }
    for name in ["highs", "cbc"] {
        assert!(mip(backend(name).expect("there"), &with(&[("presolve", "o\0")])).is_err(), "{name}: a NUL byte");
    }
    for value in ["nan", "-NaN"] {
        assert!(mip(backend("highs").expect("there"), &with(&[("mip_rel_gap", value)])).is_err(), "{value}");
    }
    assert!(mip(backend("cbc").expect("there"), &with(&[("cuts", "off")])).is_ok());
    assert!(mip(backend("cbc").expect("there"), &seeded(1 << 31)).is_err());
}

#[test]
fn a_node_limit_is_an_outcome() {
    let model = problem(&board(Shape::Round, 20, 1), "C1 C2 C3 C4");
    for (name, option, value) in [("highs", "mip_max_nodes", "0"), ("cbc", "maxNodes", "1")] {
        let mut session = mip(backend(name).expect("there"), &with(&[(option, value)])).expect("an option");
        let solved = session.solve(model.model(), &Deadline::of(Some(AMPLE))).expect("limits are outcomes");
        let expected = [SolveStatus::Limit, SolveStatus::Feasible, SolveStatus::Timeout];
        assert!(expected.contains(&solved.outcome.status), "{name}: {solved:?}");
    }
}

#[test]
fn cbc_says_by_what_it_prints_that_it_does_not_take_an_option() {
    let cbc = backend("cbc").expect("there");
    for (printed, is_refused) in [
        ("Welcome\nNo match for foo - ? for list of commands\nmore", true),
        ("Short match for foo - completion: food\n", true),
        ("<Possible options for foo are: on off more file;\n", true),
        ("String of many is illegal for integer parameter foo value remains 9", true),
        ("-5 was provided for foo - valid range is 0 to 9", true),
        ("foo was changed from 2147483647 to 0\nmatch for nothing\n", false),
    ] {
        let listen = |act: &mut dyn FnMut()| {
            act();
            Ok(printed.to_owned())
        };
        match cbc.rehearse(&with(&[("foo", "1")]), &listen) {
            Err(SolveError::Option { option, .. }) => assert!(is_refused && option == "foo", "{printed}"),
            other => assert!(!is_refused && other.is_ok(), "{printed}: {other:?}"),
        }
    }
}

#[test]
fn the_same_seed_gives_the_same_solution() {
    // CBC takes a seed of 0 for the time of day.
    let model = problem(&board(Shape::Round, 15, 1), "C1 C2 C3 C4");
    for name in ["highs", "cbc"] {
        let solve = |seed| {
            let mut session = mip(backend(name).expect("there"), &seeded(seed)).expect("a seed");
            let solved = session.solve(model.model(), &Deadline::of(Some(AMPLE))).expect("solved");
            (solved.outcome.simplex_iterations, solved.values)
        };
        for seed in [0, 1] {
            assert!(solve(seed) == solve(seed), "{name}, seed {seed}");
        }
    }
}
