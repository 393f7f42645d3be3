//! `[[solver]]`: defaults and matrix, until every solver stands for itself.

use std::collections::{BTreeMap, HashSet};

use super::SolverChoice;
use super::entries::SolverFile;
use super::file::ConfigFile;
use super::formulations::{MOST, spread};
use super::source::Source;
use super::values::{At, OptionValue, Threads};
use crate::RunnerError;

/// The solvers of a config.
///
/// # Errors
/// A key that stands twice, two solvers of one label.
pub(super) fn expand(source: &Source, file: &ConfigFile) -> Result<Vec<SolverChoice>, RunnerError> {
    if let (Some(_), Some(at)) = (&file.threads, &file.defaults.solver.threads) {
        return Err(source.error(at.span(), "threads of all solvers stands twice: on top and in [defaults.solver]"));
    }
    let threads = file.threads.as_ref().or(file.defaults.solver.threads.as_ref());
    let mut labels = HashSet::new();
    let mut chosen = Vec::new();
    for entry in &file.solver {
        for choice in variants(source, entry, file, threads)? {
            if !labels.insert(choice.label.clone()) {
                let entry = entry.get();
                let at = entry.label.as_ref().unwrap_or(&entry.name).span();
                let reason = format!("two solvers are called \"{}\"; give one of them another label", choice.label);
                return Err(source.error(at, reason));
            }
            chosen.push(choice);
        }
    }
    Ok(chosen)
}

/// Threads and options of a solver.
#[derive(Clone)]
struct Choices {
    threads: u32,
    options: BTreeMap<String, String>,
}

fn variants(
    source: &Source,
    entry: &At<SolverFile>,
    file: &ConfigFile,
    threads: Option<&At<Threads>>,
) -> Result<Vec<SolverChoice>, RunnerError> {
    let SolverFile { name, label, threads: own, proof, options, matrix } = entry.get();
    let label = label.as_ref().unwrap_or(name).get();
    let twice = matrix.options.keys().find(|key| options.contains_key(*key));
    let twice = twice
        .map(|key| format!("option {key}"))
        .or((own.is_some() && matrix.threads.is_some()).then(|| "threads".into()));
    if let Some(key) = twice {
        let reason = format!("solver \"{label}\" has {key} twice: in its matrix and beside it");
        return Err(source.error(entry.span(), reason));
    }
    let lengths = matrix.options.values().map(|values| values.0.len()).chain(matrix.threads.as_ref().map(Vec::len));
    let count = lengths.fold(1u64, |count, length| count.saturating_mul(length as u64));
    if count > MOST {
        return Err(source.error(entry.span(), format!("\"{label}\" stands for {count} solvers; the most are {MOST}")));
    }

    for (key, values) in &matrix.options {
        let mut texts = HashSet::new();
        if let Some(twice) = values.0.iter().map(OptionValue::text).find(|text| !texts.insert(text.clone())) {
            let reason =
                format!("solver \"{label}\": two values of matrix.options.{key} are the same to a solver: {twice}");
            return Err(source.error(entry.span(), reason));
        }
    }

    let defaulted = file.defaults.solver.options.keys();
    let defaulted = defaulted.filter(|key| !options.contains_key(*key) && !matrix.options.contains_key(*key));
    let defaulted: Vec<String> = defaulted.cloned().collect();
    let merged = file.defaults.solver.options.iter().chain(options).map(|(key, value)| (key.clone(), value.text()));
    let threads = own.as_ref().or(threads).map_or(1, |threads| threads.get().0);
    let mut all = vec![(String::new(), Choices { threads, options: merged.collect() })];
    if let Some(alternatives) = &matrix.threads {
        all = spread(all, alternatives, |Threads(threads), choices| {
            choices.threads = *threads;
            format!(" threads={threads}")
        });
    }
    for (key, values) in &matrix.options {
        all = spread(all, &values.0, |value, choices: &mut Choices| {
            choices.options.insert(key.clone(), value.text());
            format!(" {key}={}", value.text())
        });
    }
    let solver = |(suffix, Choices { threads, options })| SolverChoice {
        name: name.get().clone(),
        label: format!("{label}{suffix}"),
        options,
        defaulted: defaulted.clone(),
        threads,
        proof: *proof,
        line: source.line(name.span().start),
    };
    Ok(all.into_iter().map(solver).collect())
}
