//! Pictures and directions of 3SoKu: fields laid out flat, what of a game and a solution is shown.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use proptest::prelude::*;
use puzzle::scene::{Facet, Item};
use puzzle::soku::{Field, ICOSAHEDRON, LatticePoint, named, unfold};
use puzzle::{Scene, Solution, directions, scene, stages};

use crate::common::{assert_within, counts, instance, placements};

/// The game of Rizzo's listing 2.
const ICOSOKU: &str = "kind = \"soku\"\nfield = \"icosahedron\"\ntiles = \"icosoku\"\n\
    capacity = {A = 1, B = 5, C = 11, D = 10, E = 7, F = 12, G = 9, H = 2, I = 6, J = 8, K = 4, L = 3}\n";

/// The game of Rizzo's figure 6.
const TETRASOKU: &str = "kind = \"soku\"\nfield = \"tetrahedron\"\ntiles = [[0, 0, 1], [0, 0, 2], [0, 0, 3], [1, 1, 2]]\n\
    capacity = {A = 1, B = 2, C = 3, D = 4}\n";

fn solution(all: &[(usize, usize, usize)]) -> Solution {
    Solution::on_faces("t", placements(all))
}

/// A solution of [`TETRASOKU`].
fn tetra() -> Solution {
    solution(&[(1, 1, 0), (2, 2, 2), (3, 4, 0), (4, 3, 2)])
}

fn bipyramid(sides: usize) -> Field {
    let z = |side: usize| format!("Z{}", side % sides + 1);
    let above = (0..sides).map(|side| vec!["P".to_owned(), z(side), z(side + 1)]);
    let below = (0..sides).map(|side| vec!["Q".to_owned(), z(side + 1), z(side)]);
    Field::new(&above.chain(below).collect::<Vec<_>>()).expect("a field")
}

/// The icosahedron with each face cut into `parts * parts`.
fn geodesic(parts: usize) -> Field {
    let icosahedron = named(ICOSAHEDRON).expect("a field");
    let mut faces = Vec::new();
    for corners in icosahedron.faces() {
        let at = |i: usize, j: usize| {
            let mut shares = [(corners[0], parts - i - j), (corners[1], i), (corners[2], j)];
            shares.sort_unstable();
            let shares: Vec<String> = shares.iter().filter(|s| s.1 > 0).map(|(v, n)| format!("{v}x{n}")).collect();
            shares.join("-")
        };
        for i in 0..parts {
            for j in 0..parts - i {
                faces.push(vec![at(i, j), at(i + 1, j), at(i, j + 1)]);
                if i + j + 1 < parts {
                    faces.push(vec![at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)]);
                }
            }
        }
    }
    Field::new(&faces).expect("a field")
}

/// Pairs of faces that lie at a common edge.
fn check(field: &Field, net: &[[LatticePoint; 3]]) -> usize {
    let mut cells = HashSet::new();
    let mut edges = HashMap::new();
    for (face, &corners) in net.iter().enumerate() {
        let [(ax, ay), (bx, by), (cx, cy)] = corners;
        // Three neighbouring points of the lattice, clockwise.
        assert_eq!((bx - ax) * (cy - ay) - (by - ay) * (cx - ax), 1, "face {face}");
        let steps = [(bx - ax, by - ay), (cx - bx, cy - by), (ax - cx, ay - cy)];
        assert!(steps.iter().all(|(x, y)| x * x + x * y + y * y == 1), "face {face} has sides of length 1");
        assert!(cells.insert((ax + bx + cx, ay + by + cy)), "face {face} lies on another");
        for edge in 0..3 {
            edges.insert((corners[edge], corners[(edge + 1) % 3]), (face, edge));
        }
    }
    assert_eq!(cells.len(), field.faces().len());
    let mut joined = 0;
    for (&(from, to), &(face, edge)) in &edges {
        if let Some(&(other, there)) = edges.get(&(to, from)) {
            let ends = |face: usize, edge: usize| [field.faces()[face][edge], field.faces()[face][(edge + 1) % 3]];
            let [from, to] = ends(face, edge);
            assert_eq!([to, from], ends(other, there), "faces {face} and {other} lie side by side");
            joined += 1;
        }
    }
    joined / 2
}

