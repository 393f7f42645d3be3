//! `[[formulation]]`: its keys, defaults, matrix and ablations, until every formulation stands for itself.
//!
//! The keys that say what a formulation chooses are those of [`KEYS`]; the schema shows them in entries, matrices and defaults.

use std::collections::BTreeMap;
use std::fmt;

use model::{FormulationKeys, FormulationKind, KEYS, Key, Subloops};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{Error, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value, json};

use super::FormulationChoice;
use super::ablation::{Shorthand, Variant, ids};
use super::file::Patterns;
use super::source::Source;
use super::values::{At, Families, KindWord, OptionValue, schema_of};
use crate::RunnerError;
use crate::suggest::nearest_first;

/// A formulation: what a solver is given, and what to do about subloops and holes.
#[derive(Debug, JsonSchema)]
#[schemars(deny_unknown_fields, rename_all = "kebab-case", transform = add_keys)]
pub(super) struct FormulationFile {
    /// How tables and plots name it.
    pub name: At<String>,
    /// What a solver is given: a linear model (mip), clauses (sat), constraints (cp), the puzzle itself (search), a
    /// program in MiniZinc or for answer set solvers (minizinc, asp; 3SoKu). Left out:
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
    /// Keys with several values each: one formulation for every combination, named as in `colour objective=none`.
    #[schemars(default)]
    pub matrix: FormulationMatrix,
    /// Families, all of them listed: the formulation as it is, and once without each of them, named as in
    /// `colour -C7`.
    pub drop_one: Option<At<Families>>,
    /// Families: the formulation without all of them, and once with each of them, named as in `colour +C7`.
    pub add_one: Option<At<Families>>,
    /// Families, all of them listed, at most 12: the formulation with every subset of them, named as in
    /// `colour {C7 C9}`.
    pub powerset: Option<At<Families>>,
}

/// Values of a formulation's keys to combine.
#[derive(Debug, Default, Deserialize)]
#[serde(transparent)]
pub(super) struct FormulationMatrix(BTreeMap<String, Vec<At<OptionValue>>>);

/// For every formulation that says nothing else and whose kind has the key.
#[derive(Debug, Default, Deserialize)]
#[serde(transparent)]
pub(super) struct FormulationDefaults(BTreeMap<String, OptionValue>);

/// The properties of all keys but some, each with what it says; `values` makes the schema of its values from that of one.
fn properties(without: &[&str], values: fn(Schema) -> Schema) -> Map<String, Value> {
    let property = |key: &Key| {
        let mut schema = values(schema_of(key));
        schema.insert("description".to_owned(), json!(key.about));
        (key.name.to_owned(), schema.to_value())
    };
    KEYS.iter().filter(|key| !without.contains(&key.name)).map(property).collect()
}

fn add_keys(schema: &mut Schema) {
    if let Some(Value::Object(own)) = schema.get_mut("properties") {
        own.extend(properties(&[], |one| one));
    }
}

impl JsonSchema for FormulationMatrix {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "FormulationMatrix".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let several = |one| json_schema!({ "type": "array", "items": one, "minItems": 1, "uniqueItems": true });
        let properties = properties(&["root-bound"], several);
        json_schema!({ "type": "object", "properties": properties, "additionalProperties": false })
    }
}

impl JsonSchema for FormulationDefaults {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "FormulationDefaults".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let properties = properties(&["families"], |one| one);
        json_schema!({ "type": "object", "properties": properties, "additionalProperties": false })
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
        let (mut name, mut kind, mut keys, mut matrix) = (None, None, BTreeMap::new(), None);
        let (mut instances, mut solvers, mut drop_one, mut add_one, mut powerset) = (None, None, None, None, None);
        while let Some(key) = map.next_key::<String>()? {
            match key.as_str() {
                "name" => name = Some(map.next_value()?),
                "kind" => kind = Some(map.next_value()?),
                "instances" => instances = Some(map.next_value()?),
                "solvers" => solvers = Some(map.next_value()?),
                "matrix" => matrix = Some(map.next_value()?),
                "drop-one" => drop_one = Some(map.next_value()?),
                "add-one" => add_one = Some(map.next_value()?),
                "powerset" => powerset = Some(map.next_value()?),
                _ => drop(keys.insert(key, map.next_value()?)),
            }
        }
        let name = name.ok_or_else(|| A::Error::missing_field("name"))?;
        let matrix = matrix.unwrap_or_default();
        Ok(FormulationFile { name, kind, keys, instances, solvers, matrix, drop_one, add_one, powerset })
    }
}

