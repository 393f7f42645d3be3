//! `tilebench verify` and `tilebench count`.

use std::collections::BTreeSet;

use crate::bench::{Bench, TETRAHEDRON, TRIANGLE, words};

/// The triangle with one of its solutions.
fn solved() -> Bench {
    let bench = Bench::new();
    bench.run(&words("solve tri.toml --solution tri.json")).ok();
    bench
}

#[test]
fn what_solve_writes_verify_accepts() {
    let bench = solved();
    let ran = bench.run(&words("verify tri.toml tri.json")).ok();
    assert!(ran.out.starts_with("valid: 3 tiles, one loop, no hole\nofficial record rule: "), "{ran:?}");
    let found = bench.run(&words("verify tri.toml tri.json --json")).ok().json();
    assert_eq!((&found["valid"], &found["holes"]), (&true.into(), &0.into()));
    assert_eq!(found["loops"][0].as_array().map(Vec::len), Some(3));
    assert_eq!(found["violations"], serde_json::json!([]));
}

#[test]
fn solutions_of_3soku_are_spoken_of_in_its_own_words() {
    let bench = Bench::new();
    bench.write("tetra.toml", TETRAHEDRON);
    for kind in ["mip", "sat", "cp"] {
        let ran = bench.run(&["solve", "tetra.toml", "--kind", kind, "--solution", "tetra.json"]).ok();
        assert!(ran.out.starts_with("solved and verified: 4 tiles, every capacity met\n"), "{ran:?}");
        assert!(!ran.err.contains("loop"), "{ran:?}");
        let ran = bench.run(&words("verify tetra.toml tetra.json")).ok();
        assert_eq!(ran.out, "valid: 4 tiles, every capacity met\n");
    }
}

#[test]
fn every_damage_is_named() {
    let bench = solved();
    let good: serde_json::Value = serde_json::from_str(&bench.read("tri.json")).expect("JSON");
    let damaged = |damage: &dyn Fn(&mut serde_json::Value)| {
        let mut bad = good.clone();
        damage(&mut bad);
        bench.write("bad.json", &bad.to_string());
        let text = bench.run(&words("verify tri.toml bad.json"));
        let json = bench.run(&words("verify tri.toml bad.json --json"));
        assert_eq!((text.code, json.code), (1, 1), "{text:?}");
        let found = json.json();
        assert_eq!(found["valid"], false);
        let rules: BTreeSet<String> = found["violations"]
            .as_array()
            .expect("a list")
            .iter()
            .map(|v| v["rule"].as_str().expect("a name").to_owned())
            .collect();
        for rule in &rules {
            assert!(text.out.contains(&format!("  {rule}: ")), "{rule}: {text:?}");
        }
        assert!(text.out.starts_with("invalid: "), "{text:?}");
        rules.into_iter().collect::<Vec<_>>()
    };
    let turned = damaged(&|s| {
        let turned = s["placements"][0]["orientation"].as_u64().expect("a number") % 6 + 1;
        s["placements"][0]["orientation"] = turned.into();
    });
    assert!(turned.contains(&"matching".to_owned()) && turned.contains(&"closed-lines".to_owned()), "{turned:?}");
    let doubled = damaged(&|s| s["placements"][1]["tile"] = s["placements"][0]["tile"].clone());
    assert!(doubled.contains(&"tile-count".to_owned()), "{doubled:?}");
    let missing = damaged(&|s| drop(s["placements"].as_array_mut().expect("a list").pop()));
    assert!(missing.contains(&"full-board".to_owned()), "{missing:?}");
    let stacked = damaged(&|s| s["placements"][1]["place"] = s["placements"][0]["place"].clone());
    assert!(stacked.contains(&"one-tile".to_owned()), "{stacked:?}");
    let beyond = damaged(&|s| s["placements"][1]["orientation"] = 7.into());
    assert!(beyond.contains(&"range".to_owned()), "{beyond:?}");
    assert_eq!(damaged(&|s| s["instance"] = "other".into()), ["instance"]);
}

#[test]
fn what_is_no_solution_file_is_refused() {
    let bench = solved();
    bench.write("half.json", &bench.read("tri.json")[..40]);
    bench.write("other.json", "{\"placements\": []}");
    bench.run(&words("verify tri.toml half.json")).refused(&["half.json: not a solution file", "line"]);
    bench.run(&words("verify tri.toml other.json")).refused(&["other.json", "missing field `instance`"]);
    bench.run(&words("verify tri.toml tri.toml")).refused(&["tri.toml: not a solution file"]);
    let none = bench.run(&words("verify tri.toml none.json"));
    assert_eq!(none.err, "error: none.json: there is no such file\n", "said once");
    none.refused(&[]);
}

#[test]
fn the_triangle_has_six_solutions_and_the_row_none() {
    let bench = Bench::new();
    let ran = bench.run(&words("count tri.toml")).ok();
    assert!(ran.out.starts_with("6 solutions of tri\n") && ran.out.contains("symmetries"), "{ran:?}");
    assert!(bench.run(&words("count row.toml")).ok().out.starts_with("0 solutions of row\n"));
    assert!(bench.run(&words("count tri.toml --limit 2")).ok().out.starts_with("at least 2 solutions of tri\n"));
    bench.run(&words("count tri.toml --limit 0")).refused(&["--limit"]);
    let ran = bench.run(&words("count tri.toml --time-limit 10m")).ok();
    assert!(ran.out.starts_with("6 solutions of tri\n") && ran.err.is_empty(), "{ran:?}");
    bench.run(&words("count tri.toml --time-limit 0s")).refused(&["--time-limit"]);
    // Turning the whole board changes nothing.
    bench.write("turned.toml", &TRIANGLE.replace("[1, 0], [0, 1]", "[1, -1], [1, 0]"));
    assert!(bench.run(&words("count turned.toml")).ok().out.starts_with("6 solutions of turned\n"));
}
