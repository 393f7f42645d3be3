//! Verification: a valid solution passes, every kind of damage is named and located.

use std::path::Path;

use puzzle::{Instance, Placement, Rule, Solution, Terms, verify};

use crate::common::instance;

/// Three places, tiles 1 to 3, one yellow loop.
const TRIANGLE: &str = r#"
kind = "tantrix-fixed"
challenge = 3
tiles = "repeated"
places = [[0, 0], [1, 0], [0, 1]]
known = "solvable"
source = "test"
"#;

fn solution(instance: &str, tiles: &[(usize, usize)]) -> Solution {
    let placements = tiles
        .iter()
        .enumerate()
        .map(|(index, &(tile, orientation))| Placement { place: index + 1, tile, orientation })
        .collect();
    Solution::on_places(instance, placements)
}

/// All valid ways to lay tiles 1 to 3 on the triangle, found by trying everything.
fn all_valid() -> Vec<Solution> {
    let instance = instance(TRIANGLE);
    let mut found = Vec::new();
    for order in [[1, 2, 3], [1, 3, 2], [2, 1, 3], [2, 3, 1], [3, 1, 2], [3, 2, 1]] {
        for turn in 0..216 {
            let turns = [turn % 6 + 1, turn / 6 % 6 + 1, turn / 36 + 1];
            let tiles: Vec<_> = order.into_iter().zip(turns).collect();
            let candidate = solution("t", &tiles);
            if verify(&instance, &candidate).is_valid() {
                found.push(candidate);
            }
        }
    }
    found
}

fn broken(solution: &Solution) -> Vec<Rule> {
    let mut rules: Vec<Rule> = verify(&instance(TRIANGLE), solution).violations.iter().map(|v| v.rule).collect();
    rules.sort();
    rules.dedup();
    rules
}

#[test]
fn the_triangle_has_valid_solutions_with_one_loop_of_three() {
    let all = all_valid();
    // 2 arrangements up to symmetry (the oracle), turned by 120 degrees into 3 positions on this board.
    assert_eq!(all.len(), 6);
    for valid in all {
        let verdict = verify(&instance(TRIANGLE), &valid);
        assert_eq!(verdict.loops.len(), 1);
        assert_eq!(verdict.loops[0].len(), 3);
        assert_eq!(verdict.holes, 0);
    }
}

#[test]
fn damage_is_named() {
    let valid = all_valid().swap_remove(0);
    assert_eq!(broken(&valid), []);

    let mut other = valid.clone();
    other.instance = "other".to_owned();
    assert_eq!(broken(&other), [Rule::Instance]);

    assert_eq!(broken(&Solution { terms: Terms::Faces, ..valid.clone() }), [Rule::Range]);

    let mut missing = valid.clone();
    missing.placements.pop();
    let rules = broken(&missing);
    assert!(rules.contains(&Rule::FullBoard) && rules.contains(&Rule::TileCount) && rules.contains(&Rule::ClosedLines));

    let mut doubled = valid.clone();
    doubled.placements.push(doubled.placements[0]);
    let rules = broken(&doubled);
    assert!(rules.contains(&Rule::OneTile) && rules.contains(&Rule::TileCount));

    for (place, tile, orientation) in [(4, 1, 1), (0, 1, 1), (1, 4, 1), (1, 0, 1), (1, 1, 7), (1, 1, 0)] {
        let mut out = valid.clone();
        out.placements[0] = Placement { place, tile, orientation };
        assert!(broken(&out).contains(&Rule::Range), "{place} {tile} {orientation}");
    }
}

#[test]
fn every_other_orientation_breaks_a_rule() {
    let valid = all_valid();
    for base in &valid {
        for index in 0..3 {
            for orientation in 1..=6 {
                let mut turned = base.clone();
                turned.placements[index].orientation = orientation;
                assert_eq!(broken(&turned).is_empty(), valid.contains(&turned));
            }
        }
    }
}

#[test]
fn messages_say_where() {
    let mut turned = all_valid().swap_remove(0);
    turned.placements[1].orientation = turned.placements[1].orientation % 6 + 1;
    let text: Vec<String> = verify(&instance(TRIANGLE), &turned).violations.iter().map(ToString::to_string).collect();
    assert!(text.iter().any(|t| t.starts_with("matching: edge ") && t.contains("of place 2")), "{text:?}");
}

