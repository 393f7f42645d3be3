//! Results of an older version of the columns, with every command that reads results.

use std::fs;

use record::ResultsDir;

use crate::bench::{Bench, words, workspace};

/// Two runs of the results; a third one, of another instance, is not asked for any more.
const CONFIG: &str = r#"
experiment = "icosoku"
title = "IcoSoKu"
instances = ["ico-001.toml"]

[limits]
time = "30s"
memory = "4GiB"

[[formulation]]
name = "least-capacity"
kind = "search"
strategy = "least-capacity"
solvers = ["search"]

[[formulation]]
name = "mzn-symmetric"
kind = "minizinc"
symmetry-breaking = false
solvers = ["chuffed"]

[[solver]]
name = "search"

[[solver]]
name = "minizinc"
label = "chuffed"
options = { solver = "chuffed" }
"#;

/// The results of schema version 5 among the fixtures, twice.
fn bench() -> Bench {
    let bench = Bench::new();
    let fixture = workspace().join("harness/record/tests/fixtures/schema-5");
    for name in ["old", "copy"] {
        for folder in ["", "solutions"] {
            fs::create_dir_all(bench.path(name).join("icosoku").join(folder)).expect("a folder");
            for entry in fs::read_dir(fixture.join(folder)).expect("a folder").map(|entry| entry.expect("an entry")) {
                if entry.path().is_file() {
                    let to = bench.path(name).join("icosoku").join(folder).join(entry.file_name());
                    fs::copy(entry.path(), to).expect("copied");
                }
            }
        }
    }
    bench.copy("soku/icosoku/ico-001.toml", "ico-001.toml");
    bench.write("old.toml", CONFIG);
    bench
}

#[test]
fn results_of_schema_version_5_are_reported_compared_merged_and_resumed() {
    let bench = bench();
    let reported = |out: &str| {
        bench.run(&words(&format!("report {out} -o plots --format md"))).ok();
        bench.read("plots/index.md")
    };
    let before = reported("old");
    assert!(before.contains("least-capacity") && before.contains("mzn-symmetric"), "{before}");
    let ran = bench.run(&words("compare old copy")).ok();
    assert!(ran.out.contains("tilebench: no regression\n"), "{ran:?}");
    let ran = bench.run(&words("merge old copy -o merged")).ok();
    assert!(ran.out.starts_with("merged/icosoku: 3 of 3 planned runs are done\n"), "{ran:?}");
    assert!(bench.path("merged/icosoku/solutions/cf890aceded8b228.0.json").exists());
    bench.run(&words("verify ico-001.toml old/icosoku/solutions/cf890aceded8b228.0.json")).ok();

    let plan = "run old.toml --dry-run --no-cgroup";
    let ran = bench.run(&words(&format!("{plan} --out old --resume"))).ok();
    assert!(ran.out.contains("\n2 of 2 runs done already, 0 left"), "{ran:?}");
    let ran = bench.run(&words(&format!("{plan} --out new --done copy"))).ok();
    assert!(ran.out.contains("\n2 of 2 runs done already, 0 left"), "{ran:?}");
    for out in ["old", "merged"] {
        bench.run(&words(&format!("run old.toml --out {out} --resume --quiet"))).ok();
        let dir = ResultsDir::new(bench.path(out).join("icosoku"));
        let rows = dir.read_runs().expect("rows");
        let of_plan: Vec<_> = dir.read_plan().expect("a plan").into_iter().map(|row| row.run_id).collect();
        let kept: Vec<_> = rows.iter().filter(|row| of_plan.contains(&row.run_id)).collect();
        assert_eq!((kept.len(), kept.iter().all(|row| row.started_at.as_str() < "2026-11-23")), (2, true), "{kept:?}");
        let solved = kept.iter().find(|row| row.solver == "search").expect("a row");
        let solution = dir.solution(&solved.run_id, 0).display().to_string();
        bench.run(&["verify", "ico-001.toml", &solution]).ok();
        let after = reported(out);
        assert!(after.contains("least-capacity") && after.contains("mzn-symmetric"), "{after}");
    }
    for other in ["merged", "copy"] {
        let ran = bench.run(&["compare", "old", other]).ok();
        assert!(ran.out.contains("tilebench: no regression\n"), "{other}: {ran:?}");
    }
}

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
