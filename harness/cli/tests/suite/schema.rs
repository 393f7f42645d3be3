//! The JSON schema of configs: as committed, fitting every config, and of one mind with the loader.

use std::fs;
use std::path::PathBuf;

use regex::Regex;
use serde_json::Value;

use crate::bench::{Bench, is_shipped, words, workspace};

/// The schema as it is printed.
pub fn printed() -> Value {
    printed_by(&Bench::new())
}

fn printed_by(bench: &Bench) -> Value {
    bench.run(&["schema"]).ok().json()
}

/// The config files, those of claims and those that test the harness too, sorted.
pub fn configs() -> Vec<PathBuf> {
    let folders = ["configs", "configs/claims", "configs/harness"].map(|folder| fs::read_dir(workspace().join(folder)));
    let entries = folders.into_iter().flat_map(|folder| folder.expect("configs")).map(|e| e.expect("an entry").path());
    let is_config = |path: &PathBuf| path.extension().is_some_and(|ending| ending == "toml") && is_shipped(path);
    let mut paths: Vec<PathBuf> = entries.filter(is_config).collect();
    paths.sort();
    assert!(!paths.is_empty());
    paths
}

/// What of a value does not fit a schema; by the words of the standard, not by those of the loader.
fn misfits(value: &Value, schema: &Value, at: &str, found: &mut Vec<String>) {
    let mut wrong = |what: &str| found.push(format!("{at}: {what}"));
    let mut inner: Vec<(&Value, &Value, String)> = Vec::new();
    for (keyword, rule) in schema.as_object().expect("a schema is an object") {
        match keyword.as_str() {
            "$schema" | "title" | "description" | "examples" => {}
            "type" => {
                let is = |name: &Value| match name.as_str().expect("a name") {
                    "string" => value.is_string(),
                    "integer" => value.is_i64() || value.is_u64(),
                    "number" => value.is_number(),
                    "boolean" => value.is_boolean(),
                    "array" => value.is_array(),
                    "object" => value.is_object(),
                    other => panic!("{at}: no type {other}"),
                };
                let fits = rule.as_array().map_or_else(|| is(rule), |several| several.iter().any(is));
                if !fits {
                    wrong("type");
                }
            }
            "enum" if !rule.as_array().expect("a list").contains(value) => wrong("enum"),
            "not" => {
                let mut misfit = Vec::new();
                misfits(value, rule, at, &mut misfit);
                if misfit.is_empty() && value.is_string() {
                    wrong("not");
                }
            }
            "pattern" => {
                let pattern = Regex::new(rule.as_str().expect("a text")).expect("a pattern");
                if value.as_str().is_some_and(|text| !pattern.is_match(text)) {
                    wrong("pattern");
                }
            }
            "minimum" if value.as_f64() < rule.as_f64() && value.is_number() => wrong("minimum"),
            "maximum" if value.as_f64() > rule.as_f64() => wrong("maximum"),
            "minItems"
                if value.as_array().is_some_and(|list| (list.len() as u64) < rule.as_u64().expect("a count")) =>
            {
                wrong("minItems");
            }
            "uniqueItems" => {
                let list = value.as_array().map(Vec::as_slice).unwrap_or_default();
                if list.iter().enumerate().any(|(index, item)| list[..index].contains(item)) {
                    wrong("uniqueItems");
                }
            }
            "required" => {
                for name in rule.as_array().expect("names").iter().filter_map(Value::as_str) {
                    if value.is_object() && value.get(name).is_none() {
                        wrong(&format!("required {name}"));
                    }
                }
            }
            "properties" => {
                for (name, schema) in rule.as_object().expect("properties") {
                    inner.extend(value.get(name).map(|value| (value, schema, format!("{at}.{name}"))));
                }
            }
            "additionalProperties" => {
                let known = schema["properties"].as_object();
                for (name, value) in value.as_object().into_iter().flatten() {
                    match rule {
                        _ if known.is_some_and(|known| known.contains_key(name)) => {}
                        Value::Bool(false) => wrong(&format!("additionalProperties {name}")),
                        schema => inner.push((value, schema, format!("{at}.{name}"))),
                    }
                }
            }
            "items" => {
                inner.extend(value.as_array().into_iter().flatten().map(|value| (value, rule, format!("{at}[]"))));
            }
            "enum" | "minimum" | "maximum" | "minItems" => {}
            other => panic!("{at}: this test does not know the keyword {other}"),
        }
    }
    for (value, schema, at) in inner {
        misfits(value, schema, &at, found);
    }
}