impl FormulationFile {
    /// Where a key stands in the entry or its matrix.
    fn span(&self, key: &str) -> Option<std::ops::Range<usize>> {
        self.keys.get(key).into_iter().chain(self.matrix.0.get(key).into_iter().flatten()).next().map(At::span)
    }

    /// The lists of families of the entry and its matrix.
    fn lists(&self) -> impl Iterator<Item = &At<OptionValue>> {
        self.keys.get("families").into_iter().chain(self.matrix.0.get("families").into_iter().flatten())
    }
}

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
    refuse_twice(source, entry)?;
    refuse_foreign(source, file, kind)?;
    let lists = match kind {
        FormulationKind::Mip => lists(source, entry)?,
        _ => vec![(None, String::new())],
    };
    let shorthand = Shorthand::of(source, file)?;
    let named = shorthand.as_ref().map(|(_, families)| known(source, families, &families.get().0)).transpose()?;
    let named = named.unwrap_or_default();
    let of_matrix = file.matrix.0.iter().filter(|(key, _)| *key != "families").map(|(_, values)| values.len() as u64);
    let of_shorthand = shorthand.as_ref().map_or(1, |(shorthand, _)| shorthand.count(named.len()));
    let count = of_matrix.fold(of_shorthand.saturating_mul(lists.len() as u64), u64::saturating_mul);
    if count > MOST || shorthand.as_ref().is_some_and(|(shorthand, _)| !shorthand.takes(named.len())) {
        let span = shorthand.as_ref().map_or(entry.span(), |(_, families)| families.span());
        let (name, all) = (file.name.get(), count.saturating_mul(runs(file)?));
        let reason = format!(
            "\"{name}\" stands for {count} formulations, which are {all} runs; the most are {MOST} formulations \
             and 12 families of a powerset"
        );
        return Err(source.error(span, reason));
    }
    let (combinations, defaulted) = combinations(file, defaults, kind);
    let line = source.line(entry.span().start);
    let mut expanded = Vec::new();
    for (families, of_list) in lists {
        let plain = |families| Variant { suffix: String::new(), families, ablation: None };
        let variants = match (&shorthand, families) {
            (Some((shorthand, at)), Some(families)) => shorthand
                .variants(&families, &named)
                .map_err(|reason| source.error(at.span(), format!("{}: {reason}", shorthand.key())))?,
            (_, families) => vec![plain(families.unwrap_or_default())],
        };
        for Variant { suffix, families, ablation } in variants {
            for (of_choices, keys) in &combinations {
                let name = format!("{}{suffix}{of_list}{of_choices}", file.name.get());
                let mut written = FormulationKeys { name, kind, keys: keys.clone() };
                if kind == FormulationKind::Mip {
                    written = written.with("families", &families);
                }
                if defaulted.contains(&"cuts") && !cuts_off(&written) {
                    written = written.without("cuts");
                }
                let choice = FormulationChoice {
                    formulation: written.clone().read(),
                    written,
                    ablation: ablation.clone(),
                    defaulted: defaulted.clone(),
                    line,
                };
                let (instances, solvers) = (file.instances.as_ref(), file.solvers.as_ref());
                expanded.push(Expanded { choice, instances, solvers });
            }
        }
    }
    Ok(expanded)
}

/// Values of all keys but the families.
type Chosen = BTreeMap<String, String>;

