//! One file a subcommand.

pub mod count;
pub mod export;
pub mod generate;
pub mod list;
pub mod report;
pub mod run;
pub mod show;
pub mod solve;
pub mod verify;

use anyhow::Context;
use model::{CutChoice, Formulation, Objective};

use crate::args;

/// The formulation that the options describe.
pub fn formulation(args: &args::Model) -> anyhow::Result<Formulation> {
    let mut formulation = match &args.families {
        Some(families) => Formulation::of("families", families),
        None => {
            let known = model::presets();
            let names: Vec<&str> = known.iter().map(|p| p.formulation.name.as_str()).collect();
            let names = names.join(", ");
            let preset = known.into_iter().find(|p| p.formulation.name == args.formulation);
            preset
                .with_context(|| format!("unknown formulation {:?}; formulations: {names}", args.formulation))?
                .formulation
        }
    };
    formulation.objective = match args.objective.as_str() {
        "none" => Objective::None,
        _ => Objective::Virtual,
    };
    formulation.cuts = match args.cuts.as_deref() {
        Some("smallest") => Some(CutChoice::Smallest),
        Some("region") => Some(CutChoice::Region),
        Some(_) => Some(CutChoice::Each),
        None => formulation.cuts,
    };
    Ok(formulation)
}
