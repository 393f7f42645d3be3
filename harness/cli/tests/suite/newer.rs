//! Results of a newer version of the columns.

use std::fs;

use record::ResultsDir;

use crate::bench::{Bench, words};

#[test]
fn columns_of_a_newer_version_are_kept_and_named() {
    let bench = Bench::mock();
    bench.write("small.toml", SMALL);
    bench.run(&words("run small.toml --out out --filter seed=1 --quiet")).ok();
    let runs = ResultsDir::new(bench.path("out/small")).runs();
    let text = fs::read_to_string(&runs).expect("rows").replacen('\n', ",mood\n", 1);
    let text = text.trim_end().to_owned() + ",good\n";
    fs::write(&runs, &text).expect("written");
    let ran = bench.run(&words("run small.toml --out out --resume")).ok();
    let warning = "out/small has columns that this version does not know, empty in new rows: mood";
    assert!(ran.out.contains(warning) || ran.err.contains(warning), "{ran:?}");
    let now = fs::read_to_string(&runs).expect("rows");
    assert!(now.starts_with(&text) && now.trim_end().ends_with(',') && now.lines().count() == 3, "{now}");
}

const SMALL: &str = r#"
experiment = "small"
title = "Small"
instances = ["tri.toml"]
seeds = [1, 2]

[limits]
time = "30s"

[[formulation]]
name = "colour"
families = "C1 C2' C4c C5x C6x"

[[solver]]
name = "mock"
"#;
