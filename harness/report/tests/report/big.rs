//! How long results of many rows take to load and to report, and the memory that they need.

use std::fs;
use std::time::Instant;

use record::{Appender, IterationRow, PlanRow, RunRow, write_table};
use report::{Experiment, Format, write};
use tempfile::TempDir;

use crate::fixture::{BASIC, Fixture};

const INSTANCES: u64 = 100;
const FORMULATIONS: u64 = 25;
const SOLVERS: u64 = 4;

/// A directory with that many runs of one solve each, in cells of as many seeds as it takes.
fn many(rows: u64) -> Fixture {
    let mut fixture = Fixture::new("big");
    fixture.run("n5", BASIC, "highs", 0).solves(&[(1.0, 1)]);
    let (run, solve) = (fixture.runs[0].clone(), fixture.iterations[0].clone());
    (fixture.runs, fixture.iterations) = (Vec::new(), Vec::new());
    fixture.manifest.planned = rows;
    fixture.save();
    let row = |i: u64| {
        let (cell, seed) = (i % (INSTANCES * FORMULATIONS * SOLVERS), i / (INSTANCES * FORMULATIONS * SOLVERS));
        let (instance, rest) = (cell % INSTANCES, cell / INSTANCES);
        let time_s = 0.01 + f64::from(u16::try_from((i * 7919) % 10_007).unwrap_or(0)) / 1000.0;
        let run = RunRow {
            // As hashes are: in no order.
            run_id: format!("{:016x}", i.wrapping_mul(0x9e37_79b9_7f4a_7c15)),
            instance: format!("n{}-round", instance + 5),
            instance_hash: format!("{instance:016x}"),
            challenge: Some(instance + 5),
            formulation: format!("formulation {}", rest % FORMULATIONS),
            solver: format!("solver {}", rest / FORMULATIONS),
            seed,
            solve_time_s: Some(time_s),
            wall_time_s: Some(time_s + 0.02),
            cpu_time_s: Some(time_s + 0.01),
            peak_memory_b: Some(50 << 20),
            memory_source: Some("VmHWM (worker)".to_owned()),
            native_status: Some("Optimal".to_owned()),
            ..run.clone()
        };
        let solve = IterationRow { run_id: run.run_id.clone(), time_s, cumulative_s: time_s, ..solve.clone() };
        (run, solve)
    };
    let files = fixture.files();
    let mut runs = Appender::<RunRow>::open(&files.runs()).expect("a file");
    let mut solves = Appender::<IterationRow>::open(&files.iterations()).expect("a file");
    let all: Vec<_> = (0..rows).collect();
    for chunk in all.chunks(20_000) {
        let (run_rows, solve_rows): (Vec<_>, Vec<_>) = chunk.iter().map(|i| row(*i)).unzip();
        runs.append(&run_rows).expect("written");
        solves.append(&solve_rows).expect("written");
    }
    let planned = all.iter().map(|i| {
        let run = row(*i).0;
        let (run_id, instance, formulation) = (run.run_id, run.instance, run.formulation);
        PlanRow { run_id, instance, formulation, solver: run.solver, seed: run.seed, repeat: run.repeat }
    });
    write_table(&files.plan(), planned).expect("written");
    fixture
}

/// Peak and present resident memory in MiB.
fn memory() -> [u64; 2] {
    let text = fs::read_to_string("/proc/self/status").expect("readable");
    ["VmHWM:", "VmRSS:"].map(|key| {
        let line = text.lines().find_map(|l| l.strip_prefix(key)).expect("a line");
        line.split_whitespace().next().and_then(|kb| kb.parse::<u64>().ok()).expect("a number") >> 10
    })
}

/// Measures; with `ROWS` set, that many rows.
#[test]
#[ignore = "a measurement of a million rows"]
fn a_million_rows() {
    let rows = std::env::var("ROWS").ok().and_then(|rows| rows.parse().ok()).unwrap_or(1_000_000);
    let fixture = many(rows);
    let size = fs::metadata(fixture.files().runs()).expect("a file").len() >> 20;
    eprintln!("{rows} rows, runs.csv of {size} MiB; memory before: {:?} MiB (peak, now)", memory());
    let start = Instant::now();
    let experiment = Experiment::load(fixture.dir.path()).expect("a good directory");
    eprintln!("loaded in {:.1} s; memory {:?} MiB", start.elapsed().as_secs_f64(), memory());
    let out = TempDir::new().expect("a directory");
    let start = Instant::now();
    let files = write(&[experiment], out.path(), &Format::ALL).expect("a report");
    eprintln!("{} files in {:.1} s; memory {:?} MiB", files.len(), start.elapsed().as_secs_f64(), memory());
}
