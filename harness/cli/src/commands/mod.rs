//! One file a subcommand.

pub mod animate;
pub mod compare;
pub mod count;
pub mod doctor;
pub mod export;
pub mod generate;
pub mod list;
pub mod man;
pub mod merge;
pub mod new_config;
pub mod report;
pub mod run;
pub mod show;
pub mod soku;
pub mod solve;
pub mod solvers;
pub mod status;
pub mod submit;
pub mod verify;

use anyhow::Context;
use model::{Exploration, Formulation, FormulationKeys, FormulationKind, Preset};

use crate::args;

/// The formulation that the options describe, for an instance of a kind; `usual` is what it is where they leave that open.
pub fn formulation(args: &args::Model, kind: &str, usual: Option<FormulationKind>) -> anyhow::Result<Formulation> {
    let base = match &args.formulation {
        Some(name) => named(name)?,
        None if args.keys.contains_key("families") => {
            FormulationKeys::new("families", args.kind.unwrap_or_default(), &[])
        }
        None => {
            let of = args.kind.or(implied(args).map(|(_, kind)| kind)).or(usual).unwrap_or_default();
            let default = model::default_preset(kind, of);
            default.with_context(|| format!("no formulation of kind {of} for {kind}"))?
        }
    };
    if let Some(asked) = args.kind.filter(|asked| *asked != base.kind) {
        anyhow::bail!("formulation {} is of kind {}, not {asked}; leave --kind out", base.name, base.kind);
    }
    Ok(args.keys.iter().fold(base, |written, (key, value)| written.with(key, value)).read()?)
}

/// An option that belongs to one kind alone, which nothing else names, and that kind.
pub fn implied(args: &args::Model) -> Option<(&str, FormulationKind)> {
    if args.kind.is_some() || args.formulation.is_some() {
        return None;
    }
    let of = |(name, value): (&String, &String)| match (name.as_str(), value.as_str()) {
        ("strategy", word) if Exploration::of_word(word).is_some() => Some(FormulationKind::Minizinc),
        ("strategy", _) => Some(FormulationKind::Search),
        (name, _) => match model::Key::find(name)?.kinds {
            [only] => Some(*only),
            _ => None,
        },
    };
    args.keys.iter().find_map(|option| Some((option.0.as_str(), of(option)?)))
}

/// A named formulation.
fn named(name: &str) -> anyhow::Result<FormulationKeys> {
    let preset = model::PRESETS.iter().find(|preset| preset.name == name);
    preset.map(Preset::written).with_context(|| {
        let names = runner::alternatives(name, model::PRESETS.iter().map(|preset| preset.name));
        format!("unknown formulation {name:?}; {names}")
    })
}
