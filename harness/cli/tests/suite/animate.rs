//! `tilebench animate`.

use crate::bench::{Bench, words};

const FIVE: &str = "kind = \"tantrix-natural\"\nchallenge = 5\ntiles = \"distinct\"\n";

#[test]
fn frames_are_no_more_than_asked_for_and_end_with_the_solution() {
    let bench = Bench::new();
    bench.write("five.toml", FIVE);
    for strategy in ["walk", "propagate"] {
        for steps in [3, 9] {
            let call = format!("animate five.toml -o a.svg --steps {steps} --strategy {strategy}");
            bench.run(&words(&call)).ok();
            let svg = bench.read("a.svg");
            assert!(svg.starts_with("<svg "));
            let frames = svg.matches("<g class=\"frame").count();
            assert!((2..=steps).contains(&frames), "{strategy}: {frames} frames of {steps}");
            assert!(svg.contains("1 red loop") && svg.contains("solved in "), "{strategy}");
        }
    }
    bench.run(&words("animate five.toml -o b.svg --steps 9 --strategy propagate")).ok();
    assert_eq!(bench.read("a.svg"), bench.read("b.svg"), "the same call shows the same search");
}

#[test]
fn a_search_without_a_solution_is_drawn_too() {
    let bench = Bench::new();
    let ran = bench.run(&words("animate row.toml -o row.svg")).ok();
    assert!(ran.out.contains("no solution, known after"), "{ran:?}");
}

#[test]
fn what_cannot_be_drawn_is_refused() {
    let bench = Bench::new();
    for name in ["tri.gif", "tri.png", "tri"] {
        bench.run(&words(&format!("animate tri.toml -o {name}"))).refused(&[name, ".svg"]);
    }
    bench.run(&words("animate tri.toml -o away/tri.svg")).refused(&["there is no folder away"]);
    bench.run(&words("animate tri.toml -o tri.svg --steps 2")).refused(&["from 3 to 2000"]);
    bench.run(&words("animate tri.toml -o tri.svg --strategy fast")).refused(&["walk, propagate"]);
    bench.run(&words("animate tri.toml -o tri.svg --time-limit 0s")).refused(&["time"]);
    assert_eq!(bench.names(), ["row.toml", "tri.toml"]);
}