fn validate(config: &str, schema: &Value) -> Vec<String> {
    let table: toml::Table = config.parse().unwrap_or_else(|e| panic!("{e}\n{config}"));
    let mut found = Vec::new();
    misfits(&serde_json::to_value(table).expect("TOML has a JSON form"), schema, "", &mut found);
    found
}

#[test]
fn the_committed_schema_is_the_printed_one() {
    let printed = Bench::new().run(&["schema"]).ok().out;
    crate::reference::committed("configs/schema.json", &printed);
}

#[test]
fn every_config_names_the_schema_and_fits_it() {
    let (schema, with_mock) = (printed(), printed_by(&Bench::mock()));
    for path in configs() {
        let text = fs::read_to_string(&path).expect("a config");
        let is_in = |name: &str| path.parent().is_some_and(|folder| folder.ends_with(name));
        let (of_harness, folder) = (is_in("harness"), if is_in("claims") { ".." } else { "." });
        let names = format!("#:schema {folder}/schema.json\n");
        assert_eq!(text.starts_with(&names), !of_harness, "{}", path.display());
        let schema = if of_harness { &with_mock } else { &schema };
        assert_eq!(validate(&text, schema), Vec::<String>::new(), "{}", path.display());
    }
}

#[test]
fn names_that_are_known_are_listed_and_keys_are_explained() {
    let schema = printed();
    for (place, name) in [
        ("/properties/solver/items/properties/name/enum", "highs"),
        ("/properties/report/properties/tables/items/enum", "model-size"),
        ("/properties/report/properties/plots/items/enum", "total-time"),
        ("/properties/formulation/items/properties/objective/enum", "weighted"),
        ("/properties/formulation/items/properties/cuts/enum", "region"),
    ] {
        let names = schema.pointer(place).and_then(Value::as_array).unwrap_or_else(|| panic!("no {place}"));
        assert!(names.iter().any(|known| known == name), "{place}: {names:?}");
    }
    let families = schema["properties"]["formulation"]["items"]["properties"]["families"]["pattern"].as_str();
    let families = Regex::new(families.expect("a pattern")).expect("a pattern");
    for family in model::families() {
        assert!(families.is_match(&format!("C1 {}", family.id)), "{}", family.id);
    }
    assert!(families.is_match("C1  C2\u{2032} B6\u{2033}") && !families.is_match("C1 C22"));
    each_key(&schema, &mut |key, schema| {
        let text = schema["description"].as_str().unwrap_or_default();
        assert!(text.len() > 5, "{key}: {text:?}");
    });
}

/// Calls a function for each key of the schema.
fn each_key(schema: &Value, found: &mut impl FnMut(&str, &Value)) {
    for (key, inner) in schema["properties"].as_object().into_iter().flatten() {
        found(key, inner);
        for table in [inner, &inner["additionalProperties"], &inner["items"]] {
            each_key(table, found);
        }
    }
}

const CONFIG: &str = r#"experiment = "small"
title = "Small boards"
instances = ["tri.toml"]
seeds = [1, 2]

[limits]
time = "30s"
memory = "1GiB"

[[formulation]]
name = "A"
families = "C1 C2' C4c C5x"
cuts = "each"

[[solver]]
name = "highs"

[report]
tables = ["times"]
"#;

