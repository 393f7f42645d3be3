//! What the documents show, the command does.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use puzzle::Instance;

use crate::bench::{Bench, words, workspace};

const DOCUMENTS: [&str; 5] = ["README.md", "ARCHITECTURE.md", "METHODOLOGY.md", "CONTRIBUTING.md", "justfile"];

fn document(name: &str) -> String {
    fs::read_to_string(workspace().join(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
}

/// Code blocks of a language in a Markdown text.
fn blocks<'a>(text: &'a str, language: &str) -> Vec<&'a str> {
    let opening = format!("```{language}\n");
    let after = text.split(opening.as_str()).skip(1);
    after.map(|rest| rest.split("```").next().expect("a block")).collect()
}

/// The words after the command's name, of every call in a document: its code blocks, or all of a justfile.
fn calls(name: &str) -> Vec<Vec<String>> {
    let text = document(name);
    let code: Vec<&str> = if name.ends_with(".md") { blocks(&text, "sh") } else { vec![text.as_str()] };
    let lines = code.into_iter().flat_map(str::lines).map(|line| line.split('#').next().expect("a line").trim());
    lines
        .filter_map(|line| {
            // What a justfile puts before a command: not to show it, to go on whatever becomes of it.
            let line = line.trim_start_matches(['@', '-']);
            let called = ["tilebench ", "target/release/tilebench ", "cargo run --release -- "];
            called.iter().find_map(|call| line.strip_prefix(call))
        })
        .map(|rest| rest.split_whitespace().map(str::to_owned).collect())
        .collect()
}

#[test]
fn every_call_names_a_subcommand_and_options_that_exist() {
    let bench = Bench::new();
    let mut subcommands = BTreeSet::new();
    for name in DOCUMENTS {
        for call in calls(name) {
            let depth = if call[0] == "generate" { 2 } else { 1 };
            let mut help: Vec<&str> = call[..depth].iter().map(String::as_str).collect();
            help.push("--help");
            let ran = bench.run(&help);
            assert_eq!(ran.code, 0, "{name}: tilebench {} is no command", call.join(" "));
            for option in call.iter().filter(|word| word.starts_with("--")) {
                let option = option.split('=').next().expect("a name");
                assert!(ran.out.contains(option), "{name}: tilebench {}: no {option}", call.join(" "));
            }
            subcommands.insert(call[0].clone());
        }
    }
    for expected in ["run", "solve", "verify", "report"] {
        assert!(subcommands.contains(expected), "the README shows no {expected}");
    }
}

#[test]
fn every_subcommand_is_in_the_table_of_the_readme() {
    let readme = document("README.md");
    for subcommand in crate::help::SUBCOMMANDS {
        assert!(readme.contains(&format!("`{subcommand}")) || readme.contains(&format!("tilebench {subcommand}")));
    }
}

#[test]
fn files_that_calls_name_are_there() {
    for name in DOCUMENTS {
        for call in calls(name) {
            let files = call.iter().filter(|word| word.starts_with("instances/") || word.starts_with("configs/"));
            for file in files.filter(|file| *file != "configs/mine.toml") {
                assert!(workspace().join(file).exists(), "{name}: {file}");
            }
        }
    }
}

#[test]
fn the_instance_and_the_config_of_the_readme_are_sound() {
    let readme = document("README.md");
    let blocks = blocks(&readme, "toml");
    let config = blocks.iter().find(|b| b.contains("experiment =")).expect("a config");
    let instance = blocks.iter().find(|b| b.contains("kind =")).expect("an instance");
    Instance::parse(instance, Path::new("README.toml")).expect("an instance");

    let bench = Bench::new();
    symlink(workspace().join("instances"), bench.path("instances")).expect("a link");
    fs::create_dir(bench.path("configs")).expect("a folder");
    bench.write("configs/mine.toml", config);
    let ran = bench.run(&words("run configs/mine.toml --profile quick --dry-run")).ok();
    assert!(ran.out.contains(" runs, 1 at a time"), "{ran:?}");
}

#[test]
fn every_config_can_be_planned_under_every_profile() {
    let bench = Bench::new();
    let configs = fs::read_dir(workspace().join("configs")).expect("the configs");
    let mut count = 0;
    for path in
        configs.map(|entry| entry.expect("an entry").path()).filter(|p| p.extension().is_some_and(|e| e == "toml"))
    {
        let text = fs::read_to_string(&path).expect("a config");
        let config: toml::Table = text.parse().expect("TOML");
        let profiles = config.get("profile").and_then(toml::Value::as_table);
        let names = profiles.into_iter().flat_map(toml::Table::keys).map(|name| Some(name.as_str()));
        for profile in names.chain([None]) {
            let mut args = vec!["run".to_owned(), path.display().to_string(), "--dry-run".to_owned()];
            args.extend(profile.into_iter().flat_map(|name| ["--profile".to_owned(), name.to_owned()]));
            bench.run(&args).ok();
            count += 1;
        }
    }
    assert!(count > 0, "no configs");
}
