//! `tilebench animate`.

use std::fs;

use crate::bench::{Bench, words};

const FIVE: &str = "kind = \"tantrix-natural\"\nchallenge = 5\ntiles = \"distinct\"\n";

#[test]
fn a_search_is_drawn_in_every_format() {
    let bench = Bench::new();
    bench.write("five.toml", FIVE);
    for (name, begins) in [("a.svg", &b"<svg "[..]), ("a.gif", b"GIF89a"), ("a.png", b"\x89PNG\r\n\x1a\n")] {
        let ran = bench.run(&words(&format!("animate five.toml -o {name} --width 120"))).ok();
        assert!(ran.out.starts_with(&format!("{name}: ")) && ran.out.contains("solved in"), "{ran:?}");
        assert!(fs::read(bench.path(name)).expect("the picture").starts_with(begins));
    }
    let png = fs::read(bench.path("a.png")).expect("the picture");
    assert!(png.windows(4).any(|chunk| chunk == b"acTL"), "it moves");
}

#[test]
fn frames_are_no_more_than_asked_for_and_end_with_the_solution() {
    let bench = Bench::new();
    bench.write("five.toml", FIVE);
    for strategy in ["walk", "propagate"] {
        for steps in [3, 9] {
            let call = format!("animate five.toml -o a.svg --steps {steps} --strategy {strategy}");
            bench.run(&words(&call)).ok();
            let svg = bench.read("a.svg");
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
    bench.run(&words("animate tri.toml -o tri.mp4")).refused(&["tri.mp4: the name of a picture that moves ends in"]);
    bench.run(&words("animate tri.toml -o away/tri.gif")).refused(&["there is no folder away"]);
    bench.run(&words("animate tri.toml -o tri.gif --steps 2")).refused(&["3..=2000"]);
    bench.run(&words("animate tri.toml -o tri.gif --strategy fast")).refused(&["walk, propagate"]);
    bench.run(&words("animate tri.toml -o tri.gif --time-limit 0s")).refused(&["time"]);
    assert_eq!(bench.names(), ["row.toml", "tri.toml"]);
}
