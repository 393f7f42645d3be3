//! One file a subcommand.

pub mod animate;
pub mod compare;
pub mod count;
pub mod export;
pub mod generate;
pub mod list;
pub mod report;
pub mod run;
pub mod schema;
pub mod show;
pub mod soku;
pub mod solve;
pub mod solvers;
pub mod verify;

use anyhow::Context;
use model::{Cardinality, CutChoice, Formulation, FormulationKind, Holes, Objective, Strategy, Subloops};

use puzzle::soku::SOKU;

use crate::args;

/// The formulation that the options describe, for an instance of a kind; `usual` is what it is where they leave that open.
pub fn formulation(args: &args::Model, kind: &str, usual: Option<FormulationKind>) -> anyhow::Result<Formulation> {
    let asked = args.kind.as_deref().map(|word| choice("kind", word, &FormulationKind::ALL, FormulationKind::name));
    let asked = asked.transpose()?;
    let mut formulation = match (&args.families, &args.formulation) {
        (Some(families), _) => {
            let plain = Formulation::plain("families", asked.unwrap_or_default());
            Formulation { families: families.clone(), ..plain }
        }
        (None, Some(name)) => named(name)?,
        (None, None) => {
            let of = asked.or(implied(args, kind)).or(usual).unwrap_or_default();
            let default = model::default_preset(kind, of);
            default.with_context(|| format!("no formulation of kind {of} for {kind}"))?
        }
    };
    if let Some(asked) = asked.filter(|asked| *asked != formulation.kind) {
        anyhow::bail!(
            "formulation {} is of kind {}, not {asked}; leave --kind out",
            formulation.name,
            formulation.kind
        );
    }
    if let Some(word) = &args.objective {
        formulation.objective = choice("objective", word, &Objective::ALL, Objective::name)?;
    }
    let words = (&args.subloops, &args.cuts, &args.holes);
    replace(&mut formulation.subloops, "treatment of subloops", words.0, &Subloops::ALL, Subloops::name)?;
    replace(&mut formulation.cuts, "choice of cuts", words.1, &CutChoice::ALL, CutChoice::name)?;
    replace(&mut formulation.holes, "treatment of holes", words.2, &Holes::ALL, Holes::name)?;
    replace(&mut formulation.cardinality, "cardinality", &args.cardinality, &Cardinality::ALL, Cardinality::name)?;
    replace(&mut formulation.strategy, "strategy", &args.strategy, &Strategy::ALL, Strategy::name)?;
    formulation.short_loops = args.short_loops.or(formulation.short_loops);
    formulation.symmetry_breaking = args.symmetry_breaking.or(formulation.symmetry_breaking);
    formulation.around_empty = args.around_empty.or(formulation.around_empty);
    Ok(formulation)
}

/// The kind that an option belongs to, where it is the only one for this kind of instance.
fn implied(args: &args::Model, kind: &str) -> Option<FormulationKind> {
    match args.strategy.as_deref() {
        Some(word) if word == Strategy::RandomRestarts.name() => Some(FormulationKind::Minizinc),
        Some(_) => Some(FormulationKind::Search),
        None if kind == SOKU && args.cardinality.is_some() => Some(FormulationKind::Sat),
        None => None,
    }
}

/// A named formulation.
fn named(name: &str) -> anyhow::Result<Formulation> {
    let known = model::presets();
    let names = runner::nearest_first(name, known.iter().map(|preset| preset.formulation.name.as_str()));
    let preset = known.into_iter().find(|preset| preset.formulation.name == name);
    preset
        .map(|preset| preset.formulation)
        .with_context(|| format!("unknown formulation {name:?}; formulations: {names}"))
}

/// The choice that a word names.
fn choice<T: Copy>(what: &str, word: &str, all: &[T], name: fn(T) -> &'static str) -> anyhow::Result<T> {
    let found = all.iter().copied().find(|choice| name(*choice) == word);
    let known = || runner::nearest_first(word, all.iter().map(|choice| name(*choice)));
    found.with_context(|| format!("unknown {what} {word:?}; there is {}", known()))
}

/// Replaces a choice by what a word names, if one is given.
fn replace<T: Copy>(
    chosen: &mut Option<T>,
    what: &str,
    word: &Option<String>,
    all: &[T],
    name: fn(T) -> &'static str,
) -> anyhow::Result<()> {
    if let Some(word) = word {
        *chosen = Some(choice(what, word, all, name)?);
    }
    Ok(())
}