/// Every combination of what the matrix lists, each with what it adds to the name; with them the keys that come from the
/// defaults. A default of a key that the kind does not have is none.
fn combinations(
    file: &FormulationFile,
    defaults: &FormulationDefaults,
    kind: FormulationKind,
) -> (Vec<(String, Chosen)>, Vec<&'static str>) {
    let (mut all, mut defaulted) = (vec![(String::new(), Chosen::new())], Vec::new());
    for key in KEYS.iter().filter(|key| key.name != "families") {
        let name = key.name;
        let default = defaults.0.get(name).filter(|_| key.kinds.contains(&kind));
        match (file.keys.get(name).map(At::get), file.matrix.0.get(name), default) {
            (None, Some(values), _) => {
                all = spread(all, values, |value, chosen| {
                    let value = value.get().text();
                    let suffix = format!(" {name}={value}");
                    chosen.insert(name.to_owned(), value);
                    suffix
                });
                continue;
            }
            (Some(value), ..) => {
                all.iter_mut().for_each(|(_, chosen)| drop(chosen.insert(name.to_owned(), value.text())))
            }
            (None, None, Some(value)) => {
                defaulted.push(name);
                all.iter_mut().for_each(|(_, chosen)| drop(chosen.insert(name.to_owned(), value.text())));
            }
            (None, None, None) => {}
        }
    }
    (all, defaulted)
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

/// Refuses a key that stands both in an entry and in its matrix.
fn refuse_twice(source: &Source, entry: &At<FormulationFile>) -> Result<(), RunnerError> {
    let file = entry.get();
    let both = |key: &&Key| file.keys.contains_key(key.name) && file.matrix.0.contains_key(key.name);
    match KEYS.iter().find(both) {
        None => Ok(()),
        Some(Key { name: key, .. }) => {
            let reason = format!("formulation \"{}\" has {key} twice: in its matrix and beside it", file.name.get());
            Err(source.error(entry.span(), reason))
        }
    }
}

/// Refuses keys that the kind of an entry does not have.
fn refuse_foreign(source: &Source, file: &FormulationFile, kind: FormulationKind) -> Result<(), RunnerError> {
    let ablations = [("drop-one", &file.drop_one), ("add-one", &file.add_one), ("powerset", &file.powerset)];
    let ablations = ablations.into_iter().filter_map(|(key, at)| Some((key, "mip".to_owned(), at.as_ref()?.span())));
    let ablations = ablations.filter(|_| kind != FormulationKind::Mip);
    // An objective is idle with other kinds; the one that would not be is refused by the model.
    let foreign = KEYS.iter().filter(|key| key.name != "objective" && !key.kinds.contains(&kind));
    let mut foreign = foreign.filter_map(|key| Some((key.name, key.kind_names(), file.span(key.name)?)));
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

/// The lists of families of an entry, each with what it adds to the name.
fn lists(source: &Source, entry: &At<FormulationFile>) -> Result<Vec<(Option<String>, String)>, RunnerError> {
    let file = entry.get();
    let lists: Vec<(&At<OptionValue>, String)> = file.lists().map(|list| (list, list.get().text())).collect();
    if lists.is_empty() {
        let some = nearest_first(file.name.get(), model::families().map(|f| f.id)).replace('"', "");
        let reason = format!(
            "formulation \"{}\" has no families; there is {some} (kind = \"mip\" if nothing else is said; sat, cp and search take no families)",
            file.name.get()
        );
        return Err(source.error(entry.span(), reason));
    }
    let ids = lists.iter().map(|(at, list)| known(source, at, list)).collect::<Result<Vec<_>, _>>()?;
    let suffixes = ids.iter().map(|list| {
        if !file.matrix.0.contains_key("families") {
            return String::new();
        }
        let own: Vec<&str> = list.iter().filter(|id| !ids.iter().all(|other| other.contains(id))).copied().collect();
        format!(" families={}", if own.is_empty() { "shared".to_owned() } else { own.join(" ") })
    });
    let suffixes: Vec<String> = suffixes.collect();
    Ok(lists.into_iter().map(|(_, list)| Some(list)).zip(suffixes).collect())
}

/// Each combination once with each alternative; `set` sets it and says what it adds to the name.
pub(super) fn spread<T, C: Clone>(
    combinations: Vec<(String, C)>,
    alternatives: &[T],
    set: impl Fn(&T, &mut C) -> String,
) -> Vec<(String, C)> {
    let one = |(name, combination): &(String, C), alternative| {
        let mut combination = combination.clone();
        let suffix = set(alternative, &mut combination);
        (format!("{name}{suffix}"), combination)
    };
    combinations.iter().flat_map(|c| alternatives.iter().map(move |alternative| one(c, alternative))).collect()
}