/// Least and greatest row of points.
fn rows(net: &[[LatticePoint; 3]]) -> (i32, i32) {
    let rows: BTreeSet<i32> = net.iter().flatten().map(|at| at.1).collect();
    (*rows.first().expect("faces"), *rows.last().expect("faces"))
}

#[test]
fn the_icosahedron_has_its_usual_net_with_a_on_top() {
    let field = named(ICOSAHEDRON).expect("a field");
    let net = unfold(&field);
    assert_eq!(check(&field, &net), 19, "one piece, cut along a tree of vertices");
    let (top, bottom) = rows(&net);
    assert_eq!(bottom - top, 3);
    let points: BTreeMap<LatticePoint, usize> =
        net.iter().flatten().copied().zip(field.faces().iter().flatten().copied()).collect();
    assert_eq!(points.len(), 22);
    let at_row = |row: i32| {
        let names = points.iter().filter(|(at, _)| at.1 == row).map(|(_, &vertex)| field.vertices()[vertex].as_str());
        names.collect::<Vec<_>>().join("")
    };
    assert_eq!((at_row(top).as_str(), at_row(bottom).as_str()), ("AAAAA", "LLLLL"));
    // Clockwise around A is from right to left.
    assert_eq!(at_row(top + 1), "BFEDCB");
}

#[test]
fn other_fields_are_laid_out_in_one_piece_where_they_can_be() {
    for (name, joined) in [("tetrahedron", 3), ("octahedron", 7)] {
        let field = named(name).expect("a field");
        assert_eq!(check(&field, &unfold(&field)), joined, "{name}");
    }
    for parts in [2, 3] {
        let field = geodesic(parts);
        let net = unfold(&field);
        let joined = check(&field, &net);
        // In one piece all faces hang together by their count less one; where six meet, one more joint is free.
        assert!(joined >= field.faces().len() - 1, "{joined} of {}", field.faces().len());
        let (top, bottom) = rows(&net);
        assert_eq!(bottom - top, 3 * i32::try_from(parts).expect("small"), "as high as the net of the icosahedron");
    }
    for sides in [5, 12, 13, 40] {
        let field = bipyramid(sides);
        assert_eq!(check(&field, &unfold(&field)), sides, "rhombi of two faces each");
    }
    assert_eq!(rows(&unfold(&bipyramid(12))), (0, 2), "one line");
    assert!(check(&bipyramid(3), &unfold(&bipyramid(3))) >= 5);
}

proptest! {
    /// Fields that are no polyhedra at all too.
    #[test]
    fn any_field_can_be_laid_out(corners in prop::collection::vec(prop::sample::subsequence((0..7).collect::<Vec<_>>(), 3), 1..16), flips in any::<u16>()) {
        let mut faces: Vec<Vec<String>> = Vec::new();
        for (index, mut corners) in corners.into_iter().enumerate() {
            if flips >> index & 1 == 1 {
                corners.swap(1, 2);
            }
            let face: Vec<String> = corners.iter().map(|v| format!("V{v}")).collect();
            if !faces.contains(&face) {
                faces.push(face);
            }
        }
        let field = Field::new(&faces).expect("a field");
        check(&field, &unfold(&field));
    }
}

/// The texts of a class, each once, in order.
fn texts(scene: &Scene, wanted: &str) -> Vec<String> {
    let text = |item: &Item| match item {
        Item::Text { class, text, .. } if *class == wanted => Some(text.clone()),
        _ => None,
    };
    scene.items.iter().filter_map(text).collect::<BTreeSet<_>>().into_iter().collect()
}

#[test]
fn a_game_shows_faces_vertices_and_capacities() {
    let picture = scene(&instance(ICOSOKU), None);
    assert_eq!(picture.title, "t: field of 20 faces and 12 vertices");
    assert_eq!(counts(&picture, ["face", "tile", "dot", "peg"]), [20, 0, 0, 22]);
    assert_eq!(texts(&picture, "vertex").join(""), "ABCDEFGHIJKL");
    assert_eq!(texts(&picture, "capacity").len(), 12);
    let numbers: BTreeSet<String> = (1..=20).map(|face: usize| face.to_string()).collect();
    assert_eq!(texts(&picture, "face-number"), numbers.into_iter().collect::<Vec<_>>());
}

