//! `[[formulation]]`: defaults, matrix and ablations, until every formulation stands for itself.

use model::{Formulation, FormulationKind, Role, Subloops};

use super::FormulationChoice;
use super::ablation::{Shorthand, Variant, ids};
use super::choices::{combinations, defaulted, given};
use super::entries::FormulationFile;
use super::file::{FormulationDefaults, Patterns};
use super::source::Source;
use super::values::{At, Families, KindWord};
use crate::RunnerError;
use crate::suggest::nearest_first;

/// How many formulations or solvers one entry may stand for.
pub(super) const MOST: u64 = 4096;

/// A formulation with what its entry says of where to run it.
pub(super) struct Expanded<'a> {
    pub choice: FormulationChoice,
    /// Instances of its own.
    pub instances: Option<&'a Patterns>,
    /// Solvers of its own.
    pub solvers: Option<&'a Vec<At<String>>>,
}

/// The formulations of an entry. `runs` says how many runs each of them makes.
///
/// # Errors
/// A family that there is not, a key that stands twice, more formulations than anybody wants.
pub(super) fn expand<'a>(
    source: &Source,
    entry: &'a At<FormulationFile>,
    defaults: &FormulationDefaults,
    runs: impl Fn(&FormulationFile) -> Result<u64, RunnerError>,
) -> Result<Vec<Expanded<'a>>, RunnerError> {
    let file = entry.get();
    let kind = file.kind.as_ref().map_or(FormulationKind::Mip, |KindWord(kind)| *kind);
    refuse_twice(source, entry, defaults)?;
    refuse_foreign(source, entry, kind, defaults)?;
    let lists = match kind {
        FormulationKind::Mip => lists(source, entry)?,
        _ => vec![("", String::new())],
    };
    let shorthand = Shorthand::of(source, file)?;
    let named = shorthand.as_ref().map(|(_, families)| known(source, families)).transpose()?.unwrap_or_default();
    let lengths = given(file, defaults).into_iter().map(|given| given.values);
    let of_shorthand = shorthand.as_ref().map_or(1, |(shorthand, _)| shorthand.count(named.len()));
    let count = lengths.into_iter().fold(of_shorthand.saturating_mul(lists.len() as u64), u64::saturating_mul);
    if count > MOST || shorthand.as_ref().is_some_and(|(shorthand, _)| !shorthand.takes(named.len())) {
        let span = shorthand.as_ref().map_or(entry.span(), |(_, families)| families.span());
        let (name, all) = (file.name.get(), count.saturating_mul(runs(file)?));
        let reason = format!(
            "\"{name}\" stands for {count} formulations, which are {all} runs; the most are {MOST} formulations \
             and 12 families of a powerset"
        );
        return Err(source.error(span, reason));
    }

    // A default is for kinds that have the key.
    let root_bound = file.root_bound.as_ref().map(At::get).or(defaults.root_bound.as_ref()) == Some(&true)
        && Formulation::kinds_with("root-bound").contains(&kind);
    let mut expanded = Vec::new();
    for (families, of_list) in lists {
        let variants = match &shorthand {
            None => vec![Variant { suffix: String::new(), families: families.to_owned(), ablation: None }],
            Some((shorthand, at)) => shorthand
                .variants(families, &named)
                .map_err(|reason| source.error(at.span(), format!("{}: {reason}", shorthand.key())))?,
        };
        for variant in variants {
            for (of_choices, choices) in combinations(file, defaults, kind) {
                let name = format!("{}{}{of_list}{of_choices}", file.name.get(), variant.suffix);
                let mut formulation = choices.formulation(&name, kind, variant.families.clone());
                // A default that has no meaning here is none; a choice of the entry's own is refused later.
                if file.cuts.is_none() && file.matrix.cuts.is_none() && !cuts_off(&formulation) {
                    formulation.cuts = None;
                }
                let line = source.line(entry.span().start);
                let (ablation, defaulted) = (variant.ablation.clone(), defaulted(file, defaults));
                let choice = FormulationChoice { formulation, ablation, root_bound, defaulted, line };
                let (instances, solvers) = (file.instances.as_ref(), file.solvers.as_ref());
                expanded.push(Expanded { choice, instances, solvers });
            }
        }
    }
    Ok(expanded)
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

/// Refuses a key that stands both in an entry and in its matrix.
fn refuse_twice(
    source: &Source,
    entry: &At<FormulationFile>,
    defaults: &FormulationDefaults,
) -> Result<(), RunnerError> {
    let file = entry.get();
    let families = (file.families.is_some() && file.matrix.families.is_some()).then_some("families");
    let given = given(file, defaults).into_iter();
    match families.or_else(|| given.filter(|given| given.entry && given.matrix).map(|given| given.key).next()) {
        None => Ok(()),
        Some(key) => {
            let reason = format!("formulation \"{}\" has {key} twice: in its matrix and beside it", file.name.get());
            Err(source.error(entry.span(), reason))
        }
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
    let families = file.families.iter().chain(file.matrix.families.iter().flatten()).next();
    let spans = [
        ("families", families.map(At::span)),
        ("drop-one", file.drop_one.as_ref().map(At::span)),
        ("add-one", file.add_one.as_ref().map(At::span)),
        ("powerset", file.powerset.as_ref().map(At::span)),
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

/// The lists of families of an entry, each with what it adds to the name.
fn lists<'a>(source: &Source, entry: &'a At<FormulationFile>) -> Result<Vec<(&'a str, String)>, RunnerError> {
    let file = entry.get();
    let lists: Vec<&At<Families>> = file.families.iter().chain(file.matrix.families.iter().flatten()).collect();
    if lists.is_empty() {
        let some = nearest_first(file.name.get(), model::families().iter().map(|f| f.id)).replace('"', "");
        let reason = format!(
            "formulation \"{}\" has no families; there is {some} (kind = \"mip\" if nothing else is said; sat, cp and search take no families)",
            file.name.get()
        );
        return Err(source.error(entry.span(), reason));
    }
    let ids = lists.iter().map(|list| known(source, list)).collect::<Result<Vec<_>, _>>()?;
    let suffixes = ids.iter().map(|list| {
        if file.matrix.families.is_none() {
            return String::new();
        }
        let own: Vec<&str> = list.iter().filter(|id| !ids.iter().all(|other| other.contains(id))).copied().collect();
        format!(" families={}", if own.is_empty() { "shared".to_owned() } else { own.join(" ") })
    });
    let suffixes: Vec<String> = suffixes.collect();
    Ok(lists.into_iter().map(|list| list.get().0.as_str()).zip(suffixes).collect())
}

/// Each combination once with each alternative; `set` sets it and says what it adds to the name.
pub(super) fn spread<T, C: Clone>(
    combinations: Vec<(String, C)>,
    alternatives: &Option<Vec<T>>,
    set: impl Fn(&T, &mut C) -> String,
) -> Vec<(String, C)> {
    let Some(alternatives) = alternatives else {
        return combinations;
    };
    let one = |(name, combination): &(String, C), alternative| {
        let mut combination = combination.clone();
        let suffix = set(alternative, &mut combination);
        (format!("{name}{suffix}"), combination)
    };
    combinations.iter().flat_map(|c| alternatives.iter().map(move |alternative| one(c, alternative))).collect()
}
