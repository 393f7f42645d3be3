//! One experiment on several machines: who measured a row, what the machine must be, and that a run is the same run everywhere.

use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::path::Path;

use record::{IterationRow, Status, stream_table};
use runner::{Lack, Probe, Retry, Summary, Unavailable, host_facts, run};

use crate::support::{Bench, CONFIG, solving, worker};

/// A machine that has the solver `gone` too.
const HAS_IT: Probe = |_, _| Ok("1.0".to_owned());

/// Two runs of `fake`, two of `gone`.
fn bench() -> Bench {
    let config = CONFIG.replacen("title", "seeds = [1, 2]\ntitle", 1);
    Bench::with(&config.replace("\"fake\"", "\"fake\"\n\n[[solver]]\nname = \"gone\""))
}

fn run_where(bench: &Bench, gone: Probe) -> Summary {
    let plans = bench.plan_where(gone).expect("a sound plan");
    run(plans, &bench.out(), &bench.options, &worker(&solving())).expect("a session")
}

#[test]
fn a_row_names_the_session_that_measured_it() {
    let mut bench = Bench::new(2);
    bench.filter(&["seed=1"]);
    bench.run(&solving()).expect("a session");
    bench.filter(&[]);
    bench.options.resume = true;
    bench.run(&solving()).expect("a session");
    let sessions = bench.results().read_manifest().expect("a manifest").sessions;
    let ids: Vec<_> = sessions.iter().map(|session| session.id.clone()).collect();
    assert!(ids.len() == 2 && ids[0] != ids[1], "{ids:?}");
    assert!(ids.iter().all(|id| id.len() == 12 && id.bytes().all(|b| b.is_ascii_hexdigit())), "{ids:?}");
    assert_eq!(bench.rows().into_iter().map(|row| row.session).collect::<Vec<_>>(), ids);
}

/// Takes a column out of a table in which nothing is quoted.
fn without(column: &str, table: &Path) {
    let text = fs::read_to_string(table).expect("a table");
    assert!(!text.contains('"'), "{text}");
    let header = text.lines().next().expect("a header");
    let place = header.split(',').position(|name| name == column).expect("it is there");
    let line = |line: &str| {
        let cells = line.split(',').enumerate().filter(|(at, _)| *at != place).map(|(_, cell)| cell);
        cells.collect::<Vec<_>>().join(",") + "\n"
    };
    fs::write(table, text.lines().map(line).collect::<String>()).expect("written");
}

#[test]
fn results_that_name_no_sessions_are_gone_on_with() {
    let mut bench = Bench::new(2);
    bench.filter(&["seed=1"]);
    bench.run(&solving()).expect("a session");
    without("session", &bench.results().runs());
    let path = bench.results().manifest();
    let mut manifest: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(&path).expect("a manifest")).expect("JSON");
    for key in ["id", "engine"] {
        manifest["sessions"][0].as_object_mut().expect("a session").remove(key).expect("it is there");
    }
    fs::write(&path, manifest.to_string()).expect("written");
    bench.filter(&[]);
    bench.options.resume = true;
    let summary = bench.run(&solving()).expect("a session");
    assert_eq!((summary.skipped, summary.rows(), summary.warnings.len()), (1, 1, 0), "{summary}");
    let named: Vec<bool> = bench.rows().iter().map(|row| !row.session.is_empty()).collect();
    assert_eq!(named, [false, true]);
}

#[test]
fn a_run_is_the_same_run_wherever_it_is_planned() {
    let bench = bench();
    let lacks: Probe = |_, _| Err(Unavailable { lack: Lack::Solver, message: "not installed".to_owned() });
    let of = |gone: Probe| {
        let plans = bench.plan_where(gone).expect("a sound plan");
        plans[0].asked().iter().map(|run| run.row()).collect::<Vec<_>>()
    };
    let here = of(lacks);
    assert_eq!(here.len(), 4);
    assert_eq!(of(HAS_IT), here);
    assert_eq!(of(|_, _| Ok("2.0 of another build".to_owned())), here);
}

#[test]
fn what_one_machine_lacks_another_measures_and_nothing_is_left_over() {
    let mut bench = bench();
    bench.run(&solving()).expect("a session");
    let results = bench.results();
    let (plan, hash) = (fs::read(results.plan()).expect("a plan"), results.read_manifest().expect("a manifest").plan);
    let status = |status| bench.rows().iter().filter(|row| row.status == status).count();
    assert_eq!((status(Status::Optimal), status(Status::Unsupported)), (2, 2));

    bench.options.resume = true;
    bench.options.retry = vec![Retry::Status(Status::Unsupported)];
    let elsewhere = run_where(&bench, HAS_IT);
    assert_eq!((elsewhere.skipped, elsewhere.rows()), (2, 2));
    assert!(!elsewhere.to_string().contains("not of this plan"), "{elsewhere}");
    assert_eq!(fs::read(results.plan()).expect("a plan"), plan);
    assert_eq!(results.read_manifest().expect("a manifest").plan, hash);
    // Here again, where it is still not installed: all is done.
    let again = bench.run(&solving()).expect("a session");
    assert_eq!((again.skipped, again.rows()), (4, 0), "{again}");

    let planned: HashSet<_> = results.read_plan().expect("a plan").into_iter().map(|row| row.run_id).collect();
    let mut latest = BTreeMap::new();
    for row in bench.rows() {
        latest.insert(row.run_id, (row.attempt, row.status));
    }
    assert_eq!(latest.keys().cloned().collect::<HashSet<_>>(), planned);
    assert!(latest.values().all(|(_, status)| *status == Status::Optimal), "{latest:?}");
    assert_eq!(latest.values().filter(|(attempt, _)| *attempt == 2).count(), 2);
    for solve in stream_table::<IterationRow>(&results.iterations()).expect("a table") {
        let (_, solve) = solve.expect("a row");
        assert!(planned.contains(&solve.run_id), "{solve:?}");
    }
    for folder in ["solutions", "logs"] {
        for file in fs::read_dir(results.root().join(folder)).expect("a folder") {
            let name = file.expect("a file").file_name().to_string_lossy().into_owned();
            assert!(name.split('.').next().is_some_and(|id| planned.contains(id)), "{folder}/{name}");
        }
    }
}

#[test]
fn a_machine_of_another_cpu_model_is_refused_before_anything_is_written() {
    let require = |part: &str| {
        Bench::with(&CONFIG.replacen("[limits]", &format!("[require]\ncpu_model = \"{part}\"\n\n[limits]"), 1))
    };
    let here = host_facts().cpu_model;
    let bench = require("Abacus 9000");
    let error = bench.run(&solving()).expect_err("another machine");
    assert!(error.is_usage());
    let told = format!(
        "config.toml, line 7: [require] cpu_model asks for \"Abacus 9000\", and the CPU model of this machine is \"{here}\""
    );
    assert!(here.is_empty() || error.to_string().contains(&told), "{error}");
    assert!(!bench.out().exists());
    let shown = bench.preview();
    assert!(shown.contains("note: ") && shown.contains("asks for \"Abacus 9000\""), "{shown}");

    assert!(require(" ").refusal().contains("line 7: require.cpu_model is empty"));
    if here.is_empty() {
        return;
    }
    // A part of the name is enough, in any letters.
    let part = here.chars().skip(1).take(8).collect::<String>().to_uppercase();
    let bench = require(&part);
    assert_eq!(bench.run(&solving()).expect("a session").rows(), 1);
    let shown = bench.preview();
    assert!(!shown.contains("asks for"), "{shown}");
}