#[test]
fn a_face_that_is_not_clockwise_is_told_of() {
    let faces = |last: &str| format!("[['A','B','C'],['A','C','D'],['A','D','B'],[{last}]]");
    let title = |faces: String| {
        let tiles = "[[0,0,0],[0,0,0],[0,0,0],[0,0,0]]";
        let text = format!("kind='soku'\nfaces={faces}\ncapacity={{A=0,B=0,C=0,D=0}}\ntiles={tiles}\n");
        scene(&instance(&text), None).title
    };
    assert_eq!(title(faces("'B','D','C'")), "t: field of 4 faces and 4 vertices");
    let turned = "t: field of 4 faces and 4 vertices; faces 1 and 4 both go from B to C";
    assert_eq!(title(faces("'B','C','D'")), turned);
    let known = ["tetrahedron", "octahedron", "icosahedron", "bipyramid-3", "bipyramid-8", "geodesic-3"];
    assert!(known.iter().all(|name| named(name).expect("a field").turned().is_none()));
}

#[test]
fn solutions_show_tiles_with_their_dots_and_what_is_wrong() {
    let game = instance(TETRASOKU);
    assert!(puzzle::verify(&game, &tetra()).is_valid(), "{:?}", puzzle::verify(&game, &tetra()).violations);
    let whole = scene(&game, Some(&tetra()));
    assert_eq!(whole.title, "t: 4 of 4 faces with a tile, all capacities met");
    assert_eq!(counts(&whole, ["face", "tile", "dot", "peg", "peg-open", "peg-wrong"]), [0, 4, 10, 6, 0, 0]);
    assert_eq!(texts(&whole, "tile-number"), ["1", "2", "3", "4"]);

    let part = scene(&game, Some(&solution(&[(2, 4, 1), (9, 1, 0), (1, 9, 0), (1, 1, 3)])));
    assert_eq!(counts(&part, ["face", "tile", "dot"]), [3, 1, 4], "what lies nowhere is left out");
    // A face with 2 1 1 at A, C, D: A has too many already.
    assert_eq!(part.title, "t: 1 of 4 faces with a tile, 0 of 4 capacities met, A has 2 instead of 1");
    assert!(counts(&part, ["peg-wrong"]) > [0] && texts(&part, "capacity").contains(&"2/1".to_owned()));
    assert!(texts(&part, "capacity").contains(&"0/2".to_owned()), "{:?}", texts(&part, "capacity"));

    let twice = scene(&game, Some(&solution(&[(1, 1, 0), (1, 3, 0)])));
    assert_eq!(twice.items, scene(&game, Some(&solution(&[(1, 3, 0)]))).items, "of two tiles the last one is drawn");
}

#[test]
fn tiles_that_lie_already_are_marked_and_large_weights_are_digits() {
    let placed = instance(&format!("{ICOSOKU}placed = [{{face = 2, tile = 20, rotation = 0}}]\n"));
    let picture = scene(&placed, None);
    assert_eq!(counts(&picture, ["face", "placed", "placed-rim", "dot"]), [19, 1, 1, 9]);
    assert!(picture.title.ends_with(", 1 tile placed"));
    let heavy = instance(&TETRASOKU.replace("[1, 1, 2]", "[1, 1, 12]").replace("D = 4", "D = 14"));
    let picture = scene(&heavy, Some(&tetra()));
    assert_eq!(counts(&picture, ["dot", "weight"]), [0, 12]);
    assert_eq!(texts(&picture, "weight"), ["0", "1", "12", "2", "3"]);
}

/// A game with empty tiles on a field.
fn empty(field: &str, vertices: &[String], faces: usize) -> Scene {
    let capacity: Vec<String> = vertices.iter().map(|name| format!("\"{name}\" = 0")).collect();
    let (capacity, tiles) = (capacity.join(", "), vec!["[0, 0, 0]"; faces].join(", "));
    scene(&instance(&format!("kind = \"soku\"\n{field}\ncapacity = {{{capacity}}}\ntiles = [{tiles}]\n")), None)
}

