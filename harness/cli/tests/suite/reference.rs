//! Pages of the book that are generated: commands from the help of every command, config keys from the JSON schema, columns from
//! the row types, and lists of tables and plots. With `BLESS` set, these tests renew the pages; otherwise they compare.

use std::collections::BTreeSet;
use std::fs;
use std::process::Command;
use std::{env, iter};

use record::{IterationRow, PlanRow, Row, RunRow};
use serde_json::Value;

use crate::bench::workspace;

/// Compares a generated file with the committed one, or writes it if `BLESS` is set.
pub fn committed(path: &str, generated: &str) {
    let file = workspace().join(path);
    if env::var_os("BLESS").is_some() {
        fs::write(&file, generated).unwrap_or_else(|e| panic!("{path}: {e}"));
    }
    let committed = fs::read_to_string(&file).unwrap_or_else(|e| panic!("{path}: {e}"));
    assert!(committed == generated, "{path} is stale: run this test with BLESS=1 and commit the file");
}

/// Every command that help shows: its words, and its help, as wide on every terminal.
pub fn commands() -> Vec<(Vec<String>, String)> {
    let (mut waiting, mut found) = (vec![Vec::new()], Vec::new());
    while let Some(words) = waiting.pop() {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tilebench"));
        let output = command.args(&words).arg("--help").env("COLUMNS", "100").output().expect("the command runs");
        assert!(output.status.success(), "tilebench {} --help: {output:?}", words.join(" "));
        let help = String::from_utf8(output.stdout).expect("text");
        let listed = help.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
        let names = listed.filter_map(|line| line.strip_prefix("  ")?.split(' ').next());
        let inner = names.filter(|name| !name.is_empty() && *name != "help").map(|name| {
            let name = iter::once(name.to_owned());
            words.iter().cloned().chain(name).collect::<Vec<_>>()
        });
        let mut inner: Vec<_> = inner.collect();
        inner.reverse();
        waiting.extend(inner);
        found.push((words, help));
    }
    found
}

#[test]
fn the_page_of_commands_is_current() {
    let mut page = "# Commands\n\nGenerated from the help of every command.\n".to_owned();
    for (words, help) in commands() {
        let name: Vec<&str> = iter::once("tilebench").chain(words.iter().map(String::as_str)).collect();
        let lines: Vec<&str> = help.trim().lines().map(str::trim_end).collect();
        page += &format!("\n## {}\n\n```text\n{}\n```\n", name.join(" "), lines.join("\n"));
    }
    committed("docs/reference/commands.md", &page);
}

#[test]
fn the_page_of_columns_is_current() {
    let page = format!(
        "# Columns\n\nGenerated from the row types. Figures are raw: seconds, bytes, counts; what was not measured is an empty \
         cell. A column that can be empty may be missing in files of older versions. [Measuring](../measuring.md) says how each \
         figure is measured and lists the termination reasons.\n\n## runs.csv\n\nOne row for each attempt at a run.\n\n{}\n## \
         iterations.csv\n\nOne row for each solve that ended.\n\n{}\n## plan.csv\n\nOne row for each run that the config asks \
         for.\n\n{}",
        columns::<RunRow>(),
        columns::<IterationRow>(),
        columns::<PlanRow>(),
    );
    committed("docs/reference/columns.md", &page);
}

/// The columns of a row type.
fn columns<T: Row>() -> String {
    let mut rows = "| column | type, unit | meaning | empty if |\n|---|---|---|---|\n".to_owned();
    for column in T::columns() {
        let empty = column.empty().unwrap_or_else(|| "never".to_owned());
        rows += &format!(
            "| `{}` | {} | {} | {empty} |\n",
            column.name,
            column.unit(),
            column.meaning().replace('|', "\\|")
        );
    }
    rows
}

#[test]
fn the_page_of_config_keys_is_current() {
    let mut page = "# Config keys\n\nGenerated from the JSON schema of configs (`tilebench schema`). \
                    [Configs](../guide/configs.md) explains them by examples.\n"
        .to_owned();
    let schema = crate::schema::printed();
    page += &format!("\n## Top of the file\n\n{}", rows(&schema));
    tables(&schema, "", &mut page);
    committed("docs/reference/config.md", &page);
}

