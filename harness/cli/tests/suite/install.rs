//! What belongs to an installed command: completions, manual pages, what the machine lacks; and the files by which others cite it.

use std::fs;
use std::process::Command;

use serde_json::Value;
use toml::Table;

use crate::bench::{Bench, workspace};
use crate::reference::commands;

/// Sources the script of bash as users do, and prints what it offers for the last of the words.
const COMPLETE: &str = r#"
source <("$1" completions bash)
completer=$(complete -p tilebench | sed 's/.*-F \([^ ]*\) .*/\1/')
COMP_WORDS=("${@:2}") COMP_CWORD=$(($# - 2))
$completer tilebench "${@: -1}"
printf '%s\n' "${COMPREPLY[@]}"
"#;

#[test]
fn bash_completes_names_and_files() {
    let bench = Bench::new();
    bench.write("notes.txt", "");
    let offered = |words: &[&str]| {
        let mut bash = Command::new("bash");
        bash.args(["-c", COMPLETE, "bash", env!("CARGO_BIN_EXE_tilebench"), "tilebench"]).args(words);
        let output = bash.current_dir(bench.path("")).output().expect("bash");
        assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
        let text = String::from_utf8(output.stdout).expect("text");
        text.lines().map(str::to_owned).collect::<Vec<_>>()
    };
    let mut solvers = offered(&["solve", "--solver", ""]);
    let mut known: Vec<&str> = solve::BACKENDS.iter().map(|backend| backend.info().name).collect();
    solvers.sort();
    known.sort_unstable();
    assert_eq!(solvers, known);
    assert_eq!(offered(&["solve", "tri.toml", "--solver", "gu"]), ["gurobi"]);
    let presets = offered(&["export", "tri.toml", "--formulation", "bounded-"]);
    let known = model::PRESETS.iter().map(|preset| preset.name).filter(|name| name.starts_with("bounded-"));
    assert!(presets.len() > 1 && presets.iter().map(String::as_str).eq(known), "{presets:?}");
    assert_eq!(offered(&["solve", "t"]), ["tri.toml"]);
    let anything = offered(&["verify", ""]);
    assert!(anything.starts_with(&["row.toml".to_owned(), "tri.toml".to_owned(), "--json".to_owned()]), "{anything:?}");
    assert_eq!(offered(&["doc"]), ["doctor"]);
}

#[test]
fn every_shell_has_a_script_that_calls_the_program_where_it_is() {
    let bench = Bench::new();
    for shell in ["bash", "zsh", "fish"] {
        let script = bench.run(&["completions", shell]).ok().out;
        assert!(script.contains(env!("CARGO_BIN_EXE_tilebench")) && script.contains("TILEBENCH_COMPLETE"), "{script}");
    }
    bench.run(&["completions", "tcsh"]).refused(&["tcsh", "bash", "zsh"]);
}

#[test]
fn every_command_has_a_manual_page_that_can_be_set() {
    let bench = Bench::new();
    bench.run(&["man", "--out", "man"]).ok();
    for (words, _) in commands() {
        let name = ["tilebench".to_owned()].into_iter().chain(words).collect::<Vec<_>>().join("-");
        let page = format!("man/{name}.1");
        assert!(bench.read(&page).contains(".SH SYNOPSIS"), "{page}");
        // Not every machine has groff; of one that has none the page is not set.
        let set = Command::new("groff").args(["-man", "-Tutf8", "-ww"]).arg(bench.path(&page)).output();
        if let Ok(set) = set {
            assert!(set.status.success() && set.stderr.is_empty(), "{page}: {}", String::from_utf8_lossy(&set.stderr));
        }
    }
    bench.write("file", "");
    bench.run(&["man", "--out", "file"]).refused(&["file: the manual pages cannot be written"]);
}

#[test]
fn the_doctor_names_what_is_missing_and_what_disturbs() {
    let bench = Bench::new();
    let out = bench.run(&["doctor"]).ok().out;
    for what in ["memory: ", "other work: ", "control groups: "] {
        assert!(out.contains(&format!("\n{what}")), "{out}");
    }
    // The same section as in the list of solvers.
    let (_, missing) = out.split_once("\nMissing on this machine").expect("solvers that need a licence, at least");
    assert!(bench.run(&["solvers"]).ok().out.ends_with(missing), "{missing}");
}

#[test]
fn those_who_cite_it_read_the_version_and_licences_of_the_manifest() {
    let read = |name: &str| fs::read_to_string(workspace().join(name)).unwrap_or_else(|e| panic!("{name}: {e}"));
    let manifest: Table = read("Cargo.toml").parse().expect("TOML");
    let package = |key: &str| manifest["workspace"]["package"][key].as_str().expect("a text").to_owned();
    let (version, licences) = (package("version"), package("license"));
    let licences: Vec<&str> = licences.split(" OR ").collect();
    let cff = read("CITATION.cff");
    for line in [format!("version: {version}"), format!("license: [{}]", licences.join(", "))] {
        assert!(cff.lines().any(|found| found == line), "CITATION.cff: {line}");
    }
    let codemeta: Value = serde_json::from_str(&read("codemeta.json")).expect("JSON");
    let named: Vec<String> = licences.iter().map(|name| format!("https://spdx.org/licenses/{name}")).collect();
    assert_eq!((&codemeta["version"], &codemeta["license"]), (&Value::from(version), &Value::from(named)));
}
