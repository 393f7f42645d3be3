//! Results as others read them: the data package beside the rows, and what `export --results` writes.

use std::fs;
use std::process::Command;

use crate::bench::{Bench, leave_out, words};
use crate::run::small;

/// Results of small boards.
fn measured() -> Bench {
    let bench = small();
    bench.run(&words("run small.toml --out out --filter instance=[tr]* --quiet")).ok();
    bench
}

/// Reads the files of rows with the types that the data package says, by other programs.
const READ: &str = r#"
import json, sys, duckdb, pandas
package = json.load(open("out/small/datapackage.json"))
TYPES = {"integer": "BIGINT", "number": "DOUBLE", "string": "VARCHAR", "boolean": "BOOLEAN", "datetime": "TIMESTAMPTZ"}
for resource in package["resources"]:
    path = "out/small/" + resource["path"]
    fields = resource["schema"]["fields"]
    types = {field["name"]: TYPES[field["type"]] for field in fields}
    table = duckdb.read_csv(path, columns=types, header=True)
    frame = pandas.read_csv(path)
    assert list(frame.columns) == [field["name"] for field in fields]
    for field in fields:
        if field["type"] in ("integer", "number"):
            assert pandas.api.types.is_numeric_dtype(frame[field["name"]]), field
    print(resource["name"], len(frame), len(table))
"#;

#[test]
fn the_data_package_says_what_the_files_hold() {
    let bench = measured();
    let package: serde_json::Value = serde_json::from_str(&bench.read("out/small/datapackage.json")).expect("JSON");
    let (mut lines, mut kinds) = (String::new(), std::collections::BTreeSet::new());
    for resource in package["resources"].as_array().expect("resources") {
        let path = resource["path"].as_str().expect("a path");
        let mut table = csv::Reader::from_path(bench.path("out/small").join(path)).expect("a file");
        let fields = resource["schema"]["fields"].as_array().expect("fields");
        let names: Vec<&str> = fields.iter().map(|field| field["name"].as_str().expect("a name")).collect();
        assert_eq!(table.headers().expect("a header").iter().collect::<Vec<_>>(), names, "{path}");
        let mut rows = 0;
        for row in table.records().map(|row| row.expect("a row")) {
            rows += 1;
            for (field, cell) in fields.iter().zip(&row) {
                let kind = field["type"].as_str().expect("a type");
                let fits = match kind {
                    "integer" => cell.parse::<i64>().is_ok(),
                    "number" => cell.parse::<f64>().is_ok(),
                    "boolean" => cell.parse::<bool>().is_ok(),
                    "datetime" => cell.len() == 24 && cell.ends_with('Z'),
                    _ => kind == "string",
                };
                let may_be_empty = field["constraints"]["required"].is_null();
                assert!(if cell.is_empty() { may_be_empty } else { fits }, "{path}: {field}: {cell:?}");
                kinds.insert(kind.to_owned());
            }
        }
        lines += &format!("{0} {rows} {rows}\n", path.trim_end_matches(".csv"));
    }
    assert_eq!(kinds.len(), 5, "every type occurs: {kinds:?}");
    // A merge describes what it writes.
    bench.run(&words("merge out -o merged")).ok();
    assert_eq!(bench.read("merged/small/datapackage.json"), bench.read("out/small/datapackage.json"));
    let python = |script: &str| {
        let output =
            Command::new("python3").args(["-c", script]).current_dir(bench.path("")).output().expect("python3");
        (output.status.success(), String::from_utf8_lossy(&output.stdout).into_owned(), output)
    };
    if !python("import duckdb, pandas").0 {
        leave_out("pandas", "python3 -m pip install pandas duckdb");
        return;
    }
    let (_, read, output) = python(READ);
    assert_eq!(read, lines, "{output:?}");
}

