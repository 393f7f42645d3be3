//! `[[formulation]]`: its keys, defaults and ablations, until every formulation stands for itself.
//!
//! The keys that say what a formulation chooses are those of [`KEYS`]; the schema shows them in entries and defaults.

use std::collections::BTreeMap;
use std::fmt;

use model::{FormulationKeys, FormulationKind, KEYS, Subloops};
use schemars::{JsonSchema, Schema};
use serde::de::{Error, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::Value;

use super::FormulationChoice;
use super::ablation::{Shorthand, Variant, ids};
use super::source::Source;
use super::values::{At, Families, FormulationDefaults, KindWord, OptionValue, Patterns, properties};
use crate::RunnerError;
use crate::text::listed;

/// A formulation: what a solver is given, and what to do about subloops and holes.
#[derive(Debug, JsonSchema)]
#[schemars(deny_unknown_fields, rename_all = "kebab-case", transform = add_keys)]
pub(super) struct FormulationFile {
    /// How tables and plots name it.
    pub name: At<String>,
    /// What a solver is given: a linear model (mip), clauses (sat), constraints (cp), the puzzle itself (search), a
    /// program in MiniZinc or for answer set solvers (minizinc, asp). Left out:
    /// mip.
    pub kind: Option<KindWord>,
    /// Values of [`KEYS`].
    #[schemars(skip)]
    pub keys: BTreeMap<String, At<OptionValue>>,
    /// Instances instead of those of the experiment.
    pub instances: Option<Patterns>,
    /// Only these solvers, by label or pattern. Left out: all.
    #[schemars(length(min = 1))]
    pub solvers: Option<Vec<At<String>>>,
    /// Families, all of them listed: the formulation as it is, and once without each of them, named as in
    /// `colour -C7`.
    pub drop_one: Option<At<Families>>,
    /// Families: the formulation without all of them, and once with each of them, named as in `colour +C7`.
    pub add_one: Option<At<Families>>,
}

fn add_keys(schema: &mut Schema) {
    if let Some(Value::Object(own)) = schema.get_mut("properties") {
        own.extend(properties(&[]));
    }
}

impl<'de> Deserialize<'de> for FormulationFile {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(Entry)
    }
}

/// Reads a [`FormulationFile`]. That there are no other keys, the schema has seen to.
struct Entry;

impl<'de> Visitor<'de> for Entry {
    type Value = FormulationFile;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a formulation")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<FormulationFile, A::Error> {
        let (mut name, mut kind, mut keys) = (None, None, BTreeMap::new());
        let (mut instances, mut solvers, mut drop_one, mut add_one) = (None, None, None, None);
        while let Some(key) = map.next_key::<String>()? {
            match key.as_str() {
                "name" => name = Some(map.next_value()?),
                "kind" => kind = Some(map.next_value()?),
                "instances" => instances = Some(map.next_value()?),
                "solvers" => solvers = Some(map.next_value()?),
                "drop-one" => drop_one = Some(map.next_value()?),
                "add-one" => add_one = Some(map.next_value()?),
                _ => drop(keys.insert(key, map.next_value()?)),
            }
        }
        let name = name.ok_or_else(|| A::Error::missing_field("name"))?;
        Ok(FormulationFile { name, kind, keys, instances, solvers, drop_one, add_one })
    }
}

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
    refuse_foreign(source, file, kind)?;
    let families = match kind {
        FormulationKind::Mip => families(source, entry)?,
        _ => String::new(),
    };
    let variants = match Shorthand::of(source, [&file.drop_one, &file.add_one])? {
        None => vec![Variant { suffix: String::new(), families, ablation: None }],
        Some((shorthand, at)) => shorthand
            .variants(&families, &known(source, at, &at.get().0)?)
            .map_err(|reason| source.error(at.span(), format!("{}: {reason}", shorthand.key())))?,
    };
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
        let formulation = written.clone().read();
        let choice = FormulationChoice { formulation, written, ablation, defaulted: defaulted.clone(), line };
        Expanded { choice, instances: file.instances.as_ref(), solvers: file.solvers.as_ref() }
    });
    Ok(expanded.collect())
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

/// Whether subloops are cut off between solves, so that a default of the cuts has a meaning.
fn cuts_off(written: &FormulationKeys) -> bool {
    let read = written.clone().without("cuts").read();
    read.is_ok_and(|formulation| matches!(formulation.subloops(), Subloops::Resolve(_)))
}

fn known<T>(source: &Source, at: &At<T>, families: &str) -> Result<Vec<&'static str>, RunnerError> {
    let ids = ids(families).map_err(|reason| source.error(at.span(), reason))?;
    match ids.is_empty() {
        true => Err(source.error(at.span(), "no families are named here; leave the key out")),
        false => Ok(ids),
    }
}

/// Refuses keys that the kind of an entry does not have.
fn refuse_foreign(source: &Source, file: &FormulationFile, kind: FormulationKind) -> Result<(), RunnerError> {
    let ablations = [("drop-one", &file.drop_one), ("add-one", &file.add_one)];
    let ablations = ablations.into_iter().filter_map(|(key, at)| Some((key, "mip".to_owned(), at.as_ref()?.span())));
    let ablations = ablations.filter(|_| kind != FormulationKind::Mip);
    // An objective is idle with other kinds; the one that would not be is refused by the model.
    let foreign = KEYS.iter().filter(|key| key.name != "objective" && !key.kinds.contains(&kind));
    let mut foreign = foreign.filter_map(|key| Some((key.name, key.kind_names(), file.keys.get(key.name)?.span())));
    match foreign.next().or(ablations.into_iter().next()) {
        None => Ok(()),
        Some((key, kinds, span)) => {
            let reason = format!(
                "formulation \"{}\" is of kind {kind}, and {key} is for kind {kinds}; leave it out",
                file.name.get()
            );
            Err(source.error(span, reason))
        }
    }
}

/// The families of an entry.
fn families(source: &Source, entry: &At<FormulationFile>) -> Result<String, RunnerError> {
    let file = entry.get();
    let Some(at) = file.keys.get("families") else {
        let some = listed(file.name.get(), model::families().map(|f| f.id)).replace('"', "");
        let reason = format!(
            "formulation \"{}\" has no families; there is {some} (kind = \"mip\" if nothing else is said; sat, cp and search take no families)",
            file.name.get()
        );
        return Err(source.error(entry.span(), reason));
    };
    let families = at.get().text();
    known(source, at, &families)?;
    Ok(families)
}
