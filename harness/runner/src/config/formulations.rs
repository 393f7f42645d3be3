//! `[[formulation]]`: defaults, matrix and ablations, until every formulation stands for itself.

use model::{CutChoice, Formulation, FormulationKind, Holes, Objective, Role, Subloops};

use super::FormulationChoice;
use super::ablation::{Shorthand, Variant, ids};
use super::entries::FormulationFile;
use super::file::{FormulationDefaults, Patterns};
use super::source::Source;
use super::values::{At, CutsWord, Families, HolesWord, ObjectiveWord, SubloopsWord};
use crate::RunnerError;
use crate::suggest::nearest_first;

/// How many formulations or solvers one entry may stand for.
pub(super) const MOST: u64 = 4096;

/// A formulation with what its entry says of where to run it.
pub(super) struct Expanded<'a> {
    pub choice: FormulationChoice,
    /// Instances of its own.
    pub instances: Option<&'a Patterns>,
}

/// What a formulation chooses beside its families.
#[derive(Clone, Copy)]
struct Choices {
    objective: Option<Objective>,
    subloops: Option<Subloops>,
    cuts: Option<CutChoice>,
    holes: Option<Holes>,
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
    refuse_twice(source, entry)?;
    let lists = lists(source, entry)?;
    let shorthand = Shorthand::of(source, file)?;
    let named = shorthand.as_ref().map(|(_, families)| known(source, families)).transpose()?.unwrap_or_default();
    let matrix = &file.matrix;
    let lengths = [length(&matrix.objective), length(&matrix.subloops), length(&matrix.cuts), length(&matrix.holes)];
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

    let mut expanded = Vec::new();
    for (families, of_list) in lists {
        let variants = match &shorthand {
            None => vec![Variant { suffix: String::new(), families: families.get().0.clone(), ablation: None }],
            Some((shorthand, at)) => shorthand
                .variants(&families.get().0, &named)
                .map_err(|reason| source.error(at.span(), format!("{}: {reason}", shorthand.key())))?,
        };
        for variant in variants {
            let cuts_off = cuts_off(&variant.families);
            for (of_choices, choices) in combinations(file, defaults) {
                // A default that has no meaning here is none; a choice of the entry's own is refused later.
                let idle = !cuts_off && file.cuts.is_none() && file.matrix.cuts.is_none();
                let name = format!("{}{}{of_list}{of_choices}", file.name.get(), variant.suffix);
                let formulation = Formulation {
                    families: variant.families.clone(),
                    objective: choices.objective.unwrap_or_default(),
                    subloops: choices.subloops,
                    cuts: choices.cuts.filter(|_| !idle),
                    holes: choices.holes,
                    ..Formulation::plain(&name, FormulationKind::Mip)
                };
                let line = source.line(entry.span().start);
                let (ablation, defaulted) = (variant.ablation.clone(), defaulted(file, defaults));
                let choice = FormulationChoice { formulation, ablation, defaulted, line };
                expanded.push(Expanded { choice, instances: file.instances.as_ref() });
            }
        }
    }
    Ok(expanded)
}

/// Whether a list has a family that cuts subloops off.
fn cuts_off(families: &str) -> bool {
    let listed = Formulation::of("", families).family_list().unwrap_or_default();
    listed.iter().any(|family| family.roles.contains(&Role::Cutting))
}

/// Keys that an entry leaves to the defaults.
fn defaulted(file: &FormulationFile, defaults: &FormulationDefaults) -> Vec<&'static str> {
    let (matrix, mut keys) = (&file.matrix, Vec::new());
    let mut note = |key, given: bool, own: bool| keys.extend((given && !own).then_some(key));
    note("objective", defaults.objective.is_some(), file.objective.is_some() || matrix.objective.is_some());
    note("subloops", defaults.subloops.is_some(), file.subloops.is_some() || matrix.subloops.is_some());
    note("cuts", defaults.cuts.is_some(), file.cuts.is_some() || matrix.cuts.is_some());
    note("holes", defaults.holes.is_some(), file.holes.is_some() || matrix.holes.is_some());
    keys
}

fn length<T>(alternatives: &Option<Vec<T>>) -> u64 {
    alternatives.as_ref().map_or(1, |list| list.len() as u64)
}

fn known(source: &Source, families: &At<Families>) -> Result<Vec<&'static str>, RunnerError> {
    let ids = ids(&families.get().0).map_err(|reason| source.error(families.span(), reason))?;
    match ids.is_empty() {
        true => Err(source.error(families.span(), "no families are named here; leave the key out")),
        false => Ok(ids),
    }
}

/// Refuses a key that stands both in an entry and in its matrix.
fn refuse_twice(source: &Source, entry: &At<FormulationFile>) -> Result<(), RunnerError> {
    let (file, matrix) = (entry.get(), &entry.get().matrix);
    let twice = [
        ("families", file.families.is_some() && matrix.families.is_some()),
        ("objective", file.objective.is_some() && matrix.objective.is_some()),
        ("subloops", file.subloops.is_some() && matrix.subloops.is_some()),
        ("cuts", file.cuts.is_some() && matrix.cuts.is_some()),
        ("holes", file.holes.is_some() && matrix.holes.is_some()),
    ];
    match twice.into_iter().find(|(_, twice)| *twice) {
        None => Ok(()),
        Some((key, _)) => {
            let reason = format!("formulation \"{}\" has {key} twice: in its matrix and beside it", file.name.get());
            Err(source.error(entry.span(), reason))
        }
    }
}

/// The lists of families of an entry, each with what it adds to the name.
fn lists<'a>(source: &Source, entry: &'a At<FormulationFile>) -> Result<Vec<(&'a At<Families>, String)>, RunnerError> {
    let file = entry.get();
    let lists: Vec<&At<Families>> = file.families.iter().chain(file.matrix.families.iter().flatten()).collect();
    if lists.is_empty() {
        let some = nearest_first(file.name.get(), model::families().iter().map(|f| f.id)).replace('"', "");
        let reason = format!("formulation \"{}\" has no families; there is {some}", file.name.get());
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
    Ok(lists.into_iter().zip(suffixes).collect())
}

/// Every combination of what the matrix lists, each with what it adds to the name.
fn combinations(file: &FormulationFile, defaults: &FormulationDefaults) -> Vec<(String, Choices)> {
    let plain = Choices {
        objective: file.objective.as_ref().or(defaults.objective.as_ref()).map(|word| word.0),
        subloops: file.subloops.as_ref().or(defaults.subloops.as_ref()).map(|word| word.0),
        cuts: file.cuts.as_ref().or(defaults.cuts.as_ref()).map(|word| word.0),
        holes: file.holes.as_ref().or(defaults.holes.as_ref()).map(|word| word.0),
    };
    let matrix = &file.matrix;
    let all = vec![(String::new(), plain)];
    let all = spread(all, &matrix.objective, |ObjectiveWord(word), choices| {
        choices.objective = Some(*word);
        format!(" objective={}", word.name())
    });
    let all = spread(all, &matrix.subloops, |SubloopsWord(word), choices| {
        choices.subloops = Some(*word);
        format!(" subloops={}", word.name())
    });
    let all = spread(all, &matrix.cuts, |CutsWord(word), choices| {
        choices.cuts = Some(*word);
        format!(" cuts={}", word.name())
    });
    spread(all, &matrix.holes, |HolesWord(word), choices| {
        choices.holes = Some(*word);
        format!(" holes={}", word.name())
    })
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
