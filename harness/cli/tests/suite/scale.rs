//! A million runs: what it takes to plan them, to cut the plan into shards and to merge what these leave.

use std::fs;
use std::process::Child;
use std::thread;
use std::time::{Duration, Instant};

use record::{
    Category, IterationRow, ResultsDir, RunRow, SessionFacts, Solve, SolveStatus, Status, stream_table, write_table,
};

use crate::bench::{Bench, Ran, words};

const SHARDS: usize = 20;

/// Instances: paths of 12 places, each to the right or down, so that no two are alike.
const INSTANCES: u64 = 1000;

fn bench(runs: u64) -> Bench {
    let bench = Bench::new();
    fs::create_dir(bench.path("boards")).expect("a folder");
    for number in 0..INSTANCES {
        let (mut place, mut places) = ([0, 0], vec!["[0, 0]".to_owned()]);
        for step in 0..11 {
            place[usize::from(number >> step & 1 == 1)] += 1;
            places.push(format!("[{}, {}]", place[0], place[1]));
        }
        let text = format!(
            "kind = \"tantrix-fixed\"\nchallenge = 12\ntiles = \"repeated\"\nplaces = [{}]\nknown = \"unknown\"\n",
            places.join(", ")
        );
        bench.write(&format!("boards/path{number}.toml"), &text);
    }
    bench.write(
        "large.toml",
        &format!(
            "experiment = \"large\"\ntitle = \"Large\"\ninstances = [\"boards/*.toml\"]\nseeds = \"1-{}\"\n[limits]\ntime = \
             \"60s\"\n[[formulation]]\nname = \"search\"\nkind = \"search\"\n[[solver]]\nname = \"search\"\n",
            runs / INSTANCES
        ),
    );
    bench
}

/// Waits for a command and says how long it took, its CPU time and its memory.
fn measured(what: &str, child: Child) -> Ran {
    let (start, folder) = (Instant::now(), format!("/proc/{}", child.id()));
    let waiting = thread::spawn(move || Ran::of(child));
    let (mut peak, mut cpu) = (String::new(), 0.0);
    while !waiting.is_finished() {
        let of = |file: &str| fs::read_to_string(format!("{folder}/{file}")).unwrap_or_default();
        if let Some(found) = of("status").lines().find_map(|line| line.strip_prefix("VmHWM:")) {
            found.trim().clone_into(&mut peak);
        }
        let ticks = of("stat")
            .rsplit(") ")
            .next()
            .map(|rest| rest.split(' ').skip(11).take(2).flat_map(str::parse::<f64>).sum());
        cpu = f64::max(cpu, ticks.unwrap_or(0.0) / 100.0);
        thread::sleep(Duration::from_millis(5));
    }
    eprintln!("{what}: {:.1} s, CPU {cpu:.1} s, {peak}", start.elapsed().as_secs_f64());
    waiting.join().expect("a command").ok()
}

