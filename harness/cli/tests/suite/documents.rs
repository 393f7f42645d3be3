//! What the documents show, the command does: calls, examples, names, links and spliced figures.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use puzzle::Instance;

use crate::bench::{Bench, is_shipped, words, workspace};

/// Documents by their paths in the workspace: Markdown at its root and in `configs`, the book, and the justfile.
fn documents() -> Vec<(String, String)> {
    let mut folders = vec![workspace(), workspace().join("configs")];
    let mut paths = vec![workspace().join("justfile")];
    let mut book = vec![workspace().join("docs")];
    while let Some(folder) = book.pop() {
        book.extend(entries(&folder).into_iter().filter(|path| path.is_dir()));
        folders.push(folder);
    }
    let markdown = |path: &PathBuf| path.extension().is_some_and(|ending| ending == "md") && is_shipped(path);
    paths.extend(folders.iter().flat_map(|folder| entries(folder)).filter(markdown));
    let named = paths.into_iter().map(|path| {
        let text = fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        (path.strip_prefix(workspace()).expect("below it").display().to_string(), text)
    });
    let named: Vec<_> = named.collect();
    assert!(named.len() > 20, "the book is there");
    named
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.sort();
    paths
}

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
fn calls(name: &str, text: &str) -> Vec<Vec<String>> {
    let code: Vec<&str> = if name.ends_with(".md") { blocks(text, "sh") } else { vec![text] };
    let lines = code.into_iter().flat_map(str::lines).map(|line| line.split('#').next().expect("a line").trim());
    lines
        .filter_map(|line| {
            // What a justfile puts before a command: not to show it, to go on whatever becomes of it.
            let line = line.trim_start_matches(['@', '-']);
            let line = line.split_once("-p Delegate=yes ").map_or(line, |(_, rest)| rest);
            let called = ["tilebench ", "target/release/tilebench ", "cargo run --release -- "];
            called.iter().find_map(|call| line.strip_prefix(call))
        })
        .map(|rest| rest.split_whitespace().map(str::to_owned).collect())
        .collect()
}

/// The command of a call, whose words are those after `tilebench`: it, its options and files exist.
pub fn sound(known: &[(Vec<String>, String)], name: &str, call: &[String]) -> String {
    let of = known.iter().filter(|(command, _)| !command.is_empty() && call.starts_with(command));
    let (command, help) =
        of.max_by_key(|(command, _)| command.len()).unwrap_or_else(|| panic!("{name}: {}", call.join(" ")));
    assert!(!help.contains("\nCommands:\n"), "{name}: {} names no command", call.join(" "));
    for option in call.iter().filter(|word| word.starts_with("--")) {
        let option = option.split('=').next().expect("a name");
        assert!(help.contains(&format!("{option} ")) || help.contains(&format!("{option}\n")), "{name}: no {option}");
    }
    let files = call.iter().filter(|word| word.starts_with("instances/") || word.starts_with("configs/"));
    for file in files.filter(|file| *file != "configs/mine.toml") {
        let path = workspace().join(file);
        // One of a suite is named by it.
        let suite = path.parent().filter(|suite| suite.is_file());
        let line = format!("name = \"{}\"", path.file_name().expect("a name").display());
        let is_listed = suite.is_some_and(|suite| fs::read_to_string(suite).is_ok_and(|text| text.contains(&line)));
        assert!(path.exists() || is_listed, "{name}: {file}");
    }
    command.join(" ")
}

#[test]
fn every_call_names_a_command_options_and_files_that_exist() {
    let known = crate::reference::commands();
    let mut called = BTreeSet::new();
    for (name, text) in documents() {
        for call in calls(&name, &text) {
            called.insert(sound(&known, &name, &call));
        }
    }
    for expected in ["run", "solve", "verify", "count", "animate", "report", "compare", "solvers", "formulations"] {
        assert!(called.contains(expected), "no document shows {expected}");
    }
}

/// Instances are read, and configs planned under each of their profiles; what an example leaves out is that of the first one.
#[test]
fn examples_of_instances_and_configs_are_sound() {
    let bench = Bench::new();
    for folder in ["instances", "results"] {
        symlink(workspace().join(folder), bench.path(folder)).expect("a link");
    }
    fs::create_dir(bench.path("configs")).expect("a folder");
    let guide = document("docs/guide/configs.md");
    let least: toml::Table = blocks(&guide, "toml")[0].parse().expect("TOML");
    let (mut instances, mut configs) = (0, 0);
    for (name, text) in documents() {
        for example in blocks(&text, "toml") {
            if example.starts_with("kind =") {
                Instance::parse(example, Path::new(&name)).unwrap_or_else(|e| panic!("{name}: {e}"));
                instances += 1;
                continue;
            }
            let mut config: toml::Table = example.parse().unwrap_or_else(|e| panic!("{name}: {e}\n{example}"));
            let profiles =
                config.get("profile").and_then(toml::Value::as_table).into_iter().flat_map(toml::Table::keys);
            let profiles: Vec<Option<String>> = profiles.cloned().map(Some).chain([None]).collect();
            for (key, value) in &least {
                config.entry(key.clone()).or_insert_with(|| value.clone());
            }
            bench.write("configs/example.toml", &toml::to_string(&config).expect("TOML"));
            for profile in profiles {
                let profile = profile.map(|name| format!(" --profile {name}")).unwrap_or_default();
                bench.run(&words(&format!("run configs/example.toml --dry-run{profile}"))).ok();
            }
            configs += 1;
        }
    }
    assert!(instances >= 2 && configs >= 8, "{instances} instances, {configs} configs");
}

