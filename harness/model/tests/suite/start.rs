//! What a formulation says of tiles to start from and of random objectives, and what becomes of the model.

use crate::common::{bounded, instance, natural, problem, regular, solutions, tetrahedron};
use combinatorics::tantrix::shapes::Shape;
use model::{Formulation, FormulationKeys, FormulationKind, Objective, Problem, Start, StartBy, build_mip};
use puzzle::tantrix::{BoardType, Colour};
use puzzle::{Instance, Placement};

const FIXED: &str = "C1 C2' C4c C5x";

fn keys(families: &str, others: &[(&str, &str)]) -> FormulationKeys {
    FormulationKeys::new("f", FormulationKind::Mip, &[&[("families", families)], others].concat())
}

fn refusal(written: FormulationKeys, instance: &Instance) -> String {
    written.read().and_then(|formulation| formulation.check(instance)).expect_err("makes no sense").to_string()
}

#[test]
fn a_start_says_how_and_how_much() {
    let start = |others: &[(&str, &str)]| keys(FIXED, others).read().expect("good").start();
    assert_eq!(start(&[]), None);
    assert_eq!(start(&[("start", "hint")]), Some(Start { by: StartBy::Hint, share: 50 }));
    assert_eq!(start(&[("start", "fix"), ("start-share", "75")]), Some(Start { by: StartBy::Fix, share: 75 }));
}

#[test]
fn starts_that_make_no_sense_are_refused_with_the_reason() {
    let twelve = instance(&Shape::Round.places(12, 1), "");
    for (written, reason) in [
        (keys(FIXED, &[("start", "warm")]), "start = \"warm\"; there is hint, fix"),
        (keys(FIXED, &[("start-share", "25")]), "start-share without start"),
        (keys(FIXED, &[("start", "fix"), ("start-share", "0")]), "start-share = 0; it is from 1 to 100"),
        (keys(FIXED, &[("start", "fix"), ("start-share", "101")]), "start-share = 101; it is from 1 to 100"),
        (keys(FIXED, &[("start", "fix"), ("start-share", "half")]), "start-share = half, which is no whole number"),
        (keys("C1 C2 C2o C3 C4", &[("start", "fix")]), "C2o tells equal tiles apart by where all of them lie"),
    ] {
        let text = refusal(written, &twelve);
        assert!(text.contains(reason), "{text}");
    }
    let fix = |families| keys(families, &[("start", "fix")]);
    let text = refusal(fix(FIXED), &instance(&Shape::Round.places(7, 1), ""));
    assert!(text.contains("5 places fewer, and of 7 too few are left for a loop"), "{text}");
    for sparse in [bounded(&regular(BoardType::A, 19), 12, Colour::Red), natural(12)] {
        let text = refusal(fix("B1 B3 B45c"), &sparse);
        assert!(text.contains("start = \"fix\" is for fixed boards"), "{text}");
    }
    assert!(refusal(fix("S1 S2' S3"), &tetrahedron()).contains("start = \"fix\" is for fixed boards"));
    let sat = FormulationKeys::new("f", FormulationKind::Sat, &[("start", "hint")]);
    assert!(refusal(sat, &twelve).contains("start is for kind mip"));
}

/// A board, its model under these families, and the tiles of a solution on every other place.
fn half(families: &str) -> (Box<dyn Problem>, Vec<Placement>) {
    let boards = (0..).map(|seed| instance(&Shape::Blob.places(9, seed), ""));
    let solved = |board: Instance| solutions(&board).into_iter().next().map(|solution| (board, solution));
    let (board, solution) = boards.filter_map(solved).next().expect("one of them has a solution");
    (problem(&board, families), solution.placements.into_iter().filter(|p| p.place % 2 == 0).collect())
}

/// The places and orientations in the names of variables x_i_j_k.
fn lying(problem: &dyn Problem, ones: impl Iterator<Item = usize>) -> Vec<(usize, usize)> {
    let number = |name: &str, part| name.split('_').nth(part).and_then(|text| text.parse().ok()).expect("x_i_j_k");
    let mut lying: Vec<_> =
        ones.map(|var| &problem.model().variables()[var].name).map(|name| (number(name, 2), number(name, 3))).collect();
    lying.sort_unstable();
    lying
}

