//! What names and patterns stand for: formulations, solvers and seeds by name or by a pattern, the same in filters of runs
//! (`--filter KEY=PATTERN`, `[[exclude]]`), and instance files with the instances of suites.

use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use puzzle::words;
use record::natural_order;

use super::file::{At, Patterns};
use super::schema::MakeSuite;
use super::source::Source;
use crate::RunnerError;
use crate::text::alternatives;

/// Refuses what cannot name something in tables, in files of rows and on the console.
pub(super) fn check_name(source: &Source, what: &str, at: &At<String>) -> Result<(), RunnerError> {
    let name = at.get();
    if !name.is_empty() && name.trim() == name && !name.contains(char::is_control) {
        return Ok(());
    }
    let reason = "is no name: give text of one line, without blanks at its ends and control characters";
    Err(source.error(at.span(), format!("{what} {name:?} {reason}")))
}

/// Positions of the names that a name or pattern fits. Where something has that very name, nothing else is meant.
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
    /// The instances of each suite: their names and texts.
    suites: RefCell<HashMap<PathBuf, Vec<(String, String)>>>,
    found: RefCell<FoundFiles>,
}

/// What the patterns of a config stand for.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct FoundFiles {
    /// Instance files that a pattern stands for: its line, and the pattern. Files that are named are not among them.
    pub matched: HashMap<PathBuf, (usize, String)>,
    /// Texts of the instances that suites make. Their paths go on behind the suite: `SUITE/NAME.toml`.
    pub made: HashMap<PathBuf, String>,
    /// Every file that a pattern matched, suites as they are.
    pub read: BTreeSet<PathBuf>,
}

impl<'a> Files<'a> {
    pub fn new(source: &'a Source, make_suite: Option<MakeSuite>) -> Self {
        let (known, suites) = (RefCell::default(), RefCell::default());
        Self { source, make_suite, known, suites, found: RefCell::default() }
    }

    /// The files that match and the instances of suites, each once, `n5` before `n10`.
    pub fn expand(&self, patterns: &Patterns) -> Result<Vec<PathBuf>, RunnerError> {
        let key: Vec<String> = patterns.iter().map(|pattern| pattern.get().clone()).collect();
        if let Some(known) = self.known.borrow().get(&key) {
            return Ok(known.clone());
        }
        let files = self.follow(patterns)?;
        self.known.borrow_mut().insert(key, files.clone());
        Ok(files)
    }

    /// What all patterns stand for.
    pub fn into_found(self) -> FoundFiles {
        self.found.into_inner()
    }

    fn follow(&self, patterns: &Patterns) -> Result<Vec<PathBuf>, RunnerError> {
        let source = self.source;
        let (mut files, mut seen, mut found) = (Vec::new(), HashSet::new(), self.found.borrow_mut());
        for at in patterns {
            let wrong = |reason| source.error(at.span(), reason);
            let mut matched = false;
            let (pattern, members) = of_suite(at.get());
            let paths = glob::glob(&absolute(source, pattern)).map_err(|e| wrong(format!("not a pattern: {e}")))?;
            for path in paths {
                let path = path.map_err(|e| RunnerError::Io { path: e.path().to_owned(), source: e.into() })?;
                if path.is_dir() {
                    continue;
                }
                matched = true;
                found.read.insert(path.clone());
                let real = fs::canonicalize(&path).map_err(RunnerError::io(&path))?;
                if self.make_suite.is_some() && is_suite(&path) {
                    let made = self.members(&path, members, &mut found.made).map_err(wrong)?;
                    let new = made.into_iter().filter(|name| seen.insert(real.join(name)));
                    files.extend(new.map(|name| path.join(name)));
                } else if seen.insert(real) {
                    if at.get().contains(['*', '?', '[']) {
                        let place = (source.line(at.span().start), at.get().clone());
                        found.matched.entry(path.clone()).or_insert(place);
                    }
                    files.push(path);
                }
            }
            if !matched {
                return Err(wrong(nothing(source, pattern)));
            }
        }
        files.sort_by(|a, b| natural_order(&a.to_string_lossy(), &b.to_string_lossy()));
        Ok(files)
    }