#[test]
fn results_are_written_for_programs_of_others() {
    let bench = measured();
    let ran = bench.run(&words("export --results out --to benchexec,bmf,bmf -o others")).ok();
    let names = |folder: &str| {
        let entries = fs::read_dir(bench.path(folder)).expect("a folder").flatten();
        let mut names: Vec<_> = entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    };
    assert_eq!(ran.out, format!("{} files in others\n", names("others").len()));
    let sets: Vec<String> = names("others").into_iter().filter(|name| name.ends_with(".results.xml")).collect();
    let runs = record::ResultsDir::new(bench.path("out/small")).read_runs().expect("rows");
    let mut found = 0;
    for set in &sets {
        let text = bench.read(&format!("others/{set}"));
        for run in text.split("<run name=\"").skip(1) {
            let instance = run.split('"').next().expect("a name");
            let row = runs.iter().find(|row| {
                let name =
                    format!("small.{}.{}.s{}.r{}.results.xml", row.formulation, row.solver, row.seed, row.repeat);
                row.instance == instance && name == *set
            });
            let row = row.expect("a row");
            let value = |title: &str| run.split(&format!("\"{title}\" value=\"")).nth(1)?.split('"').next();
            let status = if row.status.has_solution() { "true" } else { "false" };
            assert_eq!(value("status"), Some(status), "{row:?}");
            assert_eq!(value("category"), Some("correct"), "{row:?}");
            assert_eq!(value("walltime"), row.wall_time_s.map(|time| format!("{time}s")).as_deref());
            found += 1;
        }
    }
    assert_eq!(found, runs.len());
    assert!(bench.read(&format!("others/{}", sets[0])).contains("<systeminfo hostname="));
    // Of a machine of which no session tells nothing is said.
    let manifest = bench.path("out/small/manifest.json");
    let whole = bench.read("out/small/manifest.json");
    let mut without: serde_json::Value = serde_json::from_str(&whole).expect("JSON");
    without["sessions"] = serde_json::Value::Array(Vec::new());
    fs::write(&manifest, without.to_string()).expect("written");
    bench.run(&words("export --results out --to benchexec -o strangers")).ok();
    assert!(!bench.read(&format!("strangers/{}", sets[0])).contains("systeminfo"));
    fs::write(&manifest, whole).expect("written");
    let metrics: serde_json::Value = serde_json::from_str(&bench.read("others/metrics.json")).expect("JSON");
    let row = &runs[0];
    let name = format!("small/{}/{}/{}", row.formulation, row.solver, row.instance);
    let time = (row.build_time_s.expect("built") + row.solve_time_s.expect("solved")) * 1e9;
    let latency = metrics[&name]["latency"]["value"].as_f64().unwrap_or_else(|| panic!("{name}: {metrics}"));
    assert!((latency - time).abs() <= 1.0 && metrics[&name]["solved"]["value"] == 1, "{metrics}");
    for (what, words_of) in [
        ("export --results out --to lp -o x", "benchexec, bmf"),
        ("export --results nowhere --to bmf -o x", "nowhere"),
        ("export --results out --to bmf --kind sat -o x", "--kind"),
        ("export --results out --to bmf -o out/small/x", "out/small/x is in the results out/small"),
    ] {
        bench.run(&words(what)).refused(&[words_of]);
    }
    assert!(!bench.path("x").exists());
    // The program that reads such files; it makes a page of all of them.
    let mut table = Command::new("table-generator");
    table.args(sets.iter().map(|set| format!("others/{set}"))).args(["-o", "table", "-q"]).current_dir(bench.path(""));
    let Ok(output) = table.output() else {
        leave_out("table-generator", "python3 -m pip install benchexec");
        return;
    };
    assert!(output.status.success(), "{output:?}");
    let table = names("table").into_iter().find(|name| name.ends_with(".table.csv")).expect("a table");
    let instances: std::collections::BTreeSet<_> = runs.iter().map(|row| &row.instance).collect();
    let lines = bench.read(&format!("table/{table}"));
    assert!(instances.iter().all(|name| lines.lines().any(|line| line.starts_with(name.as_str()))), "{lines}");
}
