//! `datapackage.json`: what stands in the files of rows, as Frictionless Data describes tables
//! (<https://specs.frictionlessdata.io/tabular-data-package/>), so that other programs read them with the right types.

use serde_json::{Map, Value, json};

use crate::{Column, IterationRow, PlanRow, Row, RunRow};

/// The description of an experiment's files of rows, which stand beside it.
#[must_use]
pub fn data_package(experiment: &str, title: &str) -> String {
    // Names of packages have no others.
    let plain = |c: char| if c.is_ascii_alphanumeric() || "._-".contains(c) { c.to_ascii_lowercase() } else { '-' };
    let package = json!({
        "profile": "tabular-data-package",
        "name": experiment.chars().map(plain).collect::<String>(),
        "title": title,
        "resources": [
            resource::<RunRow>("runs", "One row for each attempt at a run", &["run_id", "attempt"]),
            resource::<IterationRow>("iterations", "One row for each solve that ended", &["run_id", "attempt", "iteration"]),
            resource::<PlanRow>("plan", "One row for each run that the config asks for", &["run_id"]),
        ],
    });
    format!("{package:#}\n")
}

fn resource<T: Row>(name: &str, title: &str, key: &[&str]) -> Value {
    json!({
        "profile": "tabular-data-resource",
        "name": name,
        "path": format!("{name}.csv"),
        "title": title,
        "format": "csv",
        "encoding": "utf-8",
        "schema": {
            "fields": T::columns().iter().map(field).collect::<Vec<_>>(),
            "primaryKey": key,
            "missingValues": [""],
        },
    })
}

/// Name, type and description; `unit` is no key of the specification, which allows others.
fn field(column: &Column) -> Value {
    let unit = column.unit();
    let word = unit.split([',', ' ']).next().unwrap_or_default();
    let kind = match word {
        "integer" | "count" | "bytes" => "integer",
        // Also `number or inf`, as every reader of numbers takes it.
        "seconds" | "number" => "number",
        "RFC" => "datetime",
        "`true`" => "boolean",
        _ => "string",
    };
    let mut constraints = Map::new();
    if column.empty().is_none() {
        constraints.insert("required".to_owned(), true.into());
    }
    if ["count", "bytes", "seconds"].contains(&word) {
        constraints.insert("minimum".to_owned(), 0.into());
    }
    let description = match column.empty() {
        None => column.meaning(),
        Some(when) => format!("{} Empty if {when}.", column.meaning()),
    };
    let mut field = json!({
        "name": column.name,
        "type": kind,
        "description": description,
        "unit": unit,
    });
    if !constraints.is_empty() {
        field["constraints"] = constraints.into();
    }
    field
}
