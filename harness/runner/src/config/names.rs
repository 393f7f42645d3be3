//! What names and patterns of a config stand for: formulations, solvers and seeds by name or by a pattern as in `--filter`, and
//! instance files.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::PathBuf;

use record::natural_order;

use super::source::Source;
use super::values::{At, Patterns};
use crate::RunnerError;
use crate::text::{alternatives, did_you_mean};

/// Positions of the names that a name or pattern fits. Where something has that very name, nothing else is meant.
///
/// # Errors
/// A text that is no pattern, or that fits nothing; with the nearest names.
pub(super) fn positions(what: &str, wanted: &str, names: &[&str]) -> Result<Vec<usize>, String> {
    if let Some(exact) = names.iter().position(|name| *name == wanted) {
        return Ok(vec![exact]);
    }
    let pattern = glob::Pattern::new(wanted).map_err(|e| format!("{what} \"{wanted}\" is no pattern: {}", e.msg))?;
    let found: Vec<usize> = (0..names.len()).filter(|&index| pattern.matches(names[index])).collect();
    if found.is_empty() {
        return Err(format!("no {what} is named \"{wanted}\"; {}", alternatives(wanted, names.iter().copied())));
    }
    Ok(found)
}

/// Which of the names a list of names and patterns chooses; without a list all of them.
///
/// # Errors
/// As [`positions`], at the place of the list's entry.
pub(super) fn chosen(
    source: &Source,
    what: &str,
    wanted: Option<&Vec<At<String>>>,
    names: &[&str],
) -> Result<Vec<bool>, RunnerError> {
    let Some(wanted) = wanted else {
        return Ok(vec![true; names.len()]);
    };
    let mut chosen = vec![false; names.len()];
    for entry in wanted {
        for index in positions(what, entry.get(), names).map_err(|reason| source.error(entry.span(), reason))? {
            chosen[index] = true;
        }
    }
    Ok(chosen)
}

/// The files of a config's patterns; each list of patterns is followed once.
pub(super) struct Files<'a> {
    source: &'a Source,
    known: RefCell<HashMap<Vec<String>, Vec<PathBuf>>>,
    /// The pattern that each file came by, with its line; files that are named are not among them.
    matched: RefCell<HashMap<PathBuf, (usize, String)>>,
}

impl<'a> Files<'a> {
    /// The files that patterns of a config match.
    pub fn new(source: &'a Source) -> Self {
        Self { source, known: RefCell::default(), matched: RefCell::default() }
    }

    /// The files that match, each once, `n5` before `n10`.
    ///
    /// # Errors
    /// A pattern that makes no sense or that nothing matches.
    pub fn expand(&self, patterns: &Patterns) -> Result<Vec<PathBuf>, RunnerError> {
        let key: Vec<String> = patterns.iter().map(|pattern| pattern.get().clone()).collect();
        if let Some(known) = self.known.borrow().get(&key) {
            return Ok(known.clone());
        }
        let found = self.follow(patterns)?;
        self.known.borrow_mut().insert(key, found.clone());
        Ok(found)
    }

    /// The patterns that files came by, each with its line.
    pub fn matched(self) -> HashMap<PathBuf, (usize, String)> {
        self.matched.into_inner()
    }

    fn follow(&self, patterns: &Patterns) -> Result<Vec<PathBuf>, RunnerError> {
        let source = self.source;
        let (mut found, mut seen) = (Vec::new(), HashSet::new());
        for pattern in patterns {
            let mut matched = false;
            let paths = glob::glob(&absolute(source, pattern.get()))
                .map_err(|e| source.error(pattern.span(), format!("not a pattern: {e}")))?;
            for path in paths {
                let path = path.map_err(|e| RunnerError::Io { path: e.path().to_owned(), source: e.into() })?;
                if path.is_dir() {
                    continue;
                }
                matched = true;
                let real = fs::canonicalize(&path).map_err(|source| RunnerError::Io { path: path.clone(), source })?;
                if seen.insert(real) {
                    if pattern.get().contains(['*', '?', '[']) {
                        let place = (source.line(pattern.span().start), pattern.get().clone());
                        self.matched.borrow_mut().entry(path.clone()).or_insert(place);
                    }
                    found.push(path);
                }
            }
            if !matched {
                return Err(source.error(pattern.span(), nothing(source, pattern.get())));
            }
        }
        found.sort_by(|a, b| natural_order(&a.to_string_lossy(), &b.to_string_lossy()));
        Ok(found)
    }
}

/// That a pattern matches nothing, and the nearest files in its folder.
fn nothing(source: &Source, pattern: &str) -> String {
    let (folder, name) = pattern.rsplit_once('/').unwrap_or((".", pattern));
    let entries = fs::read_dir(source.folder().join(folder)).into_iter().flatten().flatten();
    let names: Vec<String> = entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    let near = did_you_mean(name, names.iter().map(String::as_str));
    let hint = near.map(|near| format!("did you mean \"{near}\"? ")).unwrap_or_default();
    format!("no file matches \"{pattern}\"; {hint}patterns are relative to {}", source.folder().display())
}

fn absolute(source: &Source, pattern: &str) -> String {
    if pattern.starts_with('/') {
        pattern.to_owned()
    } else {
        format!("{}/{pattern}", glob::Pattern::escape(&source.folder().to_string_lossy()))
    }
}
