//! Playing fields of 3SoKu that have a name: closed surfaces of the right shape.

use std::collections::{BTreeMap, HashMap, HashSet};

use puzzle::soku::{Field, MOST_FACES, named};

fn field(name: &str) -> Field {
    named(name).expect("a field")
}

/// How many vertices lie on so many faces.
fn degrees(field: &Field) -> BTreeMap<usize, usize> {
    let mut degrees = BTreeMap::new();
    for vertex in 0..field.vertices().len() {
        *degrees.entry(field.around(vertex).len()).or_default() += 1;
    }
    degrees
}

/// Every edge has two faces, which run along it in opposite directions; the faces around each vertex form one ring; the
/// surface is in one piece and is a sphere: vertices - edges + faces = 2.
fn assert_sphere(name: &str, field: &Field) {
    let edges: HashSet<(usize, usize)> = field.faces().iter().flat_map(|&[a, b, c]| [(a, b), (b, c), (c, a)]).collect();
    assert_eq!(edges.len(), 3 * field.faces().len(), "{name}: an edge twice in one direction");
    assert!(edges.iter().all(|&(a, b)| edges.contains(&(b, a))), "{name}: an edge without a second face");
    assert_eq!(field.vertices().len() + field.faces().len(), edges.len() / 2 + 2, "{name}: no sphere");
    for vertex in 0..field.vertices().len() {
        let follows: HashMap<usize, usize> = field
            .around(vertex)
            .iter()
            .map(|&(face, corner)| {
                let corners = field.faces()[face];
                assert_eq!(corners[corner], vertex);
                (corners[(corner + 1) % 3], corners[(corner + 2) % 3])
            })
            .collect();
        let start = *follows.keys().next().expect("a face");
        let mut at = start;
        for step in 1..=follows.len() {
            at = follows[&at];
            assert_eq!(at == start, step == follows.len(), "{name}: {} has several rings", field.vertices()[vertex]);
        }
    }
    let mut reached = HashSet::from([0]);
    let mut open = vec![0];
    while let Some(vertex) = open.pop() {
        for &(_, to) in edges.iter().filter(|(from, _)| *from == vertex) {
            if reached.insert(to) {
                open.push(to);
            }
        }
    }
    assert_eq!(reached.len(), field.vertices().len(), "{name}: several pieces");
}

#[test]
fn every_named_field_is_a_sphere() {
    for name in ["tetrahedron", "octahedron", "icosahedron", "bipyramid-3", "bipyramid-4", "bipyramid-17"] {
        assert_sphere(name, &field(name));
    }
    for parts in 1..=6 {
        assert_sphere("geodesic", &field(&format!("geodesic-{parts}")));
    }
}

#[test]
fn a_bipyramid_is_that_of_lemma_1() {
    let bipyramid = field("bipyramid-4");
    let corners: Vec<String> = (0..8).map(|face| bipyramid.corners(face).join(" ")).collect();
    let expected = ["P Z1 Z2", "P Z2 Z3", "P Z3 Z4", "P Z4 Z1", "Q Z2 Z1", "Q Z3 Z2", "Q Z4 Z3", "Q Z1 Z4"];
    assert_eq!(corners, expected);
    assert_eq!(degrees(&field("bipyramid-7")), BTreeMap::from([(4, 7), (7, 2)]));
    let names = field("bipyramid-12").vertices().join(" ");
    assert_eq!(names, "P Q Z1 Z2 Z3 Z4 Z5 Z6 Z7 Z8 Z9 Z10 Z11 Z12");
}

#[test]
fn a_geodesic_cuts_each_face_of_the_icosahedron() {
    assert_eq!(field("geodesic-1"), field("icosahedron"));
    for (parts, faces) in [(2, 80), (3, 180), (4, 320), (5, 500), (6, 720)] {
        let geodesic = field(&format!("geodesic-{parts}"));
        assert_eq!(geodesic.faces().len(), faces);
        assert_eq!(degrees(&geodesic), BTreeMap::from([(5, 12), (6, 10 * parts * parts - 10)]));
        // The twelve are the icosahedron's own.
        let five = (0..geodesic.vertices().len()).filter(|&vertex| geodesic.around(vertex).len() == 5);
        let five: Vec<&str> = five.map(|vertex| geodesic.vertices()[vertex].as_str()).collect();
        assert_eq!(five.concat(), "ABCDEFGHIJKL");
    }
    let corners = |face: usize| field("geodesic-3").corners(face).join(" ");
    // The rows of ABC from A: one triangle, three, five.
    let rows: Vec<String> = (0..9).map(corners).collect();
    let expected = [
        "A AB1 AC1",
        "AB1 AB2 ABC1-1",
        "AB1 ABC1-1 AC1",
        "AC1 ABC1-1 AC2",
        "AB2 B BC1",
        "AB2 BC1 ABC1-1",
        "ABC1-1 BC1 BC2",
        "ABC1-1 BC2 AC2",
        "AC2 BC2 C",
    ];
    assert_eq!(rows, expected);
}

#[test]
fn names_with_bad_numbers_are_refused_with_their_bounds() {
    for (name, words) in [
        ("bipyramid-2", "from 3 to 10000"),
        ("bipyramid-10001", "20000 faces"),
        ("bipyramid-03", "a whole number"),
        ("bipyramid-", "a whole number"),
        ("geodesic-0", "from 1 to 31"),
        ("geodesic-32", "20000 faces"),
        ("geodesic-99999999999999999999", "from 1 to 31"),
        ("geodesic-+2", "a whole number"),
        ("cube", "there is tetrahedron, octahedron, icosahedron, bipyramid-N (N from 3), geodesic-V (V from 1)"),
        ("bipyramid", "no field has the name \"bipyramid\""),
        ("", "no field has the name \"\""),
    ] {
        let error = named(name).expect_err(name);
        assert_eq!(error.field, "field");
        assert!(error.reason.contains(words), "{name}: {error:?}");
    }
    // The greatest ones that there are.
    assert_eq!(field("bipyramid-10000").faces().len(), MOST_FACES);
    assert_eq!(field("geodesic-31").faces().len(), 19_220);
}