/// A row as a search leaves it, and its solve.
fn rows(run_id: String, instance: String, seed: u64, second: u64) -> (RunRow, IterationRow) {
    let solve = Solve {
        iteration: 0,
        time_s: 0.123_456_789,
        cumulative_s: 0.123_456_789,
        status: SolveStatus::Optimal,
        native_status: Some("solved".to_owned()),
        loops: Some(1),
        loop_lengths: Some("12".to_owned()),
        holes: Some(0),
        cuts_added: 0,
        objective_value: None,
        bound: None,
        gap: None,
        nodes: Some(123_456),
        simplex_iterations: None,
        conflicts: None,
        propagations: None,
        variables: None,
        constraints: None,
    };
    let solve = IterationRow { run_id: run_id.clone(), attempt: 1, solve };
    let row = RunRow {
        experiment: "large".to_owned(),
        instance_hash: format!("{:0>16}", instance.trim_start_matches("path")),
        instance,
        challenge: Some(12),
        places: Some(12),
        colour: Some("red".to_owned()),
        formulation: "search".to_owned(),
        kind: "search".to_owned(),
        families: "strategy=propagate".to_owned(),
        objective: "none".to_owned(),
        subloops: "propagate".to_owned(),
        hole_treatment: "report".to_owned(),
        solver: "search".to_owned(),
        backend: "search".to_owned(),
        solver_version: "2".to_owned(),
        seed,
        cpus: Some("0".to_owned()),
        time_limit_s: Some(60.0),
        status: Status::Optimal,
        category: Category::Correct,
        termination_reason: "solved".to_owned(),
        native_status: Some("solved".to_owned()),
        exit_code: Some(0),
        loops: Some(1),
        holes: Some(0),
        iterations: Some(1),
        cuts: Some(0),
        build_time_s: Some(0.000_123_456),
        solve_time_s: Some(0.123_456_789),
        wall_time_s: Some(0.134_567_891),
        cpu_time_s: Some(0.13),
        peak_memory_b: Some(12_345_678),
        memory_source: Some("VmHWM (worker)".to_owned()),
        isolation: "process-group".to_owned(),
        nodes: Some(123_456),
        host: "node".to_owned(),
        cpu_model: "CPU 1".to_owned(),
        git_commit: "0123456789ab".to_owned(),
        git_dirty: Some(false),
        started_at: format!("2026-01-02T{:02}:{:02}:{:02}.007Z", second / 3600 % 24, second / 60 % 60, second % 60),
        ..RunRow::unmeasured(run_id)
    };
    (row, solve)
}

/// Measures; with `ROWS` set that many runs, with `FILES` set also with a solution and a log of each.
#[test]
#[ignore = "a measurement of a million runs"]
fn a_million_runs() {
    let runs = std::env::var("ROWS").ok().and_then(|rows| rows.parse().ok()).unwrap_or(1_000_000);
    let with_files = std::env::var_os("FILES").is_some();
    let bench = bench(runs);
    let start = |line: &str| bench.start(&words(line));
    measured("plan and cut, an empty shard", start("run large.toml --shard 9999/9999 --out empty"));
    let empty = ResultsDir::new(bench.path("empty/large"));
    let manifest = empty.read_manifest().expect("a manifest");
    for shard in 0..SHARDS {
        let dir = ResultsDir::new(bench.path(&format!("parts/{shard}/large")));
        for folder in ["instances", "solutions", "logs"] {
            fs::create_dir_all(dir.root().join(folder)).expect("a folder");
        }
        fs::copy(empty.plan(), dir.plan()).expect("a copy");
        fs::copy(empty.config(), dir.config()).expect("a copy");
        let mut manifest = manifest.clone();
        let started_at = format!("2026-01-02T00:00:{shard:02}.000Z");
        manifest.sessions =
            vec![SessionFacts { started_at, shard: format!("{}/{SHARDS}", shard + 1), ..SessionFacts::default() }];
        fs::write(dir.manifest(), serde_json::to_vec(&manifest).expect("json")).expect("a file");
        let plan = || stream_table::<record::PlanRow>(&empty.plan()).expect("a plan").map(|row| row.expect("a row").1);
        // One in a hundred was done by two.
        let own = || {
            let numbered = (0..).zip(plan());
            numbered.filter(move |(number, _)| {
                let of = (number / (runs / INSTANCES) % SHARDS as u64) as usize;
                of == shard || (number % 100 == 0 && (of + 1) % SHARDS == shard)
            })
        };
        write_table(&dir.runs(), own().map(|(at, row)| rows(row.run_id, row.instance, row.seed, at).0)).expect("rows");
        write_table(&dir.iterations(), own().map(|(at, row)| rows(row.run_id, row.instance, row.seed, at).1))
            .expect("rows");
        if with_files {
            for (_, row) in own() {
                fs::write(dir.solution(&row.run_id, 0), [b'x'; 500]).expect("a file");
                fs::write(dir.log(&row.run_id), "").expect("a file");
            }
        }
    }
    let ran = measured("merge", start("merge parts -o merged"));
    assert!(ran.out.contains(&format!("{runs} of {runs} planned runs are done")), "{ran:?}");
    measured("merge again", start("merge parts -o merged"));
}
