//! The JSON schema of configs: for editors, and what the loader holds every config against. A fault is told in words with its
//! line: unknown keys, wrong types, words and numbers.

use std::ops::Range;
use std::path::Path;

use puzzle::did_you_mean;
use record::Published;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value, json};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::file::ConfigFile;
use super::source::Source;
use crate::RunnerError;
use crate::text::{alternatives, listed, truncated};

/// Tells what is wrong with published figures: the file and what the config asks of it.
pub type CheckPublished = fn(&Path, &Published) -> Result<(), String>;

/// Makes the instances of a suite: of each its name and the text of its file. Or tells what is wrong with the suite.
pub type MakeSuite = fn(&Path) -> Result<Vec<(String, String)>, String>;

/// The names that configs use and that others know. Where a list is empty, every name goes.
#[derive(Debug, Clone, Default)]
pub struct Vocabulary {
    /// Backends.
    pub solvers: Vec<String>,
    /// Tables of reports.
    pub tables: Vec<String>,
    /// Plots of reports.
    pub plots: Vec<String>,
    /// Asked for the published figures of a config.
    pub check_published: Option<CheckPublished>,
    /// Asked for the instances of suites. Without it a suite is a file like others.
    pub make_suite: Option<MakeSuite>,
}

/// Characters of a word of a config that a message repeats.
const QUOTED: usize = 60;

/// Where in the schema names of a vocabulary stand.
const SOLVER: &str = "/properties/solver/items/properties/name";
const TABLES: &str = "/properties/report/properties/tables/items";
const PLOTS: &str = "/properties/report/properties/plots/items";

/// The JSON schema (draft 7) of config files.
#[must_use]
pub fn config_schema(vocabulary: &Vocabulary) -> Value {
    // Editors for TOML read draft 7; without references every description stands where it is shown.
    let settings = SchemaSettings::draft07().with(|settings| settings.inline_subschemas = true);
    let mut schema = settings.into_generator().into_root_schema_for::<ConfigFile>().to_value();
    simplify(&mut schema);
    for (place, names) in [(SOLVER, &vocabulary.solvers), (TABLES, &vocabulary.tables), (PLOTS, &vocabulary.plots)] {
        if let Some(Value::Object(of)) = schema.pointer_mut(place).filter(|_| !names.is_empty()) {
            of.insert("enum".to_owned(), json!(names));
        }
    }
    schema
}

/// Takes out what TOML does not have, `null`, and what editors have no use for, formats of numbers and empty defaults.
fn simplify(schema: &mut Value) {
    let Value::Object(object) = schema else { return };
    object.remove("format");
    object.remove("default");
    if let Some(Value::Array(types)) = object.get_mut("type") {
        types.retain(|name| name != "null");
        if let [only] = types.as_slice() {
            let only = only.clone();
            object.insert("type".to_owned(), only);
        }
    }
    if let Some(Value::Array(words)) = object.get_mut("enum") {
        words.retain(|word| !word.is_null());
    }
    for inner in ["items", "additionalProperties"] {
        object.get_mut(inner).into_iter().for_each(simplify);
    }
    // Their keys are those of configs, which may be called as a keyword of schemas is.
    let properties = object.get_mut("properties").and_then(Value::as_object_mut);
    properties.into_iter().flat_map(|properties| properties.values_mut()).for_each(simplify);
}

/// What does not fit the schema, all of it.
pub(super) fn check(source: &Source, table: &Spanned<DeTable<'_>>, schema: &Value) -> Result<(), RunnerError> {
    let mut walk = Walk { root: schema, faults: Vec::new() };
    walk.table("", &table.span(), table.get_ref(), schema);
    source.all(walk.faults)
}

/// What a table whose name stands there twice should have been: one of a list.
pub(super) fn of_list(name: &str, schema: &Value) -> Option<String> {
    let known = schema["properties"].get(name).filter(|of| is_list_of_tables(of));
    known.map(|_| format!("a second [{name}]: write [[{name}]] with double brackets, once for each"))
}

struct Walk<'a> {
    root: &'a Value,
    faults: Vec<(Range<usize>, String)>,
}

