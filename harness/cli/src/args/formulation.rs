//! The options that say which model to build: one for each key of formulations.

use std::collections::BTreeMap;

use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgMatches, Command};
use model::{FormulationKind, KEYS, Key, Values};

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

/// The keys that are options here. `solve` has a flag of its own for the root bound.
fn keys() -> impl Iterator<Item = &'static Key> {
    KEYS.iter().filter(|key| key.name != "root-bound")
}

fn option(key: &'static Key) -> Arg {
    let whole = |text: &str| text.parse::<usize>().map(|_| text.to_owned());
    let arg = Arg::new(key.name).long(key.name).help(key.about.trim_end_matches('.'));
    match key.values {
        Values::Families => arg.value_name("LIST").conflicts_with("formulation"),
        Values::Words(words) => arg.value_name("WORD").value_parser(PossibleValuesParser::new(words)),
        Values::Whole(..) => arg.value_name("N").value_parser(whole),
        Values::Truth => arg.value_name("true|false").value_parser(["true", "false"]).hide_possible_values(true),
    }
}

impl clap::Args for Model {
    fn augment_args(command: Command) -> Command {
        let formulation = Arg::new("formulation").long("formulation").value_name("NAME").add(completions::formulations()).help(
            "Named formulation (see `tilebench formulations`), which the options below change; left out: the default of \
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
