//! 3SoKu as programs: their text, and answers read back.

use std::path::Path;

use model::{Fact, Formulation, FormulationKeys, FormulationKind, ModelError, Program, build_program};
use puzzle::{Instance, Placement};

fn tetrahedron(extra: &str) -> Instance {
    let text = format!(
        "kind = \"soku\"\nfield = \"tetrahedron\"\ncapacity = {{ A = 1, B = 2, C = 3, D = 4 }}\n\
         tiles = [[0, 0, 1], [0, 0, 2], [0, 0, 3], [1, 1, 2]]\n{extra}"
    );
    Instance::parse(&text, Path::new("t.toml")).expect("a good instance")
}

fn program(kind: FormulationKind, keys: &[(&str, &str)], instance: &Instance) -> Program {
    let formulation = FormulationKeys::new("f", kind, keys).read().expect("good");
    build_program(&formulation, instance).expect("a program")
}

const PLACED: &str = "placed = [{ face = 2, tile = 4, rotation = 1 }]\n";

const LEGEND: &str = "
% Vertices by number: 1 A 2 B 3 C 4 D
% Faces by number: 1 A-B-C 2 A-C-D 3 A-D-B 4 B-D-C
";

#[test]
fn a_game_as_minizinc_reads_it() {
    let program = program(FormulationKind::Minizinc, &[], &tetrahedron(PLACED));
    let expected = "vertices = 4;\nfaces = 4;\nvertex = array2d(FACE, CORNER, [1, 2, 3, 1, 3, 4, 1, 4, 2, 2, 4, 3]);\n\
                    capacity = [1, 2, 3, 4];\nweight = array2d(TILE, CORNER, [0, 0, 1, 0, 0, 2, 0, 0, 3, 1, 1, 2]);\n\
                    placed_face = [2];\nplaced_tile = [4];\nplaced_rotation = [1];\n";
    assert_eq!(program.data, format!("{LEGEND}{expected}"));
    assert_eq!(program.text(), program.model.clone() + &program.data);
    let none = self::program(FormulationKind::Minizinc, &[], &tetrahedron(""));
    assert!(none.data.ends_with("placed_face = [];\nplaced_tile = [];\nplaced_rotation = [];\n"), "{}", none.data);
}

#[test]
fn a_game_as_facts() {
    let program = program(FormulationKind::Asp, &[], &tetrahedron(PLACED));
    let facts = program.data.strip_prefix(LEGEND).expect("a legend");
    assert!(
        facts
            .starts_with("#const faces = 4.\ncorner(1, 0, 1).\ncorner(1, 1, 2).\ncorner(1, 2, 3).\ncorner(2, 0, 1).\n")
    );
    assert!(facts.contains("\ncorner(4, 2, 3).\ncapacity(1, 1).\n") && facts.contains("\nweight(4, 2, 2).\n"));
    assert!(facts.ends_with("\nplaced(4, 2, 1).\n"));
    assert_eq!(facts.lines().count(), 1 + 12 + 4 + 12 + 1);
}

#[test]
fn a_formulation_chooses_parts_of_the_model() {
    let game = tetrahedron("");
    for (kind, symmetry) in
        [(FormulationKind::Minizinc, "set of TILE: FREE"), (FormulationKind::Asp, "free(T) :- tile(T), not placed")]
    {
        let with = |value| program(kind, &[("symmetry-breaking", value)], &game).model;
        assert!(with("true").contains(symmetry) && !with("false").contains(symmetry));
        assert_eq!(with("true"), program(kind, &[], &game).model);
    }
    for (keys, search) in [
        (&[][..], "satisfy"),
        (&[("strategy", "first-fail")], ":: int_search(tile, first_fail, indomain_min) satisfy"),
        (
            &[("strategy", "first-fail-restarts")],
            ":: int_search(tile, first_fail, indomain_min) :: restart_constant(100) satisfy",
        ),
        (&[("strategy", "random")], ":: int_search(tile, first_fail, indomain_random) satisfy"),
        (
            &[("strategy", "random-restarts")],
            ":: int_search(tile, first_fail, indomain_random) :: restart_constant(100) satisfy",
        ),
        (
            &[("strategy", "random-luby"), ("restart-after", "7")],
            ":: int_search(tile, first_fail, indomain_random) :: restart_luby(7) satisfy",
        ),
        (
            &[("strategy", "first-fail"), ("one-variable", "true")],
            ":: int_search(lying, first_fail, indomain_min) satisfy",
        ),
    ] {
        let model = program(FormulationKind::Minizinc, keys, &game).model;
        assert!(model.ends_with(&format!("\nsolve {search};\n")), "{model}");
    }
}