impl Walk<'_> {
    fn fault(&mut self, span: &Range<usize>, reason: String) {
        self.faults.push((span.clone(), reason));
    }

    fn value(&mut self, path: &str, value: &Spanned<DeValue<'_>>, schema: &Value, needed: bool) {
        let (span, value) = (value.span(), value.get_ref());
        if !fits(value, schema) {
            return self.fault(&span, wrong_type(path, value, schema));
        }
        match value {
            DeValue::Table(table) => self.table(path, &span, table, schema),
            DeValue::Array(list) => self.list(path, &span, list.iter(), schema, needed),
            DeValue::String(text) => self.word(path, &span, text, schema),
            DeValue::Integer(number) => {
                let number = i128::from_str_radix(number.as_str(), number.radix()).unwrap_or(i128::MAX);
                self.number(path, &span, number, schema);
            }
            // Options of solvers, which may be texts too, have numbers such as `inf`.
            DeValue::Float(number)
                if schema["type"] == "number" && ["nan", "inf"].iter().any(|word| number.as_str().ends_with(word)) =>
            {
                self.fault(&span, format!("{path} is {}, where a finite number is needed", number.as_str()));
            }
            _ => {}
        }
    }

    fn table(&mut self, path: &str, span: &Range<usize>, table: &DeTable<'_>, schema: &Value) {
        let empty = Map::new();
        let known = schema["properties"].as_object().unwrap_or(&empty);
        let required = || schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str);
        // A key that is misspelt is not missing too.
        let mut meant = Vec::new();
        for (key, value) in table {
            let name = key.get_ref().as_ref();
            let inner = member(path, name);
            match (known.get(name), &schema["additionalProperties"]) {
                (Some(of), _) => self.value(&inner, value, of, required().any(|needed| needed == name)),
                (None, others @ Value::Object(_)) => self.value(&inner, value, others, false),
                (None, Value::Bool(false)) => {
                    let near = did_you_mean(name, known.keys().map(String::as_str));
                    meant.extend(near);
                    let reason = self.unknown_key(path, name, near, known);
                    self.fault(&key.span(), reason);
                }
                _ => {}
            }
        }
        for name in required().filter(|name| !meant.contains(name) && !table.keys().any(|key| key.get_ref() == *name)) {
            let reason = match is_list_of_tables(&known[name]) {
                true => format!("no [[{name}]]: an experiment needs at least one"),
                false => format!("{} needs the key `{name}`", heading(self.root, path)),
            };
            self.fault(span, reason);
        }
    }

    fn unknown_key(&self, path: &str, name: &str, near: Option<&str>, known: &Map<String, Value>) -> String {
        let at = if path.is_empty() { String::new() } else { format!(" in {}", heading(self.root, path)) };
        let of_root = &self.root["properties"][name];
        let parts: Vec<&str> =
            of_root["properties"].as_object().into_iter().flatten().map(|(k, _)| k.as_str()).collect();
        let hint = match near {
            Some(near) => format!("did you mean `{near}`? "),
            None if !parts.is_empty() && parts.iter().all(|part| known.contains_key(*part)) => {
                format!("what stands in [{name}] stands here without it: `{}`. ", parts.join("`, `"))
            }
            None if of_root.is_object() && of_root["type"] != "object" && !is_list_of_tables(of_root) => {
                format!("`{name}` belongs to the top of the config, before the first [heading]. ")
            }
            None => String::new(),
        };
        let names = listed(name, known.keys().map(String::as_str)).replace('"', "`");
        format!("unknown key `{}`{at}; {hint}known keys: {names}", truncated(name, QUOTED))
    }

    fn list<'v, 'i: 'v>(
        &mut self,
        path: &str,
        span: &Range<usize>,
        list: impl Iterator<Item = &'v Spanned<DeValue<'i>>>,
        schema: &Value,
        needed: bool,
    ) {
        let (mut seen, mut count) = (Vec::new(), 0);
        for item in list {
            if let (DeValue::Table(_), false) = (item.get_ref(), is_list_of_tables(schema)) {
                return self.fault(&item.span(), wrong_type(path, item.get_ref(), schema));
            }
            self.value(path, item, &schema["items"], false);
            count += 1;
            if schema["uniqueItems"] == true {
                seen.extend(identity(item.get_ref()).map(|identity| (identity, item)));
            }
        }
        if count < schema["minItems"].as_u64().unwrap_or(0) {
            let remedy = if needed { "" } else { "leave it out, or " };
            self.fault(span, format!("{path} is an empty list; {remedy}list {}", article(&schema["items"])));
        }
        seen.sort_by(|a, b| (&a.0, a.1.span().start).cmp(&(&b.0, b.1.span().start)));
        for pair in seen.windows(2).filter(|pair| pair[0].0 == pair[1].0) {
            self.fault(&pair[1].1.span(), format!("{path}: {} stands here twice", shown(pair[1].1.get_ref())));
        }
    }

    fn word(&mut self, path: &str, span: &Range<usize>, text: &str, schema: &Value) {
        let Some(words) = schema["enum"].as_array() else { return };
        let words = || words.iter().filter_map(Value::as_str);
        if !words().any(|word| word == text) {
            let reason = format!("unknown {path} \"{}\"; {}", truncated(text, QUOTED), alternatives(text, words()));
            self.fault(span, reason);
        }
    }

    fn number(&mut self, path: &str, span: &Range<usize>, number: i128, schema: &Value) {
        let bound = |name: &str| schema[name].as_i64().map(i128::from);
        if let Some(least) = bound("minimum").filter(|least| number < *least) {
            self.fault(span, format!("{path} is at least {least}, not {number}"));
        }
        if let Some(most) = bound("maximum").filter(|most| number > *most) {
            self.fault(span, format!("{path} is at most {most}; this is too large"));
        }
    }
}

