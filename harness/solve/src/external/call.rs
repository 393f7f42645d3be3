//! One call of a program: what a command line is made of, and what stands in it for this model, limit and seed.

use std::path::Path;

use super::files::Format;
use super::process::grace;
use crate::backend::*;

/// A part of a command line or of a file of settings. In its texts the names in braces that [`Call::value`] knows are filled in.
pub(super) enum Part {
    Always(&'static [&'static str]),
    /// There if there is a time limit.
    Limit(&'static [&'static str]),
    /// Only given if the seed is not 0, for programs to which 0 means something else.
    Seed(&'static [&'static str]),
    /// There for each option, with its `{name}` and `{value}`.
    Options(&'static [&'static str]),
    Made(fn(&Call<'_>) -> Vec<String>),
}

/// Name of the model's solution file: CPLEX and Gurobi go by its ending.
pub(super) const SOLUTION: &str = "solution.sol";

/// Name of the file for a log that a program does not print.
pub(super) const LOG: &str = "program.log";

pub(super) const SETTINGS: &str = "settings.txt";

#[derive(Debug, Clone, Copy)]
pub(super) struct Call<'a> {
    /// The directory of its files. Named programs run there, so that names of files need no path.
    pub directory: &'a Path,
    pub format: Format,
    pub time_limit: Option<Duration>,
    pub seed: u64,
    pub threads: u32,
    /// Options of the program by its own names.
    pub options: &'a BTreeMap<String, String>,
}

impl Call<'_> {
    /// What stands for a name in braces.
    pub fn value(&self, name: &str) -> Option<String> {
        Some(match name {
            "model" => self.format.file_name().to_owned(),
            "solution" => SOLUTION.to_owned(),
            "log" => LOG.to_owned(),
            "time" => seconds(self.time_limit?),
            // For programs that stop before their limit, as they expect the next step to take longer than what is left.
            "time+" => seconds(self.time_limit?.saturating_add(grace(self.time_limit?) / 2)),
            "seconds" => self.whole_seconds()?.to_string(),
            "seed" => self.seed.to_string(),
            "threads" => self.threads.to_string(),
            _ => return None,
        })
    }

    /// The time limit rounded up, for programs that take whole seconds: rounded down they would leave time unused. A program that
    /// goes on for too long after its limit is stopped.
    pub fn whole_seconds(&self) -> Option<u64> {
        self.time_limit.map(|limit| (limit.as_secs() + u64::from(limit.subsec_nanos() > 0)).max(1))
    }

    pub fn filled(&self, parts: &[Part]) -> Vec<String> {
        let all = |words: &[&str]| words.iter().map(|word| fill(word, |name| self.value(name))).collect::<Vec<_>>();
        let option = |words: &'static [&'static str], option: &str, value: &str| {
            let given = |name: &str| match name {
                "name" => Some(option.to_owned()),
                "value" => Some(value.to_owned()),
                _ => None,
            };
            words.iter().map(|word| fill(word, given)).collect::<Vec<_>>()
        };
        let part = |part: &Part| match part {
            Part::Always(words) => all(words),
            Part::Limit(words) => self.time_limit.map(|_| all(words)).unwrap_or_default(),
            Part::Seed(words) => Some(words).filter(|_| self.seed > 0).map(|words| all(words)).unwrap_or_default(),
            Part::Options(words) => self.options.iter().flat_map(|(name, value)| option(words, name, value)).collect(),
            Part::Made(make) => make(self),
        };
        parts.iter().flat_map(part).collect()
    }
}

fn seconds(time: Duration) -> String {
    format!("{:.3}", time.as_secs_f64().max(0.001))
}

/// A word with the names in braces replaced by their values, in one pass: values may contain braces.
pub(super) fn fill(word: &str, value: impl Fn(&str) -> Option<String>) -> String {
    let mut filled = String::new();
    let mut rest = word;
    while let Some((before, after)) = rest.split_once('{') {
        filled.push_str(before);
        let replaced = after.split_once('}').and_then(|(name, after)| Some((value(name)?, after)));
        let (text, after) = replaced.unwrap_or(("{".to_owned(), after));
        filled.push_str(&text);
        rest = after;
    }
    filled + rest
}
