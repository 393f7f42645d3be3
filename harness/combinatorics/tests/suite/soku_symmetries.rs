//! Symmetries of fields, against what is known of the solids and against trying all permutations.

use std::collections::HashSet;

use combinatorics::soku::{Symmetry, symmetries};
use puzzle::soku::{Field, named};

fn field(name: &str) -> Field {
    named(name).expect("a field")
}

/// How many rotations there are, and how many reflections.
fn numbers(symmetries: &[Symmetry]) -> (usize, usize) {
    let reflections = symmetries.iter().filter(|symmetry| symmetry.is_mirrored).count();
    (symmetries.len() - reflections, reflections)
}

#[test]
fn symmetries_are_as_many_as_the_solid_has() {
    for (name, rotations, reflections) in [
        ("tetrahedron", 12, 12),
        ("octahedron", 24, 24),
        ("icosahedron", 60, 60),
        ("geodesic-2", 60, 60),
        ("geodesic-3", 60, 60),
        ("bipyramid-3", 6, 6),
        ("bipyramid-4", 24, 24),
        ("bipyramid-5", 10, 10),
        ("bipyramid-9", 18, 18),
    ] {
        let found = symmetries(&field(name)).expect("a closed surface");
        assert_eq!(numbers(&found), (rotations, reflections), "{name}");
    }
}

#[test]
fn symmetries_take_faces_to_faces() {
    for name in ["tetrahedron", "octahedron", "icosahedron", "bipyramid-6"] {
        let field = field(name);
        let turns = |[a, b, c]: [usize; 3]| [[a, b, c], [b, c, a], [c, a, b]];
        let faces: HashSet<[usize; 3]> = field.faces().iter().flat_map(|&face| turns(face)).collect();
        let found = symmetries(&field).expect("a closed surface");
        let all: HashSet<&Vec<usize>> = found.iter().map(|symmetry| &symmetry.vertices).collect();
        assert_eq!(all.len(), found.len(), "{name}: one of them twice");
        assert_eq!(
            found[0].vertices,
            (0..field.vertices().len()).collect::<Vec<_>>(),
            "{name}: the identity is the first"
        );
        for Symmetry { vertices: map, faces: moved, corners, is_mirrored } in &found {
            for (face, (&from, corners)) in field.faces().iter().zip(moved.iter().zip(corners)) {
                assert_eq!(corners.map(|corner| field.faces()[from][corner]), face.map(|vertex| map[vertex]), "{name}");
            }
            for &face in field.faces() {
                let [a, b, c] = face.map(|vertex| map[vertex]);
                let image = if *is_mirrored { [a, c, b] } else { [a, b, c] };
                assert!(faces.contains(&image), "{name}: {map:?} on {face:?}");
            }
            // A group: one after the other is there too.
            for Symmetry { vertices: second, .. } in &found {
                let both: Vec<usize> = map.iter().map(|&vertex| second[vertex]).collect();
                assert!(all.contains(&both), "{name}");
            }
        }
    }
}

#[test]
fn symmetries_are_those_of_trying_all_permutations() {
    // A tetrahedron with a pyramid on the face ABC: no two of its kinds of vertices may be confused.
    let face = |text: &str| text.chars().map(String::from).collect::<Vec<_>>();
    let odd: Vec<Vec<String>> = "ABE BCE CAE ACD ADB BDC".split(' ').map(face).collect();
    for field in [Field::new(&odd).expect("a field"), field("bipyramid-5"), field("octahedron")] {
        let turned = |[a, b, c]: [usize; 3]| [[a, b, c], [b, c, a], [c, a, b]].into_iter().min().expect("three");
        let faces: HashSet<[usize; 3]> = field.faces().iter().map(|&face| turned(face)).collect();
        let mut counts = [0, 0];
        for map in permutations(field.vertices().len()) {
            for (mirrored, count) in counts.iter_mut().enumerate() {
                let keeps = field.faces().iter().all(|face| {
                    let [a, b, c] = face.map(|vertex| map[vertex]);
                    faces.contains(&turned(if mirrored == 1 { [a, c, b] } else { [a, b, c] }))
                });
                *count += usize::from(keeps);
            }
        }
        let found = symmetries(&field).expect("a closed surface");
        assert_eq!(numbers(&found), counts.into());
    }
}

/// All permutations of 0 to n - 1.
fn permutations(n: usize) -> Vec<Vec<usize>> {
    (0..n).fold(vec![Vec::new()], |shorter, last| {
        let longer = |part: &Vec<usize>| -> Vec<Vec<usize>> {
            (0..=part.len()).map(|at| [&part[..at], &[last], &part[at..]].concat()).collect()
        };
        shorter.iter().flat_map(longer).collect()
    })
}

#[test]
fn fields_that_are_no_closed_surface_have_no_symmetries_to_say() {
    let face = |text: &str| text.chars().map(String::from).collect::<Vec<_>>();
    let field = |text: &str| Field::new(&text.split(' ').map(face).collect::<Vec<_>>()).expect("a field");
    for (text, why) in [
        ("ABC", "edges with one face"),
        ("ABC ACD ADB BCD", "an edge twice in one direction"),
        ("ABC ACD ADB BDC EFG EGH EHF FHG", "two pieces"),
    ] {
        assert_eq!(symmetries(&field(text)), None, "{why}");
    }
}
