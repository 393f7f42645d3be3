//! `tilebench generate`.

use std::fs;

use puzzle::{Instance, Known, Solution, verify};

use crate::bench::{Bench, words, workspace};

#[test]
fn the_same_recipe_gives_the_same_bytes() {
    let bench = Bench::new();
    for (shape, n) in [("round", 20), ("spur", 20), ("blob", 9), ("row", 4)] {
        for (seed, name) in [(3, "a.toml"), (3, "b.toml"), (4, "c.toml")] {
            let line = format!("generate fixed --shape {shape} --challenge {n} --seed {seed} -o {name}");
            assert_eq!(bench.run(&words(&line)).ok().out, format!("{name}\n"));
        }
        assert_eq!(bench.read("a.toml"), bench.read("b.toml"), "{shape}");
        assert_ne!(bench.read("a.toml"), bench.read("c.toml"), "the seed is part of the source");
        let instance = Instance::load(&bench.path("a.toml")).expect("an instance");
        assert_eq!((instance.facts().places, instance.known), (Some(n), Known::Unknown));
        // The file says how to make it again.
        let (_, recipe) = instance.source.split_once("tilebench ").expect("a command");
        let again = format!("{} -o again.toml", recipe.split(';').next().expect("a command"));
        bench.run(&words(&again)).ok();
        assert_eq!(bench.read("again.toml"), bench.read("a.toml"));
    }
}

#[test]
fn colour_and_tiles_are_as_asked_for() {
    let bench = Bench::new();
    bench.run(&words("generate fixed --shape round --challenge 15 --tiles distinct --colour red -o d.toml")).ok();
    let facts = Instance::load(&bench.path("d.toml")).expect("an instance").facts();
    assert_eq!((facts.colour.as_deref(), facts.challenge), (Some("red"), Some(15)));
    assert!(bench.read("d.toml").contains("tiles = \"distinct\""));
}

#[test]
fn a_board_made_to_be_solvable_has_its_solution_beside_it() {
    let bench = Bench::new();
    let ran =
        bench.run(&words("generate fixed --shape round --challenge 5 --solve --time-limit 30s -o five.toml")).ok();
    assert_eq!(ran.out, "five.toml five.solution.json\n");
    let instance = Instance::load(&bench.path("five.toml")).expect("an instance");
    assert_eq!(instance.known, Known::Solvable);
    let solution = Solution::load(&bench.path("five.solution.json")).expect("a solution");
    assert_eq!(verify(&instance, &solution).violations, []);
    bench.run(&words("verify five.toml five.solution.json")).ok();
}

#[test]
fn a_shape_without_solutions_is_given_up() {
    let bench = Bench::new();
    let ran = bench.run(&words("generate fixed --shape row --challenge 4 --solve --tries 2 --seed 8 -o row4.toml"));
    assert_eq!(ran.code, 1, "{ran:?}");
    assert!(ran.err.contains("none of the seeds 8 to 9 gave a board"), "{ran:?}");
    assert_eq!(bench.names(), ["row.toml", "tri.toml"]);
}

#[test]
fn bad_recipes_are_refused() {
    let bench = Bench::new();
    for (line, message) in [
        ("--shape cube --challenge 5", "shapes: round, spur, blob, row"),
        ("--shape round --challenge 2", "2 tiles cannot form a loop"),
        ("--shape round --challenge 31 --tiles distinct", "only tiles 1 to 30 are known"),
        ("--shape round --challenge 5 --colour green", "no green line"),
        ("--shape spur --challenge 1", "challenge: 1 tiles cannot form a loop"),
        ("--shape spur --challenge 0", "challenge: 0 tiles cannot form a loop"),
        ("--shape round --challenge 300000000", "challenge: 300000000 tiles are more than the 10000"),
        ("--shape round --challenge 16 --tiles distinct", "colours that all its tiles have: red"),
        ("--shape round --challenge 5 --tries 3", "--solve"),
        ("--shape round --challenge 5 --solve --tries 0", "--tries"),
    ] {
        bench.run(&words(&format!("generate fixed {line} -o x.toml"))).refused(&[message]);
    }
    assert_eq!(bench.names(), ["row.toml", "tri.toml"]);
}

const LIST: &str = r#"
[[board]]
name = "five"
shape = "round"
challenge = 5
seed = 1
known = "solvable"

[[board]]
name = "line"
shape = "row"
challenge = 3
seed = 1
colour = "yellow"
known = "unsolvable"
"#;

#[test]
fn a_suite_is_made_from_its_list_and_proven() {
    let bench = Bench::new();
    bench.write("suite.toml", LIST);
    let unproven = bench.run(&words("generate suite suite.toml"));
    assert_eq!(unproven.code, 1, "{unproven:?}");
    assert!(unproven.err.contains("no valid solution beside the list for five"), "{unproven:?}");

    bench.run(&words("solve five.toml --solution five.solution.json")).ok();
    let ran = bench.run(&words("generate suite suite.toml --out made")).ok();
    assert!(ran.out.contains("solution verified") && ran.out.contains("known to be unsolvable"), "{ran:?}");
    for name in ["five.toml", "line.toml"] {
        assert_eq!(bench.read(name), bench.read(&format!("made/{name}")));
    }
    let colour = Instance::load(&bench.path("line.toml")).expect("an instance").facts().colour;
    assert_eq!(colour.as_deref(), Some("yellow"));

    bench.write("five.solution.json", &bench.read("five.solution.json").replace("\"tile\": 5", "\"tile\": 4"));
    assert_eq!(bench.run(&words("generate suite suite.toml")).code, 1, "a solution that is none proves nothing");
    bench.write("suite.toml", &LIST.replace("\"row\"", "\"cube\""));
    bench.run(&words("generate suite suite.toml")).refused(&["suite.toml: line", "cube"]);
}

#[test]
fn the_boards_of_the_configs_are_those_of_their_list() {
    let (bench, boards) = (Bench::new(), workspace().join("instances/tantrix/fixed"));
    let list = boards.join("suite.toml");
    bench.run(&["generate".as_ref(), "suite".as_ref(), list.as_os_str(), "--out".as_ref(), "made".as_ref()]).ok();
    let made = fs::read_dir(bench.path("made")).expect("the folder");
    let mut count = 0;
    for entry in made {
        let made = entry.expect("an entry").path();
        let kept = boards.join(made.file_name().expect("a name"));
        assert_eq!(fs::read(&made).expect("made"), fs::read(&kept).expect("kept"), "{}", kept.display());
        count += 1;
    }
    let kept =
        fs::read_dir(&boards).expect("the boards").filter_map(|e| e.ok()?.path().extension().map(|e| e == "toml"));
    assert_eq!(count, kept.filter(|toml| *toml).count() - 1, "every board but the list is on the list");
}
