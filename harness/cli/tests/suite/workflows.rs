//! The workflows of GitHub and the action for others: what they call exists, and the action does what it says.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::symlink;
use std::process::{Command, Output};

use record::ResultsDir;
use yaml_rust2::{Yaml, YamlLoader};

use crate::bench::{Bench, words, workspace};
use crate::documents::sound;

/// What steps call beside the project's own: programs that are on every runner, and words of the shell.
const OTHERS: &str = "rustup gh cat sed cd cut mktemp sha256sum printf exit for done [";

/// The workflows and the action, with their names.
fn files() -> Vec<(String, Yaml)> {
    let folder = fs::read_dir(workspace().join(".github/workflows")).expect("the workflows");
    let mut paths: Vec<_> = folder.map(|entry| entry.expect("an entry").path()).collect();
    paths.sort();
    paths.push(workspace().join("action.yml"));
    let read = |path: std::path::PathBuf| {
        let text = fs::read_to_string(&path).expect("a file");
        let [yaml] = YamlLoader::load_from_str(&text).expect("YAML").try_into().expect("one document");
        (path.file_name().expect("a name").to_string_lossy().into_owned(), yaml)
    };
    paths.into_iter().map(read).collect()
}

/// All scripts of a workflow: what stands behind `run`.
fn scripts(yaml: &Yaml) -> Vec<&str> {
    match yaml {
        Yaml::Hash(hash) => hash
            .iter()
            .flat_map(|(key, value)| match (key.as_str(), value) {
                (Some("run"), Yaml::String(script)) => vec![script.as_str()],
                _ => scripts(value),
            })
            .collect(),
        Yaml::Array(items) => items.iter().flat_map(scripts).collect(),
        _ => Vec::new(),
    }
}

/// The commands of a script, each by its words, without what steers them, without assignments and without `--`.
fn commands(script: &str) -> Vec<Vec<String>> {
    let lines = script.lines().filter(|line| !line.trim_start().starts_with('#'));
    let parts = lines.flat_map(|line| line.split([';', '|', '(', ')'])).flat_map(|part| part.split("&&"));
    let unquoted = |word: &str| word.replace('"', "");
    parts
        .map(|part| part.split_whitespace().map(unquoted).filter(|word| word != "--"))
        .map(|words| words.skip_while(|word| ["do", "then", "else", "if", "fi"].contains(&word.as_str())))
        .map(|words| words.skip_while(|word| word.contains('=') && !word.starts_with('-')).collect())
        // What is left of assignments that have parentheses.
        .filter(|words: &Vec<String>| words.first().is_some_and(|word| !word.starts_with("${")))
        .collect()
}

#[test]
fn every_step_calls_what_there_is() {
    let justfile = fs::read_to_string(workspace().join("justfile")).expect("the justfile");
    let recipes: BTreeSet<&str> = justfile
        .lines()
        .filter(|line| !line.contains(":=") && line.starts_with(|c: char| c.is_ascii_lowercase()))
        .filter_map(|line| line.split([' ', ':']).next())
        .collect();
    let known = crate::reference::commands();
    let mut called = BTreeSet::new();
    for (name, yaml) in files() {
        for command in scripts(&yaml).into_iter().flat_map(commands) {
            let (program, rest) = command.split_first().expect("a word");
            match program.rsplit(['/', '$']).next().expect("a name") {
                "justw" => {
                    assert!(recipes.contains(rest[0].as_str()), "{name}: the justfile has no recipe {}", rest[0]);
                    called.insert(rest[0].clone());
                }
                "tilebench" if rest == ["-V"] => {}
                "tilebench" => drop(called.insert(sound(&known, &name, rest))),
                _ if program.contains('/') => assert!(workspace().join(program).is_file(), "{name}: {program}"),
                other => assert!(OTHERS.split(' ').any(|known| known == other), "{name}: {command:?}"),
            }
        }
    }
    for expected in ["ci", "build", "site", "run", "compare", "report"] {
        assert!(called.contains(expected), "no step calls {expected}: {called:?}");
    }
}

