//! Profiles that leave out what earlier runs say takes too long.

use std::fs;

use record::{Appender, HARD_LIMIT, Status};

use crate::support::{Bench, solving};

const CONFIG: &str = r#"
experiment = "test"
title = "A test"
instances = ["*.instance.toml"]
seeds = [1, 2]

[limits]
time = "20s"

[profile.short]
time = "10s"
effort = "earlier"

[profile.long]
time = "30s"
effort = "earlier"

[[formulation]]
name = "quick"
families = "C1 C2 C3 C4"

[[formulation]]
name = "slow"
families = "C1 C2' C3 C4"

[[formulation]]
name = "endless"
families = "C1 C2' C3 C4 C6"

[[solver]]
name = "fake"
"#;

/// A bench with earlier rows: of 2 s and 3 s, of 12 s, and with limits of 20 s that struck.
fn bench() -> Bench {
    let bench = Bench::with(CONFIG);
    bench.run(&solving()).expect("a session");
    let (rows, files) = (bench.rows(), bench.results());
    let changed = rows.into_iter().map(|mut row| {
        row.wall_time_s = Some(if row.formulation == "slow" { 12.0 } else { 1.0 + row.seed as f64 });
        if row.formulation == "endless" {
            (row.status, row.wall_time_s) = (Status::Timeout, Some(20.0));
            row.termination_reason = HARD_LIMIT.to_owned();
        }
        row
    });
    let rows: Vec<_> = changed.collect();
    fs::remove_file(files.runs()).expect("it is there");
    Appender::open(&files.runs()).and_then(|mut runs| runs.append(&rows)).expect("written");
    fs::rename(bench.out(), bench.folder.path().join("earlier")).expect("moved");
    bench
}

/// The formulations of the plan in its order, each once for both seeds; and how many runs are left out.
fn planned(bench: &mut Bench, profile: &str) -> (Vec<String>, usize) {
    bench.options.profile = Some(profile.to_owned());
    let plan = bench.plan().expect("a sound plan").remove(0);
    let mut names: Vec<_> = plan.runs().map(|run| run.formulation.name().to_owned()).collect();
    names.dedup();
    (names, plan.too_long)
}

#[test]
fn runs_that_were_too_long_are_left_out_and_the_short_ones_come_first() {
    let mut bench = bench();
    assert_eq!(planned(&mut bench, "short"), (vec!["quick".to_owned()], 4));
    // With more time than was tried they are runs again.
    let all = ["quick", "slow", "endless"].map(ToOwned::to_owned).to_vec();
    assert_eq!(planned(&mut bench, "long"), (all, 0));
    bench.options.also_long = true;
    let (mut names, left_out) = planned(&mut bench, "short");
    names.sort_unstable();
    names.dedup();
    assert_eq!((names.len(), left_out), (3, 0));
}

#[test]
fn an_experiment_of_which_all_is_left_out_has_results_that_say_so() {
    let mut bench = bench();
    bench.options.profile = Some("short".to_owned());
    bench.filter(&["formulation=slow"]);
    let summary = bench.run(&solving()).expect("a session");
    assert!(summary.warnings.iter().any(|warning| warning.contains("2 runs left out")), "{:?}", summary.warnings);
    assert!(bench.results().manifest().is_file());
    // A filter that nothing passes is a mistake as ever.
    bench.filter(&["formulation=slower"]);
    bench.refusal();
}

#[test]
fn what_is_left_out_is_said() {
    let mut bench = bench();
    bench.options.profile = Some("short".to_owned());
    let text = bench.preview();
    assert!(text.contains("4 runs left out") && text.contains("earlier/test"), "{text}");
    let summary = bench.run(&solving()).expect("a session");
    assert!(summary.warnings.iter().any(|warning| warning.contains("4 runs left out")), "{:?}", summary.warnings);
}

#[test]
fn earlier_results_that_are_not_there_are_refused() {
    let mut bench = Bench::with(CONFIG);
    bench.options.profile = Some("short".to_owned());
    bench.refused(&["line 12", "earlier/test"]);
    bench.options.also_long = true;
    assert_eq!(bench.plan().expect("a sound plan")[0].len(), 6);
}
