//! `[[formulation]]`: defaults and ablations, until every formulation stands for itself.

use std::collections::BTreeMap;
use std::sync::Arc;

use model::{Formulation, FormulationKeys, FormulationKind, KEYS, Key, PRESETS};

use super::file::{At, FormulationDefaults, FormulationFile, KindWord, Patterns};
use super::names::check_name;
use super::source::Source;
use crate::RunnerError;
use crate::text::listed;

const DROP_ONE: &str = "drop-one";
const ADD_ONE: &str = "add-one";

/// A formulation of an experiment.
#[derive(Debug, Clone, PartialEq)]
pub struct FormulationChoice {
    /// The formulation as it is written.
    pub written: FormulationKeys,
    /// What that means.
    pub formulation: Arc<Formulation>,
    /// How a shorthand made it, if one did.
    pub ablation: Option<Ablation>,
    /// Keys whose values come from `[defaults.formulation]`.
    pub defaulted: Vec<&'static str>,
    /// Line of the config on which it begins.
    pub line: usize,
}

/// A formulation with what its entry says of where to run it.
pub(super) struct Expanded<'a> {
    pub choice: FormulationChoice,
    /// Instances of its own.
    pub instances: Option<&'a Patterns>,
    /// Solvers of its own.
    pub solvers: Option<&'a Vec<At<String>>>,
}

/// How a shorthand, `drop-one` or `add-one`, made a formulation from the one that stands in the config.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ablation {
    /// The key.
    pub shorthand: &'static str,
    /// Families that were taken out.
    pub without: Vec<&'static str>,
    /// Families that were added.
    pub with: Vec<&'static str>,
}

impl FormulationChoice {
    /// What to change in the defaults or in the shorthand that it comes from, if it comes from one; `fits` says what would do.
    pub(crate) fn remedy(&self, fits: impl Fn(FormulationKeys) -> bool) -> String {
        remedy(&self.written, &self.defaulted, self.ablation.as_ref(), fits)
    }
}

fn remedy(
    written: &FormulationKeys,
    defaulted: &[&str],
    ablation: Option<&Ablation>,
    fits: impl Fn(FormulationKeys) -> bool,
) -> String {
    if let Some(key) = defaulted.iter().find(|key| fits(written.clone().without(key))) {
        return format!("; {key} comes from [defaults.formulation]");
    }
    ablation.map(|ablation| format!("; {}", ablation.remedy(written, fits))).unwrap_or_default()
}

impl Ablation {
    /// What to take out of the shorthand so that its formulations make sense; `check` says which do.
    fn remedy(&self, written: &FormulationKeys, check: impl Fn(FormulationKeys) -> bool) -> String {
        let families = |list: Vec<&str>| written.clone().with("families", list.join(" "));
        let own = || written.keys.get("families").map_or("", String::as_str).split_whitespace();
        let back = self.without.iter().find(|family| check(families(own().chain([**family]).collect())));
        let off = self.with.iter().find(|family| check(families(own().filter(|own| own != *family).collect())));
        match back.or(off) {
            Some(family) => format!("take {family} out of {}", self.shorthand),
            None => format!("take out of {} what every formulation needs", self.shorthand),
        }
    }
}

/// The formulations of an entry.
pub(super) fn expand<'a>(
    source: &Source,
    entry: &'a At<FormulationFile>,
    defaults: &FormulationDefaults,
) -> Result<Vec<Expanded<'a>>, RunnerError> {
    let file = entry.get();
    let kind = file.kind.as_ref().map_or(FormulationKind::Mip, |KindWord(kind)| *kind);
    refuse_foreign(source, file, kind)?;
    let families = match kind {
        FormulationKind::Mip => families(source, entry)?,
        _ => String::new(),
    };
    let shorthand = match (&file.drop_one, &file.add_one) {
        (Some(_), Some(at)) => {
            let reason =
                "drop-one and add-one both name variants of this formulation; use two entries with names of their own";
            return Err(source.error(at.span(), reason));
        }
        (Some(at), None) => Some((DROP_ONE, at)),
        (None, Some(at)) => Some((ADD_ONE, at)),
        (None, None) => None,
    };
    let variants = match shorthand {
        None => vec![Variant { suffix: String::new(), families, ablation: None }],
        Some((shorthand, at)) => variants(shorthand, &families, &known(source, at, &at.get().0)?)
            .map_err(|reason| source.error(at.span(), format!("{shorthand}: {reason}")))?,
    };
    check_name(source, "formulation", &file.name)?;
    let (keys, defaulted) = chosen(file, defaults, kind);
    let line = source.line(entry.span().start);
    let expanded = variants.into_iter().map(|Variant { suffix, families, ablation }| {
        let name = format!("{}{suffix}", file.name.get());
        let mut written = FormulationKeys { name, kind, keys: keys.clone() };
        if kind == FormulationKind::Mip {
            written = written.with("families", &families);
        }
        if defaulted.contains(&"cuts") && !cuts_off(&written) {
            written = written.without("cuts");
        }
        let formulation = written.clone().read().map_err(|reason| {
            let remedy = remedy(&written, &defaulted, ablation.as_ref(), |other| other.read().is_ok());
            source.error_on(line, format!("formulation \"{}\": {reason}{remedy}", written.name))
        })?;
        let formulation = Arc::new(formulation);
        let choice = FormulationChoice { formulation, written, ablation, defaulted: defaulted.clone(), line };
        Ok(Expanded { choice, instances: file.instances.as_ref(), solvers: file.solvers.as_ref() })
    });
    expanded.collect()
}

