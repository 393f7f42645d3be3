//! The commands that repeat a run and check its answer.

use std::collections::HashMap;

use record::SolverFacts;

use crate::results::{Experiment, Run, Setting};

/// The commands that repeat runs: `tilebench solve` with everything that determines a run, as a shell takes it.
pub struct Commands {
    /// By the address of a setting, which runs share: how the commands of its runs begin.
    beginnings: HashMap<usize, Beginning>,
}

/// What the commands of runs of one setting have in common.
struct Beginning {
    text: String,
    proof: bool,
    root_bound: bool,
}

impl Commands {
    pub fn of(experiment: &Experiment) -> Self {
        let mut beginnings = HashMap::new();
        for run in experiment.runs() {
            beginnings.entry(run.setting_address()).or_insert_with(|| beginning(experiment, &run.setting));
        }
        Self { beginnings }
    }

    /// The command of a run of the experiment.
    pub fn solve(&self, run: &Run) -> String {
        let setting = &run.setting;
        let Beginning { text, proof, root_bound } = &self.beginnings[&run.setting_address()];
        let mut words = Vec::new();
        let mut option = |name: &str, value: &str| words.extend([format!("--{name}"), value.to_owned()]);
        if *proof {
            option("proof", &format!("{}.drat", run.run_id));
        }
        option("seed", &run.seed.to_string());
        option("threads", &setting.threads.to_string());
        option("time-limit", &run.time_limit_s.map_or_else(|| "none".to_owned(), |s| format!("{s}s")));
        // `20 s` and `64 MiB`, or `none`.
        for (name, limit) in [("cpu-limit", &setting.cpu_limit), ("memory-limit", &setting.memory_limit)] {
            if limit != "none" {
                option(name, &limit.replace(' ', ""));
            }
        }
        if *root_bound {
            words.push("--root-bound".to_owned());
        }
        format!("{text} {}", shell(&words))
    }
}

/// What is said of a setting. Puzzles without loops have no options about them; the formulations that leave these open are those of
/// their kind.
fn beginning(experiment: &Experiment, setting: &Setting) -> Beginning {
    let has_loops = setting.has_loops();
    let mut words = vec!["tilebench".to_owned(), "solve".to_owned(), instance(experiment, setting)];
    let mut option = |name: &str, value: &str| words.extend([format!("--{name}"), value.to_owned()]);
    match setting.kind.as_str() {
        "mip" => {
            option("kind", "mip");
            option("families", &setting.families);
            option("objective", &setting.objective);
        }
        // What these choose stands in the place of families; the formulation that is called so leaves the rest open.
        "search" => option("kind", "search"),
        kind => option(if has_loops { "formulation" } else { "kind" }, kind),
    }
    if setting.kind != "mip" {
        for (key, value) in setting.families.split_whitespace().filter_map(|choice| choice.split_once('=')) {
            // How a solver searches that was not told how.
            if (key, value) != ("strategy", "solver") {
                option(key, value);
            }
        }
    }
    if setting.kind != "search" && has_loops {
        match setting.subloops.split_once(':') {
            Some((treatment, cuts)) => {
                option("subloops", treatment);
                option("cuts", cuts);
            }
            None => option("subloops", &setting.subloops),
        }
    }
    if has_loops {
        option("holes", &setting.hole_treatment);
    }
    option("solver", backend(&experiment.manifest().solvers, &setting.solver));
    let (mut proof, mut root_bound) = (false, false);
    for (key, value) in options(&setting.options) {
        // The session writes it behind the options of the solver.
        match (key, value.as_str()) {
            ("proof", "true") => proof = true,
            ("root-bound", "true") => root_bound = true,
            _ => option("option", &format!("{key}={value}")),
        }
    }
    Beginning { text: shell(&words), proof, root_bound }
}

/// `tilebench verify` of the solution of an iteration.
pub fn verify(experiment: &Experiment, run: &Run, iteration: u64) -> String {
    let solution = experiment.files().solution(&run.run_id, iteration);
    shell(&["tilebench".to_owned(), "verify".to_owned(), instance(experiment, &run.setting), file(&solution)])
}

fn instance(experiment: &Experiment, setting: &Setting) -> String {
    file(&experiment.files().instance(&setting.instance))
}

/// A path that no command takes for an option.
fn file(path: &std::path::Path) -> String {
    let path = path.to_string_lossy();
    if path.starts_with('-') { format!("./{path}") } else { path.into_owned() }
}

/// The backend behind a label.
fn backend<'a>(solvers: &'a [SolverFacts], label: &'a str) -> &'a str {
    solvers.iter().find(|solver| solver.name == label).map_or(label, |solver| &solver.backend)
}

/// The options of a row, `key=value; key=value` in the order of the keys. A value may hold such a separator too: what follows one
/// begins an option only if it has a key, greater than that before it.
fn options(text: &str) -> Vec<(&str, String)> {
    let mut found: Vec<(&str, String)> = Vec::new();
    for part in text.split("; ").filter(|part| !part.is_empty()) {
        let is_key = |key: &str| !key.is_empty() && !key.contains(char::is_whitespace);
        let follows =
            |key: &str| ["proof", "root-bound"].contains(&key) || found.last().is_none_or(|last| last.0 < key);
        match (part.split_once('=').filter(|(key, _)| is_key(key) && follows(key)), found.last_mut()) {
            (Some((key, value)), _) => found.push((key, value.to_owned())),
            (None, Some((_, value))) => value.extend(["; ", part]),
            (None, None) => {}
        }
    }
    found
}

/// The words as one line for a shell.
fn shell(words: &[String]) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_@%+=:,./-".contains(c);
    let quoted = |word: &String| match word {
        word if !word.is_empty() && word.chars().all(plain) => word.clone(),
        // As people would write the families of Kino and Uno.
        word if word.contains('\'') && word.chars().all(|c| plain(c) || " '".contains(c)) => format!("\"{word}\""),
        word => format!("'{}'", word.replace('\'', "'\\''")),
    };
    words.iter().map(quoted).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_with_separators_in_their_values() {
        let read = |text| options(text).into_iter().map(|(k, v)| format!("{k}|{v}")).collect::<Vec<_>>();
        assert_eq!(read(""), [""; 0]);
        assert_eq!(read("a=1; b=x=y; proof=true"), ["a|1", "b|x=y", "proof|true"]);
        assert_eq!(read("command=sh -c \"a; b c; A=2\"; mode=x"), ["command|sh -c \"a; b c; A=2\"", "mode|x"]);
    }

    #[test]
    fn words_stay_words() {
        let words = ["a-b_1.5=x", "", "C1 C2'", "a b", "$(rm)\n", "it's $HOME"].map(str::to_owned);
        assert_eq!(shell(&words), "a-b_1.5=x '' \"C1 C2'\" 'a b' '$(rm)\n' 'it'\\''s $HOME'");
    }
}
