//! Bounded boards and the open plane on the command line.

use serde_json::json;

use crate::bench::{Bench, words};

/// Boards and planes in a folder: `seven` (three tiles, seven places), `red` (the same, but no red line of these tiles
/// closes), `plane` and `redplane` (without a board), `tight` (ten tiles on twelve places: only with a hole).
fn bench() -> Bench {
    let bench = Bench::new();
    let seven = "--type A --places 7 --challenge 3";
    for (name, flags) in [
        ("seven", seven.to_owned()),
        ("red", format!("{seven} --colour red")),
        ("tight", "--type B --places 12 --challenge 10".to_owned()),
    ] {
        bench.run(&words(&format!("generate bounded {flags} -o {name}.toml"))).ok();
    }
    let plane = "kind = \"tantrix-natural\"\nchallenge = 3\ntiles = \"repeated\"\n";
    bench.write("plane.toml", plane);
    bench.write("redplane.toml", &format!("{plane}colour = \"red\"\n"));
    bench
}

#[test]
fn both_are_solved_verified_and_drawn() {
    let bench = bench();
    for (name, empty) in [("seven", 4), ("plane", 0)] {
        for solver in ["highs", "cbc"] {
            let line = format!("solve {name}.toml --solver {solver} --solution {name}.json --picture {name}.svg");
            let ran = bench.run(&words(&line)).ok();
            assert!(ran.out.starts_with("solved and verified: one yellow loop through 3 tiles\n"), "{ran:?}");
            let verified = bench.run(&words(&format!("verify {name}.toml {name}.json"))).ok();
            assert!(verified.out.starts_with("valid: 3 tiles, one loop, no hole\n"), "{verified:?}");
        }
        bench.run(&words(&format!("show {name}.json -o again.svg"))).ok();
        assert_eq!(bench.read("again.svg"), bench.read(&format!("{name}.svg")));
        let count = |class: &str| bench.read("again.svg").matches(&format!("class=\"{class}\"")).count();
        assert_eq!([count("place"), count("empty"), count("hole")], [3, empty, 0], "{name}");
    }
    bench.run(&words("show seven.toml -o board.svg")).ok();
    assert_eq!(bench.read("board.svg").matches("class=\"place\"").count(), 7);
    bench.run(&words("show plane.toml -o plane.png")).ok();
}

#[test]
fn json_names_families_treatments_and_places() {
    let found = bench().run(&words("solve plane.toml --json")).ok().json();
    for (pointer, expected) in [
        ("/families", json!("B1 B3 B45c B6 C5x C7 C8 C9")),
        ("/subloops", json!("resolve:each")),
        ("/hole_treatment", json!("resolve")),
        ("/status", json!("optimal")),
        ("/category", json!("correct")),
        ("/holes", json!(0)),
    ] {
        assert_eq!(found.pointer(pointer), Some(&expected), "{pointer}");
    }
    let places = found["solution"]["placements"].as_array().expect("a list").iter().map(|p| p["place"].as_u64());
    assert!(places.into_iter().all(|place| (1..=7).contains(&place.expect("a number"))), "{found}");
    assert_eq!(found.get("on_plane"), None, "for the text alone");
}

#[test]
fn what_a_formulation_only_reports_is_told_with_its_remedy() {
    let bench = bench();
    // Whatever is found there has a hole; cutting off subloops leaves one loop.
    let one_loop = ["solve", "tight.toml", "--families", "B1 B3 B45c C5x"];
    let two = ["solve", "tight.toml", "--families", "B1 B3 B45c"];
    for args in [one_loop, two] {
        let text = bench.run(&args).ok().out;
        let found = bench.run(&[&args[..], &["--json"]].concat()).ok().json();
        let (loops, holes) = (found["loops"].as_u64().expect("loops"), found["holes"].as_u64().expect("holes"));
        let holes_only = loops == 1;
        let expected = format!(
            "not solved: {loops} red loop{}{}, which this formulation only reports ({})\n",
            if loops == 1 { "" } else { "s" },
            match holes {
                0 => String::new(),
                1 => " and 1 hole".to_owned(),
                more => format!(" and {more} holes"),
            },
            match (holes_only, holes) {
                (true, _) => "--holes resolve cuts off holes",
                (false, 0) => "C5 or C5x cuts off subloops",
                (false, _) => "C5 or C5x cuts off subloops; --holes resolve cuts off holes",
            }
        );
        assert!(text.starts_with(&expected), "{expected}{text}");
        assert!(args != one_loop || (loops == 1 && holes > 0), "{text}");
        assert_eq!(found["termination_reason"], if holes_only { "holes" } else { "subloops" });
    }
    let ran = bench.run(&[&one_loop[..], &["--holes", "resolve"]].concat()).ok();
    assert!(ran.out.starts_with("infeasible: the solver proved that no solution exists\n"), "{ran:?}");
}