    /// The instances of a suite whose names fit a pattern (without one: all), as file names; their texts are kept.
    fn members(
        &self,
        suite: &Path,
        pattern: Option<&str>,
        made: &mut HashMap<PathBuf, String>,
    ) -> Result<Vec<String>, String> {
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
    if source.folder().join(pattern).is_dir() {
        return format!("\"{pattern}\" is a folder; write \"{}/*.toml\" for its files", pattern.trim_end_matches('/'));
    }
    let near = puzzle::near_file(&source.folder().join(pattern));
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

/// A property of a run and patterns of which it must match one (`*`, `?` and `[...]` as in file names).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Filter {
    /// As it was written; empty where a config says it in other ways.
    text: String,
    property: Property,
    /// A name may hold what patterns take for signs of their own, so the text itself fits too.
    wanted: Vec<glob::Pattern>,
}

words!(Property:
    Instance "instance", Challenge "challenge", Colour "colour", Formulation "formulation", Kind "kind", Solver "solver", Seed "seed"
);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Property {
    Instance,
    Challenge,
    Colour,
    Formulation,
    Kind,
    /// As the `solver` column shows it, so that each of several labels of one solver can be chosen.
    Solver,
    Seed,
}

impl FromStr for Filter {
    type Err = String;

    /// Reads `KEY=PATTERN,...`; the error names the known keys.
    fn from_str(text: &str) -> Result<Self, String> {
        let known = |wrong: &str| alternatives(wrong, Property::WORDS.iter().copied());
        let (name, pattern) = text.split_once('=').ok_or_else(|| {
            format!("filter \"{text}\" is not KEY=PATTERN, for example instance=n2*; {}", known(text))
        })?;
        let property =
            Property::of_word(name).ok_or_else(|| format!("unknown filter key \"{name}\"; {}", known(name)))?;
        let whole = glob::Pattern::new(pattern).map_err(|e| format!("filter \"{text}\": not a pattern: {}", e.msg))?;
        // The whole too, as a name or what is in brackets may have a comma.
        let several =
            pattern.split(',').filter(|_| pattern.contains(',')).filter_map(|one| glob::Pattern::new(one).ok());
        let wanted = [whole].into_iter().chain(several).collect();
        Ok(Self { text: text.to_owned(), property, wanted })
    }
}

impl fmt::Display for Filter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl Filter {
    /// The runs whose property is one of some names or matches one of some patterns; `is_name` tells which is which.
    pub(crate) fn any_of(property: Property, texts: &[String], is_name: impl Fn(&str) -> bool) -> Result<Self, String> {
        let wanted = |text: &String| match is_name(text) {
            true => glob::Pattern::new(&glob::Pattern::escape(text)),
            false => glob::Pattern::new(text),
        };
        let wanted = texts.iter().map(wanted).collect::<Result<_, _>>();
        Ok(Self { text: String::new(), property, wanted: wanted.map_err(|e| format!("not a pattern: {}", e.msg))? })
    }

    pub(crate) fn property(&self) -> Property {
        self.property
    }

    pub(crate) fn fits(&self, value: &str) -> bool {
        self.wanted.iter().any(|wanted| wanted.matches(value) || wanted.as_str() == value)
    }

    /// The last of its patterns, as it was written.
    pub(crate) fn last(&self) -> &str {
        self.wanted.last().map_or("", glob::Pattern::as_str)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_filter_may_have_several_patterns() {
        let filter: Filter = "challenge=10,2?".parse().expect("a filter");
        assert_eq!(["10", "25", "10,2?", "1", "10,"].map(|value| filter.fits(value)), [true, true, true, false, false]);
    }

    #[test]
    fn wrong_filters_say_what_would_be_right() {
        for (text, part) in
            [("instance", "KEY=PATTERN"), ("instanc=n2*", "did you mean \"instance\"?"), ("seed=[", "not a pattern")]
        {
            assert!(text.parse::<Filter>().is_err_and(|e| e.contains(part)), "{text}");
        }
    }
}
