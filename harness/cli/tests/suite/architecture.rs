//! Which crate may depend on which: the table of ARCHITECTURE.md, held against the manifests.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use toml::{Table, Value};

use crate::bench::workspace;

/// Every crate of the workspace, by its folder in `harness/`, and the ones it may depend on, as ARCHITECTURE.md says.
fn table() -> BTreeMap<String, BTreeSet<String>> {
    let text = fs::read_to_string(workspace().join("ARCHITECTURE.md")).expect("ARCHITECTURE.md");
    let quoted = |cell: &str| cell.split('`').skip(1).step_by(2).map(str::to_owned).collect::<BTreeSet<_>>();
    let lines = text.lines().skip_while(|line| !line.starts_with("| crate | may depend on |")).skip(2);
    let rows = lines.take_while(|line| line.starts_with('|')).map(|line| {
        let cells: Vec<&str> = line.split('|').collect();
        (quoted(cells[1]).pop_first().expect("a crate"), cells[2].trim())
    });
    let rows: Vec<_> = rows.collect();
    let others = |own: &str| rows.iter().map(|(name, _)| name.clone()).filter(|name| name != own).collect();
    let row = |(name, may): &(String, &str)| (name.clone(), if *may == "all" { others(name) } else { quoted(may) });
    rows.iter().map(row).collect()
}

/// Packages that only one crate may depend on: solvers, and what is slow to build.
const ONLY: [(&str, &str); 6] = [
    ("highs", "solve"),
    ("highs-sys", "solve"),
    ("coin_cbc", "solve"),
    ("good_lp", "solve"),
    ("polars", "report"),
    ("plotters", "report"),
];

fn manifest(path: &str) -> Table {
    let text = fs::read_to_string(workspace().join(path)).unwrap_or_else(|e| panic!("{path}: {e}"));
    text.parse().unwrap_or_else(|e| panic!("{path}: {e}"))
}

/// The packages that a manifest names in any of its dependency tables, by their own names.
fn packages(manifest: &Table, workspace: &Table) -> BTreeSet<String> {
    let shared = workspace["workspace"]["dependencies"].as_table().expect("shared versions");
    let mut tables: Vec<&Table> = vec![manifest];
    let targets = manifest.get("target").and_then(Value::as_table);
    tables.extend(targets.into_iter().flatten().filter_map(|(_, target)| target.as_table()));
    let renamed = |entry: &Value| entry.get("package").and_then(Value::as_str).map(str::to_owned);
    let mut found = BTreeSet::new();
    for table in tables {
        for kind in ["dependencies", "dev-dependencies", "build-dependencies"] {
            for (key, entry) in table.get(kind).and_then(Value::as_table).into_iter().flatten() {
                let inherited = entry.get("workspace").and_then(Value::as_bool) == Some(true);
                let entry = if inherited { &shared[key] } else { entry };
                found.insert(renamed(entry).unwrap_or_else(|| key.clone()));
            }
        }
    }
    found
}

/// The packages of every crate, by its folder.
fn by_crate() -> BTreeMap<String, BTreeSet<String>> {
    let root = manifest("Cargo.toml");
    let folders = fs::read_dir(workspace().join("harness")).expect("the crates");
    folders
        .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
        .map(|name| {
            let found = packages(&manifest(&format!("harness/{name}/Cargo.toml")), &root);
            (name, found)
        })
        .collect()
}

#[test]
fn crates_depend_only_on_what_the_table_allows() {
    let (crates, table) = (by_crate(), table());
    assert!(crates.keys().eq(table.keys()), "every crate has its line");
    for (name, may) in &table {
        for package in &crates[name] {
            let own = package.strip_prefix("tilebench-").or((package == "tilebench").then_some("cli"));
            let Some(other) = own else { continue };
            // Its tests name the package itself.
            assert!(may.contains(other) || other == name, "{name} must not depend on {other}");
        }
    }
}

#[test]
fn the_table_is_not_wider_than_it_need_be() {
    let crates = by_crate();
    for (name, may) in table() {
        for other in may {
            assert!(crates[&name].contains(&format!("tilebench-{other}")), "{name} no longer needs {other}");
        }
    }
}

#[test]
fn solvers_and_polars_stay_where_they_are() {
    let crates = by_crate();
    for (package, home) in ONLY {
        let users: Vec<&String> =
            crates.iter().filter(|(_, used)| used.contains(package)).map(|(name, _)| name).collect();
        assert_eq!(users, [home], "{package}");
    }
}
