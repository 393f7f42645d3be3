//! Types, values and places of a config in words.

use serde_json::Value;
use toml::de::DeValue;

/// The type of a value, as schemas name it.
pub(super) fn type_of(value: &DeValue<'_>) -> &'static str {
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

/// A value as a message quotes it.
pub(super) fn shown(value: &DeValue<'_>) -> String {
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
pub(super) fn article(schema: &Value) -> String {
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
pub(super) fn member(path: &str, name: &str) -> String {
    let bare = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_');
    let name = if bare { name.to_owned() } else { format!("\"{name}\"") };
    if path.is_empty() { name } else { format!("{path}.{name}") }
}

/// How the table at a place is headed: `[limits]`, `[[solver]]`.
pub(super) fn heading(root: &Value, path: &str) -> String {
    if path.is_empty() {
        return "a config".to_owned();
    }
    match root["properties"][path]["type"] == "array" {
        true => format!("[[{path}]]"),
        false => format!("[{path}]"),
    }
}
