//! C7 and C8 for red, index by index as printed by Kino & Uno (2012, section 5.3).

use std::collections::BTreeSet;
use std::path::Path;

use combinatorics::tantrix::shapes::Shape;
use model::{Formulation, build_mip};
use puzzle::Instance;
use puzzle::tantrix::Board;

/// A red challenge (15) on a round board: all ten sorts are there.
fn red_15() -> (Instance, Board) {
    let places = Shape::Round.places(15, 3);
    let list: Vec<String> = places.iter().map(|a| format!("[{}, {}]", a.q, a.r)).collect();
    let text = format!(
        "kind = \"tantrix-fixed\"\nchallenge = 15\ntiles = \"repeated\"\ncolour = \"red\"\nplaces = [{}]\nknown = \"unknown\"\nsource = \"test\"\n",
        list.join(", ")
    );
    (Instance::parse(&text, Path::new("n15.toml")).expect("good"), Board::new(&places).expect("a board"))
}

/// (edge l, terms (tile, orientation) on j, terms on a(j, l)) of each printed row.
type Printed = (usize, &'static [(usize, usize)], &'static [(usize, usize)]);

const C7: [Printed; 6] = [
    (1, &[(2, 3), (3, 5)], &[(2, 5), (3, 1)]),
    (1, &[(2, 2), (3, 4)], &[(2, 6), (3, 2)]),
    (2, &[(2, 1), (3, 3)], &[(2, 5), (3, 1)]),
    (2, &[(2, 2), (3, 4)], &[(2, 4), (3, 6)]),
    (3, &[(2, 1), (3, 3)], &[(2, 3), (3, 5)]),
    (3, &[(2, 6), (3, 2)], &[(2, 4), (3, 6)]),
];

const C8: [Printed; 3] = [
    (1, &[(1, 2), (4, 1), (6, 2), (7, 3), (8, 4), (10, 3)], &[(1, 5), (4, 4), (6, 5), (7, 6), (8, 1), (10, 6)]),
    (2, &[(1, 1), (4, 6), (6, 1), (7, 2), (8, 3), (10, 2)], &[(1, 4), (4, 3), (6, 4), (7, 5), (8, 6), (10, 5)]),
    (3, &[(1, 6), (4, 5), (6, 6), (7, 1), (8, 2), (10, 1)], &[(1, 3), (4, 2), (6, 3), (7, 4), (8, 5), (10, 4)]),
];

fn check(family: &str, printed: &[Printed]) {
    let (instance, board) = red_15();
    let problem = build_mip(&Formulation::of("f", &format!("C1 C2' C3 C4 {family}")).expect("good"), &instance)
        .expect("makes sense");
    let model = problem.model();
    let ours: BTreeSet<BTreeSet<String>> = model
        .rows()
        .iter()
        .filter(|row| row.family == family)
        .map(|row| {
            assert_eq!((row.lower, row.upper), (f64::NEG_INFINITY, 1.0));
            assert!(row.terms.iter().all(|&(_, c)| c == 1.0));
            row.terms.iter().map(|(var, _)| model.variables()[var.0].name.clone()).collect()
        })
        .collect();
    let mut theirs = BTreeSet::new();
    for j in board.numbers() {
        for &(l, here, there) in printed {
            let Some(next) = board.neighbour(j, l) else { continue };
            let row = here.iter().map(|(i, k)| format!("x_{i}_{j}_{k}"));
            theirs.insert(row.chain(there.iter().map(|(i, k)| format!("x_{i}_{next}_{k}"))).collect());
        }
    }
    assert!(theirs.len() > 20);
    assert_eq!(ours, theirs);
}

#[test]
fn c7_is_as_printed() {
    check("C7", &C7);
}

#[test]
fn c8_is_as_printed() {
    check("C8", &C8);
}