/// A list of families with what it adds to the name of its entry.
struct Variant {
    suffix: String,
    families: String,
    ablation: Option<Ablation>,
}

/// The variants of a list of families that a shorthand with some named families stands for.
fn variants(shorthand: &'static str, families: &str, named: &[&'static str]) -> Result<Vec<Variant>, String> {
    let (listed, adds) = (ids(families)?, shorthand == ADD_ONE);
    if let Some(stray) = named.iter().find(|family| !adds && !listed.contains(family)) {
        return Err(format!("{stray} is not among the families of the formulation: {}", listed.join(" ")));
    }
    let variant = |suffix: String, kept: Vec<&'static str>| {
        let base = listed.iter().filter(|family| !named.contains(family));
        let all: Vec<&str> = base.chain(&kept).copied().collect();
        let without: Vec<_> = listed.iter().filter(|family| !all.contains(family)).copied().collect();
        let with: Vec<_> = kept.into_iter().filter(|family| !listed.contains(family)).collect();
        let ablation = (!without.is_empty() || !with.is_empty()).then_some(Ablation { shorthand, without, with });
        Variant { suffix, families: all.join(" "), ablation }
    };
    // Where one of them is listed, a plus would promise the list as it stands and one family more.
    let overlaps = named.iter().any(|family| listed.contains(family));
    let base = match adds {
        true if overlaps => variant(" {}".to_owned(), Vec::new()),
        true => variant(String::new(), Vec::new()),
        false => variant(String::new(), named.to_vec()),
    };
    let each = named.iter().map(|family| match adds {
        true if overlaps => variant(format!(" {{{family}}}"), vec![*family]),
        true => variant(format!(" +{family}"), vec![*family]),
        false => variant(format!(" -{family}"), named.iter().filter(|other| *other != family).copied().collect()),
    });
    Ok([base].into_iter().chain(each).collect())
}

/// Values of all keys but the families, and the keys that come from the defaults. A default of a key that the kind does not
/// have is none.
fn chosen(
    file: &FormulationFile,
    defaults: &FormulationDefaults,
    kind: FormulationKind,
) -> (BTreeMap<String, String>, Vec<&'static str>) {
    let (mut keys, mut defaulted) = (BTreeMap::new(), Vec::new());
    for key in KEYS.iter().filter(|key| key.name != "families") {
        let name = key.name;
        let default = defaults.0.get(name).filter(|_| key.kinds.contains(&kind));
        let own = file.keys.get(name).map(At::get);
        if let Some(value) = own.or(default) {
            keys.insert(name.to_owned(), value.text());
        }
        if own.is_none() && default.is_some() {
            defaulted.push(name);
        }
    }
    (keys, defaulted)
}

/// Whether subloops are cut off by cuts, so that a default of the cuts has a meaning.
fn cuts_off(written: &FormulationKeys) -> bool {
    let read = written.clone().without("cuts").read();
    read.is_ok_and(|formulation| formulation.subloops().cuts().is_some())
}

/// The families of a list by their own names, in the order of the model.
fn ids(families: &str) -> Result<Vec<&'static str>, String> {
    let list = model::listed_families(families).map_err(|e| e.to_string())?;
    Ok(list.into_iter().map(|family| family.id).collect())
}

fn known<T>(source: &Source, at: &At<T>, families: &str) -> Result<Vec<&'static str>, RunnerError> {
    let ids = ids(families).map_err(|reason| source.error(at.span(), reason))?;
    match ids.is_empty() {
        true => Err(source.error(at.span(), "no families are named here; leave the key out")),
        false => Ok(ids),
    }
}

fn refuse_foreign(source: &Source, file: &FormulationFile, kind: FormulationKind) -> Result<(), RunnerError> {
    // An objective is idle with other kinds; the one that would not be is refused by the model.
    let foreign = KEYS.iter().filter(|key| key.name != "objective" && !key.kinds.contains(&kind));
    let foreign = foreign.filter_map(|key| Some((key.name, key.kind_names(), file.keys.get(key.name)?.span())));
    let ablations = [(DROP_ONE, &file.drop_one), (ADD_ONE, &file.add_one)].into_iter();
    let ablations = ablations.filter(|_| kind != FormulationKind::Mip);
    let ablations = ablations.filter_map(|(key, at)| Some((key, "mip".to_owned(), at.as_ref()?.span())));
    foreign.chain(ablations).next().map_or(Ok(()), |(key, kinds, span)| {
        let name = file.name.get();
        let reason = format!("formulation \"{name}\" is of kind {kind}, and {key} is for kind {kinds}; leave it out");
        Err(source.error(span, reason))
    })
}

fn families(source: &Source, entry: &At<FormulationFile>) -> Result<String, RunnerError> {
    let file = entry.get();
    let Some(at) = file.keys.get("families") else {
        let name = file.name.get();
        let preset = PRESETS.iter().find(|preset| preset.name == name && preset.kind == FormulationKind::Mip);
        let there = match preset {
            Some(preset) => {
                let keys: Vec<_> = preset.keys.iter().map(|(key, value)| Key::written(key, value)).collect();
                format!("for that of `tilebench formulations` write {}", keys.join(" and "))
            }
            None => format!("there is {}", listed(name, model::families().map(|f| f.id)).replace('"', "")),
        };
        let reason = format!(
            "formulation \"{name}\" has no families; {there} (kind = \"mip\" if nothing else is said; sat, cp and search take no families)"
        );
        return Err(source.error(entry.span(), reason));
    };
    let families = at.get().text();
    known(source, at, &families)?;
    Ok(families)
}