/// What makes two values of a list the same; `None` for what no list without repetitions holds.
fn identity(value: &DeValue<'_>) -> Option<String> {
    match value {
        DeValue::String(text) => Some(format!("{text:?}")),
        DeValue::Integer(number) => i128::from_str_radix(number.as_str(), number.radix()).ok().map(|n| n.to_string()),
        _ => None,
    }
}

fn types(schema: &Value) -> impl Iterator<Item = &str> {
    let several = schema["type"].as_array().into_iter().flatten();
    several.chain([&schema["type"]]).filter_map(Value::as_str)
}

fn fits(value: &DeValue<'_>, schema: &Value) -> bool {
    let found = type_of(value);
    let mut known = types(schema).peekable();
    known.peek().is_none() || known.any(|name| name == found || (name == "number" && found == "integer"))
}

fn is_list_of_tables(schema: &Value) -> bool {
    schema["items"]["type"] == "object"
}

fn wrong_type(path: &str, value: &DeValue<'_>, schema: &Value) -> String {
    if is_list_of_tables(schema) && matches!(value, DeValue::Table(_)) {
        return format!("{path} is a list: write [[{path}]] with double brackets");
    }
    if schema["type"] == "array" && matches!(value, DeValue::Table(_)) {
        let own = article(schema);
        return format!("{path} is {own}, not a table: write {path} = [...] before the first [heading]");
    }
    if schema["type"] == "object"
        && let DeValue::Array(_) = value
    {
        return format!("{path} is a single table: write [{path}] with single brackets");
    }
    format!("{path} is {}, not {}", article(schema), shown(value))
}

fn type_of(value: &DeValue<'_>) -> &'static str {
    match value {
        DeValue::String(_) => "string",
        DeValue::Integer(_) => "integer",
        DeValue::Float(_) => "number",
        DeValue::Boolean(_) => "boolean",
        DeValue::Datetime(_) => "datetime",
        DeValue::Array(_) => "array",
        DeValue::Table(_) => "object",
    }
}

fn shown(value: &DeValue<'_>) -> String {
    match value {
        DeValue::String(text) if text.chars().count() > 40 => "a text".to_owned(),
        DeValue::String(text) => format!("the text \"{text}\""),
        DeValue::Integer(number) => format!("the number {number}"),
        DeValue::Float(number) => format!("the number {}", number.as_str()),
        DeValue::Boolean(truth) => truth.to_string(),
        DeValue::Datetime(date) => format!("the date {date}"),
        DeValue::Array(_) => "a list".to_owned(),
        DeValue::Table(_) => "a table".to_owned(),
    }
}

/// What a schema asks for: `a text such as "20s"`.
fn article(schema: &Value) -> String {
    let word = |name: &Value| match name.as_str() {
        Some("string") => "a text",
        Some("integer") => "a whole number",
        Some("number") => "a number",
        Some("boolean") => "true or false",
        Some("array") => "a list",
        _ => "a table",
    };
    let mut text = match &schema["type"] {
        Value::Array(several) => several.iter().map(word).collect::<Vec<_>>().join(" or "),
        one => word(one).to_owned(),
    };
    if schema["type"] == "array" && schema["items"]["type"].is_string() {
        text += match schema["items"]["type"].as_str() {
            Some("string") => " of texts",
            Some("integer" | "number") => " of numbers",
            Some("object") => " of tables",
            _ => "",
        };
    }
    let examples = schema["enum"].as_array().or_else(|| schema["examples"].as_array());
    match examples.map(Vec::as_slice) {
        Some([one]) => text + " such as " + &example(one),
        Some([one, two, ..]) => text + " such as " + &example(one) + " or " + &example(two),
        _ => text,
    }
}

fn example(value: &Value) -> String {
    match value {
        Value::Array(items) => format!("[{}]", items.iter().map(example).collect::<Vec<_>>().join(", ")),
        other => other.to_string(),
    }
}

/// The place of a key in a table.
fn member(path: &str, name: &str) -> String {
    let bare = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_');
    let name = if bare { truncated(name, QUOTED) } else { format!("\"{}\"", truncated(name, QUOTED)) };
    if path.is_empty() { name } else { format!("{path}.{name}") }
}

/// How the table at a place is headed: `[limits]`, `[[solver]]`.
fn heading(root: &Value, path: &str) -> String {
    if path.is_empty() {
        return "a config".to_owned();
    }
    match root["properties"][path]["type"] == "array" {
        true => format!("[[{path}]]"),
        false => format!("[{path}]"),
    }
}
