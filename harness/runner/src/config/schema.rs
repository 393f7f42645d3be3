//! The JSON schema of configs: for editors, and what the loader holds every config against.

use std::path::Path;

use record::Published;
use schemars::generate::SchemaSettings;
use serde_json::{Value, json};

use super::file::ConfigFile;

/// Tells what is wrong with published figures: the file and what the config asks of it.
pub type CheckPublished = fn(&Path, &Published) -> Result<(), String>;

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
}

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
