//! What only HiGHS can be asked.

use std::collections::BTreeMap;

use puzzle::tantrix::shapes::Shape;
use solve::{SessionOptions, SolveError, SolveStatus, backend};

use crate::common::{AMPLE, board, problem, seeded};

fn with(option: &str, value: &str) -> SessionOptions {
    SessionOptions { options: BTreeMap::from([(option.to_owned(), value.to_owned())]), ..seeded(1) }
}

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
        let mut session = highs.open(&with(option, value)).unwrap_or_else(|e| panic!("{option} = {value}: {e}"));
        assert_eq!(session.solve(model.model(), Some(AMPLE)).expect("solved").status, SolveStatus::Optimal);
    }
}

#[test]
fn values_that_make_no_sense_are_refused() {
    let highs = backend("highs").expect("there");
    for (option, value) in [("presolve", "perhaps"), ("mip_rel_gap", "narrow"), ("mip_max_nodes", "-5")] {
        match highs.open(&with(option, value)).err() {
            Some(SolveError::Option { solver: "highs", option: named, value: given }) => {
                assert_eq!((named.as_str(), given.as_str()), (option, value));
            }
            other => panic!("{option} = {value}: {other:?}"),
        }
    }
}

#[test]
fn a_seed_beyond_its_range_is_refused() {
    let highs = backend("highs").expect("there");
    assert!(highs.open(&seeded(i32::MAX as u64)).is_ok());
    match highs.open(&seeded(1 << 31)).err() {
        Some(SolveError::Option { option, .. }) => assert_eq!(option, "random_seed"),
        other => panic!("{other:?}"),
    }
}