#[test]
fn the_net_of_an_icosahedron_folds_up() {
    let picture = scene(&instance(ICOSOKU), Some(&solution(&[(3, 20, 0), (7, 2, 1)])));
    let solid = picture.solid.expect("a solid");
    let within = 180.0 - solid.bend.to_degrees();
    assert!((within - 138.19).abs() < 0.005, "{within} degrees");
    assert_eq!((solid.faces.len(), solid.pegs.len()), (20, 22));
    for (number, face) in solid.faces.iter().enumerate() {
        // Over faces that lie side by side, in the net and on the solid, to the one that stays.
        let (mut at, mut steps) = (face, 0);
        while let Some(next) = at.hangs_on {
            let beside = &solid.faces[next];
            let ends = |face: &Facet| face.vertices.into_iter().zip(face.corners).collect::<Vec<_>>();
            let common = ends(at).into_iter().filter(|end| ends(beside).contains(end)).count();
            assert_eq!(common, 2, "the edge between a face and face {}", next + 1);
            (at, steps) = (beside, steps + 1);
            assert!(steps < 20, "face {} hangs on itself", number + 1);
        }
    }
    assert_eq!(solid.faces.iter().filter(|face| face.hangs_on.is_none()).count(), 1);
    // Tile 20 has nine dots, tile 2 has one.
    let dots = |face: usize| {
        let items = solid.faces[face - 1].items.iter().map(|&item| &picture.items[item]);
        items.filter(|item| matches!(item, Item::Circle { class: "dot", .. })).count()
    };
    assert_eq!([dots(1), dots(3), dots(7)], [0, 9, 1]);
    let of_faces = solid.faces.iter().flat_map(|face| &face.items);
    let mut items: Vec<usize> = of_faces.chain(solid.pegs.iter().flat_map(|peg| &peg.items)).copied().collect();
    items.sort_unstable();
    assert!(items.into_iter().eq(0..picture.items.len()), "every item is of one part");
}

#[test]
fn icosahedra_fold_up_under_any_name_and_other_fields_do_not() {
    for (name, expected) in [
        (ICOSAHEDRON, true),
        ("geodesic-1", true),
        ("geodesic-2", false),
        ("tetrahedron", false),
        ("octahedron", false),
        ("bipyramid-5", false),
        // As many faces and vertices.
        ("bipyramid-10", false),
    ] {
        let field = named(name).expect("a field");
        let picture = empty(&format!("field = \"{name}\""), field.vertices(), field.faces().len());
        assert_eq!(picture.solid.is_some(), expected, "{name}");
    }
    // Face by face, and with a face left out.
    let field = named(ICOSAHEDRON).expect("a field");
    let faces: Vec<String> = (0..20).rev().map(|face| format!("{:?}", field.corners(face))).collect();
    for (count, expected) in [(20, true), (19, false)] {
        let listed = format!("faces = [{}]", faces[..count].join(", "));
        assert_eq!(empty(&listed, field.vertices(), count).solid.is_some(), expected, "{count} faces");
    }
}

#[test]
fn everything_lies_within_the_picture_and_stages_are_of_one_size() {
    let game = instance(ICOSOKU);
    let some = solution(&[(3, 20, 0), (4, 19, 0), (20, 6, 1)]);
    for picture in [scene(&game, None), scene(&game, Some(&some))] {
        assert_within(&picture);
    }
    let stages = stages(&game, &[solution(&[]), some]);
    assert_eq!((stages[0].width, stages[0].height), (stages[1].width, stages[1].height));
    assert_eq!(stages.iter().map(|stage| counts(stage, ["tile"])).collect::<Vec<_>>(), [[0], [3]]);
}

#[test]
fn directions_say_what_lies_where() {
    let game = instance(TETRASOKU);
    let solved = directions(&game, Some(&tetra())).expect("3SoKu has directions");
    let expected = "Put tile (0 0 1) on face (A, B, C).\nPut tile (0 2 0) on face (A, C, D).\n\
                    Put tile (1 1 2) on face (A, D, B).\nPut tile (0 3 0) on face (B, D, C).\n";
    assert_eq!(solved.to_text(), expected);
    assert_eq!(solved.tables[1].heading, "face 2");
    let columns: Vec<String> =
        solved.tables[1].columns.iter().map(|(vertex, weight)| format!("{vertex}{weight}")).collect();
    assert_eq!(columns, ["A0", "C2", "D0"]);
    let given = directions(&game, None).expect("3SoKu has directions");
    assert_eq!(given.sentences[3], "Vertex D has capacity 4.");
    assert_eq!(given.tables.len(), 1);
}
