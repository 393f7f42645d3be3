//! What names and patterns of a config stand for: formulations, solvers and seeds by name or by a pattern as in `--filter`, and
//! instance files with the instances of suites.

use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

use record::natural_order;

use super::schema::MakeSuite;
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
    make_suite: Option<MakeSuite>,
    known: RefCell<HashMap<Vec<String>, Vec<PathBuf>>>,
    /// The pattern that each file came by, with its line; files that are named are not among them.
    matched: RefCell<HashMap<PathBuf, (usize, String)>>,
    /// The instances of each suite: their names and texts.
    suites: RefCell<HashMap<PathBuf, Vec<(String, String)>>>,
    /// Texts of the instances that suites make and that some pattern asks for.
    made: RefCell<HashMap<PathBuf, String>>,
    /// Every file that a pattern matched, suites as they are.
    read: RefCell<BTreeSet<PathBuf>>,
}

/// What became of the patterns of a config.
pub(super) struct Found {
    /// The pattern that each file came by, with its line.
    pub matched: HashMap<PathBuf, (usize, String)>,
    /// Texts of the instances that suites make.
    pub made: HashMap<PathBuf, String>,
    /// Every file that a pattern matched, suites as they are.
    pub read: BTreeSet<PathBuf>,
}

impl<'a> Files<'a> {
    /// The files that patterns of a config match, and what makes the instances of suites.
    pub fn new(source: &'a Source, make_suite: Option<MakeSuite>) -> Self {
        let (known, matched, suites) = (RefCell::default(), RefCell::default(), RefCell::default());
        Self { source, make_suite, known, matched, suites, made: RefCell::default(), read: RefCell::default() }
    }

    /// The files that match and the instances of suites, each once, `n5` before `n10`.
    ///
    /// # Errors
    /// A pattern that makes no sense or that nothing matches, a suite that makes no instances.
    pub fn expand(&self, patterns: &Patterns) -> Result<Vec<PathBuf>, RunnerError> {
        let key: Vec<String> = patterns.iter().map(|pattern| pattern.get().clone()).collect();
        if let Some(known) = self.known.borrow().get(&key) {
            return Ok(known.clone());
        }
        let found = self.follow(patterns)?;
        self.known.borrow_mut().insert(key, found.clone());
        Ok(found)
    }

    /// What became of all patterns.
    pub fn into_found(self) -> Found {
        Found { matched: self.matched.into_inner(), made: self.made.into_inner(), read: self.read.into_inner() }
    }

    fn follow(&self, patterns: &Patterns) -> Result<Vec<PathBuf>, RunnerError> {
        let source = self.source;
        let (mut found, mut seen) = (Vec::new(), HashSet::new());
        for pattern in patterns {
            let mut matched = false;
            let (files, members) = of_suite(pattern.get());
            let paths = glob::glob(&absolute(source, files))
                .map_err(|e| source.error(pattern.span(), format!("not a pattern: {e}")))?;
            for path in paths {
                let path = path.map_err(|e| RunnerError::Io { path: e.path().to_owned(), source: e.into() })?;
                if path.is_dir() {
                    continue;
                }
                matched = true;
                self.read.borrow_mut().insert(path.clone());
                let real = fs::canonicalize(&path).map_err(|source| RunnerError::Io { path: path.clone(), source })?;
                if self.make_suite.is_some() && is_suite(&path) {
                    let made = self.members(&path, members);
                    let made = made.map_err(|reason| source.error(pattern.span(), reason))?;
                    found.extend(
                        made.into_iter().filter(|name| seen.insert(real.join(name))).map(|name| path.join(name)),
                    );
                } else if seen.insert(real) {
                    if pattern.get().contains(['*', '?', '[']) {
                        let place = (source.line(pattern.span().start), pattern.get().clone());
                        self.matched.borrow_mut().entry(path.clone()).or_insert(place);
                    }
                    found.push(path);
                }
            }
            if !matched {
                return Err(source.error(pattern.span(), nothing(source, files)));
            }
        }
        found.sort_by(|a, b| natural_order(&a.to_string_lossy(), &b.to_string_lossy()));
        Ok(found)
    }
}

impl Files<'_> {
    /// The instances of a suite whose names fit a pattern (without one: all), as file names; their texts are kept.
    fn members(&self, suite: &Path, pattern: Option<&str>) -> Result<Vec<String>, String> {
        let mut suites = self.suites.borrow_mut();
        if let (false, Some(make)) = (suites.contains_key(suite), self.make_suite) {
            suites.insert(suite.to_owned(), make(suite)?);
        }
        let all = suites.get(suite).map(Vec::as_slice).unwrap_or_default();
        let wanted = pattern.map(|text| text.strip_suffix(".toml").unwrap_or(text));
        let names: Vec<&str> = all.iter().map(|(name, _)| name.as_str()).collect();
        let chosen = match wanted {
            Some(wanted) => positions(&format!("instance of {}", suite.display()), wanted, &names)?,
            None => (0..all.len()).collect(),
        };
        let mut made = self.made.borrow_mut();
        let keep = |index: usize| {
            let (name, text) = &all[index];
            let file = format!("{name}.toml");
            made.insert(suite.join(&file), text.clone());
            file
        };
        Ok(chosen.into_iter().map(keep).collect())
    }
}

/// How the file of a suite is called, or ends.
const SUITE: &str = "suite.toml";

/// Whether a file is a list of instances, by its name: `suite.toml` or `NAME.suite.toml`.
#[must_use]
pub fn is_suite(path: &Path) -> bool {
    path.file_name().is_some_and(|name| is_suite_name(&name.to_string_lossy()))
}

fn is_suite_name(name: &str) -> bool {
    name.strip_suffix(SUITE).is_some_and(|stem| stem.is_empty() || stem.ends_with('.'))
}

/// A pattern for files, and what follows it: a pattern for the instances of a suite.
fn of_suite(pattern: &str) -> (&str, Option<&str>) {
    let ends = pattern.match_indices('/').map(|(end, _)| end);
    let suite = |end: &usize| is_suite_name(pattern[..*end].rsplit('/').next().unwrap_or_default());
    ends.into_iter().find(suite).map_or((pattern, None), |end| (&pattern[..end], Some(&pattern[end + 1..])))
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