#[test]
fn bad_instance_files_name_field_and_reason() {
    let row: String = (2..=10_001).map(|q| format!("[{q}, 0], ")).collect();
    let many = format!("-bounded\"\nchallenge = 3\ntiles = \"repeated\"\nplaces = [{row}");
    let cases = [
        (
            "kind = \"tantrix-fixed\"",
            "kind = \"chess\"",
            "kind: unknown kind \"chess\"; known kinds: \"tantrix-fixed\", ",
        ),
        (
            "-fixed\"\nchallenge = 3",
            "-bounded\"\nchallenge = 4",
            "3 places for 4 tiles; a bounded board has at least one for each",
        ),
        ("tantrix-fixed", "tantrix-natural", "places: the open plane has no board; leave them out"),
        ("places = [[0, 0], [1, 0], [0, 1]]", "", "places: missing; a board needs them"),
        (
            "-fixed\"\nchallenge = 3\ntiles = \"repeated\"\nplaces = [",
            &many,
            "places: 10003 places are more than the 10000",
        ),
        ("challenge = 3", "challenge = 4", "places: 3 places for 4 tiles"),
        ("challenge = 3", "challenge = 2", "challenge: 2 tiles cannot form a loop"),
        ("tiles = \"repeated\"", "tiles = \"distinct\"\ncolour = \"green\"", "colour: tile 1 has no green line"),
        ("tiles = \"repeated\"", "tiles = \"repeat\"", "unknown variant `repeat`"),
        ("tiles = \"repeated\"", "tiles = [[1, 2, 3]]", "one of the known words is expected, in quotes"),
        ("[1, 0]", "[0, 0]", "places, entry 2: [0, 0] is place 1 already"),
        ("[1, 0]", "[2000000000, 0]", "too far out"),
        ("[1, 0]", "[3000000000, 0]", "coordinates lie between -1000000 and 1000000"),
        ("[1, 0]", "[5, 0]", "places: the board is in 2 parts"),
        ("challenge = 3", "", "missing field `challenge`"),
        ("source = \"test\"", "source = \"test\"\ncolor = \"red\"", "unknown field `color`"),
        ("places = [[0, 0],", "places = [[0, 0, 0],", "line 5"),
    ];
    for (old, new, expected) in cases {
        let text = TRIANGLE.replace(old, new);
        let error = Instance::parse(&text, Path::new("dir/bad.toml")).expect_err(new).to_string();
        assert!(error.starts_with("dir/bad.toml: ") && error.contains(expected), "{new}: {error}");
    }
}

#[test]
fn a_board_around_a_hole_is_refused() {
    let ring = "[[1, 0], [0, 1], [-1, 1], [-1, 0], [0, -1], [1, -1]]";
    let text = TRIANGLE.replace("challenge = 3", "challenge = 6").replace("[[0, 0], [1, 0], [0, 1]]", ring);
    let error = Instance::parse(&text, Path::new("ring.toml")).expect_err("a hole").to_string();
    assert!(error.contains("the board encloses the empty place [0, 0]"), "{error}");
}

#[test]
fn solutions_survive_their_file_format() {
    let mut valid = all_valid().swap_remove(0);
    valid.cuts = vec![vec![(1, 1), (2, 6)], vec![(3, 4)]];
    valid.instance = "na\"me".to_owned();
    let read: Solution = serde_json::from_str(&valid.to_json()).expect("its own format");
    assert_eq!(read, valid);
}

#[test]
fn equal_puzzles_have_equal_canonical_texts() {
    let reworded =
        TRIANGLE.replace("source = \"test\"", "source = \"elsewhere\" # comment").replace("solvable", "unknown");
    assert_eq!(instance(TRIANGLE).canonical(), instance(&reworded).canonical());
    let recoloured = TRIANGLE.replace("challenge = 3", "challenge = 3\ncolour = \"red\"");
    assert_ne!(instance(TRIANGLE).canonical(), instance(&recoloured).canonical());
    // Faces whose vertices, joined by commas, are the same text.
    let [one, other] = [r#"["A,B", "C", "D"]"#, r#"["A", "B,C", "D"]"#].map(|first| {
        format!(
            r#"kind = "soku"
            faces = [{first}, ["A", "B", "C,D"], ["A,B", "B,C", "C"], ["C", "D", "B"]]
            capacity = {{ A = 1, B = 2, C = 3, D = 2, "A,B" = 2, "B,C" = 1, "C,D" = 1 }}
            tiles = [[1, 1, 1], [1, 1, 1], [1, 1, 1], [1, 1, 1]]"#
        )
    });
    assert_ne!(instance(&one).canonical(), instance(&other).canonical());
}