#[test]
fn a_hint_names_the_tiles_and_changes_nothing_else() {
    for families in [FIXED, "C1 C2 C3 C4 C5"] {
        let (mut hinted, laid) = half(families);
        let plain = hinted.model().clone();
        hinted.start(StartBy::Hint, &laid);
        let expected: Vec<_> = laid.iter().map(|p| (p.place, p.orientation)).collect();
        assert_eq!(lying(hinted.as_ref(), hinted.model().hint().iter().map(|var| var.0)), expected);
        assert_eq!((hinted.model().variables(), hinted.model().rows()), (plain.variables(), plain.rows()));
        assert_eq!(hinted.enlarge(), Ok(false), "there is nothing to free");
    }
}

#[test]
fn fixed_tiles_are_free_again_once() {
    for families in [FIXED, "C1 C2 C3 C4 C5"] {
        let (mut fixed, laid) = half(families);
        let plain = fixed.model().clone();
        fixed.start(StartBy::Fix, &laid);
        let expected: Vec<_> = laid.iter().map(|p| (p.place, p.orientation)).collect();
        let ones = (0..).zip(fixed.model().variables()).filter(|(_, v)| v.lower == 1.0 && v.name.starts_with('x'));
        assert_eq!(lying(fixed.as_ref(), ones.map(|(index, _)| index)), expected);
        assert_eq!(fixed.enlarge(), Ok(true));
        assert_eq!(fixed.model(), &plain);
        assert_eq!(fixed.enlarge(), Ok(false));
    }
}

#[test]
fn what_the_model_rules_out_is_not_laid() {
    let board = instance(&Shape::Blob.places(10, 2), "");
    for by in [StartBy::Hint, StartBy::Fix] {
        let mut started = problem(&board, FIXED);
        let plain = started.model().clone();
        // In some orientations a tile on the rim leads the line off the board; places 0 and 11 are not there.
        let all = (0..=11).flat_map(|place| (0..=7).map(move |orientation| Placement { place, tile: 1, orientation }));
        let ruled_out: Vec<Placement> = all
            .filter(|p| {
                let name = format!("x_1_{}_{}", p.place, p.orientation);
                plain.variables().iter().find(|v| v.name == name).is_none_or(|v| v.upper == 0.0)
            })
            .collect();
        assert!(ruled_out.iter().any(|p| (1..=10).contains(&p.place) && (1..=6).contains(&p.orientation)));
        started.start(by, &ruled_out);
        assert_eq!(started.model(), &plain, "{by:?}");
        assert_eq!(started.enlarge(), Ok(false));
    }
}

#[test]
fn a_random_objective_follows_from_the_seed() {
    let boards = [
        (instance(&Shape::Blob.places(10, 2), ""), "C1 C2' C3 C4 C5"),
        (bounded(&regular(BoardType::B, 12), 5, Colour::Red), "B1 B3 B4+B5"),
        (natural(5), "B1 B3 B45c"),
        (tetrahedron(), "S1 S2' S3"),
    ];
    for (board, families) in boards {
        let formulation =
            Formulation::of("f", families).expect("good").with("objective", Objective::Random).expect("good");
        assert_eq!(formulation.columns().objective, "random");
        let model = |seed| build_mip(&formulation.clone().seeded(seed), &board).expect("fits").model().clone();
        let [one, again, other] = [1, 1, 2].map(model);
        assert_eq!(one, again, "{families}");
        assert_ne!(one.objective(), other.objective(), "{families}");
        assert!(one.objective().iter().all(|(var, weight)| {
            one.variables()[var.0].name.starts_with("x_") && (1..10).any(|whole| *weight == f64::from(whole))
        }));
        let of_x = one.variables().iter().filter(|v| v.name.starts_with("x_")).count();
        // A tenth of the weights is 0.
        assert!(one.objective().len() < of_x && 10 * one.objective().len() > 6 * of_x, "{families}");
        assert_eq!((one.variables(), one.rows()), (other.variables(), other.rows()));
    }
}
