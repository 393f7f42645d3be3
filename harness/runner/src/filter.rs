//! Filters: properties of runs by patterns, as `--filter KEY=PATTERN` and `[[exclude]]` of a config have them.

use std::fmt;
use std::str::FromStr;

use puzzle::words;

use crate::text::alternatives;

/// A property of a run and patterns of which it must match one (`*`, `?` and `[...]` as in file names).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Filter {
    /// As it was written; empty where a config says it in other ways.
    text: String,
    property: Property,
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

words!(Property:
    Instance "instance", Challenge "challenge", Colour "colour", Formulation "formulation", Kind "kind", Solver "solver", Seed "seed"
);

/// What filters know of runs.
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

    /// Reads `KEY=PATTERN`; the error names the known keys.
    fn from_str(text: &str) -> Result<Self, String> {
        let known = |wrong: &str| alternatives(wrong, Property::WORDS.iter().copied());
        let (name, pattern) = text.split_once('=').ok_or_else(|| {
            format!("filter \"{text}\" is not KEY=PATTERN, for example instance=n2*; {}", known(text))
        })?;
        let property =
            Property::of_word(name).ok_or_else(|| format!("unknown filter key \"{name}\"; {}", known(name)))?;
        let pattern =
            glob::Pattern::new(pattern).map_err(|e| format!("filter \"{text}\": not a pattern: {}", e.msg))?;
        Ok(Self { text: text.to_owned(), property, wanted: vec![Wanted::Pattern(pattern)] })
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
    /// A text that is no pattern.
    pub(crate) fn any_of(property: Property, texts: &[String], is_name: impl Fn(&str) -> bool) -> Result<Self, String> {
        let wanted = |text: &String| match is_name(text) {
            true => Ok(Wanted::Name(text.clone())),
            false => glob::Pattern::new(text).map(Wanted::Pattern),
        };
        let wanted = texts.iter().map(wanted).collect::<Result<_, _>>();
        Ok(Self { text: String::new(), property, wanted: wanted.map_err(|e| format!("not a pattern: {}", e.msg))? })
    }

    /// The property that it asks for.
    pub(crate) fn property(&self) -> Property {
        self.property
    }

    /// Whether a value of the property passes.
    pub(crate) fn fits(&self, value: &str) -> bool {
        self.wanted.iter().any(|wanted| wanted.fits(value))
    }

    /// What there is in place of what it wants, nearest first.
    pub(crate) fn in_place<'a>(&self, known: impl IntoIterator<Item = &'a str>) -> String {
        let (_, wanted) = self.text.split_once('=').unwrap_or_default();
        format!("no run passes the filter {}; {}", self.text, alternatives(wanted, known))
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
