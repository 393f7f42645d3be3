//! Sizes of every family and form on Rizzo's board of IcoSoKu, pinned, and names.

use std::collections::{BTreeMap, BTreeSet};

use model::{
    Cardinality, Formulation, FormulationKind, Objective, Representation, build_cp, build_mip, build_sat, families,
};

use super::{bipyramid, icosoku, on};
use crate::common::{problem, tetrahedron};

/// Rows and nonzeros by family.
fn sizes(list: &str) -> BTreeMap<&'static str, (usize, usize)> {
    let mut sizes = BTreeMap::new();
    for row in problem(&icosoku(), list).model().rows() {
        let entry: &mut (usize, usize) = sizes.entry(row.family).or_default();
        *entry = (entry.0 + 1, entry.1 + row.terms.len());
    }
    sizes
}

#[test]
fn families_have_the_sizes_of_their_formulas() {
    // 34 options on each of 20 faces. Near their corners are 36 zeros: 3 of (0, 0, 0), 6 of each (0, 0, w) in its rotations, 3 of each
    // of the five sorts with one 0.
    let sorts = sizes("S1 S2' S3");
    let zeros = 3 + 3 * 6 + 5 * 3;
    assert_eq!(sorts, BTreeMap::from([("S1", (20, 680)), ("S2'", (14, 680)), ("S3", (12, 20 * (3 * 34 - zeros)))]));
    // 60 options; 4 uniform tiles with two turns on 20 faces; of one sort thrice 3 tiles less one, twice 2 less one.
    let tiles = sizes("S1 S2 S3 S4 S5");
    assert_eq!((tiles["S1"], tiles["S2"], tiles["S4"]), ((20, 1200), (20, 1200), (4, 4 * 40)));
    let one_pair: usize = (0..20).map(|face| 3 * (2 * face + 1)).sum();
    assert_eq!(tiles["S5"], (6 * 20, 6 * one_pair));
}

#[test]
fn bounds_and_cuts_are_where_they_say_something() {
    let sizes = sizes("S1 S2' S3 S6 S7");
    // Capacities 1 and 2 are below the greatest weight; 4 others make up to 12 of 12, so that nothing is too little.
    assert_eq!(sizes["S6"].0, 2);
    // Of 12 vertices and 3 weights, those for which 5 corners are not as free as that.
    assert!((12..=36).contains(&sizes["S7"].0), "{sizes:?}");
    let problem = problem(&icosoku(), "S1 S2' S3 S7");
    let row = |name: &str| {
        let row = problem.model().rows().iter().find(|row| row.name == name);
        row.map(|row| (row.lower, row.upper))
    };
    // Capacity 12 at L: with 3 on m corners and at most 2 on the others, m >= 2; 4 m <= 12.
    assert_eq!(row("S7_12_3"), Some((2.0, 4.0)));
    // Capacity 1 at I: one 1, no 2, no 3.
    assert_eq!((row("S7_9_1"), row("S7_9_2"), row("S7_9_3")), (Some((1.0, 1.0)), Some((0.0, 0.0)), Some((0.0, 0.0))));
}

#[test]
fn other_forms_have_these_sizes() {
    let cp = build_cp(&Formulation::plain("f", FormulationKind::Cp), &icosoku()).expect("fits");
    // A state, a sort and three weights for each face; a table for each but the first.
    assert_eq!(cp.model().variables().len(), 20 * 5);
    let of = |family| cp.model().constraints().iter().filter(|c| c.family == family).count();
    assert_eq!((of("tiles"), of("weights"), of("counts"), of("capacity")), (20, 60, 14, 12));
    let sat = build_sat(&Formulation::plain("f", FormulationKind::Sat), &icosoku()).expect("fits");
    let mut families: BTreeMap<&str, usize> = BTreeMap::new();
    for clause in sat.model().clauses() {
        *families.entry(clause.family).or_default() += 1;
    }
    // Pairs of 14 sorts, and of three rotations of ten of them; one clause for all sorts.
    assert_eq!((families["face"], families["lies"]), (20 * (14 * 13 / 2 + 10 * 3 + 1), 20 * 10 * 4));
    let legend = sat.model().legend();
    assert!(legend.windows(2).all(|pair| pair[0].last + 1 == pair[1].first));
    assert_eq!((legend[0].meaning.as_str(), legend[1].meaning.as_str()), ("x_1_1_0", "x_2_1_0 to x_2_1_2"));
    assert_eq!(legend[legend.len() - 1].last, sat.model().variables());
    assert_eq!(sat.model().size().constraints, families.values().sum::<usize>());
}

#[test]
fn the_way_to_count_changes_counting_clauses_alone() {
    let families = Cardinality::ALL.map(|cardinality| {
        let formulation = Formulation::plain("f", FormulationKind::Sat).with("cardinality", cardinality).expect("good");
        let problem = build_sat(&formulation, &icosoku()).expect("fits");
        let mut families: BTreeMap<&str, usize> = BTreeMap::new();
        problem.model().clauses().for_each(|clause| *families.entry(clause.family).or_default() += 1);
        let counting = (families.remove("count"), families.remove("capacity"));
        (counting, families)
    });
    assert!(families.iter().all(|(_, rest)| *rest == families[0].1));
    assert!((0..4).all(|a| (0..a).all(|b| families[a].0 != families[b].0)), "{families:?}");
}

#[test]
fn the_objective_is_the_first_variable_or_nothing() {
    let with = |objective| {
        let formulation = Formulation::of("f", "S1 S2' S3").expect("good").with("objective", objective).expect("good");
        let problem = build_mip(&formulation, &tetrahedron()).expect("fits");
        let names = problem.model().objective().iter().map(|(var, _)| problem.model().variables()[var.0].name.clone());
        names.collect::<Vec<_>>()
    };
    assert_eq!((with(Objective::Virtual), with(Objective::None)), (vec!["x_1_1_0".to_owned()], Vec::new()));
}

#[test]
fn names_are_plain_and_no_two_alike_whatever_the_vertices_are_called() {
    let mut faces = bipyramid(3);
    faces.iter_mut().flatten().filter(|name| *name == "P").for_each(|name| *name = "top \u{e9}-1".to_owned());
    let tiles = [[1, 1, 1], [1, 1, 1], [0, 1, 2], [1, 2, 0], [0, 0, 3], [2, 2, 2]];
    let placed = [puzzle::Placement { place: 2, tile: 2, orientation: 1 }];
    let instance = on(&faces, &tiles, &[1, 4, 4, 4, 7], &placed);
    let mut seen = BTreeSet::new();
    let of_kind = || families().filter(|family| family.kinds.contains(&"soku")).map(|family| family.id);
    for without in [&["S2'"][..], &["S2", "S4", "S5"]] {
        let list: Vec<&str> = of_kind().filter(|id| !without.contains(id)).collect();
        let problem = problem(&instance, &list.join(" "));
        let rows: Vec<&str> = problem.model().rows().iter().map(|row| row.name.as_str()).collect();
        let variables: Vec<&str> = problem.model().variables().iter().map(|v| v.name.as_str()).collect();
        for names in [rows, variables] {
            let plain = |name: &&str| name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
            assert!(names.iter().all(plain), "{names:?}");
            assert_eq!(names.iter().collect::<BTreeSet<_>>().len(), names.len(), "no two alike");
        }
        seen.extend(problem.model().rows().iter().map(|row| row.family));
    }
    assert!(of_kind().all(|id| seen.contains(id)), "{seen:?}");
}
