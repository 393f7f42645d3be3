//! One file a subcommand.

pub mod animate;
pub mod count;
pub mod export;
pub mod generate;
pub mod list;
pub mod report;
pub mod run;
pub mod schema;
pub mod show;
pub mod solve;
pub mod verify;

use anyhow::Context;
use model::{CutChoice, Formulation, Holes, Objective, Subloops};

use crate::args;

/// The formulation that the options describe, for an instance of a kind.
pub fn formulation(args: &args::Model, kind: &str) -> anyhow::Result<Formulation> {
    let named = |name: &str| {
        let known = model::presets();
        let names: Vec<&str> = known.iter().map(|p| p.formulation.name.as_str()).collect();
        let names = names.join(", ");
        let preset = known.into_iter().find(|p| p.formulation.name == name);
        preset.map(|p| p.formulation).with_context(|| format!("unknown formulation {name:?}; formulations: {names}"))
    };
    let mut formulation = match (&args.families, &args.formulation) {
        (Some(families), _) => Formulation::of("families", families),
        (None, Some(name)) => named(name)?,
        (None, None) => model::default_preset(kind).with_context(|| format!("no formulation for {kind}"))?,
    };
    if let Some(word) = &args.objective {
        let chosen = Objective::ALL.into_iter().find(|o| o.name() == word);
        formulation.objective = chosen.with_context(|| format!("unknown objective {word:?}"))?;
    }
    formulation.cuts = match args.cuts.as_deref() {
        Some("smallest") => Some(CutChoice::Smallest),
        Some("region") => Some(CutChoice::Region),
        Some(_) => Some(CutChoice::Each),
        None => formulation.cuts,
    };
    formulation.holes = match args.holes.as_deref() {
        Some("resolve") => Some(Holes::Resolve),
        Some(_) => Some(Holes::Report),
        None => formulation.holes,
    };
    formulation.subloops = match args.subloops.as_deref() {
        Some("resolve") => Some(Subloops::Resolve),
        Some(_) => Some(Subloops::Report),
        None => formulation.subloops,
    };
    Ok(formulation)
}
