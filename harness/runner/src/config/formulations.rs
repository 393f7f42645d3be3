//! `[[formulation]]`: defaults and ablations, until every formulation stands for itself.

use model::{Formulation, FormulationKind, Role, Subloops};

use super::FormulationChoice;
use super::ablation::{Shorthand, Variant, ids};
use super::choices::{chosen, defaulted, given};
use super::file::{FormulationDefaults, FormulationFile, Patterns};
use super::source::Source;
use super::values::{At, Families, KindWord};
use crate::RunnerError;
use crate::suggest::nearest_first;

/// A formulation with what its entry says of where to run it.
pub(super) struct Expanded<'a> {
    pub choice: FormulationChoice,
    /// Instances of its own.
    pub instances: Option<&'a Patterns>,
    /// Solvers of its own.
    pub solvers: Option<&'a Vec<At<String>>>,
}

/// The formulations of an entry.
///
/// # Errors
/// A family that there is not, a key that the kind does not have.
pub(super) fn expand<'a>(
    source: &Source,
    entry: &'a At<FormulationFile>,
    defaults: &FormulationDefaults,
) -> Result<Vec<Expanded<'a>>, RunnerError> {
    let file = entry.get();
    let kind = file.kind.as_ref().map_or(FormulationKind::Mip, |KindWord(kind)| *kind);
    refuse_foreign(source, entry, kind, defaults)?;
    let families = match kind {
        FormulationKind::Mip => families(source, entry)?,
        _ => "",
    };
    let variants = match Shorthand::of(source, file)? {
        None => vec![Variant { suffix: String::new(), families: families.to_owned(), ablation: None }],
        Some((shorthand, at)) => shorthand
            .variants(families, &known(source, at)?)
            .map_err(|reason| source.error(at.span(), format!("{}: {reason}", shorthand.key())))?,
    };

    // A default is for kinds that have the key.
    let root_bound = file.root_bound.as_ref().map(At::get).or(defaults.root_bound.as_ref()) == Some(&true)
        && Formulation::kinds_with("root-bound").contains(&kind);
    let choices = chosen(file, defaults, kind);
    let expanded = variants.into_iter().map(|variant| {
        let name = format!("{}{}", file.name.get(), variant.suffix);
        let mut formulation = choices.formulation(&name, kind, variant.families);
        // A default that has no meaning here is none; a choice of the entry's own is refused later.
        if file.cuts.is_none() && !cuts_off(&formulation) {
            formulation.cuts = None;
        }
        let line = source.line(entry.span().start);
        let (ablation, defaulted) = (variant.ablation, defaulted(file, defaults));
        let choice = FormulationChoice { formulation, ablation, root_bound, defaulted, line };
        Expanded { choice, instances: file.instances.as_ref(), solvers: file.solvers.as_ref() }
    });
    Ok(expanded.collect())
}

/// Whether subloops are cut off between solves.
fn cuts_off(formulation: &Formulation) -> bool {
    match formulation.kind {
        FormulationKind::Mip => {
            let listed = formulation.family_list().unwrap_or_default();
            listed.iter().any(|family| family.roles.contains(&Role::Cutting))
        }
        _ => formulation.treatment().is_ok_and(|treatment| treatment == Subloops::Resolve),
    }
}

fn known(source: &Source, families: &At<Families>) -> Result<Vec<&'static str>, RunnerError> {
    let ids = ids(&families.get().0).map_err(|reason| source.error(families.span(), reason))?;
    match ids.is_empty() {
        true => Err(source.error(families.span(), "no families are named here; leave the key out")),
        false => Ok(ids),
    }
}

/// Refuses keys that the kind of an entry does not have.
fn refuse_foreign(
    source: &Source,
    entry: &At<FormulationFile>,
    kind: FormulationKind,
    defaults: &FormulationDefaults,
) -> Result<(), RunnerError> {
    let file = entry.get();
    let spans = [
        ("families", file.families.as_ref().map(At::span)),
        ("drop-one", file.drop_one.as_ref().map(At::span)),
        ("add-one", file.add_one.as_ref().map(At::span)),
        ("root-bound", file.root_bound.as_ref().map(At::span)),
    ];
    let spans = spans.into_iter().filter_map(|(key, span)| Some((key, span?)));
    // An objective is idle with other kinds; the one that would not be is refused by the model.
    let choices = given(file, defaults).into_iter().filter(|given| given.key != "objective");
    let choices = choices.filter_map(|given| Some((given.key, given.span?)));
    match spans.chain(choices).find(|(key, _)| !Formulation::kinds_with(key).contains(&kind)) {
        None => Ok(()),
        Some((key, span)) => {
            let kinds: Vec<&str> = Formulation::kinds_with(key).iter().map(|kind| kind.name()).collect();
            let reason = format!(
                "formulation \"{}\" is of kind {kind}, and {key} is for kind {}; leave it out",
                file.name.get(),
                kinds.join(" and ")
            );
            Err(source.error(span, reason))
        }
    }
}

/// The families of an entry.
fn families<'a>(source: &Source, entry: &'a At<FormulationFile>) -> Result<&'a str, RunnerError> {
    let file = entry.get();
    let Some(families) = &file.families else {
        let some = nearest_first(file.name.get(), model::families().iter().map(|f| f.id)).replace('"', "");
        let reason = format!(
            "formulation \"{}\" has no families; there is {some} (kind = \"mip\" if nothing else is said; sat, cp and search take no families)",
            file.name.get()
        );
        return Err(source.error(entry.span(), reason));
    };
    known(source, families)?;
    Ok(families.get().0.as_str())
}
