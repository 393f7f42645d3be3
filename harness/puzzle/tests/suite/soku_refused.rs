//! Instance files of 3SoKu that make no sense: each is refused with the field at fault and the reason.

use std::path::Path;

use puzzle::{Instance, Known, Puzzle};

/// A tetrahedron with its own faces.
const GAME: &str = r#"kind = "soku"
faces = [["A", "B", "C"], ["A", "C", "D"], ["A", "D", "B"], ["B", "D", "C"]]
capacity = { A = 1, B = 2, C = 3, D = 4 }
tiles = [[0, 0, 1], [0, 0, 2], [0, 0, 3], [1, 1, 2]]
known = "solvable"
source = "Rizzo, section 2.1"
"#;

/// The same field by its name.
const NAMED: &str = r#"kind = "soku"
field = "tetrahedron"
capacity = { A = 1, B = 2, C = 3, D = 4 }
tiles = [[0, 0, 1], [0, 0, 2], [0, 0, 3], [1, 1, 2]]
placed = [{ face = 1, tile = 2, rotation = 0 }, { face = 3, tile = 1, rotation = 2 }]
"#;

fn parse(text: &str) -> Result<Instance, String> {
    Instance::parse(text, Path::new("folder/game.toml")).map_err(|error| error.to_string())
}

/// Replaces a part of a good file and compares what is said with `folder/game.toml: ` and these words.
#[track_caller]
fn refused(good: &str, old: &str, new: &str, words: &str) {
    assert!(parse(good).is_ok());
    assert!(good.contains(old), "{old}");
    let error = parse(&good.replacen(old, new, 1)).expect_err(words);
    assert!(error.starts_with("folder/game.toml: "), "{error}");
    assert!(error.contains(words), "{words:?} is missing: {error}");
}

#[test]
fn a_game_may_name_its_field_or_give_its_faces() {
    let [given, named] = [GAME, NAMED].map(|text| parse(text).expect("a game"));
    assert_eq!((given.known, named.known), (Known::Solvable, Known::Unknown));
    let [Puzzle::Soku(given), Puzzle::Soku(named)] = [given.puzzle, named.puzzle] else { panic!("3SoKu") };
    assert_eq!(given.field, named.field);
    assert_eq!((given.placed.len(), named.placed.len()), (0, 2));
}

#[test]
fn fields_are_refused() {
    for (old, new, words) in [
        ("[\"A\", \"B\", \"C\"]", "[\"A\", \"B\"]", "face 1: 2 vertices, so this is not a triangle"),
        ("[\"A\", \"B\", \"C\"]", "[\"A\", \"B\", \"C\", \"D\"]", "face 1: 4 vertices, so this is not a triangle"),
        ("[\"A\", \"C\", \"D\"]", "[]", "face 2: 0 vertices"),
        ("[\"A\", \"C\", \"D\"]", "[\"A\", \"C\", \"A\"]", "face 2: A C A names a vertex twice"),
        ("[\"A\", \"C\", \"D\"]", "[\"A\", \"C\", \" \"]", "face 2: a vertex without a name"),
        ("[\"A\", \"C\", \"D\"]", "[\"C\", \"A\", \"B\"]", "face 2: this is face 1 again"),
        ("[\"A\", \"C\", \"D\"]", "[\"A\", \"C\", 4]", "invalid type: integer `4`, expected a string"),
        ("[\"A\", \"C\", \"D\"]", "\"ACD\"", "invalid type: string \"ACD\", expected a list"),
    ] {
        refused(GAME, old, new, words);
    }
    let faces = GAME.lines().nth(1).expect("the faces");
    refused(GAME, faces, "faces = []", "faces: there are none");
    refused(GAME, faces, "", "faces: a game needs faces = [[\"A\", \"B\", \"C\"], ...], or field = \"icosahedron\"");
    refused(GAME, faces, &format!("{faces}\nfield = \"tetrahedron\""), "field: a name, and faces too");
    refused(
        NAMED,
        "\"tetrahedron\"",
        "\"tetraeder\"",
        "field: no field has the name \"tetraeder\"; there is tetrahedron",
    );
    refused(
        NAMED,
        "\"tetrahedron\"",
        "\"bipyramid-2\"",
        "field: \"bipyramid-2\"; bipyramid-N has a whole number from 3",
    );
    refused(NAMED, "\"tetrahedron\"", "\"geodesic-1000000\"", "at most 20000 faces");
    refused(NAMED, "\"tetrahedron\"", "7", "invalid type: integer `7`, expected a string");
}

