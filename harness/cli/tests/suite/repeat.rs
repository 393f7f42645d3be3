//! The commands that the page for browsers shows with each run: they repeat it, and check its answer.

use std::io::Read;
use std::path::Path;
use std::process::Command;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::read::ZlibDecoder;
use record::ResultsDir;
use serde_json::Value;

use crate::bench::{Bench, Ran};

/// Runs of every kind, with options, labels, limits and treatments of every sort.
const CONFIG: &str = r#"
experiment = "all-kinds"
title = "Repeated"
instances = ["n10.toml"]
seeds = [3]

[limits]
cpu = "90s"
memory = "4GiB"

[[formulation]]
name = "printed, smallest"
families = "C1 C2' C3 C4 C5"
objective = "none"
cuts = "smallest"
solvers = ["highs", "plain"]

[[formulation]]
name = "reporting"
families = "C1 C2' C4c"
subloops = "report"
solvers = ["highs"]

[[formulation]]
name = "weighted"
families = "B1 B3 B45c B6 C5x"
objective = "weighted"
holes = "resolve"
solvers = ["highs"]
instances = ["m12.toml"]

[[formulation]]
name = "clauses"
kind = "sat"
cardinality = "sequential"
short-loops = 3
solvers = ["a label", "batsat"]

[[formulation]]
name = "kept"
kind = "sat"
subloops = "propagate"
solvers = ["a label"]

[[formulation]]
name = "around"
kind = "sat"
around-empty = 4
holes = "resolve"
solvers = ["batsat"]
instances = ["m12.toml"]

[[formulation]]
name = "not around"
kind = "sat"
solvers = ["proving", "odd"]
instances = ["row.toml"]

[[formulation]]
name = "constraints"
kind = "cp"
short-loops = 0
subloops = "resolve"
solvers = ["pumpkin"]

[[formulation]]
name = "walk"
kind = "search"
strategy = "walk"
holes = "resolve"
solvers = ["search"]
instances = ["plane.toml"]

[[formulation]]
name = "propagate"
kind = "search"
solvers = ["search"]

[[include]]
formulations = ["reporting"]
seeds = [4]
time = "20s"

[[solver]]
name = "highs"
options = { presolve = "off", mip_rel_gap = 0.0 }

[[solver]]
name = "highs"
label = "plain"

[[solver]]
name = "cadical"
label = "a label"

[[solver]]
name = "cadical"
label = "proving"
proof = true

[[solver]]
name = "batsat"

[[solver]]
name = "pumpkin"

[[solver]]
name = "search"

[[solver]]
name = "external"
label = "odd"

[solver.options]
command = "sh -c 'A=1; cat {model} > /dev/null; echo UNSAT > {solution}'"
format = "dimacs"
read = "minisat"
version-command = "echo 1.0"
"#;

/// The commands of the details of all runs, with their ids.
fn details(page: &str) -> Vec<(String, Value)> {
    let element = |id: &str| {
        let (_, rest) = page.split_once(&format!(" id=\"{id}\">")).expect("an element");
        rest.split_once("</script>").expect("an end").0
    };
    let chunk = |name: &str| -> Value {
        let mut text = String::new();
        let zlib = STANDARD.decode(element(&format!("chunk-{name}"))).expect("base64");
        ZlibDecoder::new(zlib.as_slice()).read_to_string(&mut text).expect("zlib");
        serde_json::from_str(&text).expect("json")
    };
    let head: Value = serde_json::from_str(element("head")).expect("json");
    let figure = |key: &str| head["experiments"][0][key].as_u64().expect("a number");
    let ids = chunk("e0-runs")["columns"]["run_id"].clone();
    let id = |code: &Value| ids["words"][code.as_u64().expect("a code") as usize].as_str().expect("an id").to_owned();
    let ids = ids["codes"].as_array().expect("codes").iter().map(id);
    let parts = figure("runs").div_ceil(figure("detail_size"));
    let details = (0..parts).map(|part| chunk(&format!("e0-d{part}")));
    ids.zip(details.flat_map(|chunk| chunk.as_array().expect("a list").clone())).collect()
}

/// Runs a line in a shell that finds `tilebench`.
fn in_shell(bench: &Bench, line: &str) -> Ran {
    let folder = Path::new(env!("CARGO_BIN_EXE_tilebench")).parent().expect("a folder").to_string_lossy().into_owned();
    let path = format!("{folder}:{}", std::env::var("PATH").unwrap_or_default());
    let output = Command::new("sh").args(["-c", line]).current_dir(bench.path(".")).env("PATH", path).output();
    let output = output.expect("a shell");
    let text = |bytes| String::from_utf8(bytes).expect("text");
    Ran { code: output.status.code().expect("no signal"), out: text(output.stdout), err: text(output.stderr) }
}

#[test]
fn the_command_of_a_run_repeats_it() {
    let bench = Bench::new();
    for (name, from) in [("n10", "fixed/n10-round"), ("m12", "bounded/n5-m12"), ("plane", "natural/distinct-n5")] {
        bench.copy(&format!("tantrix/{from}.toml"), &format!("{name}.toml"));
    }
    bench.write("all.toml", CONFIG);
    bench.run(&["run", "all.toml", "--out", "my results"]).ok();
    let results = ResultsDir::new(bench.path("my results/all-kinds"));
    bench.run(&["report", "my results/all-kinds", "-o", "plots", "--format", "html"]).ok();
    let rows = results.read_runs().expect("rows");
    let details = details(&bench.read("plots/report.html"));
    assert_eq!(details.len(), rows.len());
    assert!(rows.len() >= 13, "{}", rows.len());
    let mut verified = 0;
    for (id, details) in details {
        let row = rows.iter().find(|row| row.run_id == id).expect("a row");
        let command = details["command"].as_str().expect("a command");
        let again = in_shell(&bench, &format!("{command} --json")).ok().json();
        let row = serde_json::to_value(row).expect("json");
        for column in [
            "kind",
            "families",
            "objective",
            "subloops",
            "hole_treatment",
            "solver_version",
            "status",
            "category",
            "termination_reason",
            "objective_value",
            "loops",
            "holes",
        ] {
            assert_eq!(again[column], row[column], "{column} of {command}");
        }
        let solves = again["solves"].as_array().expect("solves").len();
        assert_eq!(row["iterations"], solves, "{command}");
        assert_eq!(command.contains("--proof"), row["solver"] == "proving", "{command}");
        if let Some(command) = details["verify"].as_str() {
            let ran = in_shell(&bench, command);
            assert_eq!(ran.code == 0, row["category"] == "correct", "{command}: {ran:?}");
            verified += 1;
        }
    }
    assert!(verified > 8, "{verified}");
}
