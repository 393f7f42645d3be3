//! What the documents show, the command does.

use std::collections::{BTreeMap, BTreeSet};
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
            let depth = match (call[0].as_str(), call.get(1).map(String::as_str)) {
                ("generate", Some("soku")) => 3,
                ("generate" | "soku", _) => 2,
                _ => 1,
            };
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
    let instance = blocks.iter().find(|b| b.starts_with("kind =")).expect("an instance");
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
    let mut count = 0;
    for path in crate::schema::configs() {
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

/// What the README shows of our reference run is what the results say: `tilebench report results/reference --splice README.md`
/// renews it.
#[test]
fn the_readme_shows_what_the_reference_results_say() {
    let bench = Bench::new();
    let at = |name: &str| workspace().join(name).display().to_string();
    let ran = bench.run(&["report", &at("results/reference"), "--splice", &at("README.md"), "--check"]).ok();
    assert!(!ran.out.contains(": 0 marked parts"), "{ran:?}");
}

/// Sections of configs/README.md by what their headings quote: `limits` for `[limits]`, the top for the top of the file.
fn sections(text: &str) -> BTreeMap<String, String> {
    let mut sections: BTreeMap<String, String> = BTreeMap::new();
    let mut heading = None;
    for line in text.lines() {
        if let Some(title) = line.strip_prefix("##") {
            heading = match title.split('`').nth(1) {
                Some(quoted) => Some(quoted.trim_matches(['[', ']']).to_owned()),
                None => (title.trim() == "Top of the file").then(String::new),
            };
        }
        if let Some(heading) = &heading {
            *sections.entry(heading.clone()).or_default() += &format!("{line}\n");
        }
    }
    sections
}

/// Keys in the first column of the tables of a section, with the names of the first column's heading left out.
fn keys(section: &str) -> BTreeSet<String> {
    let rows = section.lines().filter_map(|line| line.strip_prefix("| `")?.split('|').next());
    rows.flat_map(|cell| cell.split(", ").map(|key| key.trim_matches(['`', ' ']).to_owned()).collect::<Vec<_>>())
        .filter(|key| !key.contains(' '))
        .collect()
}

#[test]
fn every_key_of_configs_is_explained_where_it_belongs_and_no_other() {
    let sections = sections(&document("configs/README.md"));
    let mut known: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    crate::schema::each_key(&crate::schema::printed(), "", &mut |heading, key, _| {
        known.entry(heading.to_owned()).or_default().insert(key.to_owned());
    });
    assert!(known.values().map(BTreeSet::len).sum::<usize>() > 60, "{known:?}");
    for (heading, expected) in &known {
        let section = sections.get(heading).unwrap_or_else(|| panic!("no section about `{heading}`"));
        assert_eq!(&keys(section), expected, "the section about `{heading}`");
    }
    assert_eq!(sections.keys().collect::<Vec<_>>(), known.keys().collect::<Vec<_>>());
}

#[test]
fn the_examples_of_the_reference_are_sound() {
    let text = document("configs/README.md");
    let bench = Bench::new();
    for folder in ["instances", "results"] {
        symlink(workspace().join(folder), bench.path(folder)).expect("a link");
    }
    fs::create_dir(bench.path("configs")).expect("a folder");
    let examples = blocks(&text, "toml");
    let least: toml::Table = examples[0].parse().expect("TOML");
    assert!(examples.len() > 10);
    for example in examples {
        let mut config: toml::Table = example.parse().unwrap_or_else(|e| panic!("{e}\n{example}"));
        let profiles = config.get("profile").and_then(toml::Value::as_table).into_iter().flat_map(toml::Table::keys);
        let profiles: Vec<Option<String>> = profiles.cloned().map(Some).chain([None]).collect();
        for (key, value) in &least {
            config.entry(key.clone()).or_insert_with(|| value.clone());
        }
        bench.write("configs/example.toml", &toml::to_string(&config).expect("TOML"));
        for profile in profiles {
            let profile = profile.map(|name| format!(" --profile {name}")).unwrap_or_default();
            bench.run(&words(&format!("run configs/example.toml --dry-run{profile}"))).ok();
        }
    }
}
