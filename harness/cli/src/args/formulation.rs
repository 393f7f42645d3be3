//! The options that say which model to build: one for each key of formulations.

use std::collections::BTreeMap;

use anyhow::Context;
use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgMatches, Command};
use model::{Exploration, Formulation, FormulationKeys, FormulationKind, KEYS, Key, PRESETS, Preset, Values};
use puzzle::tantrix::FIXED;

use super::values::whole;
use crate::completions;

/// Which model to build.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Model {
    /// Name of a preset.
    pub formulation: Option<String>,
    /// What the solver is given.
    pub kind: Option<FormulationKind>,
    /// Values of [`KEYS`], as text.
    pub keys: BTreeMap<String, String>,
}

impl Model {
    /// The formulation that the options describe, for an instance of a kind; `usual` is what it is where they leave that open.
    pub fn formulation(&self, kind: &str, usual: Option<FormulationKind>) -> anyhow::Result<Formulation> {
        let base = match &self.formulation {
            Some(name) => named(name)?,
            None if self.keys.contains_key("families") => {
                FormulationKeys::new("families", self.kind.unwrap_or_default(), &[])
            }
            None => {
                let of = self.kind.or(self.implied().map(|(_, kind)| kind)).or(usual).unwrap_or_default();
                // A formulation of the board that is chosen.
                let places_first = self.keys.get("places-first").is_some_and(|value| value == "true");
                let default = model::default_preset(if places_first { FIXED } else { kind }, of);
                default.with_context(|| format!("no formulation of kind {of} for {kind}"))?
            }
        };
        if let Some(asked) = self.kind.filter(|asked| *asked != base.kind) {
            anyhow::bail!("formulation {} is of kind {}, not {asked}; leave --kind out", base.name, base.kind);
        }
        Ok(self.keys.iter().fold(base, |written, (key, value)| written.with(key, value)).read()?)
    }

    /// An option that belongs to one kind alone, which nothing else names, and that kind.
    pub fn implied(&self) -> Option<(&str, FormulationKind)> {
        if self.kind.is_some() || self.formulation.is_some() {
            return None;
        }
        let of = |(name, value): (&String, &String)| match (name.as_str(), value.as_str()) {
            ("strategy", word) if Exploration::of_word(word).is_some() => Some(FormulationKind::Minizinc),
            ("strategy", _) => Some(FormulationKind::Search),
            (name, _) => match Key::find(name)?.kinds {
                [only] => Some(*only),
                _ => None,
            },
        };
        self.keys.iter().find_map(|option| Some((option.0.as_str(), of(option)?)))
    }
}

/// A named formulation.
pub fn named(name: &str) -> anyhow::Result<FormulationKeys> {
    let preset = PRESETS.iter().find(|preset| preset.name == name);
    preset.map(Preset::written).with_context(|| {
        let names = runner::alternatives(name, PRESETS.iter().map(|preset| preset.name));
        format!("unknown formulation {name:?}; {names}")
    })
}

/// The keys that are options here. `solve` has a flag of its own for the root bound.
fn keys() -> impl Iterator<Item = &'static Key> {
    KEYS.iter().filter(|key| key.name != "root-bound")
}

fn option(key: &'static Key) -> Arg {
    let arg = Arg::new(key.name).long(key.name).help(key.about.trim_end_matches('.'));
    match key.values {
        Values::Families => arg.value_name("LIST").conflicts_with("formulation"),
        Values::Words(words) => arg.value_name("WORD").value_parser(PossibleValuesParser::new(words)),
        Values::Whole(least, most) => {
            let written = move |text: &str| whole(least..=most)(text).map(|number| number.to_string());
            arg.value_name("N").value_parser(written)
        }
        Values::Truth => arg.value_name("true|false").value_parser(["true", "false"]).hide_possible_values(true),
    }
}

impl clap::Args for Model {
    fn augment_args(command: Command) -> Command {
        let formulation = Arg::new("formulation").long("formulation").value_name("NAME").add(completions::formulations()).help(
            "Named formulation (see `tilebench formulations`), which says what the options below leave out; left out itself: the default of \
             the kind, for kind mip `colour` on fixed boards, else `bounded-colour`",
        );
        let kind = Arg::new("kind").long("kind").value_name("KIND").help(
            "What the solver is given: a linear model (mip), clauses (sat), constraints (cp), the puzzle itself (search), \
             a program (minizinc, asp); left out: as the named formulation says, else what the solver is for \
             (export: what the ending of the file says)",
        );
        let kind = kind.value_parser(PossibleValuesParser::new(FormulationKind::WORDS));
        command.arg(formulation).arg(kind).args(keys().map(option))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl clap::FromArgMatches for Model {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let given = |name: &str| matches.get_one::<String>(name).cloned();
        Ok(Self {
            formulation: given("formulation"),
            kind: given("kind").and_then(|word| FormulationKind::of_word(&word)),
            keys: keys().filter_map(|key| Some((key.name.to_owned(), given(key.name)?))).collect(),
        })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}
