//! Holds a config against the schema: unknown keys, wrong types, words and numbers, in words.

use std::ops::Range;

use serde_json::{Map, Value};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::source::Source;
use super::wording::{article, heading, member, shown, type_of};
use crate::RunnerError;
use crate::suggest::{did_you_mean, nearest_first};

/// What does not fit the schema, all of it.
///
/// # Errors
/// The first fault by its line, and the others after it.
pub(super) fn check(source: &Source, table: &Spanned<DeTable<'_>>, schema: &Value) -> Result<(), RunnerError> {
    let mut walk = Walk { root: schema, faults: Vec::new() };
    walk.table("", &table.span(), table.get_ref(), schema);
    source.all(walk.faults)
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
        let names = nearest_first(name, known.keys().map(String::as_str)).replace('"', "`");
        format!("unknown key `{name}`{at}; {hint}known keys: {names}")
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
            let hint = did_you_mean(text, words()).map(|near| format!("did you mean \"{near}\"? ")).unwrap_or_default();
            self.fault(span, format!("unknown {path} \"{text}\"; {hint}there is {}", nearest_first(text, words())));
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

/// What makes two values of a list the same.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Identity<'a> {
    Text(&'a str),
    Whole(i128),
    Number(u64),
    Truth(bool),
}

/// `None` for what no list without repetitions holds: tables, lists, dates.
fn identity<'a>(value: &'a DeValue<'_>) -> Option<Identity<'a>> {
    match value {
        DeValue::String(text) => Some(Identity::Text(text)),
        DeValue::Integer(number) => i128::from_str_radix(number.as_str(), number.radix()).ok().map(Identity::Whole),
        DeValue::Float(number) => {
            let number: f64 = number.as_str().parse().ok()?;
            let whole = number.fract() == 0.0 && number.abs() < 1e15;
            Some(if whole { Identity::Whole(number as i128) } else { Identity::Number(number.to_bits()) })
        }
        DeValue::Boolean(truth) => Some(Identity::Truth(*truth)),
        DeValue::Datetime(_) | DeValue::Array(_) | DeValue::Table(_) => None,
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
    if schema["type"] == "object"
        && let DeValue::Array(_) = value
    {
        return format!("{path} is a single table: write [{path}] with single brackets");
    }
    format!("{path} is {}, not {}", article(schema), shown(value))
}
