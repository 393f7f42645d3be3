//! What the command says of itself.

use solve::BACKENDS;

use crate::bench::{Bench, words};

/// Every subcommand that help shows, with its words.
pub const SUBCOMMANDS: [&str; 16] = [
    "run",
    "solve",
    "verify",
    "count",
    "show",
    "generate fixed",
    "generate bounded",
    "generate suite",
    "soku verify-all",
    "soku check",
    "export",
    "report",
    "compare",
    "solvers",
    "formulations",
    "schema",
];

#[test]
fn every_subcommand_explains_itself() {
    let bench = Bench::new();
    let top = bench.run(&["--help"]).ok().out;
    assert!(top.contains("Exit codes: 0 done; 1 a check failed; 2 bad usage"), "{top}");
    assert!(!top.contains("worker"), "the worker is no command for users");
    for subcommand in SUBCOMMANDS {
        let first = subcommand.split(' ').next().expect("a word");
        assert!(top.contains(&format!("  {first} ")), "{first} is missing: {top}");
        for flag in ["--help", "-h"] {
            let help = bench.run(&words(&format!("{subcommand} {flag}"))).ok().out;
            assert!(help.contains(&format!("Usage: tilebench {subcommand}")), "{help}");
        }
    }
    let listed = top.lines().skip_while(|l| *l != "Commands:").skip(1).take_while(|l| !l.is_empty());
    let known = [
        "run",
        "solve",
        "verify",
        "count",
        "show",
        "animate",
        "generate",
        "soku",
        "export",
        "report",
        "compare",
        "solvers",
        "formulations",
        "schema",
        "help",
    ];
    let mut found: Vec<&str> =
        listed.filter_map(|l| l.strip_prefix("  ")?.split(' ').next()).filter(|w| !w.is_empty()).collect();
    found.sort_unstable();
    let mut expected = known.to_vec();
    expected.sort_unstable();
    assert_eq!(found, expected);
    assert!(bench.run(&["worker", "--help"]).ok().out.contains("standard input"));
}

#[test]
fn bad_usage_is_refused() {
    let bench = Bench::new();
    bench.run(&["slove"]).refused(&["slove", "solve"]);
    bench.run(&["solve"]).refused(&["INSTANCE"]);
    bench.run(&["export", "tri.toml"]).refused(&["--output"]);
    assert_eq!(bench.run::<&str>(&[]).code, 2);
    assert!(bench.run(&["--version"]).ok().out.starts_with("tilebench 0."));
}

#[test]
fn solvers_are_listed_with_versions_and_abilities() {
    let bench = Bench::new();
    let out = bench.run(&["solvers"]).ok().out;
    // Below them, apart, the one that solves nothing in earnest.
    assert!(
        out.ends_with("\n\nmock: does what its options say, to test the harness; see configs/harness/faults.toml\n"),
        "{out}"
    );
    let listed = bench.run(&["solvers", "--json"]).ok().json();
    let listed = listed.as_array().expect("a list");
    assert_eq!(listed.len(), BACKENDS.len());
    for (info, solver) in BACKENDS.iter().map(|b| b.info()).zip(listed) {
        let mut lines = out.lines().filter(|line| line.split("  ").next() == Some(info.name));
        let (line, abilities) = (lines.next().expect("a line for each"), lines.next().expect("its abilities"));
        let missing = match (&solver["needs_licence"], &solver["by_options"]) {
            (serde_json::Value::Bool(true), _) => "no licence",
            (_, serde_json::Value::Bool(true)) => "by options",
            _ => "missing",
        };
        let version = solver["version"].as_str().unwrap_or(missing);
        assert!(line.contains(version) && line.contains(info.interface), "{line}");
        assert!(info.kinds.iter().all(|kind| line.contains(kind.name())), "{line}");
        let threads = abilities.split_whitespace().nth(2);
        assert_eq!(threads, Some(if info.reports.threads { "yes" } else { "-" }), "{abilities}");
        // What is missing is named with how to install it.
        let remedy = info.install.is_some_and(|install| out.contains(&format!("{}: {install}\n", info.name)));
        assert_eq!(solver["version"].is_null(), remedy, "{out}");
    }
}

#[test]
fn formulations_are_listed_with_families_and_sources() {
    let out = Bench::new().run(&["formulations"]).ok().out;
    for family in model::families() {
        assert!(out.contains(&format!("  {:<5} {}\n", family.id, family.summary)), "{}", family.id);
        assert!(out.contains(family.source));
    }
    for preset in model::PRESETS {
        assert!(
            out.contains(preset.name)
                && preset.keys.iter().all(|(key, value)| *key != "families" || out.contains(value))
        );
    }
}
