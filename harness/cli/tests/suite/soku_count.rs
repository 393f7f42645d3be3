//! `tilebench count` of a game of 3SoKu, and the strategy `count`.

use serde_json::Value;

use crate::bench::{Bench, words, workspace};

/// Tiles (0,0,1) twice, one of them written otherwise, and two empty ones.
const GAME: &str = "kind = \"soku\"\nfield = \"tetrahedron\"\ncapacity = { A = 1, B = 1, C = 0, D = 0 }\n\
                    tiles = [[0, 0, 1], [0, 1, 0], [0, 0, 0], [0, 0, 0]]\nknown = \"solvable\"\n";

fn bench() -> Bench {
    let bench = Bench::new();
    bench.write("game.toml", GAME);
    bench
}

#[test]
fn counts_say_what_they_count_as_one() {
    let bench = bench();
    let ran = bench.run(&words("count game.toml")).ok();
    // One tile on a face around A, the other on another one around B: 3 times 3, less the two faces that have both.
    let lines: Vec<&str> = ran.out.lines().collect();
    assert_eq!(lines[0], "7 solutions of game");
    assert!(
        lines[1].starts_with("Equal tiles (also those that are equal after a rotation) are interchangeable"),
        "{lines:?}"
    );
    let figures: Vec<&str> = lines[3..].iter().filter_map(|line| line.trim().split(' ').next()).collect();
    assert_eq!(figures, ["63", "28", "252", "14"], "{lines:?}");
    assert!(bench.run(&words("count game.toml --limit 1")).ok().out.starts_with("at least 1 solution of game\n"));
}

#[test]
fn what_is_known_is_checked_and_what_is_too_large_refused() {
    let bench = bench();
    bench.write("not.toml", &GAME.replace("\"solvable\"", "\"unsolvable\""));
    let ran = bench.run(&words("count not.toml"));
    assert_eq!(ran.code, 1);
    assert!(ran.err.contains("not is recorded as unsolvable, yet it has solutions"), "{}", ran.err);
    bench.write("none.toml", &GAME.replace("A = 1", "A = 2"));
    let ran = bench.run(&words("count none.toml"));
    assert_eq!(ran.code, 1);
    assert!(
        ran.out.contains("0 solutions of none\n") && ran.out.contains("add up to 2, the capacities of all"),
        "{ran:?}"
    );
    bench.run(&words("count game.toml --memory-limit 1B")).refused(&["game.toml", "too large to count", "multisets"]);
}

#[test]
fn a_run_can_count() {
    let bench = bench();
    let solved = |line: &str| bench.run(&words(line)).ok().json();
    let counted = solved("solve game.toml --kind search --strategy count --json");
    assert_eq!((counted["status"].as_str(), counted["category"].as_str()), (Some("optimal"), Some("correct")));
    assert_eq!(counted["objective_value"].as_f64(), Some(7.0));
    assert_eq!(counted["native_status"], "7 solutions, all counted");
    let told = bench.run(&words("solve game.toml --kind search --strategy count")).ok().out;
    assert!(told.contains("7 solutions, all counted; the one that is shown is verified"), "{told}");
    bench.write(
        "none.toml",
        &GAME.replace("A = 1, B = 1", "A = 0, B = 0").replace("0, 1]", "0, 0]").replace("known", "#"),
    );
    let none = solved("solve none.toml --kind search --strategy count --json");
    assert_eq!((none["status"].as_str(), none["objective_value"].is_null()), (Some("infeasible"), true), "{none}");
}

#[test]
fn a_run_counts_within_its_memory() {
    let bench = bench();
    let game = workspace().join("instances/soku/counted/f30-s10-1.toml").display().to_string();
    let counted = |limit: &str| {
        let strategy = ["--kind", "search", "--strategy", "count", "--memory-limit", limit, "--json"];
        bench.run(&[&["solve", &game], &strategy[..]].concat()).ok().json()
    };
    // All at once, and in cases.
    let (plenty, little) = (counted("1GiB"), counted("40MiB"));
    let figure =
        |run: &Value, name: &str| run["iterations"][0][name].as_u64().or(run[name].as_u64()).expect("a figure");
    assert!(figure(&little, "nodes") > figure(&plenty, "nodes"), "{little} {plenty}");
    assert!(figure(&little, "peak_memory_b") < 40 << 20, "{little}");
    assert_eq!(
        (&little["status"], &little["native_status"]),
        (&"optimal".into(), &plenty["native_status"]),
        "{little}"
    );
}

#[test]
fn a_count_that_a_limit_stops_says_how_far_it_came_or_what_memory_it_needs() {
    let bench = bench();
    let game = workspace().join("instances/soku/counted/f40-s15-3.toml").display().to_string();
    let count = ["--kind", "search", "--strategy", "count"];
    // So little memory makes for many cases, of which some are done by one of these times.
    let is_begun = |limit: &str| {
        let limits = ["--time-limit", limit, "--memory-limit", "60MiB"];
        let ran = bench.run(&[&["solve", &game], &count[..], &limits].concat()).ok();
        let (_, said) = ran.out.split_once("no answer within the time limit").expect("a limit");
        let number = said.strip_prefix("; at least ").and_then(|rest| rest.split_whitespace().next());
        number.is_some_and(|number| number.parse::<u128>().expect("a number") > 0)
    };
    assert!(["2s", "10s", "50s"].into_iter().any(is_begun), "some of them are counted");
    let ran = bench.run(&["count", &game, "--time-limit", "500ms", "--memory-limit", "60MiB"]).ok();
    let said =
        ["at least ", "no solution of f40-s15-3 found before it stopped\n"].map(|begin| ran.out.starts_with(begin));
    assert!(said.contains(&true) && ran.err.contains("stopped at the time limit"), "{ran:?}");
    assert!(!ran.out.contains("at least 0"), "{ran:?}");
    let generate = "generate soku solvable --field bipyramid-15 --greatest 3 --sorts 30 --seed 1 -o large.toml";
    bench.run(&words(generate)).ok();
    let ran = bench.run(&words("solve large.toml --kind search --strategy count --memory-limit 40MiB"));
    let why = "the solver gave up for want of memory: too large to count in this memory";
    assert!(ran.code == 0 && ran.out.contains(why), "{ran:?}");
    // More than any memory would do for.
    bench.run(&words("generate soku solvable --field bipyramid-20 --greatest 5 -o larger.toml")).ok();
    let ran = bench.run(&words("solve larger.toml --strategy count"));
    assert!(ran.code == 2 && ran.out.contains("search cannot do this: too large to count"), "{ran:?}");
    let gated = bench.run(&words("solve larger.toml --strategy count --fail-on unsupported"));
    assert_eq!(gated.code, 1, "whoever gates on it gets the exit code of gates: {gated:?}");
}