#[test]
fn capacities_are_refused() {
    for (old, new, words) in [
        ("D = 4", "D = 4, E = 5", "capacity.E: no face has a vertex of this name; there is A, B, C, D"),
        (", D = 4", "", "capacity: vertex D has none"),
        ("D = 4", "D = -4", "capacity.D: -4; a whole number from 0 to 1000000000"),
        ("D = 4", "D = 1000000001", "capacity.D: 1000000001; a whole number from 0 to 1000000000"),
        ("D = 4", "D = 4.0", "invalid type: floating point `4.0`, expected a whole number"),
        ("D = 4", "D = \"4\"", "invalid type: string \"4\", expected a whole number"),
        (
            "D = 4",
            "D = 99999999999999999999",
            "`99999999999999999999`, expected a whole number of at most 64 bits\n  capacity = ",
        ),
        ("capacity", "capacities", "unknown field `capacities`"),
        ("D = 4", "A = 4", "duplicate key"),
    ] {
        refused(GAME, old, new, words);
    }
    // A field of many vertices does not fill the screen.
    let many = NAMED.replace("\"tetrahedron\"", "\"geodesic-6\"");
    let error = parse(&many.replace("A = 1", "Y = 1")).expect_err("no such vertex");
    assert!(
        error.contains("capacity.Y: ") && error.contains("there is A, B, C, ") && error.contains("more"),
        "{error}"
    );
    assert!(error.len() < 500, "{error}");
}

#[test]
fn tiles_are_refused() {
    for (old, new, words) in [
        ("[1, 1, 2]]", "[1, 1, 2], [0, 0, 0]]", "tiles: 5 tiles for 4 faces; a game has one for each"),
        (", [1, 1, 2]]", "]", "tiles: 3 tiles for 4 faces"),
        ("[1, 1, 2]", "[1, 1]", "tile 4: 2 weights; a tile has three"),
        ("[0, 0, 1]", "[0, 0, 1, 0]", "tile 1: 4 weights; a tile has three"),
        ("[1, 1, 2]", "[1, -1, 2]", "tile 4: -1; a whole number from 0 to 1000000000"),
        ("[1, 1, 2]", "[1, 1, 2000000000]", "tile 4: 2000000000; a whole number"),
        ("[1, 1, 2]", "[1, 1, 0.5]", "tiles"),
        ("[1, 1, 2]", "[1, 1, \"2\"]", "tiles"),
        ("[1, 1, 2]", "\"112\"", "tiles"),
    ] {
        refused(GAME, old, new, words);
    }
    let tiles = GAME.lines().nth(3).expect("the tiles");
    refused(GAME, tiles, "tiles = \"icosuko\"", "tiles: no tiles have the name \"icosuko\"; there is icosoku");
    refused(GAME, tiles, "tiles = \"icosoku\"", "tiles: 20 tiles for 4 faces");
    refused(GAME, tiles, "", "missing field `tiles`");
}

#[test]
fn placed_tiles_are_refused() {
    for (old, new, words) in [
        ("face = 3", "face = 5", "entry 2 of placed: face 5; there are faces 1 to 4"),
        ("face = 3", "face = 0", "entry 2 of placed: face 0; there are faces 1 to 4"),
        ("tile = 1", "tile = 9", "entry 2 of placed: tile 9; there are tiles 1 to 4"),
        ("tile = 1", "tile = 0", "entry 2 of placed: tile 0; there are tiles 1 to 4"),
        ("rotation = 2", "rotation = 3", "entry 2 of placed: rotation 3; there is 0, 1 and 2"),
        ("face = 3", "face = 1", "entry 2 of placed: face 1 has a tile already"),
        ("tile = 1", "tile = 2", "entry 2 of placed: tile 2 lies already"),
        ("face = 3", "face = -3", "{ face = -3, "),
        ("face = 3", "place = 3", "unknown field `place`"),
        (", rotation = 2", "", "missing field `rotation`"),
    ] {
        refused(NAMED, old, new, words);
    }
}

#[test]
fn other_kinds_of_files_are_refused() {
    refused(GAME, "kind = \"soku\"", "kind = \"icosoku\"", "kind: unknown kind \"icosoku\"");
    refused(
        GAME,
        "kind = \"soku\"",
        "",
        "kind: this key is missing; an instance file says what it is: kind = \"tantrix-fixed\", or ",
    );
    refused(GAME, "\"solvable\"", "\"yes\"", "known");
    refused(GAME, "source", "origin", "unknown field `origin`");
}