#[test]
fn infeasible_says_what_was_proven() {
    let bench = bench();
    for (args, verdict) in [
        (vec!["solve", "red.toml"], "infeasible: the solver proved that no solution exists\n"),
        (
            vec!["solve", "redplane.toml"],
            "infeasible: the solver proved that no solution exists, on a part of the plane that holds every loop of \
             these tiles\n",
        ),
        (
            vec!["solve", "red.toml", "--families", "B1 B3 B45c B6'"],
            "infeasible under this formulation, which proves nothing\n  B6' ",
        ),
        (
            vec!["solve", "redplane.toml", "--families", "B1 B3 B45c B6''"],
            "infeasible under this formulation, which proves nothing\n  B6'' ",
        ),
    ] {
        let ran = bench.run(&args).ok();
        assert!(ran.out.starts_with(verdict), "{ran:?}");
        let found = bench.run(&[&args[..], &["--json"]].concat()).ok().json();
        let reason = if verdict.contains("proves nothing") { "restricted" } else { "infeasible" };
        assert_eq!((&found["status"], &found["termination_reason"]), (&json!("infeasible"), &json!(reason)));
    }
}

#[test]
fn solutions_are_counted_on_boards_and_on_the_plane() {
    let bench = bench();
    bench.write("ten.toml", "kind = \"tantrix-natural\"\nchallenge = 10\ntiles = \"distinct\"\ncolour = \"yellow\"\n");
    bench.write("many.toml", "kind = \"tantrix-natural\"\nchallenge = 31\ntiles = \"repeated\"\n");
    let count = |line: &str| bench.run(&words(&format!("count {line}"))).ok().out;
    assert!(count("ten.toml").starts_with("388 solutions of ten\n"), "as an independent enumeration says");
    assert!(count("ten.toml --threads 1").contains("a translation or rotation"));
    assert!(count("ten.toml --limit 5").starts_with("at least 5 solutions of ten\n"));
    // Two ways to lay the triangle, in each of its three rotations, at each of six corners of the middle place.
    let (plane, board) = (count("plane.toml"), count("seven.toml"));
    assert!(plane.starts_with("2 solutions of plane\n"), "{plane}");
    assert!(board.starts_with("36 solutions of seven\n") && board.contains("symmetries"), "{board}");
    let none = "There can be none on any board: the red line turns by 60 degrees on 1 tile, and a loop needs an even";
    for name in ["red", "redplane"] {
        let found = count(&format!("{name}.toml"));
        assert!(found.starts_with(&format!("0 solutions of {name}\n")) && found.contains(none), "{found}");
    }
    let tight = count("tight.toml");
    assert!(tight.starts_with("0 solutions of tight\n") && !tight.contains("on any board"), "{tight}");
    bench.run(&words("count many.toml")).refused(&["many.toml: 31 tiles; exact counts are for 3 to 30"]);
}

#[test]
fn solve_tells_what_is_known_beforehand_and_of_the_shape() {
    let bench = bench();
    let ran = bench.run(&words("solve red.toml")).ok();
    assert!(ran.err.contains("note: this has no solution on any board: the red line"), "{ran:?}");
    let ran = bench.run(&words("solve plane.toml")).ok();
    assert!(ran.out.contains("\n  official record rule: met (longest row 2;"), "{ran:?}");
    assert!(!ran.err.contains("note"), "{ran:?}");
}

#[test]
fn a_best_shape_that_is_not_proven_says_so() {
    let bench = bench();
    bench.run(&words("generate bounded --type A --places 19 --challenge 10 -o ten.toml")).ok();
    let mut line = vec!["solve", "ten.toml", "--families", "B1 B3 B45c B6 C5x C7 C8 C9", "--holes", "resolve"];
    // One improving solution is enough to stop at, and none is optimal by then.
    line.extend(["--objective", "weighted", "--option", "mip_max_improving_sols=1"]);
    let ran = bench.run(&line).ok();
    assert!(ran.out.contains("; a limit struck before it was proven to be the best"), "{ran:?}");
}

#[test]
fn what_is_recorded_is_held_against_what_is_found() {
    let bench = bench();
    let wrong =
        |name: &str, known: &str| bench.write(name, &format!("{}known = \"{known}\"\n", bench.read("plane.toml")));
    wrong("none.toml", "unsolvable");
    let ran = bench.run(&words("count none.toml"));
    assert_eq!((ran.code, ran.err.contains("recorded as unsolvable, yet it has solutions")), (1, true), "{ran:?}");
    let solved = bench.run(&words("solve none.toml --solution none.json"));
    assert_eq!(solved.code, 1, "{solved:?}");
    let ran = bench.run(&words("verify none.toml none.json"));
    assert_eq!((ran.code, ran.err.contains("yet this solution is valid")), (1, true), "{ran:?}");
    bench.write("all.toml", &format!("{}known = \"solvable\"\n", bench.read("redplane.toml")));
    let ran = bench.run(&words("count all.toml"));
    assert_eq!((ran.code, ran.err.contains("recorded as solvable, yet it has no solution")), (1, true), "{ran:?}");
}
