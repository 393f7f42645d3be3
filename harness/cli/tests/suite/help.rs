//! What the command says of itself.

use solve::BACKENDS;

use crate::bench::Bench;
use crate::reference::commands;

#[test]
fn every_command_explains_itself_and_its_exit_codes_are_told() {
    let bench = Bench::new();
    let commands = commands();
    for (words, help) in &commands {
        let usage = format!("Usage: tilebench {}", words.join(" "));
        assert!(help.contains(usage.trim_end()), "{help}");
        let short: Vec<&str> = words.iter().map(String::as_str).chain(["-h"]).collect();
        assert!(bench.run(&short).ok().out.contains(usage.trim_end()), "{usage}");
    }
    let names: Vec<String> = commands.iter().map(|(words, _)| words.join(" ")).collect();
    for name in ["run", "solve", "verify", "report", "compare", "generate soku random", "soku check"] {
        assert!(names.iter().any(|known| known == name), "{names:?}");
    }
    assert!(!names.iter().any(|name| name == "worker" || name == "guard"), "not for users: {names:?}");
    let (_, codes) = commands[0].1.split_once("Exit codes:").expect("exit codes");
    let told: Vec<&str> = codes.split(|c: char| !c.is_ascii_digit()).filter(|word| !word.is_empty()).collect();
    for code in ["0", "1", "2", "3", "130"] {
        assert!(told.contains(&code), "exit code {code}: {codes}");
    }
}

#[test]
fn bad_usage_is_refused() {
    let bench = Bench::new();
    bench.run(&["slove"]).refused(&["slove", "solve"]);
    bench.run(&["solve"]).refused(&["INSTANCE"]);
    bench.run(&["export", "tri.toml"]).refused(&["--output"]);
    let ran = bench.run::<&str>(&[]);
    assert!(ran.code == 2 && ran.err.contains("Usage: tilebench"), "{ran:?}");
}

#[test]
fn the_version_names_the_build_and_in_full_the_solvers_in_it() {
    let bench = Bench::new();
    let short = bench.run(&["-V"]).ok().out;
    assert!(short.starts_with("tilebench 0.") && short.contains('(') && short.lines().count() == 1, "{short}");
    let long = bench.run(&["--version"]).ok().out;
    assert_eq!(long.lines().next(), short.lines().next());
    let none = std::collections::BTreeMap::new();
    for backend in BACKENDS.iter().filter(|backend| backend.info().install.is_none()) {
        let line = format!("{} {}", backend.info().name, backend.version(&none).expect("a version"));
        assert!(long.lines().any(|found| found == line), "{line}: {long}");
    }
}

#[test]
fn solvers_are_listed_with_versions_and_abilities() {
    let bench = Bench::new();
    let out = bench.run(&["solvers"]).ok().out;
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