#[test]
fn what_somebody_keeps_beside_the_shipped_files_is_not_tested() {
    for (name, expected) in [("configs/ci.toml", true), ("README.md", true), ("configs/mine.toml", false)] {
        assert_eq!(is_shipped(&workspace().join(name)), expected, "{name}");
    }
}

/// With the solvers of this machine; under a profile, which changes no solver, as if there were none but those within the command.
#[test]
fn every_config_can_be_planned_under_every_profile() {
    let (bench, mut bare) = (Bench::mock(), Bench::mock());
    bare.set("PATH", "/nowhere");
    for path in crate::schema::configs() {
        let text = fs::read_to_string(&path).expect("a config");
        let config: toml::Table = text.parse().expect("TOML");
        let profiles = config.get("profile").and_then(toml::Value::as_table);
        let names = profiles.into_iter().flat_map(toml::Table::keys);
        let path = path.display().to_string();
        bench.run(&["run", &path, "--dry-run"]).ok();
        for name in names {
            bare.run(&["run", &path, "--dry-run", "--profile", name]).ok();
        }
    }
}

/// `tilebench report results/reference --splice FILE` renews what documents show of the reference run.
#[test]
fn documents_show_what_the_reference_results_say() {
    let bench = Bench::new();
    let at = |name: &str| workspace().join(name).display().to_string();
    let mut args = vec!["report".to_owned(), at("results/reference"), "--check".to_owned()];
    // A mark in a code block is an example.
    let marked = documents().into_iter().filter(|(_, text)| text.contains("\n\n<!-- tilebench: "));
    args.extend(marked.flat_map(|(name, _)| ["--splice".to_owned(), at(&name)]));
    assert!(args.len() >= 7, "the README and the findings: {args:?}");
    bench.run(&args).ok();
}

/// The anchor that a forge gives a heading.
fn anchor(heading: &str) -> String {
    let kept =
        heading.trim().to_lowercase().chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c)).collect::<String>();
    kept.replace(' ', "-")
}

#[test]
fn links_lead_to_files_and_headings_that_exist() {
    for (name, text) in documents().into_iter().filter(|(name, _)| name.ends_with(".md")) {
        let file = workspace().join(&name);
        // Every second part lies between fences of code.
        let prose: String = text.split("```").step_by(2).collect();
        for target in prose.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let (path, heading) = target.split_once('#').unwrap_or((target, ""));
            if target.contains("://") || target.starts_with("mailto:") {
                continue;
            }
            let there = if path.is_empty() { file.clone() } else { file.with_file_name("").join(path) };
            assert!(there.exists(), "{name}: {target}");
            if !heading.is_empty() {
                let text = fs::read_to_string(&there).expect("a document");
                let headings = text.lines().filter(|line| line.starts_with('#'));
                let found = headings.map(|line| anchor(line.trim_start_matches('#'))).any(|known| known == heading);
                assert!(found, "{name}: {target}");
            }
        }
    }
}

/// Whether a text has a name as code.
fn has(text: &str, name: &str) -> bool {
    text.contains(&format!("`{name}`"))
}

#[test]
fn families_and_solvers_are_explained_in_the_book() {
    let theory = document("docs/theory/mip.md") + &document("docs/theory/soku.md");
    for family in model::families() {
        assert!(has(&theory, family.id), "family {}", family.id);
    }
    let solvers = document("docs/guide/solvers.md");
    for backend in solve::BACKENDS.iter() {
        let name = backend.info().name;
        assert!(solvers.split(|c: char| !(c.is_alphanumeric() || c == '-')).any(|word| word == name), "solver {name}");
    }
}

#[test]
fn every_page_of_the_book_is_in_its_contents() {
    let contents = document("mkdocs.yml");
    for (name, _) in documents() {
        if let Some(page) = name.strip_prefix("docs/") {
            assert!(contents.contains(&format!(": {page}\n")), "{page}");
        }
    }
}
