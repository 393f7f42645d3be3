//! `--filter KEY=PATTERN`: which runs of a plan to keep.

use std::str::FromStr;

use super::PlannedRun;
use crate::suggest::nearest_first;

/// A property of a run and patterns of which it must match one (`*`, `?` and `[...]` as in file names).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Filter {
    key: Key,
    patterns: Vec<glob::Pattern>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Key {
    Instance,
    Challenge,
    Colour,
    Formulation,
    Solver,
    Seed,
}

const KEYS: [(&str, Key); 6] = [
    ("instance", Key::Instance),
    ("challenge", Key::Challenge),
    ("colour", Key::Colour),
    ("formulation", Key::Formulation),
    ("solver", Key::Solver),
    ("seed", Key::Seed),
];

impl FromStr for Filter {
    type Err = String;

    /// Reads `KEY=PATTERN`; the error names the known keys.
    fn from_str(text: &str) -> Result<Self, String> {
        let known = |wrong: &str| nearest_first(wrong, KEYS.map(|(name, _)| name));
        let (name, pattern) = text.split_once('=').ok_or_else(|| {
            format!("filter \"{text}\" is not KEY=PATTERN, for example instance=n2*; known keys: {}", known(text))
        })?;
        let key = KEYS.iter().find(|(key, _)| *key == name).map(|(_, key)| *key);
        let key = key.ok_or_else(|| format!("unknown filter key \"{name}\"; known keys: {}", known(name)))?;
        let pattern =
            glob::Pattern::new(pattern).map_err(|e| format!("filter \"{text}\": not a pattern: {}", e.msg))?;
        Ok(Self { key, patterns: vec![pattern] })
    }
}

impl Filter {
    /// The runs whose property matches one of some patterns.
    ///
    /// # Errors
    /// A property that runs do not have, a text that is no pattern.
    pub(crate) fn any_of(key: &str, patterns: &[String]) -> Result<Self, String> {
        let each = patterns.iter().map(|pattern| format!("{key}={pattern}").parse());
        let filters = each.collect::<Result<Vec<Self>, _>>()?;
        let key = filters.first().ok_or_else(|| format!("no pattern for {key}"))?.key;
        Ok(Self { key, patterns: filters.into_iter().flat_map(|filter| filter.patterns).collect() })
    }

    /// Whether a run has the property. The solver may be given by its label or its backend.
    #[must_use]
    pub fn matches(&self, run: &PlannedRun) -> bool {
        let facts = &run.instance.facts;
        // A name may hold what patterns take for signs of their own.
        let fits = |text: &str| self.patterns.iter().any(|pattern| pattern.matches(text) || pattern.as_str() == text);
        match self.key {
            Key::Instance => fits(&run.instance.instance.name),
            Key::Challenge => facts.challenge.is_some_and(|n| fits(&n.to_string())),
            Key::Colour => facts.colour.as_ref().is_some_and(|colour| fits(colour)),
            Key::Formulation => fits(&run.formulation.formulation.name),
            // As the `solver` column shows it, so that each of several labels of one solver can be chosen.
            Key::Solver => fits(&run.solver.label),
            Key::Seed => fits(&run.seed.to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrong_filters_say_what_would_be_right() {
        for (text, part) in
            [("instance", "KEY=PATTERN"), ("instanc=n2*", "known keys: \"instance\""), ("seed=[", "not a pattern")]
        {
            assert!(text.parse::<Filter>().is_err_and(|e| e.contains(part)), "{text}");
        }
    }
}
