//! `--filter KEY=PATTERN`: which runs of a plan to keep.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use super::PlannedRun;
use crate::text::alternatives;

/// A property of a run and patterns of which it must match one (`*`, `?` and `[...]` as in file names).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Filter {
    /// As it was written; empty where a config says it in other ways.
    text: String,
    /// Index in [`KEYS`].
    key: usize,
    wanted: Vec<Wanted>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Wanted {
    /// Just this name.
    Name(String),
    /// What the pattern matches. A name may hold what patterns take for signs of their own, so the text itself fits too.
    Pattern(glob::Pattern),
}

impl Wanted {
    fn fits(&self, text: &str) -> bool {
        match self {
            Self::Name(name) => name == text,
            Self::Pattern(pattern) => pattern.matches(text) || pattern.as_str() == text,
        }
    }
}

/// A property of a run, if it has it.
type Property = fn(&PlannedRun) -> Option<Cow<'_, str>>;

const KEYS: [(&str, Property); 7] = [
    ("instance", |run| Some(run.instance.instance.name.as_str().into())),
    ("challenge", |run| run.instance.facts.challenge.map(|n| n.to_string().into())),
    ("colour", |run| run.instance.facts.colour.as_deref().map(Into::into)),
    ("formulation", |run| Some(run.formulation.formulation.name().into())),
    ("kind", |run| Some(run.formulation.kind().into())),
    // As the `solver` column shows it, so that each of several labels of one solver can be chosen.
    ("solver", |run| Some(run.solver.label.as_str().into())),
    ("seed", |run| Some(run.seed.to_string().into())),
];

/// The index of a key in [`KEYS`].
fn position(key: &str) -> Option<usize> {
    KEYS.iter().position(|(known, _)| *known == key)
}

impl FromStr for Filter {
    type Err = String;

    /// Reads `KEY=PATTERN`; the error names the known keys.
    fn from_str(text: &str) -> Result<Self, String> {
        let known = |wrong: &str| alternatives(wrong, KEYS.map(|(name, _)| name));
        let (name, pattern) = text.split_once('=').ok_or_else(|| {
            format!("filter \"{text}\" is not KEY=PATTERN, for example instance=n2*; {}", known(text))
        })?;
        let key = position(name).ok_or_else(|| format!("unknown filter key \"{name}\"; {}", known(name)))?;
        let pattern =
            glob::Pattern::new(pattern).map_err(|e| format!("filter \"{text}\": not a pattern: {}", e.msg))?;
        Ok(Self { text: text.to_owned(), key, wanted: vec![Wanted::Pattern(pattern)] })
    }
}

impl fmt::Display for Filter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl Filter {
    /// The runs whose property is one of some names or matches one of some patterns; `is_name` tells which is which.
    ///
    /// # Errors
    /// A property that runs do not have, a text that is no pattern.
    pub(crate) fn any_of(key: &str, texts: &[String], is_name: impl Fn(&str) -> bool) -> Result<Self, String> {
        let wanted = |text: &String| match is_name(text) {
            true => Ok(Wanted::Name(text.clone())),
            false => glob::Pattern::new(text).map(Wanted::Pattern),
        };
        let wanted = texts.iter().map(wanted).collect::<Result<_, _>>();
        let key = position(key).ok_or_else(|| format!("runs have no property {key}"))?;
        Ok(Self { text: String::new(), key, wanted: wanted.map_err(|e| format!("not a pattern: {}", e.msg))? })
    }

    /// Whether a run has the property. A solver is given by its label, which is its backend where the config names none.
    #[must_use]
    pub fn matches(&self, run: &PlannedRun) -> bool {
        KEYS[self.key].1(run).is_some_and(|text| self.wanted.iter().any(|wanted| wanted.fits(&text)))
    }

    /// Why no run passes: what there is in place of what it wants, nearest first. `None` if it is not this filter's fault alone.
    pub(super) fn idle<'a>(&self, runs: impl Iterator<Item = &'a PlannedRun>) -> Option<String> {
        let mut known = BTreeSet::new();
        for run in runs {
            if self.matches(run) {
                return None;
            }
            let property = KEYS[self.key].1(run);
            if let Some(property) = property.filter(|property| !known.contains(property.as_ref())) {
                known.insert(property.into_owned());
            }
        }
        let (_, wanted) = self.text.split_once('=').unwrap_or_default();
        let known = alternatives(wanted, known.iter().map(String::as_str));
        Some(format!("no run passes the filter {}; {known}", self.text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrong_filters_say_what_would_be_right() {
        for (text, part) in
            [("instance", "KEY=PATTERN"), ("instanc=n2*", "did you mean \"instance\"?"), ("seed=[", "not a pattern")]
        {
            assert!(text.parse::<Filter>().is_err_and(|e| e.contains(part)), "{text}");
        }
    }
}