/// What an action says of a key.
fn at<'a>(yaml: &'a Yaml, keys: &[&str]) -> &'a Yaml {
    keys.iter().fold(yaml, |yaml, key| &yaml[*key])
}

/// Runs the last step of the action as GitHub does, as another step of the same job, and returns what its summary says too.
fn act(bench: &Bench, number: usize, inputs: [(&str, &str); 3]) -> (Output, String) {
    let (_, action) = files().pop().expect("the action");
    let step = at(&action, &["runs", "steps"]).as_vec().and_then(|steps| steps.last()).expect("a step");
    let folder = |name: &str| bench.path(&format!("{name}{number}"));
    fs::create_dir_all(folder("action").join("target/release")).expect("a folder");
    fs::create_dir_all(bench.path("temp")).expect("a folder");
    symlink(env!("CARGO_BIN_EXE_tilebench"), folder("action").join("target/release/tilebench")).expect("a link");
    let mut command = Command::new("bash");
    command.args(["--noprofile", "--norc", "-e", "-o", "pipefail", "-c", step["run"].as_str().expect("a script")]);
    command.current_dir(bench.path("")).env("RUNNER_TEMP", bench.path("temp"));
    command.env("GITHUB_ACTION_PATH", folder("action"));
    command.env("GITHUB_OUTPUT", folder("output")).env("GITHUB_STEP_SUMMARY", folder("summary"));
    for (variable, value) in step["env"].as_hash().expect("variables") {
        let input = value.as_str().expect("a value").trim_start_matches("${{ inputs.").trim_end_matches(" }}");
        let default = at(&action, &["inputs", input, "default"]).as_str().unwrap_or_default();
        let given = inputs.iter().find(|(name, _)| *name == input).map_or("", |(_, value)| value);
        command.env(variable.as_str().expect("a name"), if given.is_empty() { default } else { given });
    }
    let output = command.output().expect("bash");
    (output, fs::read_to_string(folder("summary")).unwrap_or_default())
}

#[test]
fn the_action_measures_compares_and_fails_where_it_should() {
    let bench = Bench::new();
    let config = "experiment = \"board\"\ntitle = \"A board\"\ninstances = [\"tri.toml\"]\n[limits]\ntime = \"30s\"\n\
                  [[formulation]]\nname = \"search\"\nkind = \"search\"\n[[solver]]\nname = \"search\"\n";
    bench.write("board.toml", config);
    let config = ("config", "board.toml");
    let (alone, summary) = act(&bench, 1, [config, ("baseline", ""), ("fail-on", "unsolved")]);
    assert!(alone.status.success() && summary.contains("A board"), "{alone:?} {summary}");
    let said = bench.read("output1");
    let results = said.lines().find_map(|line| line.strip_prefix("results=")).expect("an output");
    assert_eq!(ResultsDir::below(results.as_ref()).expect("results").len(), 1);
    let (compared, summary) = act(&bench, 2, [config, ("baseline", results), ("fail-on", "wrong")]);
    assert!(compared.status.success() && summary.contains("### tilebench: no regression\n"), "{compared:?} {summary}");
    let (odd, _) = act(&bench, 3, [config, ("baseline", ""), ("fail-on", "rain")]);
    assert_eq!(odd.status.code(), Some(2), "{odd:?}");
    bench.run(&words("run board.toml --out again --anyway")).ok();
    bench.write("tri.toml", &crate::bench::TRIANGLE.replace("solvable", "unsolvable"));
    let (wrong, summary) = act(&bench, 4, [config, ("baseline", "again"), ("fail-on", "")]);
    assert_eq!(wrong.status.code(), Some(1), "{wrong:?} {summary}");
    assert!(summary.contains("### tilebench: 1 regression (wrong 1)\n"), "{summary}");
}