/// The sections of the tables in a table.
fn tables(schema: &Value, within: &str, page: &mut String) {
    for (key, inner) in schema["properties"].as_object().into_iter().flatten() {
        let path = if within.is_empty() { key.clone() } else { format!("{within}.{key}") };
        let named = inner["additionalProperties"]["properties"].is_object();
        let (table, title, path) = match &inner["items"] {
            items if items["properties"].is_object() => (items, format!("[[{path}]]"), path),
            _ if named => (&inner["additionalProperties"], format!("[{path}.NAME]"), format!("{path}.NAME")),
            _ => (inner, format!("[{path}]"), path),
        };
        if table["properties"].is_object() {
            let text = inner["description"].as_str().unwrap_or_default().replace('\n', " ");
            *page += &format!("\n## `{title}`\n\n{text}\n\n{}", rows(table));
            tables(table, &path, page);
        }
    }
}

/// The keys of a table.
fn rows(schema: &Value) -> String {
    let required: BTreeSet<&str> =
        schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    let mut rows = "| key | values | meaning | default |\n|---|---|---|---|\n".to_owned();
    for (key, value) in schema["properties"].as_object().expect("keys") {
        let text = value["description"].as_str().unwrap_or_default().replace('\n', " ").replace('|', "\\|");
        let (meaning, default) = match text.split_once(" Left out: ") {
            _ if required.contains(key.as_str()) => (text, "required".to_owned()),
            Some((meaning, default)) => match default.split_once(". ") {
                Some((default, more)) => (format!("{meaning} {more}"), default.to_owned()),
                None => (meaning.to_owned(), default.trim_end_matches('.').to_owned()),
            },
            None => (text, String::new()),
        };
        rows += &format!("| `{key}` | {} | {meaning} | {default} |\n", values(value).replace('|', "\\|"));
    }
    rows
}

/// What a key takes, in a few words.
fn values(schema: &Value) -> String {
    let quoted = |list: &Vec<Value>| {
        let words =
            list.iter().map(|word| format!("`{}`", word.as_str().map_or_else(|| word.to_string(), str::to_owned)));
        words.collect::<Vec<_>>().join(", ")
    };
    if let Some(list) = schema["enum"].as_array() {
        return quoted(list);
    }
    if schema["items"]["properties"].is_object() {
        return "tables".to_owned();
    }
    let types: Vec<&str> = match &schema["type"] {
        Value::String(one) => vec![one],
        several => several.as_array().into_iter().flatten().filter_map(Value::as_str).collect(),
    };
    let types = types.iter().map(|name| match *name {
        "object" => "table".to_owned(),
        "array" => match schema["items"]["enum"].as_array() {
            Some(list) => format!("list of {}", quoted(list)),
            None => "list".to_owned(),
        },
        "integer" => match (schema["minimum"].as_u64(), schema["maximum"].as_u64().filter(|most| *most < 1 << 53)) {
            (Some(least), Some(most)) => format!("integer from {least} to {most}"),
            (Some(least), None) => format!("integer from {least}"),
            _ => "integer".to_owned(),
        },
        other => other.to_owned(),
    });
    let types = types.collect::<Vec<_>>().join(" or ");
    match schema["examples"].as_array() {
        Some(list) => {
            let examples: Vec<String> = list.iter().map(|example| format!("`{example}`")).collect();
            format!("{types}, such as {}", examples.join(", "))
        }
        None => types,
    }
}

/// Compares the lines of a page between two marks with generated ones, as [`committed`] does.
fn committed_part(path: &str, name: &str, generated: &str) {
    let (begin, end) = (format!("<!-- generated: {name} -->\n"), "<!-- /generated -->\n");
    let page = fs::read_to_string(workspace().join(path)).unwrap_or_else(|e| panic!("{path}: {e}"));
    let (before, rest) = page.split_once(&begin).unwrap_or_else(|| panic!("{path}: no {begin}"));
    let (_, after) = rest.split_once(end).unwrap_or_else(|| panic!("{path}: no {end}"));
    committed(path, &format!("{before}{begin}{generated}{end}{after}"));
}

#[test]
fn the_lists_of_tables_and_plots_are_current() {
    let mut tables = "| table | shows |\n|---|---|\n".to_owned();
    tables.extend(report::table_list().map(|(name, shows)| format!("| `{name}` | {shows} |\n")));
    committed_part("docs/guide/reports.md", "tables", &tables);
    let mut plots = "| plot | shows | drawn by default from |\n|---|---|---|\n".to_owned();
    plots.extend(report::plot_list().map(|(name, shows, drawn)| format!("| `{name}` | {shows} | {drawn} |\n")));
    committed_part("docs/statistics.md", "plots", &plots);
}
