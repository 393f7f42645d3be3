//! Tiles to start from and random objectives, from a config to its rows.

use std::collections::BTreeSet;

use record::{Category, ResultsDir};

use crate::bench::{Bench, words};

const CONFIG: &str = r#"
experiment = "start"
title = "Start"
instances = ["n20.toml"]

[[formulation]]
name = "none"
families = "C1 C2' C4c C5x C6x C7 C8 C9"

[[formulation]]
name = "hint"
families = "C1 C2' C4c C5x C6x C7 C8 C9"
start = "hint"
start-share = 25

[[formulation]]
name = "fix"
families = "C1 C2' C4c C5x C6x C7 C8 C9"
start = "fix"

[[formulation]]
name = "random"
families = "C1 C2' C4c C5x C6x C7 C8 C9"
objective = "random"

[[solver]]
name = "highs"
"#;

/// A folder with a board of 15 tiles and the config.
fn bench() -> Bench {
    let bench = Bench::new();
    bench.copy("tantrix/fixed/n15-round.toml", "n15.toml");
    bench.copy("tantrix/fixed/n20-spur.toml", "n20.toml");
    bench.write("start.toml", CONFIG);
    bench
}

#[test]
fn rows_say_how_it_began() {
    let bench = bench();
    bench.run(&words("run start.toml --out out --quiet")).ok();
    let rows = ResultsDir::new(bench.path("out/start")).read_runs().expect("rows");
    assert_eq!(rows.iter().map(|row| &row.run_id).collect::<BTreeSet<_>>().len(), 4);
    for (name, objective, options, remark) in [
        ("none", "virtual", "", None),
        ("hint", "virtual", "start=hint; start-share=25", Some("start from 3 of the 15 tiles of a smaller board")),
        ("fix", "virtual", "start=fix; start-share=50", Some("start from 7 of the 15 tiles of a smaller board")),
        ("random", "random", "", None),
    ] {
        let row = rows.iter().find(|row| row.formulation == name).expect("a row for each");
        assert_eq!(row.category, Category::Correct, "{row:?}");
        assert_eq!((row.objective.as_str(), row.options.as_str()), (objective, options));
        let message = row.message.as_deref();
        assert_eq!(message.and_then(|text| text.split(", solved in ").next()), remark);
    }
}

#[test]
fn what_cannot_be_done_is_refused_with_the_reason() {
    let bench = bench();
    let config = bench.read("start.toml").replace("name = \"highs\"", "name = \"microlp\"");
    bench.write("microlp.toml", &config);
    bench.run(&words("run microlp.toml --dry-run")).refused(&[
        "\"hint\"",
        "\"microlp\"",
        "start = \"hint\"",
        "\"fix\"",
    ]);
    bench
        .run(&words("solve n15.toml --solver cadical --formulation colour --start hint"))
        .refused(&["start = \"hint\""]);
    bench.run(&words("solve n15.toml --solver cbc --start hint")).refused(&["cbc", "start = \"hint\"", "infeasible"]);
    bench.run(&words("solve tri.toml --start fix")).refused(&["of 3 too few are left for a loop"]);
    bench.run(&words("solve n15.toml --kind sat --start fix")).refused(&["start is for kind mip"]);
    bench.run(&words("solve n15.toml --start-share 50")).refused(&["start-share without start"]);
    bench.run(&words("export n15.toml --start fix -o n15.lp")).refused(&["--start"]);
}

#[test]
fn a_seed_gives_the_same_random_objective_and_a_file_has_that_of_the_default() {
    let bench = bench();
    let value = |seed: u64| {
        let line = format!("solve n15.toml --objective random --seed {seed} --time-limit none --json");
        let found = bench.run(&words(&line)).ok().json();
        assert_eq!(found["status"], "optimal", "{found}");
        found["objective_value"].as_f64().expect("a value")
    };
    assert!((value(1) - value(1)).abs() < 1e-6);
    let ran = bench.run(&words("export n15.toml --objective random -o n15.lp")).ok();
    assert!(ran.out.contains("the random objective is that of seed 1"), "{ran:?}");
    assert!(bench.read("n15.lp").contains("x_10_15_"));
}
