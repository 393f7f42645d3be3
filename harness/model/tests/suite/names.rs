//! Names of rows and variables: what LP and MPS files can hold, and no two alike, whatever the families and cuts.

use std::collections::{BTreeSet, HashSet};

use crate::common::{Dice, bounded, bounded_distinct, instance, natural, regular, tantrix};
use crate::scatter::{several, solution};
use combinatorics::tantrix::shapes::Shape;
use model::{Formulation, Holes, Problem, Role, build_mip, families};
use puzzle::hex::Axial;
use puzzle::tantrix::{BoardType, Colour};
use puzzle::{Instance, Placement, Solution};

/// Families that exclude each other.
const ALTERNATIVES: [Role; 2] = [Role::Counting, Role::Cutting];

/// Lists that together have every family of a kind: all that go together, with the first and with the last of those
/// that exclude each other.
fn lists(kind: &str) -> [String; 2] {
    let all: Vec<_> = families().filter(|f| f.kinds.contains(&kind)).collect();
    [false, true].map(|last| {
        let mut list = all.clone();
        for role in ALTERNATIVES {
            let alike: Vec<_> = all.iter().filter(|f| f.roles.contains(&role)).collect();
            assert!((1..=2).contains(&alike.len()), "two lists cannot hold three alternatives");
            let kept = if last { alike[alike.len() - 1] } else { alike[0] };
            list.retain(|f| f == kept || !f.roles.contains(&role));
        }
        // The order of equal tiles is for tiles that are told apart.
        let told_apart = list.iter().any(|f| f.id == "C2");
        list.retain(|f| f.id != "C2o" || told_apart);
        list.iter().map(|f| f.id).collect::<Vec<_>>().join(" ")
    })
}

/// Checks the names that a problem has; adds its families to those that were seen.
fn check(problem: &dyn Problem, seen: &mut BTreeSet<&'static str>) {
    let model = problem.model();
    let rows: Vec<&str> = model.rows().iter().map(|row| row.name.as_str()).collect();
    let variables: Vec<&str> = model.variables().iter().map(|variable| variable.name.as_str()).collect();
    for names in [rows, variables] {
        for name in &names {
            let plain = name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
            assert!(plain && name.starts_with(|c: char| c.is_ascii_alphabetic()), "{name:?}");
        }
        assert_eq!(names.iter().collect::<HashSet<_>>().len(), names.len(), "no two alike");
    }
    seen.extend(model.rows().iter().map(|row| row.family));
}

/// The six tiles around a place, by the numbers of a board or of the plane.
fn around(instance: &Instance, number: impl Fn(Axial) -> usize) -> Solution {
    let ring = Axial { q: 0, r: 0 }.neighbours();
    solution(instance, ring.map(|at| Placement { place: number(at), tile: 1, orientation: 1 }).collect())
}

#[test]
fn names_are_plain_and_no_two_alike() {
    let mut seen = BTreeSet::new();
    let two_loops = (0..100).find_map(|seed| crate::counts::two_loops(instance(&Shape::Blob.places(7, seed), "")));
    let (fixed, laid, _) = two_loops.expect("some board of 7 has two loops");
    for list in lists("tantrix-fixed") {
        let mut problem = build_mip(&Formulation::of("f", &list).expect("good"), &fixed).expect("makes sense");
        check(problem.as_ref(), &mut seen);
        assert!(problem.separate(&laid).cut_off() > 0);
        // The same cut again: another row.
        problem.separate(&laid);
        check(problem.as_ref(), &mut seen);
    }
    let spur = instance(&Shape::Spur.places(20, 1), "");
    for list in lists("tantrix-fixed") {
        check(build_mip(&Formulation::of("f", &list).expect("good"), &spur).expect("makes sense").as_ref(), &mut seen);
    }
    let places = regular(BoardType::A, 19);
    for instance in [bounded(&places, 10, Colour::Red), bounded_distinct(&places, 16, Colour::Red)] {
        let board = &tantrix(&instance).board;
        for list in lists("tantrix-bounded") {
            let formulation = Formulation::of("f", &list).expect("good").with("holes", Holes::Resolve).expect("good");
            let mut problem = build_mip(&formulation, &instance).expect("makes sense");
            check(problem.as_ref(), &mut seen);
            let mut dice = Dice(3);
            let hole = around(&instance, |at| board.number(at).expect("on the board"));
            for laid in [several(&instance, 10, &mut dice), hole.clone(), several(&instance, 10, &mut dice), hole] {
                assert!(problem.separate(&laid).cut_off() > 0);
                check(problem.as_ref(), &mut seen);
            }
        }
    }
    for list in lists("tantrix-natural") {
        let instance = natural(8);
        let formulation = Formulation::of("f", &list).expect("good").with("holes", Holes::Resolve).expect("good");
        let mut problem = build_mip(&formulation, &instance).expect("makes sense");
        check(problem.as_ref(), &mut seen);
        assert!(problem.enlarge().expect("19 places"));
        assert!(problem.separate(&around(&instance, Axial::ring_number)).cut_off() > 0);
        check(problem.as_ref(), &mut seen);
    }
    for family in families().filter(|family| !family.kinds.contains(&"soku")) {
        assert!(seen.contains(family.id), "{} has no row among {seen:?}", family.id);
    }
    assert!(["holes", "y", "o"].iter().all(|extra| seen.contains(extra)));
}