#[test]
fn redundant_sums_are_said_if_they_are_few() {
    let with = |instance: &Instance| {
        let keys = FormulationKeys::new("f", FormulationKind::Minizinc, &[("redundant-sums", "true")]);
        build_program(&keys.read().expect("good"), instance)
    };
    let game = tetrahedron("");
    let plain = program(FormulationKind::Minizinc, &[], &game).model;
    assert!(!plain.contains("<= capacity[v]") && with(&game).expect("few").model.contains("<= capacity[v]"));
    // Of 200 corners around each apex there are 64,684,950 ways to take four.
    let tiles = vec!["[0, 0, 0]"; 400].join(", ");
    let capacity: Vec<String> = (1..=200).map(|number| format!("Z{number} = 0")).collect();
    let text = format!(
        "kind = \"soku\"\nfield = \"bipyramid-200\"\ncapacity = {{ P = 0, Q = 0, {} }}\ntiles = [{tiles}]\n",
        capacity.join(", ")
    );
    let many = Instance::parse(&text, Path::new("t.toml")).expect("a good instance");
    let refused = with(&many).expect_err("too many").to_string();
    assert!(refused.starts_with("redundant-sums = true: ") && refused.ends_with("leave it out"), "{refused}");
}

#[test]
fn names_of_vertices_stay_in_comments() {
    let text = "kind = \"soku\"\nfaces = [[\"a\\nsolve\", \"b%\", \"c\"]]\n\
                capacity = { \"a\\nsolve\" = 1, \"b%\" = 0, c = 0 }\ntiles = [[1, 0, 0]]\n";
    let instance = Instance::parse(text, Path::new("t.toml")).expect("a good instance");
    for kind in [FormulationKind::Minizinc, FormulationKind::Asp] {
        let text = program(kind, &[], &instance).text();
        assert!(
            text.contains("a\\nsolve") && !text.lines().any(|line| line.starts_with("solve ") && line.contains('b'))
        );
        assert!(text.lines().filter(|line| line.contains("b%")).all(|line| line.starts_with('%')));
    }
}

#[test]
fn sums_beyond_32_bits_are_refused() {
    let text = "kind = \"soku\"\nfaces = [[\"a\", \"b\", \"c\"]]\ncapacity = { a = 1, b = 1, c = 1 }\n\
                tiles = [[1000000000, 1000000000, 1000000000]]\n";
    let instance = Instance::parse(text, Path::new("t.toml")).expect("a good instance");
    for kind in [FormulationKind::Minizinc, FormulationKind::Asp] {
        match build_program(&Formulation::plain("f", kind), &instance) {
            Err(ModelError::Impossible(reason)) => {
                assert!(reason.contains("3000000000") && reason.contains("1073741823"), "{reason}");
            }
            other => panic!("{other:?}"),
        }
    }
}

fn fact(name: &str, arguments: [i64; 2]) -> Fact {
    Fact { name: name.to_owned(), arguments: arguments.to_vec() }
}

#[test]
fn answers_are_read_by_face_and_by_tile() {
    let (tiles, rotations) = ([2, 4, 1, 3], [0, 1, 2, 0]);
    let expected: Vec<Placement> =
        (0..4).map(|face| Placement { place: face + 1, tile: tiles[face], orientation: rotations[face] }).collect();
    let numbers = |face: usize| (face as i64 + 1, tiles[face] as i64, rotations[face] as i64);
    let by_face: Vec<Fact> = (0..4)
        .flat_map(|face| {
            let (face, tile, rotation) = numbers(face);
            [fact("tile", [face, tile]), fact("rotation", [face, rotation]), fact("other", [9, 9])]
        })
        .collect();
    let by_tile: Vec<Fact> = (0..4)
        .flat_map(|face| {
            let (face, tile, rotation) = numbers(face);
            [fact("rotate", [tile, rotation]), fact("assign", [tile, face])]
        })
        .collect();
    let in_one: Vec<Fact> = (0..4)
        .map(|face| {
            let (face, tile, rotation) = numbers(face);
            fact("lying", [face, 3 * tile + rotation])
        })
        .collect();
    let in_one = [vec![fact("other", [9, 9])], in_one].concat();
    let one = program(FormulationKind::Minizinc, &[("one-variable", "true")], &tetrahedron(""));
    assert_eq!(one.decode(&in_one).expect("whole").placements, expected);
    for (kind, facts) in [(FormulationKind::Minizinc, by_face), (FormulationKind::Asp, by_tile)] {
        let program = program(kind, &[], &tetrahedron(""));
        assert_eq!(program.decode(&facts).expect("whole").placements, expected);
        let refused = |facts: &[Fact]| match program.decode(facts) {
            Err(ModelError::Answer { reason }) => reason,
            other => panic!("{other:?}"),
        };
        assert!(refused(&facts[3..]).contains("has no"), "{}", refused(&facts[3..]));
        let twice = [facts.clone(), vec![facts[0].clone()]].concat();
        assert!(refused(&twice).contains("another"), "{}", refused(&twice));
        let mut beyond = facts.clone();
        beyond[0].arguments[0] = 5;
        assert!(refused(&beyond).contains("out of range"));
        beyond[0].arguments = vec![1];
        assert!(refused(&beyond).contains("two arguments"));
    }
}