#[test]
fn schema_and_loader_refuse_the_same() {
    let (bench, schema) = (Bench::new(), printed());
    assert_eq!(validate(CONFIG, &schema), Vec::<String>::new());
    bench.write("config.toml", CONFIG);
    bench.run(&words("run config.toml --dry-run")).ok();
    for (from, to, keyword, message) in [
        ("title", "tittle", "additionalProperties tittle", "did you mean `title`?"),
        ("title = \"Small boards\"\n", "", "required title", "needs the key `title`"),
        ("\"small\"", "\"Small\"", "pattern", "a-z"),
        ("[1, 2]", "[1, 1]", "uniqueItems", "twice"),
        ("[1, 2]", "[]", "minItems", "empty list"),
        ("[1, 2]", "[-1]", "minimum", "at least 0"),
        ("[1, 2]", "1", "type", "not the number 1"),
        ("[1, 2]", "\"one\"", "pattern", "\"1-100\""),
        ("\"highs\"", "\"highs\"\nthreads = 2000", "maximum", "at most 1024"),
        ("seeds", "repeats = 0\nseeds", "minimum", "at least 1"),
        ("\"30s\"", "30", "type", "a text such as \"20s\""),
        ("\"30s\"", "\"soon\"", "pattern", "2h 30m"),
        ("\"1GiB\"", "\"1 gig\"", "pattern", "4GiB"),
        ("C4c C5x", "C4c C55", "pattern", "did you mean C5?"),
        ("cuts = \"each\"", "cuts = \"all\"", "enum", "unknown formulation.cuts \"all\""),
        ("cuts = \"each\"", "cut = \"each\"", "additionalProperties cut", "did you mean `cuts`?"),
        ("cuts = \"each\"", "drop_one = \"C5x\"", "additionalProperties drop_one", "did you mean `drop-one`?"),
        ("cuts = \"each\"", "drop-one = [\"C5x\"]", "type", "not a list"),
        ("\"highs\"", "\"higs\"", "enum", "did you mean \"highs\"?"),
        ("name = \"highs\"", "name = \"highs\"\noptions = { a = [1] }", "type", "solver.options.a"),
        ("[report]", "[[exclude]]\nsede = 1\n[report]", "additionalProperties sede", "did you mean `seed`?"),
        ("[report]", "[[include]]\nseeds = []\n[report]", "minItems", "empty list"),
        ("\"times\"", "\"tmes\"", "enum", "did you mean \"times\"?"),
    ] {
        assert!(CONFIG.contains(from), "{from}");
        let broken = CONFIG.replacen(from, to, 1);
        let found = validate(&broken, &schema);
        assert!(found.iter().any(|misfit| misfit.ends_with(keyword)), "{to}: {found:?}");
        bench.write("config.toml", &broken);
        bench.run(&words("run config.toml --dry-run")).refused(&["config.toml, line ", message]);
    }
}

#[test]
fn schema_and_loader_are_of_one_mind_about_every_text() {
    let bench = Bench::mock();
    let schema = printed_by(&bench);
    let both = |from: &str, to: &str| {
        assert!(CONFIG.contains(from), "{from}");
        let text = CONFIG.replacen(from, to, 1);
        bench.write("config.toml", &text);
        let (misfits, ran) = (validate(&text, &schema), bench.run(&words("run config.toml --dry-run")));
        assert_eq!(misfits.is_empty(), ran.code == 0, "{to}: {misfits:?}, {ran:?}");
        ran.code == 0
    };
    for (from, good, bad) in [
        (
            "30s",
            &["20s", "2h 30m", "1.5min", " 500 ms ", "0h 5s"][..],
            &["20", "", "0s", "s", ".5s", "5.s", "-5s", "+5s", "5S", "PT20S", "2h, 30m", "20 s s"][..],
        ),
        (
            "1GiB",
            &["4GiB", "1.5 gib", " 500MB ", "900000B"],
            &["4", "GiB", ".5GiB", "5.GiB", "1.2.3GiB", "0GiB", "-1GiB", "4 G iB"],
        ),
        (
            "[1, 2]",
            &["\"1-5\"", "\"01-05\""],
            &["\"1 - 5\"", "\" 1-5\"", "\"+1-5\"", "\"1-5-9\"", "\"-5\"", "[1, 0x1]"],
        ),
    ] {
        for (texts, goes) in [(good, true), (bad, false)] {
            texts.iter().for_each(|text| assert_eq!(both(from, text), goes, "{text}"));
        }
    }
    let long = "n10-a-name-of-a-board-that-is-longer-than-a-message-shows";
    for (label, other) in [("1", "2"), ("1", "1")] {
        let solver = |end: &str| format!("\"{long}-{end}\"");
        let exclude = format!(
            "[[solver]]\nname = \"mock\"\nlabel = {0}\n[[solver]]\nname = \"mock\"\nlabel = {1}\noptions.loops = 3\n\
             [[exclude]]\nsolver = [{0}, {2}]\n[report]",
            solver("1"),
            solver("2"),
            solver(other)
        );
        assert_eq!(both("[report]", &exclude), label != other, "{other}");
    }
}

#[test]
fn published_figures_are_looked_up_before_anything_runs() {
    let bench = Bench::new();
    bench.write("figures.csv", "table,challenge,formulation,time_s\n1,3,C1,2.0\n2,3,C1,2.0\n");
    let published = "[report.published]\nfile = \"figures.csv\"\ntable = \"3\"\nlabel = \"A paper\"\n";
    bench.write("config.toml", &format!("{CONFIG}{published}"));
    bench.run(&words("run config.toml --dry-run")).refused(&["config.toml, line 22", "no rows of table `3`", "1, 2"]);
    bench.write("config.toml", &format!("{CONFIG}{}", published.replace("\"3\"", "\"2\"")));
    bench.run(&words("run config.toml --dry-run")).ok();
}
